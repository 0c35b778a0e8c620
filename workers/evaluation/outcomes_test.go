package evaluation_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules/figures"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// delivered is a Handler.Outcomes with one number of the last day that is asked for.
type delivered struct {
	creative, name string
	number         atomic.Int64
	isComplete     bool
	reads          atomic.Int64
}

func (d *delivered) read(_ context.Context, _ string, need figures.OutcomeNeed) (*figures.Outcomes, error) {
	d.reads.Add(1)
	found := &figures.Outcomes{
		Rows:      []figures.OutcomeRow{{Date: need.To, Campaign: "SANDBOX1-spring", Creative: d.creative, Name: d.name, Value: float64(d.number.Load())}},
		Signed:    map[string]bool{d.name: d.number.Load() < 0},
		Delivered: []string{d.name},
	}
	if d.isComplete {
		found.Complete = []figures.OutcomeDay{{Date: need.To, Name: d.name, Creatives: true}}
	}
	return found, nil
}

// An event decides by the outcomes, whose numbers may be negative, and reads them only if it depends on them.
func TestEventsReadOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		condition, want string
		reads           int64
	}{
		{"grossMediaSpend + outcome.adjustment >= 95", "none", 1},
		{"grossMediaSpend + account.outcome.adjustment >= 95", "none", 1},
		{"grossMediaSpend - outcome.adjustment >= 95", "pause by r", 1},
		{"grossMediaSpend >= 95 || outcome.adjustment > 0", "pause by r", 0},
		{"grossMediaSpend >= 98 && outcome.adjustment > 0", "none", 0},
	} {
		w := &ways{Bench: workertest.NewBench(t, sandbox.Options{}), at: time.Now().UTC()}
		w.Evaluation.Store, w.Worker.Now = &w.memoryStore, func() time.Time { return w.at }
		adjustment := &delivered{name: "adjustment", isComplete: true}
		adjustment.number.Store(-10)
		w.Evaluation.Outcomes = adjustment.read
		set := load(t, "adjusted", fmt.Sprintf("account: SANDBOX1\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [SANDBOX1-spring]}, window: today, pause_when: %q}\n", c.condition))
		w.serve(values{"grossMediaSpend": 90})
		got := w.run(set, usher.Job{Metrics: &usher.Metrics{Campaign: "SANDBOX1-spring", Values: map[string]float64{"grossMediaSpend": 97}, At: w.at}})
		if got != c.want || adjustment.reads.Load() != c.reads {
			t.Errorf("%s: it decides %q after %d reads, want %q after %d", c.condition, got, adjustment.reads.Load(), c.want, c.reads)
		}
	}
}

// An event resumes nothing that a loss has paused, as long as the loss is stored.
func TestEventsResumeByOutcomes(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "profits", `account: SANDBOX1
timezone: UTC
rules:
  - {name: loss, scope: {campaigns: [SANDBOX1-spring]}, window: today, pause_when: outcome.profit < -100, resume_when: outcome.profit > -20}
`))
	profit := &delivered{name: "profit", isComplete: true}
	p.Evaluation.Outcomes = profit.read
	p.Start()
	profit.number.Store(-500)
	if e := p.evaluateFile("profits", "run", ""); e.Counts[usher.Pause] != 2 {
		t.Fatalf("the run is %+v", e)
	}
	for i, number := range []int64{-500, -50, -10} {
		profit.number.Store(number)
		want := map[bool]int{true: 2}[number == -10]
		if e := p.evaluateFile("profits", fmt.Sprintf("event-%d", i), spent("SANDBOX1-spring", 50)); e.Counts[usher.Resume] != want {
			t.Errorf("with a profit of %d an event is %+v", number, e)
		}
	}
	if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active {
		t.Errorf("statuses are %v", got)
	}
}
