package workertest

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

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/internal/ledger"
	"usher/internal/platform"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers"
	"usher/workers/campaign"
	"usher/workers/evaluation"
)

// Bench is a worker on the platform's sandbox, which gets one piece of work at a
// time.
type Bench struct {
	T          *testing.T
	Sandbox    string // base URL of the sandbox
	Dir        string // folder of exports
	Worker     *workers.Worker
	Campaign   *campaign.Handler
	Evaluation *evaluation.Handler

	LedgerDir string // folder of the ledger; "": the worker has none
	Heads     Heads
}

// NewBench returns a Bench on a new sandbox. Creatives are approved at once
// unless o.ApprovalDelay is set.
func NewBench(t *testing.T, o sandbox.Options) *Bench {
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
	b := &Bench{T: t, Sandbox: server.URL, Dir: t.TempDir()}
	logger := slog.New(slog.NewTextHandler(t.Output(), nil))
	breaker := platform.NewBreaker(func(context.Context) error { return nil }, time.Minute, time.Now, logger)
	b.Campaign = &campaign.Handler{Lock: FreeLock, Stopped: notStopped, Gate: func() error { return breaker.Gate(false) }, Actions: usher.BiddingFields()}
	b.Evaluation = &evaluation.Handler{Stopped: notStopped, Actions: usher.BiddingFields()}
	b.Worker = &workers.Worker{
		Exports:  b.Opener(exports.Options{}),
		Breaker:  breaker,
		BatchIDs: 100, InFlight: 1, Logger: logger,
		Handlers: map[usher.Kind]workers.Handler{
			usher.CampaignPause: b.Campaign.Run, usher.CampaignResume: b.Campaign.Run, usher.CampaignBudget: b.Campaign.Run, usher.CampaignBid: b.Campaign.Run,
			usher.RulesEvaluate: b.Evaluation.Run,
		},
	}
	client := b.Client("sandbox", "sandbox", server.Client())
	b.Worker.Platform = func(string, bool) *rtb.Client { return client }
	b.Evaluation.Platform = b.Worker.Platform
	return b
}

// KeepLedger gives the worker a ledger and returns it.
func (b *Bench) KeepLedger() *ledger.Store {
	b.T.Helper()
	b.LedgerDir = b.T.TempDir()
	b.Worker.Ledger, b.Worker.Advertiser = b.openLedger(&b.Heads), "SANDBOX1"
	b.Worker.Suppressed = workers.NewSuppressions(nil, b.Worker.Ledger)
	return b.Worker.Ledger
}

func (b *Bench) openLedger(heads ledger.Heads) *ledger.Store {
	b.T.Helper()
	store, err := ledger.Open(b.T.Context(), ledger.Options{URL: b.LedgerDir, Heads: heads, Keep: time.Hour})
	if err != nil {
		b.T.Fatal(err)
	}
	b.T.Cleanup(func() { _ = store.Close() })
	return store
}

// FreeLock is a lock that nobody else holds.
func FreeLock(ctx context.Context, _ string) (context.Context, func(), error) {
	return ctx, func() {}, nil
}

// notStopped is a stop switch that is off.
func notStopped(context.Context) (string, bool, error) { return "", false, nil }

// Client returns a client of the sandbox for a login. httpClient may be nil.
func (b *Bench) Client(username, password string, httpClient *http.Client) *rtb.Client {
	open := rtb.New(rtb.Options{BaseURL: b.Sandbox, Advertiser: "SANDBOX1"})
	return rtb.New(rtb.Options{
		BaseURL: b.Sandbox, Advertiser: "SANDBOX1", HTTP: httpClient,
		Tokens: rtb.NewTokens(func(ctx context.Context) (string, error) { return open.Auth.Token(ctx, username, password) }),
		Gate:   func(context.Context) error { return b.Campaign.Gate() },
	})
}

// Run lets the worker run a piece of work and waits until it is settled.
func (b *Bench) Run(l *Lease) *Lease {
	b.T.Helper()
	fetch, stop := context.WithCancel(b.T.Context())
	defer stop()
	l.Begin(b.T.Context())
	l.onSettled = stop
	b.Campaign.RuleStore = l
	b.Worker.Lanes = []workers.Lane{{
		Name: "test", Slots: 1, First: l.Piece.Kind.Family() == "campaign",
		Open: func(_ context.Context, arrived func()) (workers.Source, error) { return &single{l, arrived}, nil },
	}}
	if err := b.Worker.Run(fetch, b.T.Context()); err != nil {
		b.T.Fatal(err)
	}
	return l
}

// single is a source of one piece of work.
type single struct {
	lease   *Lease
	arrived func()
}

