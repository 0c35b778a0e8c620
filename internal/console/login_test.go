package console_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"usher/internal/console"
)

func TestPasswordLogin(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	login := func(name, word string) int {
		return (&browser{site: s}).request("POST", "/api/login", `{"User":"`+name+`","Password":"`+word+`"}`, nil).Code
	}
	for _, c := range []struct {
		name, user, word string
		status           int
	}{
		{"right", "vera", password, http.StatusOK},
		{"wrong password", "vera", "guess", http.StatusUnauthorized},
		{"unknown user", "nobody", password, http.StatusUnauthorized},
		{"user without a password", "proxied", "", http.StatusUnauthorized},
		{"no name and no password", "", "", http.StatusUnauthorized},
	} {
		if status := login(c.user, c.word); status != c.status {
			t.Errorf("%s: %d, want %d", c.name, status, c.status)
		}
	}
	for range 5 {
		login("otto", "guess")
	}
	answer := (&browser{site: s}).request("POST", "/api/login", `{"User":"otto","Password":"`+password+`"}`, nil)
	if after := answer.Header().Get("Retry-After"); answer.Code != http.StatusTooManyRequests || after != "60" || !strings.Contains(answer.Body.String(), "try again in 1m0s") {
		t.Errorf("after five guesses the right password is answered %d, to be tried again after %s s: %s", answer.Code, after, answer.Body)
	}
	s.now = s.now.Add(6 * time.Minute)
	if status := login("otto", password); status != http.StatusOK {
		t.Errorf("six minutes later the right password is answered %d", status)
	}
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for name, end := range map[string]func(*browser){
		"after a logout":      func(v *browser) { v.request("POST", "/api/logout", "{}", nil) },
		"when it is not used": func(*browser) { s.now = s.now.Add(2*time.Hour + time.Second) },
		"when it is too old": func(v *browser) {
			for range 13 {
				s.now = s.now.Add(time.Hour)
				v.refresh()
			}
		},
		"when the user is removed": func(*browser) { s.write("otto:viewer:\n") },
	} {
		lines, err := os.ReadFile(s.users)
		if err != nil {
			t.Fatal(err)
		}
		v := s.loginAs("anna")
		cookie := v.cookie
		if user, role := v.refresh(); user != "anna" || role != "admin" {
			t.Fatalf("logged in as %s, %s", user, role)
		}
		end(v)
		v.cookie = cookie
		if user, _ := v.refresh(); user != "" {
			t.Errorf("the session does not end %s", name)
		}
		s.write(string(lines))
	}
}

func TestRoleChangesImmediately(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	v := s.loginAs("anna")
	lines, err := os.ReadFile(s.users)
	if err != nil {
		t.Fatal(err)
	}
	s.write(strings.Replace(string(lines), "anna:admin", "anna:viewer", 1))
	if w := v.request("POST", "/api/start", "{}", nil); w.Code != http.StatusForbidden {
		t.Errorf("a user who is no longer an admin started campaign actions: status %d", w.Code)
	}
}

func TestCookie(t *testing.T) {
	t.Parallel()
	plain := newSite(t, nil).loginAs("vera").cookie
	if !plain.HttpOnly || plain.SameSite != http.SameSiteStrictMode || plain.Path != "/" || len(plain.Value) < 43 {
		t.Errorf("cookie %v", plain)
	}
	s := newSite(t, func(o *console.Options) { o.TLS = true })
	if secure := s.loginAs("vera").cookie; !secure.Secure || !strings.HasPrefix(secure.Name, "__Host-") {
		t.Errorf("cookie over TLS: %v", secure)
	}
}

func TestLinkWorksOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	token := s.links[0][strings.LastIndex(s.links[0], "/")+1:]
	first, second := &browser{site: s}, &browser{site: s}
	if w := first.request("POST", "/api/login/link", `{"Token":"`+token+`"}`, nil); w.Code != http.StatusOK {
		t.Fatalf("the link: %d %s", w.Code, w.Body)
	}
	if user, role := first.refresh(); user != "local" || role != "admin" {
		t.Errorf("the link logs in %s as %s", user, role)
	}
	for _, token := range []string{token, "", "x"} {
		if w := second.request("POST", "/api/login/link", `{"Token":"`+token+`"}`, nil); w.Code != http.StatusUnauthorized {
			t.Errorf("the link %q a second time: %d", token, w.Code)
		}
	}
	if len(s.links) != 2 || s.links[0] == s.links[1] {
		t.Errorf("links: %v", s.links)
	}
	without := newSite(t, func(o *console.Options) { o.Link = false })
	if w := (&browser{site: without}).request("POST", "/api/login/link", `{"Token":""}`, nil); w.Code != http.StatusUnauthorized {
		t.Errorf("a login without a link is answered %d", w.Code)
	}
}

func TestProxyLogin(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	from := func(address string, users ...string) func(*http.Request) {
		return func(r *http.Request) {
			r.RemoteAddr = address
			for _, user := range users {
				r.Header.Add("X-User", user)
			}
		}
	}
	for name, c := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"the proxy":           {from("10.0.0.5:4711", "carl"), http.StatusOK},
		"the proxy over IPv6": {from("[::ffff:10.0.0.5]:4711", "carl"), http.StatusOK},
		"another address":     {from("10.0.0.6:4711", "carl"), http.StatusUnauthorized},
		"no user":             {from("10.0.0.5:4711"), http.StatusUnauthorized},
		"two names":           {from("10.0.0.5:4711", "carl", "anna"), http.StatusUnauthorized},
		"a name with a colon": {from("10.0.0.5:4711", "a:b"), http.StatusUnauthorized},
	} {
		if w := (&browser{site: s}).request("POST", "/api/login/proxy", "{}", c.change); w.Code != c.status {
			t.Errorf("%s: %d, want %d", name, w.Code, c.status)
		}
	}
	v := &browser{site: s}
	v.request("POST", "/api/login/proxy", "{}", from("10.0.0.5:4711", "proxied"))
	var state struct {
		User string `json:"user"`
		Role string `json:"role"`
	}
	for _, c := range []struct {
		name       string
		change     func(*http.Request)
		user, role string
	}{
		{"of the user", from("10.0.0.5:4711", "proxied"), "proxied", "operator"},
		{"from another address", from("10.0.0.7:4711", "proxied"), "", ""},
		{"of another user", from("10.0.0.5:4711", "carl"), "", ""},
		{"without a name", from("10.0.0.5:4711"), "", ""},
	} {
		state.User, state.Role = "", ""
		if err := json.Unmarshal(v.request("GET", "/api/session", "", c.change).Body.Bytes(), &state); err != nil {
			t.Fatal(err)
		}
		if state.User != c.user || state.Role != c.role {
			t.Errorf("the session %s is %s's, %s", c.name, state.User, state.Role)
		}
	}
}
