package console_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
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
	for _, path := range []string{"/api", "/api/", "/api/nothing", "/static/index.html", "/../console.go", "/vendor", "/index.htm", "/app.js", "/static/app.js", "/bundle/app.js"} {
		if w := v.request("GET", path, "", nil); w.Code == http.StatusOK {
			t.Errorf("GET %s: %d", path, w.Code)
		}
	}
}

// The page names its files by their contents; browsers keep these for ever, and the page not at
// all. All are compressed.
func TestFilesOfThePage(t *testing.T) {
	t.Parallel()
	v := &browser{site: newSite(t, nil)}
	get := func(path string) *httptest.ResponseRecorder {
		w := v.request("GET", path, "", func(r *http.Request) { r.Header.Set("Accept-Encoding", "gzip") })
		if w.Code != http.StatusOK || w.Header().Get("Content-Security-Policy") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("GET %s: %d %v", path, w.Code, w.Header())
		}
		return w
	}
	page := v.request("GET", "/", "", nil)
	if page.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the page may be kept: %v", page.Header())
	}
	names := regexp.MustCompile(`"((?:app|icon)-[0-9a-f]{12}\.(?:js|css|svg))"`).FindAllStringSubmatch(page.Body.String(), -1)
	if len(names) != 3 {
		t.Fatalf("the page names %v", names)
	}
	for _, name := range names {
		w := get("/" + name[1])
		if !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %v", name[1], w.Header())
		}
		if strings.HasPrefix(name[1], "app") && w.Header().Get("Content-Encoding") != "gzip" {
			t.Errorf("%s is not compressed: %v", name[1], w.Header())
		}
	}
}

// The page says who is logged in, so that its script need not ask.
func TestPageHasTheSession(t *testing.T) {
	t.Parallel()
	v := newSite(t, nil).loginAs("otto")
	page := v.request("GET", "/", "", nil).Body.String()
	if !strings.Contains(page, `"user":"otto","role":"operator","csrf":"`+v.csrf+`"`) {
		t.Errorf("the page does not say who is logged in: %s", page)
	}
	if other := (&browser{site: v.site}).request("GET", "/", "", nil).Body.String(); strings.Contains(other, "csrf") {
		t.Errorf("the page of somebody who is not logged in: %s", other)
	}
}

// The bundle was made of the present sources.
func TestBundle(t *testing.T) {
	t.Parallel()
	hash := sha256.New()
	sources := os.DirFS("static")
	err := fs.WalkDir(sources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sources, name)
		fmt.Fprintf(hash, "%s %d\n%s", name, len(data), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("bundle/app.js")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(script[:200], fmt.Appendf(nil, "%x", hash.Sum(nil))) {
		t.Error("static has changed since bundle was made: run go generate ./internal/console")
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
