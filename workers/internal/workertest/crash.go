package workertest

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/queues/decisions"
	"usher/workers"
	"usher/workers/campaign"
	"usher/workers/evaluation"
)

// Crash kills a worker at its n-th step, or when it enters its n-th state. A step is a
// call of the platform, of Redis or of the queue. Later steps have no effect, as if the
// process no longer existed.
type Crash struct {
	AtStep  int  // 0: none
	After   bool // the step at which the worker is killed still has its effect
	AtState int  // counts states of the campaign protocol; 0: none
	// Before is called before each step with its name, if it is not nil: a method of
	// workers.Lease, campaign.RuleStore, evaluation.Store or campaign.Handler, or the
	// method and path of a request.
	Before func(name string)

	died func() // called when the worker is killed

	mu     sync.Mutex // some steps are concurrent
	steps  int
	dead   bool
	states []string
}

var errCrashed = errors.New("the test killed the worker here")

// Dead reports whether the worker was killed.
func (c *Crash) Dead() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dead
}

// States returns the states of the campaign protocol that the worker entered
// before it died.
func (c *Crash) States() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.states
}

func (c *Crash) enter(state string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead {
		return
	}
	c.states = append(c.states, state)
	c.dead = len(c.states) == c.AtState
}

// step calls do unless the worker is dead or dies before this step.
func (c *Crash) step(name string, do func() error) error {
	if c.Before != nil {
		c.Before(name)
	}
	c.mu.Lock()
	dead := c.dead
	c.steps++
	last := !dead && c.steps == c.AtStep
	c.dead = dead || last
	c.mu.Unlock()
	if last {
		defer c.died()
	}
	switch {
	case dead:
		return errCrashed
	case !last:
		return do()
	case c.After:
		_ = do() // the worker does not learn the result
	}
	return errCrashed
}

// crashingLease is the lease, the source and the transport of a worker that crashes.
type crashingLease struct {
	*Lease
	crash   *Crash
	stop    func()
	network *http.Transport
}

func (l *crashingLease) Save(p usher.Progress) error {
	return l.crash.step("Save", func() error { return l.Lease.Save(p) })
}

func (l *crashingLease) End(e usher.Ending) error {
	defer l.stop()
	return l.crash.step("End", func() error { return l.Lease.End(e) })
}

func (l *crashingLease) Retry(p usher.Progress, after time.Duration, why string, counts bool) error {
	defer l.stop()
	return l.crash.step("Retry", func() error { return l.Lease.Retry(p, after, why, counts) })
}

func (l *crashingLease) Entries(ctx context.Context, creatives []string) (entries map[string]usher.CreativeEntry, err error) {
	err = l.crash.step("Entries", func() error { entries, err = l.Lease.Entries(ctx, creatives); return err })
	return entries, err
}

func (l *crashingLease) ClaimChange(ctx context.Context, creative, wanted string, known usher.CreativeEntry, now usher.CreativeState, asked bool) (entry usher.CreativeEntry, err error) {
	err = l.crash.step("ClaimChange", func() error { entry, err = l.Lease.ClaimChange(ctx, creative, wanted, known, now, asked); return err })
	return entry, err
}

func (l *crashingLease) ClaimCampaign(ctx context.Context) error {
	return l.crash.step("ClaimCampaign", func() error { return l.Lease.ClaimCampaign(ctx) })
}

func (l *crashingLease) Audit(ctx context.Context, a usher.Audit) error {
	return l.crash.step("Audit", func() error { return l.Lease.Audit(ctx, a) })
}

func (l *crashingLease) DecisionsOf(ctx context.Context, job *usher.Work, proven bool) (e usher.Evaluation, r []usher.StoredDecision, err error) {
	err = l.crash.step("DecisionsOf", func() error { e, r, err = l.Lease.DecisionsOf(ctx, job, proven); return err })
	return e, r, err
}

func (l *crashingLease) Remember(ctx context.Context, audits ...usher.Audit) error {
	return l.crash.step("Remember", func() error { return l.Lease.Remember(ctx, audits...) })
}

