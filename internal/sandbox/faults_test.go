package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// jobOperations returns a call of every operation that jobs use. prepare must run before.
func jobOperations() map[string]func(ctx context.Context, c *rtb.Client) error {
	const code, creative, digest = "SANDBOX1-spring", "spring-1", "f2d1311ca5c1ecb214c19a26e9ddbad0"
	return map[string]func(ctx context.Context, c *rtb.Client) error{
		"auth.token": func(ctx context.Context, c *rtb.Client) error {
			_, err := c.Auth.Token(ctx, "sandbox", "sandbox")
			return err
		},
		"segments.get": func(ctx context.Context, c *rtb.Client) error { _, err := c.Segments.Get(ctx, "1"); return err },
		"segments.upload": func(ctx context.Context, c *rtb.Client) error {
			return c.Segments.Upload(ctx, "1", batchOf(0, 20_000))
		},
		"segments.remove-user": func(ctx context.Context, c *rtb.Client) error { return c.Segments.RemoveUser(ctx, "1", "IDFA", digest) },
		"segments.contains": func(ctx context.Context, c *rtb.Client) error {
			_, err := c.Segments.Contains(ctx, "1", "IDFA", digest)
			return err
		},
		"campaigns.mobile-targets": func(ctx context.Context, c *rtb.Client) error {
			_, err := c.Campaigns.MobileTargets(ctx, code)
			return err
		},
		"campaigns.add-mobile-targets": func(ctx context.Context, c *rtb.Client) error {
			_, err := c.Campaigns.AddMobileTargets(ctx, code, batchOf(0, 20_000))
			return err
		},
		"campaigns.clear-mobile-targets": func(ctx context.Context, c *rtb.Client) error { return c.Campaigns.ClearMobileTargets(ctx, code) },
		"campaigns.get":                  func(ctx context.Context, c *rtb.Client) error { _, err := c.Campaigns.Get(ctx, code); return err },
		"campaigns.lock":                 func(ctx context.Context, c *rtb.Client) error { return c.Campaigns.Lock(ctx, code) },
		"campaigns.unlock":               func(ctx context.Context, c *rtb.Client) error { return c.Campaigns.Unlock(ctx, code) },
		"campaigns.status":               func(ctx context.Context, c *rtb.Client) error { _, err := c.Campaigns.Status(ctx, code); return err },
		"creatives.status": func(ctx context.Context, c *rtb.Client) error {
			err := errorOf(rtb.CreativesStatus.Do(ctx, c, rtb.CreativePath{CreativeCode: creative}))
			return err
		},
		"campaigns.set-status": func(ctx context.Context, c *rtb.Client) error {
			_, err := c.Campaigns.SetStatus(ctx, code, rtb.Inactive)
			return err
		},
		"creatives.set-status": func(ctx context.Context, c *rtb.Client) error {
			_, err := c.Creatives.SetStatus(ctx, creative, rtb.Inactive)
			return err
		},
	}
}

// outcomes has the client's verdict on each fault, which does not depend on the operation,
// and whether the request has its effect.
var outcomes = []struct {
	name, order, verdict string
	applied              bool
}{
	{"400", `"status":400`, "permanent refused E10001", false},
	{"401 always", `"status":401,"times":99`, "unauthorized", false},
	{"403", `"status":403`, "permanent forbidden AUTH003", false},
	{"404", `"status":404`, "permanent not_found E10404", false},
	{"413", `"status":413`, "permanent refused HTTP413", false},
	{"429", `"status":429,"retryAfter":7`, "retry after 7s", false},
	{"500", `"status":500`, "unavailable", false},
	{"503", `"status":503`, "unavailable", false},
	{"503 with Retry-After", `"status":503,"retryAfter":3`, "unavailable, retry after 3s", false},
	{"200 fail", `"status":200,"body":{"status":"fail","data":{"errors":[{"code":"E7","description":"no"}]}}`, "permanent refused E7", false},
	{"200 error", `"status":200,"body":{"status":"error","message":"no","code":"E8"}`, "permanent refused E8", false},
	{"200 empty", `"status":200,"body":""`, "unavailable", false},
	{"200 HTML", `"status":200,"body":"<html>hello</html>"`, "unavailable", false},
	{"502 HTML", `"status":502,"body":"<html>bad gateway</html>"`, "unavailable", false},
	{"reset before", `"kind":"reset_before"`, "unavailable", false},
	{"reset in the body", `"kind":"reset_body"`, "unavailable", false},
	{"reset after", `"kind":"reset_after"`, "unavailable", true},
	{"early 413", `"kind":"early_413"`, "permanent refused HTTP413", false},
	{"broken JSON", `"kind":"broken_json"`, "unavailable", true},
	{"slow", `"kind":"slow","delayMs":5`, "ok", true},
	{"late", `"kind":"late","delayMs":5`, "ok", true},
	{"warnings", `"kind":"warnings","body":[{"code":"W1","description":"mind the gap"}]`, "ok", true},
}

