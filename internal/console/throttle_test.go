package console_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// login logs in from an address and returns the status.
func (s *site) login(user, word, address string) (status int) {
	s.t.Helper()
	body := fmt.Sprintf(`{"User":%q,"Password":%q}`, user, word)
	return (&browser{site: s}).request("POST", "/api/login", body, func(r *http.Request) { r.RemoteAddr = address }).Code
}

// The limit of guesses holds for concurrent guesses, too.
func TestConcurrentGuesses(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	var compared, refused atomic.Int64
	var guesses sync.WaitGroup
	for range 89 {
		guesses.Go(func() {
			switch status := s.login("otto", "guess", "192.0.2.1:1000"); status {
			case http.StatusUnauthorized:
				compared.Add(1)
			case http.StatusTooManyRequests:
				refused.Add(1)
			default:
				t.Errorf("a guess is answered %d", status)
			}
		})
	}
	guesses.Wait()
	if compared.Load() != 5 || refused.Load() != 84 {
		t.Errorf("%d guesses were compared, %d refused", compared.Load(), refused.Load())
	}
}

// Guesses from one address do not lock out the right password from another address.
func TestGuessesFromAnotherAddress(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for range 200 {
		s.login("otto", "guess", "192.0.2.1:1000")
	}
	for _, c := range []struct {
		user, address string
		status        int
	}{
		{"otto", "192.0.2.1:2000", http.StatusTooManyRequests},
		{"otto", "192.0.2.2:1000", http.StatusOK},
		{"vera", "192.0.2.1:1000", http.StatusOK},
	} {
		if status := s.login(c.user, password, c.address); status != c.status {
			t.Errorf("%s from %s is answered %d, want %d", c.user, c.address, status, c.status)
		}
	}
}

// Guesses of one user's password from many addresses are limited. They do not lock out the
// user at an address where the user has logged in before.
func TestGuessesFromManyAddresses(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	const home = "198.51.100.7:1000"
	if status := s.login("otto", password, home); status != http.StatusOK {
		t.Fatalf("the first login is answered %d", status)
	}
	compared := 0
	for i := range 300 {
		if s.login("otto", "guess", fmt.Sprintf("192.0.%d.%d:1000", i/100, i%100)) == http.StatusUnauthorized {
			compared++
		}
	}
	if compared != 100 {
		t.Errorf("%d guesses were compared, want 100", compared)
	}
	if status := s.login("otto", password, home); status != http.StatusOK {
		t.Errorf("meanwhile the right password from the usual address is answered %d", status)
	}
	s.now = s.now.Add(3 * time.Second)
	if status := s.login("otto", password, "203.0.113.9:1000"); status != http.StatusOK {
		t.Errorf("3 s later the right password from a new address is answered %d", status)
	}
}

// Guesses of many names from one address, or from the addresses of one IPv6 network, are
// limited, too.
func TestGuessesOfManyNames(t *testing.T) {
	t.Parallel()
	for what, guess := range map[string]func(i int) (user, address string){
		"names":     func(i int) (string, string) { return fmt.Sprint("user", i), "192.0.2.1:1000" },
		"addresses": func(i int) (string, string) { return fmt.Sprint("user", i), fmt.Sprintf("[2001:db8::%x]:1000", i+1) },
	} {
		s := newSite(t, nil)
		compared := 0
		for i := range 60 {
			user, address := guess(i)
			if s.login(user, "guess", address) == http.StatusUnauthorized {
				compared++
			}
		}
		if compared != 20 {
			t.Errorf("of 60 %s, %d guesses were compared, want 20", what, compared)
		}
	}
}

// Successful logins are not limited.
func TestManyLogins(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for i := range 60 {
		if status := s.login("otto", password, "192.0.2.1:1000"); status != http.StatusOK {
			t.Fatalf("login %d is answered %d", i, status)
		}
	}
}
