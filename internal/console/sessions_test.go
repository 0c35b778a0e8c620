package console_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/internal/console"
	"usher/internal/natstest"
	"usher/queues"
	"usher/queues/store"
)

// newLogins returns the bucket of sessions on a NATS server, and a function that stops the server.
func newLogins(t *testing.T) (logins *store.Bucket, stop func()) {
	t.Helper()
	server := natstest.Serve(t, &natsserver.Options{})
	nc, err := nats.Connect(server.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if err := queues.Declare(t.Context(), js, queues.Options{MaxBytes: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), nc, "", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return s.State, func() { server.Shutdown(); server.WaitForShutdown() }
}

// another returns a console with the same users as s, as it is after a restart, or on another worker.
func (s *site) another(logins *store.Bucket) *site {
	users, err := console.OpenUsers(s.users)
	if err != nil {
		s.t.Fatal(err)
	}
	other := newSite(s.t, func(o *console.Options) { o.Logins, o.Users = logins, users })
	other.users = s.users
	return other
}

// in returns the browser with its cookie at another console.
func (v *browser) in(s *site) *browser { return &browser{site: s, cookie: v.cookie, csrf: v.csrf} }

// absent says why the browser's cookie has no session.
func (v *browser) absent() (why string) {
	v.t.Helper()
	var state struct {
		User   string `json:"user"`
		Absent string `json:"absent"`
	}
	if err := json.Unmarshal(v.request("GET", "/api/session", "", nil).Body.Bytes(), &state); err != nil {
		v.t.Fatal(err)
	}
	if state.User != "" {
		return "no: it is " + state.User + "'s"
	}
	return state.Absent
}

func TestSessionSurvivesRestart(t *testing.T) {
	t.Parallel()
	logins, _ := newLogins(t)
	first := newSite(t, func(o *console.Options) { o.Logins = logins })
	v := first.loginAs("anna")
	second := first.another(logins)
	after := v.in(second)
	if user, role := after.refresh(); user != "anna" || role != "admin" {
		t.Fatalf("after a restart the session is %q's, %q: %s", user, role, after.absent())
	}
	if after.csrf != v.csrf {
		t.Error("an open page would have to be loaded again: it has another CSRF token")
	}

	// A logout at one process ends the session at all.
	if w := after.request("POST", "/api/logout", "{}", nil); w.Code != http.StatusOK {
		t.Fatalf("logout: %d %s", w.Code, w.Body)
	}
	first.now = first.now.Add(time.Minute + time.Second)
	if why := v.absent(); why != "forgotten" {
		t.Errorf("a minute after a logout at another process the session is absent: %s", why)
	}
	if why := v.in(first.another(logins)).absent(); why != "forgotten" {
		t.Errorf("after a logout and a restart the session is absent: %s", why)
	}
}

// The store has when a session was used last, within minutes, also if it was used at another worker.
func TestSessionIsUsedAtTwoWorkers(t *testing.T) {
	t.Parallel()
	logins, _ := newLogins(t)
	first := newSite(t, func(o *console.Options) { o.Logins = logins })
	v := first.loginAs("anna")
	second := first.another(logins)
	w := v.in(second)
	for range 30 {
		second.now = second.now.Add(10 * time.Minute)
		if user, _ := w.refresh(); user != "anna" {
			t.Fatalf("the session has ended at %v: %s", second.now, w.absent())
		}
	}
	first.now = second.now
	if user, _ := v.refresh(); user != "anna" {
		t.Errorf("a session that was in use at the other worker all the time is absent: %s", v.absent())
	}
	third := first.another(logins)
	third.now = second.now.Add(2*time.Hour + time.Minute)
	if why := v.in(third).absent(); why != "expired" {
		t.Errorf("a session that was not used for two hours is absent: %s", why)
	}
}

func TestSessionEndsWithThePassword(t *testing.T) {
	t.Parallel()
	logins, _ := newLogins(t)
	s := newSite(t, func(o *console.Options) { o.Logins = logins })
	v := s.loginAs("anna")
	line, err := console.UserLine("anna", console.Admin, "another password")
	if err != nil {
		t.Fatal(err)
	}
	s.write(line + "\n")
	if why := v.absent(); why != "barred" {
		t.Errorf("after a change of the password the session is absent: %s", why)
	}
}

// Nobody is logged out because NATS is away.
func TestSessionWhileNATSIsAway(t *testing.T) {
	t.Parallel()
	logins, stop := newLogins(t)
	first := newSite(t, func(o *console.Options) { o.Logins = logins })
	v := first.loginAs("anna")
	stop()
	first.now = first.now.Add(time.Hour)
	if user, _ := v.refresh(); user != "anna" {
		t.Errorf("a session in memory is absent: %s", v.absent())
	}
	w := v.in(first.another(logins))
	if why := w.absent(); why != "unread" {
		t.Errorf("a session that cannot be read is absent: %s", why)
	}
	if answer := w.request("GET", "/api/jobs", "", nil); answer.Code != http.StatusServiceUnavailable || !strings.Contains(answer.Body.String(), "NATS does not respond") {
		t.Errorf("a request of a session that cannot be read: %d %s", answer.Code, answer.Body)
	}
	if user, _ := first.loginAs("otto").refresh(); user != "otto" {
		t.Error("nobody can log in")
	}
	if answer := v.request("POST", "/api/logout", "{}", nil); answer.Code != http.StatusServiceUnavailable {
		t.Errorf("a logout that the store does not know: %d %s", answer.Code, answer.Body)
	}
	if user, _ := (&browser{site: first, cookie: v.cookie}).refresh(); user != "" {
		t.Error("a logout has no effect")
	}
}

// A link that nobody has used is valid after a restart, once.
func TestLinkSurvivesRestart(t *testing.T) {
	t.Parallel()
	logins, _ := newLogins(t)
	first := newSite(t, func(o *console.Options) { o.Logins = logins })
	second := first.another(logins)
	_, token, _ := strings.Cut(first.links[0], "/login/")
	for i, want := range []int{http.StatusOK, http.StatusUnauthorized} {
		if w := (&browser{site: second}).request("POST", "/api/login/link", `{"Token":"`+token+`"}`, nil); w.Code != want {
			t.Errorf("login %d with the link of the process before: %d %s, want %d", i+1, w.Code, w.Body, want)
		}
	}
	v := &browser{site: second}
	_, newest, _ := strings.Cut(second.links[0], "/login/")
	v.request("POST", "/api/login/link", `{"Token":"`+newest+`"}`, nil)
	if user, _ := v.refresh(); user != "local" {
		t.Errorf("the link of this process: %s", v.absent())
	}
	without := newSite(t, func(o *console.Options) { o.Logins, o.Link = logins, false })
	if why := v.in(without).absent(); why != "barred" {
		t.Errorf("at a console without links the session is absent: %s", why)
	}
}

// Neither the store nor the log has what lets somebody in.
func TestStoreHasNoSecrets(t *testing.T) {
	t.Parallel()
	logins, _ := newLogins(t)
	s := newSite(t, func(o *console.Options) { o.Logins = logins })
	v := s.loginAs("anna")
	_, token, _ := strings.Cut(s.links[0], "/login/")
	lines, err := os.ReadFile(s.users)
	if err != nil {
		t.Fatal(err)
	}
	secrets := append(strings.Fields(strings.ReplaceAll(string(lines), ":", " ")), v.cookie.Value, v.csrf, token)
	stored := 0
	err = logins.Each(t.Context(), ">", func(e *store.Entry) error {
		stored++
		for _, secret := range secrets {
			if len(secret) > 20 && strings.Contains(e.Key+string(e.Value), secret) {
				t.Errorf("%s has a secret: %s", e.Key, e.Value)
			}
		}
		return nil
	})
	if err != nil || stored != 2 {
		t.Errorf("%d values, want a session and the links; error: %v", stored, err)
	}
}
