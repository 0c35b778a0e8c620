package workers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/queues"
	"usher/workers"
)

// doom kills a worker at its n-th step: a call of the platform, of Redis or of
// the queue. The step has its effect where after is set; no later one has any,
// as of a process that is gone.
type doom struct {
	n     int // 0: never
	after bool

	mu    sync.Mutex // over what follows: some steps are made side by side
	steps int
	dead  bool
}

var errDead = errors.New("killed here")

// step makes one step, or does not.
func (d *doom) step(do func() error) error {
	d.mu.Lock()
	gone := d.dead
	d.steps++
	last := !gone && d.steps == d.n
	d.dead = gone || last
	d.mu.Unlock()
	switch {
	case gone:
		return errDead
	case !last:
		return do()
	case d.after:
		_ = do() // nobody is left to hear how it went
	}
	return errDead
}

// doomed is a lease, and what rules decided and remember, in a worker that is
// to die.
type doomed struct {
	*slip
	doom    *doom
	stop    func()
	network *http.Transport
}

func (l *doomed) Save(p usher.Progress) error {
	return l.doom.step(func() error { return l.slip.Save(p) })
}

func (l *doomed) End(e usher.Ending) error {
	defer l.stop()
	return l.doom.step(func() error { return l.slip.End(e) })
}

func (l *doomed) Retry(p usher.Progress, after time.Duration, why string, counts bool) error {
	defer l.stop()
	return l.doom.step(func() error { return l.slip.Retry(p, after, why, counts) })
}

func (l *doomed) Superseded(ctx context.Context, creatives []string) (newer []string, err error) {
	err = l.doom.step(func() error { newer, err = l.slip.Superseded(ctx, creatives); return err })
	return newer, err
}

func (l *doomed) Spoken(ctx context.Context, creative, wanted string, now usher.Seen, asked bool) (word usher.Word, err error) {
	err = l.doom.step(func() error { word, err = l.slip.Spoken(ctx, creative, wanted, now, asked); return err })
	return word, err
}

func (l *doomed) Audit(ctx context.Context, a usher.Audit) error {
	return l.doom.step(func() error { return l.slip.Audit(ctx, a) })
}

func (l *doomed) Decided(ctx context.Context, id, campaign string) (e usher.Evaluation, r []usher.Ruling, err error) {
	err = l.doom.step(func() error { e, r, err = l.slip.Decided(ctx, id, campaign); return err })
	return e, r, err
}

func (l *doomed) Remember(ctx context.Context, audits ...usher.Audit) error {
	return l.doom.step(func() error { return l.slip.Remember(ctx, audits...) })
}

func (l *doomed) Next(fetch, _ context.Context) (workers.Lease, error) {
	if l.ended == nil && l.ctx.Err() == nil && fetch.Err() == nil {
		l.begin(context.WithoutCancel(fetch))
		return l, nil
	}
	return nil, context.Cause(fetch)
}

func (l *doomed) RoundTrip(r *http.Request) (response *http.Response, err error) {
	err = l.doom.step(func() error { response, err = l.network.RoundTrip(r); return err })
	if err != nil && response != nil {
		_ = response.Body.Close()
		response = nil
	}
	return response, err
}

// dieAt has a worker take the work and die at its n-th step.
func (b *bench) dieAt(s *slip, d *doom) {
	b.t.Helper()
	fetch, stop := context.WithCancel(b.t.Context())
	defer stop()
	s.begin(b.t.Context())
	l := &doomed{slip: s, doom: d, stop: stop, network: &http.Transport{}}
	defer l.network.CloseIdleConnections()
	login := rtb.New(rtb.Options{BaseURL: b.box, Advertiser: "SANDBOX1"})
	client := rtb.New(rtb.Options{
		BaseURL: b.box, Advertiser: "SANDBOX1", HTTP: &http.Client{Transport: l},
		Tokens: rtb.NewTokens(func(ctx context.Context) (string, error) { return login.Auth.Token(ctx, "sandbox", "sandbox") }),
	})
	evaluations, _ := b.worker.Evaluations.(*queues.Queue) // of a plant
	worker := &workers.Worker{
		Rules: b.worker.Rules, Evaluations: &doomedQueue{evaluations, d},
		Platform: func(string, bool) *rtb.Client { return client }, Breaker: b.worker.Breaker, Rulebook: l, Logger: b.worker.Logger,
		Lock: func(ctx context.Context, _ string) (locked context.Context, unlock func(), err error) {
			err = d.step(func() error { return nil })
			return ctx, func() {}, err
		},
		Stopped: func(context.Context) (string, bool, error) {
			err := d.step(func() error { return nil })
			return "", err != nil, err
		},
		Lanes: []workers.Lane{{Name: "test", Slots: 1, Open: func(context.Context, func()) (workers.Source, error) { return l, nil }}},
	}
	if err := worker.Run(fetch, b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// A worker is killed before and after each step of a rule's pause, and another
// one goes on: what is to be paused is, once, nothing else is touched, and the
// audit and what rules remember have each change once.
func TestKilledBetweenAnyTwoSteps(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after is %t", after), func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				b := newBench(t, sandbox.Options{})
				b.set("SANDBOX1-spring", "spring-2", rtb.Inactive) // by hand
				s := b.ruled(usher.Pause, "spring-1")
				d := &doom{n: n, after: after}
				b.dieAt(s, d)
				if !d.dead {
					if n < 12 {
						t.Fatalf("the whole job takes %d steps only", n)
					}
					return
				}
				for s.ended == nil {
					s.work.Crashes++
					b.dieAt(s, &doom{})
				}
				b.paused(s, n)
			}
		})
	}
}