func verdict(err error) string {
	var permanent *usher.Permanent
	var later *usher.RetryAfter
	var down *usher.Unavailable
	isDown := errors.As(err, &down)
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, usher.ErrUnauthorized):
		return "unauthorized"
	case errors.As(err, &permanent):
		return fmt.Sprintf("permanent %s %s", permanent.Class, permanent.Code)
	case errors.As(err, &later) && isDown:
		return fmt.Sprintf("unavailable, retry after %s", later.After)
	case errors.As(err, &later):
		return fmt.Sprintf("retry after %s", later.After)
	case isDown:
		return "unavailable"
	}
	return err.Error()
}

func TestEveryFaultOnEveryOperation(t *testing.T) {
	t.Parallel()
	for name, call := range jobOperations() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, sandbox.Options{})
			c := p.client()
			for _, outcome := range outcomes {
				p.order("/sandbox/reset", "")
				_, _ = c.Segments.List(t.Context()) // the reset ended the token
				prepare(t, c)
				since := p.journal(0)
				p.order("/sandbox/faults", fmt.Sprintf(`{"op":%q,%s}`, name, outcome.order))
				err := call(t.Context(), c)
				if got := verdict(err); got != outcome.verdict && !retriedByHTTP(name, outcome.name, got) {
					t.Errorf("%s: the verdict is %q, want %q: %v", outcome.name, got, outcome.verdict, err)
				}
				checkJournal(t, p, name, outcome.name, outcome.applied, since[len(since)-1].Seq)
			}
		})
	}
}

// retriedByHTTP reports whether net/http repeated the request. It repeats a GET if a reused
// connection was reset before the answer began.
func retriedByHTTP(op, fault, got string) bool {
	reads := []string{"auth.token", "segments.get", "segments.contains", "campaigns.mobile-targets", "campaigns.get", "campaigns.status", "creatives.status"}
	resets := []string{"reset before", "reset in the body", "reset after"}
	return got == "ok" && slices.Contains(reads, op) && slices.Contains(resets, fault)
}

// checkJournal checks that the fault hit, and whether the request was applied.
func checkJournal(t *testing.T, p *platform, op, fault string, applied bool, since int64) {
	t.Helper()
	var hit *journalEntry
	for _, e := range p.journal(since) {
		if e.Op == op && e.Fault != "" {
			hit = &e
			break
		}
	}
	if hit == nil {
		t.Errorf("%s: the fault missed", fault)
		return
	}
	if applied && hit.Status != 200 {
		t.Errorf("%s: the journal says %+v", fault, hit)
	}
	switch op {
	case "segments.upload":
		if got := p.fingerprint("segments/1").Count; (got == 20_001) != applied {
			t.Errorf("%s: the segment holds %d", fault, got)
		}
	case "campaigns.set-status", "creatives.set-status":
		status, err := result[rtb.CreativeStatus](rtb.CreativesStatus.Do(t.Context(), p.client(), rtb.CreativePath{CreativeCode: "spring-1"}))
		must(t, err)
		if (status.ApprovalStatus == rtb.Inactive) != applied {
			t.Errorf("%s: the creative is %s", fault, status.ApprovalStatus)
		}
	}
}

func TestHangEndsWhenCallerLeaves(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c := p.client()
	prepare(t, c)
	p.order("/sandbox/faults", `{"method":"post","path":"/v3/segments/*/users","kind":"hang","for":"1h"}`)
	ctx, cancel := context.WithCancelCause(t.Context())
	done := make(chan error)
	b := batchOf(0, 1000)
	go func() { done <- c.Segments.Upload(ctx, "1", b) }()
	for hung := false; !hung; { // the entry is written after the body was read
		for _, e := range p.journal(0) {
			hung = hung || e.Fault == "hang"
		}
	}
	cancel(usher.ErrShutdown)
	if err := <-done; !errors.Is(err, usher.ErrShutdown) {
		t.Errorf("the error is %v", err)
	}
	// A client with a short timeout treats a hang as an outage.
	impatient := rtb.New(rtb.Options{BaseURL: p.url, Tokens: fixed{p.token()}, HTTP: rtb.NewHTTPClient(1, 50*time.Millisecond, nil)})
	if got := verdict(impatient.Segments.Upload(t.Context(), "1", b)); got != "unavailable" {
		t.Errorf("the verdict is %q", got)
	}
	if got := p.fingerprint("segments/1").Count; got != 1 {
		t.Errorf("the segment holds %d", got)
	}
}