func (s *single) Next(fetch, _ context.Context) (workers.Lease, error) {
	if l := s.lease; l != nil {
		s.lease = nil
		s.arrived()
		return l, nil
	}
	<-fetch.Done()
	return nil, context.Cause(fetch)
}

// Export writes an export of n ids and returns its URL. Exports of different
// sets have no id in common.
func (b *Bench) Export(set, n int) string {
	b.T.Helper()
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "%08X-0000-4000-8000-%012X\n", set, i)
	}
	return b.File(fmt.Sprintf("set-%d.txt", set), text.String())
}

// File writes a file into the folder of exports and returns its URL.
func (b *Bench) File(name, text string) string {
	b.T.Helper()
	path := filepath.Join(b.Dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.T.Fatal(err)
	}
	return "file://" + path
}

// CutAt limits the size of the parts that exports are cut into.
func (b *Bench) CutAt(bytes int64) {
	b.T.Helper()
	b.Worker.Exports = b.Opener(exports.Options{PartBytes: bytes})
}

// Opener returns an opener of the folder of exports.
func (b *Bench) Opener(o exports.Options) *exports.Opener {
	b.T.Helper()
	allowed, err := places.Allow([]string{b.Dir})
	if err != nil {
		b.T.Fatal(err)
	}
	return exports.New(places.New(places.Options{Allowed: allowed}), o)
}

// Control calls a control endpoint of the sandbox.
func (b *Bench) Control(method, path string, in, out any) {
	b.T.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		b.T.Fatal(err)
	}
	request, err := http.NewRequestWithContext(b.T.Context(), method, b.Sandbox+"/sandbox/"+path, bytes.NewReader(body))
	if err != nil {
		b.T.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.T.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode/100 != 2 {
		b.T.Fatalf("%s %s: %s", method, path, response.Status)
	}
	if out != nil {
		if err := json.NewDecoder(response.Body).Decode(out); err != nil {
			b.T.Fatal(err)
		}
	}
}

// Fault makes an operation of the sandbox fail. It fails once, unless more has another
// number of times.
func (b *Bench) Fault(op, kind string, more map[string]any) {
	b.T.Helper()
	order := map[string]any{"op": op, "kind": kind, "times": 1}
	maps.Copy(order, more)
	b.Control(http.MethodPost, "faults", order, nil)
}

// Calls returns the operations that the sandbox has served whose names end in
// one of the suffixes.
func (b *Bench) Calls(suffixes ...string) []string {
	b.T.Helper()
	var entries []struct{ Op string }
	b.Control(http.MethodGet, "journal", nil, &entries)
	ops := []string{}
	for _, e := range entries {
		if slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(e.Op, s) }) {
			ops = append(ops, e.Op)
		}
	}
	return ops
}

// WantCalls fails the test unless the sandbox has served the wanted number of operations
// whose names end in the suffix.
func (b *Bench) WantCalls(t *testing.T, suffix string, want int) {
	t.Helper()
	if got := b.Calls(suffix); len(got) != want {
		t.Errorf("%d calls of %s, not %d: %v", len(got), suffix, want, got)
	}
}

// Targeted returns how many ids a campaign targets.
func (b *Bench) Targeted(campaign string) int64 {
	b.T.Helper()
	targeting, err := b.Worker.Platform("", false).Campaigns.MobileTargets(b.T.Context(), campaign)
	if err != nil {
		return 0
	}
	return int64(targeting.NumberOfIDs)
}

// Creatives returns a campaign's creatives as the platform shows them.
func (b *Bench) Creatives(campaign string) []rtb.CreativeStatus {
	b.T.Helper()
	list, err := b.Worker.Platform("", true).Campaigns.Status(b.T.Context(), campaign)
	if err != nil {
		b.T.Fatal(err)
	}
	return list
}

// Statuses returns the statuses of a campaign's creatives, by code.
func (b *Bench) Statuses(campaign string) map[string]string {
	b.T.Helper()
	found := map[string]string{}
	for _, s := range b.Creatives(campaign) {
		found[s.CreativeCode] = s.ApprovalStatus
	}
	return found
}

// SetStatus sets a creative's status as a person would.
func (b *Bench) SetStatus(campaign, creative, status string) {
	b.T.Helper()
	client := b.Worker.Platform("", true)
	if err := client.Campaigns.Lock(b.T.Context(), campaign); err != nil {
		b.T.Fatal(err)
	}
	if _, err := client.Creatives.SetStatus(b.T.Context(), creative, status); err != nil {
		b.T.Fatal(err)
	}
	if err := client.Campaigns.Unlock(b.T.Context(), campaign); err != nil {
		b.T.Fatal(err)
	}
}
