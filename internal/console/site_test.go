package console_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"usher/internal/console"
)

// site is a console without Sources. A request that reaches a handler, although it should
// have been refused, panics.
type site struct {
	*console.Console
	t     *testing.T
	users string
	now   time.Time
	links []string
}

// accounts has the role of each user. All of them have the same password.
var accounts = map[string]string{"vera": "viewer", "otto": "operator", "anna": "admin"}

const password = "correct horse"

func newSite(t *testing.T, change func(*console.Options)) *site {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, users: filepath.Join(t.TempDir(), "users"), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	lines := "# users\n\nproxied:operator:\n"
	for name, role := range accounts {
		lines += name + ":" + role + ":" + string(hash) + "\n"
	}
	s.write(lines)
	users, err := console.OpenUsers(s.users)
	if err != nil {
		t.Fatal(err)
	}
	o := console.Options{
		Users: users, Link: true, LinkMade: func(path string) { s.links = append(s.links, path) },
		Proxy: console.Proxy{Header: "X-User", From: []netip.Prefix{netip.MustParsePrefix("10.0.0.5/32")}, Role: console.Viewer},
		Hosts: []string{"usher.example"}, Port: "8470", Now: func() time.Time { return s.now },
	}
	if change != nil {
		change(&o)
	}
	s.Console = console.New(o)
	return s
}

func (s *site) write(lines string) {
	s.t.Helper()
	if err := os.WriteFile(s.users, []byte(lines), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// browser sends requests to a site, with the cookie and the CSRF token of its session.
type browser struct {
	*site
	cookie *http.Cookie
	csrf   string
}

// request makes a request as the page would. change may be nil; it changes the request.
func (v *browser) request(method, path, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	v.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost:8470"
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if method != http.MethodGet {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Csrf-Token", v.csrf)
	}
	if v.cookie != nil {
		r.AddCookie(v.cookie)
	}
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	v.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		v.cookie = c
	}
	return w
}

// loginAs returns a browser in which a user has logged in.
func (s *site) loginAs(name string) *browser {
	s.t.Helper()
	v := &browser{site: s}
	w := v.request("POST", "/api/login", `{"User":"`+name+`","Password":"`+password+`"}`, nil)
	if w.Code != http.StatusOK {
		s.t.Fatalf("login of %s: %d %s", name, w.Code, w.Body)
	}
	v.refresh()
	return v
}

// refresh reads the session as the page does, and returns its user and role.
func (v *browser) refresh() (user, role string) {
	v.t.Helper()
	var state struct {
		User string `json:"user"`
		Role string `json:"role"`
		CSRF string `json:"csrf"`
	}
	if err := json.Unmarshal(v.request("GET", "/api/session", "", nil).Body.Bytes(), &state); err != nil {
		v.t.Fatal(err)
	}
	v.csrf = state.CSRF
	return state.User, state.Role
}
