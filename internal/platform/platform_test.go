package platform_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"usher"
	"usher/internal/platform"
	"usher/internal/rtb"
)

// fakeLimiter lets every call pass and counts the calls.
type fakeLimiter struct {
	mu       sync.Mutex
	rate     usher.Rate
	campaign int // calls of the campaign lane
	audience int
	blocked  time.Time
}

func (l *fakeLimiter) Wait(_ context.Context, campaign bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if campaign {
		l.campaign++
	} else {
		l.audience++
	}
	return nil
}

func (l *fakeLimiter) Block(_ context.Context, after time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.blocked = time.Now().Add(after)
}

func (l *fakeLimiter) BlockedUntil() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.blocked
}

// fixture is a Platform in front of a server.
type fixture struct {
	*platform.Platform
	limiters map[string]*fakeLimiter
	logins   atomic.Int64
	registry *prometheus.Registry
}

// newFixture returns a Platform whose server answers logins; segments answers all
// other calls.
func newFixture(t *testing.T, segments http.HandlerFunc) *fixture {
	t.Helper()
	f := &fixture{limiters: map[string]*fakeLimiter{}, registry: prometheus.NewRegistry()}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v3/oauth/accessToken" {
			segments(w, r)
			return
		}
		f.logins.Add(1)
		succeed(w, map[string]string{"accessToken": "token of " + r.URL.Query().Get("advertiser")})
	}))
	t.Cleanup(server.Close)
	f.Platform = platform.New(f.options(t, server.URL))
	return f
}