func (l *crashingLease) Claim(ctx context.Context, campaign string, c usher.Change, last string) (claimed bool, err error) {
	err = l.crash.step("Claim", func() error { claimed, err = l.Lease.Claim(ctx, campaign, c, last); return err })
	return claimed, err
}

func (l *crashingLease) Unclaim(ctx context.Context, campaign string, c usher.Change) error {
	return l.crash.step("Unclaim", func() error { return l.Lease.Unclaim(ctx, campaign, c) })
}

func (l *crashingLease) WaitsFor(ctx context.Context) (waitsFor string, err error) {
	err = l.crash.step("Turn", func() error { waitsFor, err = l.Lease.WaitsFor(ctx); return err })
	return waitsFor, err
}

// Next yields the lease until it has ended, or the worker is stopped.
func (l *crashingLease) Next(fetch, _ context.Context) (workers.Lease, error) {
	if l.Ended == nil && l.ctx.Err() == nil && fetch.Err() == nil {
		l.Begin(context.WithoutCancel(fetch))
		return l, nil
	}
	return nil, context.Cause(fetch)
}

func (l *crashingLease) RoundTrip(r *http.Request) (response *http.Response, err error) {
	err = l.crash.step(r.Method+" "+r.URL.Path, func() error {
		response, err = l.network.RoundTrip(r) //nolint:bodyclose // the client closes it, or the lines below
		return err
	})
	if err != nil && response != nil {
		_ = response.Body.Close()
		response = nil
	}
	return response, err
}

// RunAndCrash lets a new worker run the work and crash.
func (b *Bench) RunAndCrash(l *Lease, c *Crash) {
	b.T.Helper()
	fetch, stop := context.WithCancel(b.T.Context())
	defer stop()
	l.Begin(b.T.Context())
	c.died = func() { l.Cancel(usher.ErrLeaseLost) } // nothing waits any more
	crashing := &crashingLease{Lease: l, crash: c, stop: stop, network: &http.Transport{}}
	defer crashing.network.CloseIdleConnections()
	client := b.Client("sandbox", "sandbox", &http.Client{Transport: crashing})
	platform := func(string, bool) *rtb.Client { return client }
	change := &campaign.Handler{
		Gate: b.Campaign.Gate, RuleStore: crashing, Late: b.Campaign.Late, Actions: b.Campaign.Actions,
		Lock: func(ctx context.Context, _ string) (locked context.Context, unlock func(), err error) {
			err = c.step("Lock", func() error { return nil })
			return ctx, func() {}, err
		},
		Stopped: func(context.Context) (string, bool, error) {
			err := c.step("Stopped", func() error { return nil })
			return "", err != nil, err
		},
	}
	store, _ := b.Evaluation.Store.(*decisions.Store) // nil if b does not belong to a Queue
	evaluate := &evaluation.Handler{Rules: b.Evaluation.Rules, Store: &crashingStore{store, c}, Stopped: change.Stopped, Platform: platform}
	worker := &workers.Worker{
		Platform: platform, Breaker: b.Worker.Breaker, Now: b.Worker.Now, Logger: ObserveStates(b.Worker.Logger, c.enter),
		Handlers: map[usher.Kind]workers.Handler{
			usher.CampaignPause: change.Run, usher.CampaignResume: change.Run, usher.CampaignBudget: change.Run, usher.CampaignBid: change.Run,
			usher.RulesEvaluate: evaluate.Run,
		},
		Exports: b.Worker.Exports, BatchIDs: b.Worker.BatchIDs, InFlight: b.Worker.InFlight, Advertiser: b.Worker.Advertiser,
		Lanes: []workers.Lane{{Name: "test", Slots: 1, Open: func(context.Context, func()) (workers.Source, error) { return crashing, nil }}},
	}
	if b.LedgerDir != "" {
		worker.Ledger = b.openLedger(&crashingHeads{&b.Heads, c})
		worker.Suppressed, worker.Uploads = workers.NewSuppressions(nil, worker.Ledger), b.Worker.Uploads
	}
	if err := worker.Run(fetch, b.T.Context()); err != nil {
		b.T.Fatal(err)
	}
}

