package console_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"usher/internal/console"
)

// site is a console without anything behind it: whatever reaches a handler
// that should have been refused panics.
type site struct {
	*console.Console
	t     *testing.T
	users string
	now   time.Time
	links []string
}

// accounts are the users' passwords; hashes are cheap ones, for the tests.
var accounts = map[string]string{"vera": "viewer", "otto": "operator", "anna": "admin"}

const password = "correct horse"

func newSite(t *testing.T, change func(*console.Options)) *site {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, users: filepath.Join(t.TempDir(), "users"), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	lines := "# people\n\nproxied:operator:\n"
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

// visitor is a browser, as far as a request shows.
type visitor struct {
	*site
	cookie *http.Cookie
	csrf   string
}

// ask makes a request as the page would; change, if any, spoils it.
func (v *visitor) ask(method, path, body string, change func(*http.Request)) *httptest.ResponseRecorder {
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

// in makes a visitor who has logged in by name.
func (s *site) in(name string) *visitor {
	s.t.Helper()
	v := &visitor{site: s}
	w := v.ask("POST", "/api/login", `{"User":"`+name+`","Password":"`+password+`"}`, nil)
	if w.Code != http.StatusOK {
		s.t.Fatalf("login of %s: %d %s", name, w.Code, w.Body)
	}
	v.refresh()
	return v
}

// refresh reads what the page knows of who looks at it.
func (v *visitor) refresh() (user, role string) {
	v.t.Helper()
	var state struct {
		User string `json:"user"`
		Role string `json:"role"`
		CSRF string `json:"csrf"`
	}
	if err := json.Unmarshal(v.ask("GET", "/api/session", "", nil).Body.Bytes(), &state); err != nil {
		v.t.Fatal(err)
	}
	v.csrf = state.CSRF
	return state.User, state.Role
}

var wildcard = regexp.MustCompile(`\{[a-z]+\}`)

// TestEveryRouteIsGuarded goes over the table of routes, so that a new one
// cannot be forgotten.
func TestEveryRouteIsGuarded(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	nobody := &visitor{site: s}
	people := map[console.Role]*visitor{console.Viewer: s.in("vera"), console.Operator: s.in("otto"), console.Admin: s.in("anna")}
	for _, r := range s.Table() {
		path := wildcard.ReplaceAllString(r.Path, "1")
		refused := func(what string, status int, w *httptest.ResponseRecorder) {
			t.Helper()
			if w.Code != status {
				t.Errorf("%s %s %s: %d %s, want %d", r.Method, r.Path, what, w.Code, w.Body, status)
			}
		}
		if r.Role > console.Anyone {
			refused("without a session", http.StatusUnauthorized, nobody.ask(r.Method, path, "{}", nil))
			refused("with an unknown session", http.StatusUnauthorized, nobody.ask(r.Method, path, "{}", func(q *http.Request) {
				q.AddCookie(&http.Cookie{Name: "usher-8470", Value: strings.Repeat("A", 43)})
			}))
		}
		for role := console.Viewer; role < r.Role; role++ {
			refused("as "+role.String(), http.StatusForbidden, people[role].ask(r.Method, path, "{}", nil))
		}
		refused("by another name", http.StatusMisdirectedRequest, people[console.Admin].ask(r.Method, path, "{}", func(q *http.Request) { q.Host = "evil.example:8470" }))
		if r.Method == http.MethodGet {
			continue
		}
		admin := people[console.Admin]
		refused("from another site", http.StatusForbidden, admin.ask(r.Method, path, "{}", func(q *http.Request) { q.Header.Set("Sec-Fetch-Site", "cross-site") }))
		refused("from the same site", http.StatusForbidden, admin.ask(r.Method, path, "{}", func(q *http.Request) { q.Header.Set("Sec-Fetch-Site", "same-site") }))
		refused("of another origin", http.StatusForbidden, admin.ask(r.Method, path, "{}", func(q *http.Request) {
			q.Header.Del("Sec-Fetch-Site")
			q.Header.Set("Origin", "http://localhost:9999")
		}))
		refused("as a form", http.StatusUnsupportedMediaType, admin.ask(r.Method, path, "{}", func(q *http.Request) { q.Header.Set("Content-Type", "application/x-www-form-urlencoded") }))
		if r.Role > console.Anyone {
			refused("without its token", http.StatusForbidden, admin.ask(r.Method, path, "{}", func(q *http.Request) { q.Header.Del("X-Csrf-Token") }))
			refused("with another's token", http.StatusForbidden, admin.ask(r.Method, path, "{}", func(q *http.Request) { q.Header.Set("X-Csrf-Token", people[console.Viewer].csrf) }))
		}
	}
}

func TestOnlyTheTableIsServed(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	v := s.in("anna")
	for _, path := range []string{"/api", "/api/", "/api/nothing", "/static/index.html", "/../console.go", "/vendor", "/index.htm"} {
		if w := v.ask("GET", path, "", nil); w.Code == http.StatusOK {
			t.Errorf("GET %s: %d", path, w.Code)
		}
	}
	for _, path := range []string{"/", "/app.js", "/vendor/preact.js", "/pages/jobs.js", "/style/base.css"} {
		w := (&visitor{site: s}).ask("GET", path, "", nil)
		if w.Code != http.StatusOK || w.Header().Get("Content-Security-Policy") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("GET %s: %d %v", path, w.Code, w.Header())
		}
	}
}

func TestPasswordLogin(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	login := func(name, word string) int {
		return (&visitor{site: s}).ask("POST", "/api/login", `{"User":"`+name+`","Password":"`+word+`"}`, nil).Code
	}
	for _, c := range []struct {
		name, user, word string
		status           int
	}{
		{"right", "vera", password, http.StatusOK},
		{"wrong password", "vera", "guess", http.StatusUnauthorized},
		{"no such user", "nobody", password, http.StatusUnauthorized},
		{"no password on file", "proxied", "", http.StatusUnauthorized},
		{"nothing", "", "", http.StatusUnauthorized},
	} {
		if status := login(c.user, c.word); status != c.status {
			t.Errorf("%s: %d, want %d", c.name, status, c.status)
		}
	}
	for range 5 {
		login("otto", "guess")
	}
	if status := login("otto", password); status != http.StatusTooManyRequests {
		t.Errorf("after five guesses the right password is answered %d", status)
	}
	s.now = s.now.Add(6 * time.Minute)
	if status := login("otto", password); status != http.StatusOK {
		t.Errorf("six minutes later the right password is answered %d", status)
	}
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for name, end := range map[string]func(*visitor){
		"by logging out":      func(v *visitor) { v.ask("POST", "/api/logout", "{}", nil) },
		"when it is not used": func(*visitor) { s.now = s.now.Add(2*time.Hour + time.Second) },
		"when it is too old": func(v *visitor) {
			for range 13 {
				s.now = s.now.Add(time.Hour)
				v.refresh()
			}
		},
		"when the user is gone": func(*visitor) { s.write("otto:viewer:\n") },
	} {
		lines, err := os.ReadFile(s.users)
		if err != nil {
			t.Fatal(err)
		}
		v := s.in("anna")
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

func TestRoleChangesAtOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	v := s.in("anna")
	lines, err := os.ReadFile(s.users)
	if err != nil {
		t.Fatal(err)
	}
	s.write(strings.Replace(string(lines), "anna:admin", "anna:viewer", 1))
	if w := v.ask("POST", "/api/start", "{}", nil); w.Code != http.StatusForbidden {
		t.Errorf("who is admin no more may still start: %d", w.Code)
	}
}

func TestCookie(t *testing.T) {
	t.Parallel()
	plain := newSite(t, nil).in("vera").cookie
	if !plain.HttpOnly || plain.SameSite != http.SameSiteStrictMode || plain.Path != "/" || len(plain.Value) < 43 {
		t.Errorf("cookie %v", plain)
	}
	s := newSite(t, func(o *console.Options) { o.TLS = true })
	if secure := s.in("vera").cookie; !secure.Secure || !strings.HasPrefix(secure.Name, "__Host-") {
		t.Errorf("cookie over TLS: %v", secure)
	}
}

func TestLinkLetsInOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	token := s.links[0][strings.LastIndex(s.links[0], "/")+1:]
	first, second := &visitor{site: s}, &visitor{site: s}
	if w := first.ask("POST", "/api/login/link", `{"Token":"`+token+`"}`, nil); w.Code != http.StatusOK {
		t.Fatalf("the link: %d %s", w.Code, w.Body)
	}
	if user, role := first.refresh(); user != "local" || role != "admin" {
		t.Errorf("the link lets in %s as %s", user, role)
	}
	for _, token := range []string{token, "", "x"} {
		if w := second.ask("POST", "/api/login/link", `{"Token":"`+token+`"}`, nil); w.Code != http.StatusUnauthorized {
			t.Errorf("the link %q a second time: %d", token, w.Code)
		}
	}
	if len(s.links) != 2 || s.links[0] == s.links[1] {
		t.Errorf("links: %v", s.links)
	}
	without := newSite(t, func(o *console.Options) { o.Link = false })
	if w := (&visitor{site: without}).ask("POST", "/api/login/link", `{"Token":""}`, nil); w.Code != http.StatusUnauthorized {
		t.Errorf("no link lets in: %d", w.Code)
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
		"another":             {from("10.0.0.6:4711", "carl"), http.StatusUnauthorized},
		"the proxy of nobody": {from("10.0.0.5:4711"), http.StatusUnauthorized},
		"two names":           {from("10.0.0.5:4711", "carl", "anna"), http.StatusUnauthorized},
		"a name with a colon": {from("10.0.0.5:4711", "a:b"), http.StatusUnauthorized},
	} {
		if w := (&visitor{site: s}).ask("POST", "/api/login/proxy", "{}", c.change); w.Code != c.status {
			t.Errorf("%s: %d, want %d", name, w.Code, c.status)
		}
	}
	v := &visitor{site: s}
	v.ask("POST", "/api/login/proxy", "{}", from("10.0.0.5:4711", "proxied"))
	var state struct {
		User string `json:"user"`
		Role string `json:"role"`
	}
	for _, c := range []struct {
		name       string
		change     func(*http.Request)
		user, role string
	}{
		{"as the proxy says", from("10.0.0.5:4711", "proxied"), "proxied", "operator"},
		{"past the proxy", from("10.0.0.7:4711", "proxied"), "", ""},
		{"of another user", from("10.0.0.5:4711", "carl"), "", ""},
		{"without a name", from("10.0.0.5:4711"), "", ""},
	} {
		state.User, state.Role = "", ""
		if err := json.Unmarshal(v.ask("GET", "/api/session", "", c.change).Body.Bytes(), &state); err != nil {
			t.Fatal(err)
		}
		if state.User != c.user || state.Role != c.role {
			t.Errorf("the session %s is %s's, %s", c.name, state.User, state.Role)
		}
	}
}

func TestHosts(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for host, known := range map[string]bool{
		"localhost:8470": true, "127.0.0.1:8470": true, "[::1]:8470": true, "10.1.2.3": true, "usher.example": true, "USHER.example:443": true,
		"evil.example": false, "localhost.evil.example": false, "127.0.0.1.evil.example:8470": false, "": false,
	} {
		w := (&visitor{site: s}).ask("GET", "/", "", func(r *http.Request) { r.Host = host })
		if (w.Code == http.StatusOK) != known {
			t.Errorf("host %q: %d", host, w.Code)
		}
	}
}

func TestUsersFile(t *testing.T) {
	t.Parallel()
	line, err := console.UserLine("ada", console.Operator, "a long password")
	if err != nil {
		t.Fatal(err)
	}
	for text, says := range map[string]string{
		line + "\n":                "",
		"ada:viewer:\r\n":          "",
		"ada\n":                    "line 1: not of the form user:role:hash",
		"\n\nada:king:x\n":         "line 3: unknown role",
		"ada:viewer:secret\n":      "line 1: the hash is not a bcrypt hash",
		"ada:viewer:\nada:admin:":  "line 2: user ada is listed twice",
		"a da:viewer:\n":           "line 1: a user name",
		strings.Repeat("x", 70000): "line too long",
	} {
		path := filepath.Join(t.TempDir(), "users")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := console.OpenUsers(path)
		switch {
		case says == "" && err != nil:
			t.Errorf("%q: %v", text, err)
		case says != "" && (err == nil || !strings.Contains(err.Error(), says)):
			t.Errorf("%.40q: %v, want %s", text, err, says)
		case err != nil && strings.Contains(err.Error(), "secret"):
			t.Errorf("the error shows what stands in the file: %v", err)
		}
	}
	for _, password := range []string{"short", strings.Repeat("x", 73)} {
		if _, err := console.UserLine("ada", console.Viewer, password); err == nil {
			t.Errorf("a password of %d bytes is taken", len(password))
		}
	}
}

// A users file that others may change is refused, also while the console runs.
func TestUsersFileOfEverybody(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	v := s.in("anna")
	for mode, accepted := range map[os.FileMode]bool{0o666: false, 0o620: false, 0o602: false, 0o777: false, 0o600: true, 0o400: true, 0o444: true, 0o640: true} {
		if err := os.Chmod(s.users, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := console.OpenUsers(s.users); (err == nil) != accepted || err != nil && !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("a file with mode %o: %v", mode, err)
		}
		if user, _ := v.refresh(); (user == "anna") != accepted {
			t.Errorf("with mode %o the session is of %q", mode, user)
		}
	}
}