func (f *fixture) options(t *testing.T, url string) platform.Options {
	t.Helper()
	return platform.Options{
		URL: url, Username: "ada", Password: func() string { return "secret" }, Advertiser: "SANDBOX1",
		Timeout: time.Minute, Connections: 2, CampaignConnections: 1, Rate: usher.Rate{PerSecond: 10},
		LimiterAt: func(advertiser string, r usher.Rate) platform.Limiter {
			if f.limiters[advertiser] == nil {
				f.limiters[advertiser] = &fakeLimiter{}
			}
			f.limiters[advertiser].rate = r
			return f.limiters[advertiser]
		},
		Tokens: func(_, _ string, get func(context.Context) (string, error)) rtb.Tokens {
			return rtb.NewTokens(get)
		},
		Metrics: f.registry, Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
}

func succeed(w http.ResponseWriter, data any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": data}) //nolint:errchkjson // the client reports it
}

func noSegments(w http.ResponseWriter, _ *http.Request) {
	succeed(w, map[string]any{"segments": []string{}})
}

func TestClientsShareTokenAndLimit(t *testing.T) {
	t.Parallel()
	var tokens sync.Map
	f := newFixture(t, func(w http.ResponseWriter, r *http.Request) {
		tokens.Store(r.Header.Get("Authorization"), true)
		noSegments(w, r)
	})
	if f.Client("", false) != f.Client("SANDBOX1", false) || f.Client("", true) == f.Client("", false) {
		t.Error("want one client for an advertiser's campaign jobs and one for its other jobs")
	}
	for _, client := range []*rtb.Client{f.Client("", false), f.Client("", true), f.Client("", true), f.Client("OTHER", false)} {
		if _, err := client.Segments.List(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := f.logins.Load(); n != 2 {
		t.Errorf("%d logins for two advertisers", n)
	}
	for _, token := range []string{"Bearer token of SANDBOX1", "Bearer token of OTHER"} {
		if _, sent := tokens.Load(token); !sent {
			t.Errorf("no call was sent with %q", token)
		}
	}
	if l := f.limiters["SANDBOX1"]; l.audience != 1 || l.campaign != 2 {
		t.Errorf("the limiter let %d audience calls and %d campaign calls pass, want 1 and 2", l.audience, l.campaign)
	}
	if answers := f.Answers(); !maps.Equal(answers, map[string]int64{"200": 4}) {
		t.Errorf("answers are %v", answers)
	}
	if n, err := testutil.GatherAndCount(f.registry, "usher_platform_requests_total"); err != nil || n != 2 {
		t.Errorf("%d series of requests, %v, want auth.token and segments.list", n, err)
	}
	if err := f.CheckToken(t.Context()); err != nil || f.logins.Load() != 2 {
		t.Errorf("check the token: %v, %d logins", err, f.logins.Load())
	}
}

func TestRatesSetAtRunTime(t *testing.T) {
	t.Parallel()
	f := newFixture(t, noSegments)
	f.Client("A", false)
	f.Client("B", false)
	f.SetRates(map[string]usher.Rate{"A": {PerSecond: 3}})
	if a, b := f.limiters["A"].rate.PerSecond, f.limiters["B"].rate.PerSecond; a != 3 || b != 10 || f.Rate("A").PerSecond != 3 {
		t.Errorf("rates are %v and %v, want 3 and 10", a, b)
	}
	f.SetRates(nil)
	if a := f.limiters["A"].rate.PerSecond; a != 10 || f.Rate("A").PerSecond != 10 {
		t.Errorf("the rate is %v, want the configured one again", a)
	}
}

func TestRetryAfterBlocksTheLimiter(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "20")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	if until := f.PausedUntil(); until != nil {
		t.Errorf("paused until %v before any call", until)
	}
	var later *usher.RetryAfter
	if _, err := f.Client("", false).Segments.List(t.Context()); !errors.As(err, &later) {
		t.Fatalf("got %v, want a RetryAfter", err)
	}
	if until := f.PausedUntil(); until == nil || time.Until(*until) > 20*time.Second || time.Until(*until) < 10*time.Second {
		t.Errorf("paused until %v", until)
	}
}

func TestOpenBreakerStopsCalls(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	client := f.Client("", false)
	for range 5 {
		if _, err := client.Segments.List(t.Context()); !rtb.IsDown(err) {
			t.Fatalf("got %v", err)
		}
	}
	if !f.Breaker.Open() {
		t.Fatal("the breaker is closed after five 502")
	}
	var later *usher.RetryAfter
	if _, err := f.Client("OTHER", false).Segments.List(t.Context()); !errors.As(err, &later) {
		t.Errorf("behind the open breaker: %v", err)
	}
	if _, err := f.Client("OTHER", true).Segments.List(t.Context()); errors.As(err, &later) {
		t.Errorf("a campaign job, while only uploads fail: %v", err)
	}
	if _, err := f.Client("OTHER", true).Segments.List(t.Context()); !errors.As(err, &later) || f.limiters["OTHER"].campaign != 1 {
		t.Errorf("a campaign job, after one has failed: %v", err)
	}
	if answers := f.Answers(); !maps.Equal(answers, map[string]int64{"502": 6}) {
		t.Errorf("answers are %v", answers)
	}
}

func TestFailedLoginsOpenTheBreaker(t *testing.T) {
	t.Parallel()
	f := newFixture(t, noSegments)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
	t.Cleanup(server.Close)
	f.registry = prometheus.NewRegistry()
	p := platform.New(f.options(t, server.URL))
	for range 5 {
		if _, err := p.Client("", false).Segments.List(t.Context()); err == nil {
			t.Fatal("a call without a token succeeded")
		}
	}
	if !p.Breaker.Open() {
		t.Error("the breaker is closed after five failed logins")
	}
}

func TestAwaitUp(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	f := newFixture(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		noSegments(w, r)
	})
	if err := f.AwaitUp(t.Context(), time.Millisecond); err != nil || calls.Load() != 3 {
		t.Errorf("got %v after %d calls", err, calls.Load())
	}
	if f.Breaker.Open() || len(f.Answers()) != 0 {
		t.Error("probes were observed")
	}
}

func TestAwaitUpReturnsTheLastError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	f := newFixture(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprint(w, "down for maintenance")
		cancel()
	})
	if err := f.AwaitUp(ctx, time.Hour); err == nil || !strings.HasPrefix(err.Error(), "wait for the platform at http://127.0.0.1") {
		t.Errorf("got %v", err)
	}
}

// Logins, probes and all other calls verify the platform's certificate with Options.TLS.
func TestAllCallsUseTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v3/oauth/accessToken" {
			succeed(w, map[string]string{"accessToken": "token"})
			return
		}
		noSegments(w, r)
	}))
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	f := &fixture{limiters: map[string]*fakeLimiter{}, registry: prometheus.NewRegistry()}
	o := f.options(t, server.URL)
	o.TLS = func() (*tls.Config, error) { return &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, nil }
	f.Platform = platform.New(o)
	if err := f.CheckToken(t.Context()); err != nil {
		t.Fatalf("login: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := f.AwaitUp(ctx, time.Millisecond); err != nil {
		t.Errorf("probe: %v", err)
	}
	if _, err := f.Client("", true).Segments.List(t.Context()); err != nil {
		t.Errorf("call: %v", err)
	}
}
