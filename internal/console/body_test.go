package console_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A request has no effect if its body stalls, is cut off or is too long, even if the route
// does not use the body.
func TestIncompleteBodies(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	anna := s.loginAs("anna")
	patient := httptest.NewServer(s)
	defer patient.Close()
	impatient := httptest.NewUnstartedServer(s)
	impatient.Config.ReadTimeout = time.Second
	impatient.Start()
	defer impatient.Close()
	send := func(path, header, body string, end bool, want int) (status int) {
		t.Helper()
		server := patient
		if want == http.StatusRequestTimeout {
			server = impatient
		}
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost:8470\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nX-Csrf-Token: %s\r\nCookie: %s=%s\r\n%s\r\n\r\n%s",
			path, anna.csrf, anna.cookie.Name, anna.cookie.Value, header, body)
		if end {
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		return answer.StatusCode
	}
	for _, path := range []string{"/api/login", "/api/logout", "/api/stop"} {
		for name, c := range map[string]struct {
			header, body string
			end          bool
			status       int
		}{
			"stalls":              {"Content-Length: 100", `{}`, false, http.StatusRequestTimeout},
			"stalls in a chunk":   {"Transfer-Encoding: chunked", "64\r\n{}", false, http.StatusRequestTimeout},
			"stalls after chunks": {"Transfer-Encoding: chunked", "2\r\n{}\r\n", false, http.StatusRequestTimeout},
			"is cut off":          {"Content-Length: 100", `{}`, true, http.StatusBadRequest},
			"is too long":         {"Content-Length: 2000000", strings.Repeat(" ", 2_000_000), false, http.StatusRequestEntityTooLarge},
		} {
			if status := send(path, c.header, c.body, c.end, c.status); status != c.status {
				t.Errorf("%s with a body that %s is answered %d, want %d", path, name, status, c.status)
			}
		}
	}
	if status := send("/api/login", "Content-Length: 4", "{}{}", false, http.StatusBadRequest); status != http.StatusBadRequest {
		t.Errorf("two JSON values are answered %d", status)
	}
	if user, _ := anna.refresh(); user != "anna" {
		t.Error("an incomplete request has ended the session")
	}
}
