package console_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"usher/internal/console"
)

var wildcard = regexp.MustCompile(`\{[a-z]+\}`)

// TestEveryRouteIsGuarded checks all routes in the table, so that it covers new ones, too.
func TestEveryRouteIsGuarded(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	stranger := &browser{site: s}
	users := map[console.Role]*browser{console.Viewer: s.loginAs("vera"), console.Operator: s.loginAs("otto"), console.Admin: s.loginAs("anna")}
	for _, r := range s.Routes() {
		path := wildcard.ReplaceAllString(r.Path, "1")
		refused := func(what string, status int, w *httptest.ResponseRecorder) {
			t.Helper()
			if w.Code != status {
				t.Errorf("%s %s %s: %d %s, want %d", r.Method, r.Path, what, w.Code, w.Body, status)
			}
		}
		if r.Role > console.Anyone {
			refused("without a session", http.StatusUnauthorized, stranger.request(r.Method, path, "{}", nil))
			refused("with an unknown session", http.StatusUnauthorized, stranger.request(r.Method, path, "{}", func(q *http.Request) {
				q.AddCookie(&http.Cookie{Name: "usher-8470", Value: strings.Repeat("A", 43)})
			}))
		}
		for role := console.Viewer; role < r.Role; role++ {
			refused("as "+role.String(), http.StatusForbidden, users[role].request(r.Method, path, "{}", nil))
		}
		refused("for another host", http.StatusMisdirectedRequest, users[console.Admin].request(r.Method, path, "{}", func(q *http.Request) { q.Host = "evil.example:8470" }))
		if r.Method == http.MethodGet {
			continue
		}
		admin := users[console.Admin]
		refused("from another site", http.StatusForbidden, admin.request(r.Method, path, "{}", func(q *http.Request) { q.Header.Set("Sec-Fetch-Site", "cross-site") }))
		refused("from the same site", http.StatusForbidden, admin.request(r.Method, path, "{}", func(q *http.Request) { q.Header.Set("Sec-Fetch-Site", "same-site") }))
		refused("from another origin", http.StatusForbidden, admin.request(r.Method, path, "{}", func(q *http.Request) {
			q.Header.Del("Sec-Fetch-Site")
			q.Header.Set("Origin", "http://localhost:9999")
		}))
		refused("as a form", http.StatusUnsupportedMediaType, admin.request(r.Method, path, "{}", func(q *http.Request) { q.Header.Set("Content-Type", "application/x-www-form-urlencoded") }))
		if r.Role > console.Anyone {
			refused("without the CSRF token", http.StatusForbidden, admin.request(r.Method, path, "{}", func(q *http.Request) { q.Header.Del("X-Csrf-Token") }))
			refused("with the CSRF token of another session", http.StatusForbidden, admin.request(r.Method, path, "{}", func(q *http.Request) { q.Header.Set("X-Csrf-Token", users[console.Viewer].csrf) }))
		}
	}
}

func TestOtherPathsAreNotServed(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	v := s.loginAs("anna")
	for _, path := range []string{"/api", "/api/", "/api/nothing", "/static/index.html", "/../console.go", "/vendor", "/index.htm"} {
		if w := v.request("GET", path, "", nil); w.Code == http.StatusOK {
			t.Errorf("GET %s: %d", path, w.Code)
		}
	}
	for _, path := range []string{"/", "/app.js", "/vendor/preact.js", "/pages/jobs.js", "/style/base.css"} {
		w := (&browser{site: s}).request("GET", path, "", nil)
		if w.Code != http.StatusOK || w.Header().Get("Content-Security-Policy") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("GET %s: %d %v", path, w.Code, w.Header())
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
		w := (&browser{site: s}).request("GET", "/", "", func(r *http.Request) { r.Host = host })
		if (w.Code == http.StatusOK) != known {
			t.Errorf("host %q: %d", host, w.Code)
		}
	}
}