// crashingStore is the evaluation.Store of a worker that crashes.
type crashingStore struct {
	decisions *decisions.Store
	crash     *Crash
}

func (s *crashingStore) FindEvaluation(ctx context.Context, id string) (e usher.Evaluation, found bool, err error) {
	err = s.crash.step("FindEvaluation", func() error { e, found, err = s.decisions.FindEvaluation(ctx, id); return err })
	return e, found, err
}

func (s *crashingStore) Memory(ctx context.Context, campaigns []string) (m map[string]map[string][]usher.Change, err error) {
	err = s.crash.step("Memory", func() error { m, err = s.decisions.Memory(ctx, campaigns); return err })
	return m, err
}

func (s *crashingStore) Findings(ctx context.Context, campaigns []string) (all map[string]map[string][]usher.Finding, err error) {
	err = s.crash.step("Findings", func() error { all, err = s.decisions.Findings(ctx, campaigns); return err })
	return all, err
}

func (s *crashingStore) ChangeFindings(ctx context.Context, campaign string, changes []usher.FindingChange) error {
	return s.crash.step("ChangeFindings", func() error { return s.decisions.ChangeFindings(ctx, campaign, changes) })
}

func (s *crashingStore) ChangeBlindness(ctx context.Context, file string, found usher.BlindnessChange) error {
	return s.crash.step("ChangeBlindness", func() error { return s.decisions.ChangeBlindness(ctx, file, found) })
}

func (s *crashingStore) StoreAndEnact(ctx context.Context, e usher.Evaluation, decisions []usher.StoredDecision) (kept usher.Evaluation, err error) {
	err = s.crash.step("StoreAndEnact", func() error { kept, err = s.decisions.StoreAndEnact(ctx, e, decisions); return err })
	return kept, err
}

func (s *crashingStore) Enact(ctx context.Context, e usher.Evaluation) error {
	return s.crash.step("Enact", func() error { return s.decisions.Enact(ctx, e) })
}

func (s *crashingStore) IsTick(id, file, rule string, at time.Time) bool {
	return s.decisions.IsTick(id, file, rule, at)
}

func (s *crashingStore) LastTick(ctx context.Context, file, rule string) (t usher.Tick, found bool, err error) {
	err = s.crash.step("LastTick", func() error { t, found, err = s.decisions.LastTick(ctx, file, rule); return err })
	return t, found, err
}

func (s *crashingStore) RecordTick(ctx context.Context, t usher.Tick) error {
	return s.crash.step("RecordTick", func() error { return s.decisions.RecordTick(ctx, t) })
}

// ObserveStates returns a logger that calls enter whenever the campaign protocol
// enters a state, which it logs at level debug.
func ObserveStates(logger *slog.Logger, enter func(state string)) *slog.Logger {
	return slog.New(stateObserver{logger.Handler(), enter})
}

type stateObserver struct {
	slog.Handler
	enter func(state string)
}

func (o stateObserver) Enabled(context.Context, slog.Level) bool { return true }

func (o stateObserver) Handle(ctx context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "state" {
			o.enter(a.Value.String())
		}
		return true
	})
	return o.Handler.Handle(ctx, r)
}

func (o stateObserver) WithAttrs(attrs []slog.Attr) slog.Handler {
	return stateObserver{o.Handler.WithAttrs(attrs), o.enter}
}

func (o stateObserver) WithGroup(name string) slog.Handler {
	return stateObserver{o.Handler.WithGroup(name), o.enter}
}

// RunToEnd runs the work again, as after a crash, until it has ended.
func (b *Bench) RunToEnd(l *Lease) {
	b.T.Helper()
	for range 20 {
		if l.Ended != nil {
			return
		}
		l.Piece.Crashes++
		b.Run(l)
	}
}