// A late request without a delay arrives when the faults are removed.
func TestLateRequestArrivesWhenFaultsAreRemoved(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c := p.client()
	prepare(t, c)
	p.order("/sandbox/faults", `{"op":"segments.upload","kind":"late"}`)
	done := make(chan error)
	go func() { done <- c.Segments.Upload(t.Context(), "1", batchOf(0, 1000)) }()
	for faults := []struct{ Made int }{{}}; faults[0].Made == 0; {
		p.ask(http.MethodGet, "/sandbox/faults", "", &faults)
	}
	if got := p.fingerprint("segments/1").Count; got != 1 {
		t.Errorf("before, the segment holds %d", got)
	}
	p.ask(http.MethodDelete, "/sandbox/faults", "", nil)
	must(t, <-done)
	if got := p.fingerprint("segments/1").Count; got != 1001 {
		t.Errorf("afterwards, the segment holds %d", got)
	}
}

// token returns a new token of the sandbox's own user.
func (p *platform) token() string {
	token, err := p.client().Auth.Token(p.t.Context(), "sandbox", "sandbox")
	must(p.t, err)
	return token
}

// fixed is a token that is never renewed.
type fixed struct{ token string }

func (f fixed) Token(context.Context) (string, error)         { return f.token, nil }
func (f fixed) Renew(context.Context, string) (string, error) { return f.token, nil }

func TestFaultsCountRequests(t *testing.T) {
	t.Parallel()
	clock := newClock()
	p := start(t, sandbox.Options{Now: clock.now})
	c := p.client()
	seen := func() string {
		_, err := c.Segments.List(t.Context())
		return verdict(err)
	}
	p.order("/sandbox/faults", `{"op":"segments.*","status":500,"after":1,"times":2}`)
	p.order("/sandbox/faults", `{"path":"/v3/segments","status":503,"for":"10s"}`)
	var got []string
	for range 3 {
		got = append(got, seen())
	}
	clock.advance(9 * time.Second)
	got = append(got, seen())
	clock.advance(time.Second)
	got = append(got, seen())
	if want := []string{"unavailable", "unavailable", "unavailable", "unavailable", "ok"}; !slices.Equal(got, want) {
		t.Errorf("saw %q, want %q", got, want)
	}
	var faults []struct{ Seen, Made int }
	p.ask("GET", "/sandbox/faults", "", &faults)
	if faults[0].Made != 2 || faults[1].Made != 2 {
		t.Errorf("the faults are %+v", faults)
	}
	for _, bad := range []string{`{}`, `{"op":"segments.nothing","status":500}`, `{"op":"*"}`, `{"op":"*","kind":"boom"}`, `{"op":"*","status":500,"tims":1}`, `{"op":"*","status":500,"for":"soon"}`, `{"op":"*","status":99}`, `x`} {
		if status := p.ask("POST", "/sandbox/faults", bad, nil); status != 400 {
			t.Errorf("%s is answered %d", bad, status)
		}
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	clock := newClock()
	p := start(t, sandbox.Options{Now: clock.now})
	c := p.client()
	_, err := c.Segments.List(t.Context())
	must(t, err)
	p.order("/sandbox/limit", `{"perSecond":3}`)
	var got []string
	for i := range 8 {
		if i == 5 {
			clock.advance(time.Second)
		}
		_, err := c.Segments.List(t.Context())
		got = append(got, verdict(err))
	}
	if want := []string{"ok", "ok", "ok", "retry after 1s", "retry after 1s", "ok", "ok", "ok"}; !slices.Equal(got, want) {
		t.Errorf("saw %q, want %q", got, want)
	}
}

// A late request has its effect even though the caller has given up.
func TestLateRequestIsApplied(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c := p.client()
	prepare(t, c)
	p.order("/sandbox/faults", `{"op":"creatives.set-status","kind":"late","delayMs":1000}`)
	impatient := rtb.New(rtb.Options{BaseURL: p.url, Tokens: fixed{p.token()}, HTTP: rtb.NewHTTPClient(1, 50*time.Millisecond, nil)})
	if _, err := impatient.Creatives.SetStatus(t.Context(), "spring-1", rtb.Inactive); verdict(err) != "unavailable" {
		t.Fatalf("the error is %v", err)
	}
	for {
		status, err := result[rtb.CreativeStatus](rtb.CreativesStatus.Do(t.Context(), c, rtb.CreativePath{CreativeCode: "spring-1"}))
		must(t, err)
		if status.ApprovalStatus == rtb.Inactive {
			return
		}
	}
}