// paused holds a pause of spring-1 to what it should have come to.
func (b *bench) paused(s *slip, n int) {
	b.t.Helper()
	s.want(b.t, "done")
	if got := b.statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Inactive {
		b.t.Errorf("killed at step %d: statuses are %v", n, got)
	}
	for what, all := range map[string][]usher.Audit{"the audit": s.audits, "memory": s.remembered} {
		// What a message id, or a job's id, tells apart counts once.
		once := map[string]bool{}
		for _, a := range all {
			a.At = a.AsOf
			once[fmt.Sprintf("%+v", a)] = true
		}
		if len(once) != 1 || all[0].Before != rtb.Active || all[0].After != rtb.Inactive || all[0].Creative != "spring-1" {
			b.t.Errorf("killed at step %d: %s has %+v", n, what, all)
		}
	}
	if posted := b.calls("creatives.set-status"); len(posted) > 3 { // one by hand, one, and its repetition
		b.t.Errorf("killed at step %d: it was posted %d times", n, len(posted))
	}
}

// doomedQueue is what rules decided, kept in a real queue, in a worker that is
// to die.
type doomedQueue struct {
	*queues.Queue
	doom *doom
}

func (q *doomedQueue) Evaluated(ctx context.Context, id string) (e usher.Evaluation, found bool, err error) {
	err = q.doom.step(func() error { e, found, err = q.Queue.Evaluated(ctx, id); return err })
	return e, found, err
}

func (q *doomedQueue) Memory(ctx context.Context, campaigns []string) (m map[string]map[string][]usher.Change, err error) {
	err = q.doom.step(func() error { m, err = q.Queue.Memory(ctx, campaigns); return err })
	return m, err
}

func (q *doomedQueue) Decide(ctx context.Context, e usher.Evaluation, rulings []usher.Ruling) (kept usher.Evaluation, err error) {
	err = q.doom.step(func() error { kept, err = q.Queue.Decide(ctx, e, rulings); return err })
	return kept, err
}

func (q *doomedQueue) Enact(ctx context.Context, e usher.Evaluation) error {
	return q.doom.step(func() error { return q.Queue.Enact(ctx, e) })
}

func (q *doomedQueue) Ticked(ctx context.Context, t usher.Tick) error {
	return q.doom.step(func() error { return q.Queue.Ticked(ctx, t) })
}

// A worker is killed before and after each step of an evaluation: its decisions
// are made once, and each campaign that it is about gets one job.
func TestEvaluationKilledBetweenAnyTwoSteps(t *testing.T) {
	t.Parallel()
	set := load(t, "budgets", strings.ReplaceAll(budgets, "window: today", "window: yesterday")+"    schedule: \"0 7 * * *\"\n")
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after is %t", after), func(t *testing.T) {
			t.Parallel()
			p := newRulePlant(t, set)
			for n := 1; ; n++ {
				id := fmt.Sprintf("tick-%d", n)
				s := &slip{work: usher.Work{ID: id, Kind: usher.RulesEvaluate, Job: usher.Job{
					ID: id, Rules: "budgets", Rule: "stop", AsOf: fmt.Sprintf("2014-04-01T06:%02d:00Z", n),
				}}}
				d := &doom{n: n, after: after}
				p.dieAt(s, d)
				for s.ended == nil {
					s.work.Crashes++
					p.dieAt(s, &doom{})
				}
				s.want(t, "done")
				p.evaluatedOnce(id, n)
				if !d.dead {
					if n < 8 {
						t.Fatalf("the whole evaluation takes %d steps only", n)
					}
					return
				}
			}
		})
	}
}

// evaluatedOnce holds an evaluation to one job a campaign.
func (p *plant) evaluatedOnce(id string, n int) {
	p.t.Helper()
	e, err := p.queue.Evaluation(p.t.Context(), id)
	if err != nil || len(e.Jobs) == 0 {
		p.t.Fatalf("killed at step %d: the evaluation is %+v, %v", n, e, err)
	}
	tick, found, err := p.queue.LastTick(p.t.Context(), "budgets", "stop")
	if err != nil || !found || tick.Evaluation != id {
		p.t.Errorf("killed at step %d: the last tick is %+v, %v", n, tick, err)
	}
	stream, err := p.js.Stream(p.t.Context(), "USHER_JOBS")
	if err != nil {
		p.t.Fatal(err)
	}
	if got := stream.CachedInfo().State.Msgs; got != uint64(n*len(e.Jobs)) {
		p.t.Errorf("killed at step %d: %d jobs were published of %d evaluations of %d", n, got, n, len(e.Jobs))
	}
}
