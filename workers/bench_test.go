package workers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/internal/platform"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers"
)

// bench is a worker on the platform's sandbox, with work handed to it one piece
// at a time.
type bench struct {
	t      *testing.T
	box    string // the sandbox's address
	dir    string // of exports
	worker *workers.Worker
}

func newBench(t *testing.T, o sandbox.Options) *bench {
	t.Helper()
	if o.ApprovalDelay == 0 {
		o.ApprovalDelay = -1
	}
	box, err := sandbox.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(box)
	t.Cleanup(func() {
		_ = box.Close()
		server.Close()
	})
	b := &bench{t: t, box: server.URL, dir: t.TempDir()}
	allowed, err := places.Allow([]string{b.dir})
	if err != nil {
		t.Fatal(err)
	}
	logger := slog.New(slog.NewTextHandler(t.Output(), nil))
	login := rtb.New(rtb.Options{BaseURL: b.box, Advertiser: "SANDBOX1"})
	b.worker = &workers.Worker{
		Exports: exports.New(places.New(places.Options{Allowed: allowed}), exports.Options{}),
		Breaker: platform.NewBreaker(func(context.Context) error { return nil }, time.Now, logger),
		Lock: func(ctx context.Context, _ string) (context.Context, func(), error) {
			return ctx, func() {}, nil
		},
		Stopped:  func(context.Context) (string, bool, error) { return "", false, nil },
		BatchIDs: 100, InFlight: 1, Logger: logger,
	}
	client := rtb.New(rtb.Options{
		BaseURL: b.box, Advertiser: "SANDBOX1", HTTP: server.Client(),
		Tokens: rtb.NewTokens(func(ctx context.Context) (string, error) { return login.Auth.Token(ctx, "sandbox", "sandbox") }),
		Gate:   func(context.Context) error { return b.worker.Breaker.Gate() },
	})
	b.worker.Platform = func(string, bool) *rtb.Client { return client }
	return b
}

// run has the worker do a piece of work and waits until it is settled.
func (b *bench) run(s *slip) *slip {
	b.t.Helper()
	fetch, stop := context.WithCancel(b.t.Context())
	defer stop()
	s.begin(b.t.Context())
	s.onSettled = stop
	b.worker.Rulebook = s
	b.worker.Lanes = []workers.Lane{{
		Name: "test", Slots: 1, First: s.work.Kind.Family() == "campaign",
		Open: func(_ context.Context, coming func()) (workers.Source, error) { return &tray{s, coming}, nil },
	}}
	if err := b.worker.Run(fetch, b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	return s
}

// export writes an export of n ids that belong to a set of their own.
func (b *bench) export(set, n int) string {
	b.t.Helper()
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "%08X-0000-4000-8000-%012X\n", set, i)
	}
	return b.file(fmt.Sprintf("set-%d.txt", set), text.String())
}

func (b *bench) file(name, text string) string {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	return "file://" + path
}

// control talks to the sandbox's controls.
func (b *bench) control(method, path string, in, out any) {
	b.t.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		b.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.box+"/sandbox/"+path, bytes.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode/100 != 2 {
		b.t.Fatalf("%s %s: %s", method, path, response.Status)
	}
	if out != nil {
		if err := json.NewDecoder(response.Body).Decode(out); err != nil {
			b.t.Fatal(err)
		}
	}
}

// fault orders trouble.
func (b *bench) fault(op, kind string, more map[string]any) {
	b.t.Helper()
	order := map[string]any{"op": op, "kind": kind, "times": 1}
	maps.Copy(order, more)
	b.control(http.MethodPost, "faults", order, nil)
}

// calls are the operations that the platform has seen, those that end so.
func (b *bench) calls(suffixes ...string) []string {
	b.t.Helper()
	var entries []struct{ Op string }
	b.control(http.MethodGet, "journal", nil, &entries)
	ops := []string{}
	for _, e := range entries {
		if slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(e.Op, s) }) {
			ops = append(ops, e.Op)
		}
	}
	return ops
}

// targeted is how many ids a campaign targets.
func (b *bench) targeted(campaign string) int64 {
	b.t.Helper()
	targeting, err := b.worker.Platform("", false).Campaigns.MobileTargets(b.t.Context(), campaign)
	if err != nil {
		return 0
	}
	return int64(targeting.NumberOfIDs)
}

// rows are a campaign's creatives as the platform shows them.
func (b *bench) rows(campaign string) []rtb.CreativeStatus {
	b.t.Helper()
	list, err := b.worker.Platform("", true).Campaigns.Status(b.t.Context(), campaign)
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

// statuses are a campaign's creatives.
func (b *bench) statuses(campaign string) map[string]string {
	b.t.Helper()
	found := map[string]string{}
	for _, s := range b.rows(campaign) {
		found[s.CreativeCode] = s.ApprovalStatus
	}
	return found
}

// set sets a creative's status, as a human would.
func (b *bench) set(campaign, creative, status string) {
	b.t.Helper()
	client := b.worker.Platform("", true)
	if err := client.Campaigns.Lock(b.t.Context(), campaign); err != nil {
		b.t.Fatal(err)
	}
	if _, err := client.Creatives.SetStatus(b.t.Context(), creative, status); err != nil {
		b.t.Fatal(err)
	}
	if err := client.Campaigns.Unlock(b.t.Context(), campaign); err != nil {
		b.t.Fatal(err)
	}
}
