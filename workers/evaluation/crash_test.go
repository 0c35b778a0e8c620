package evaluation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/workers/internal/workertest"
)

// A worker is killed before or after each step of an evaluation. The decisions are made
// once, and there is one job for each campaign.
func TestEvaluationKilledBetweenAnyTwoSteps(t *testing.T) {
	t.Parallel()
	set := load(t, "budgets", strings.ReplaceAll(budgets, "window: today", "window: yesterday")+"    schedule: \"0 7 * * *\"\n")
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after is %t", after), func(t *testing.T) {
			t.Parallel()
			p := newRuleQueue(t, set)
			for n := 1; ; n++ {
				p.Worker.Now = func() time.Time { return time.Date(2014, 4, 1, 6, n, 30, 0, time.UTC) }
				id := fmt.Sprintf("rule-budgets-stop-20140401T06%02dZ", n)
				s := &workertest.Lease{Piece: usher.Work{ID: id, Kind: usher.RulesEvaluate, Job: usher.Job{
					ID: id, Rules: "budgets", Rule: "stop", AsOf: fmt.Sprintf("2014-04-01T06:%02d:00Z", n),
				}}}
				d := &workertest.Crash{AtStep: n, After: after}
				p.RunAndCrash(s, d)
				for s.Ended == nil {
					s.Piece.Crashes++
					p.RunAndCrash(s, &workertest.Crash{})
				}
				s.Want(t, "done")
				p.wantOneJobEach(id, n)
				if !d.Dead() {
					if n < 8 {
						t.Fatalf("the whole evaluation takes only %d steps", n)
					}
					return
				}
			}
		})
	}
}

// wantOneJobEach fails unless the evaluation has published one job for each of its
// campaigns.
func (p *ruleQueue) wantOneJobEach(id string, n int) {
	p.T.Helper()
	e, err := p.Decisions.Evaluation(p.T.Context(), id)
	if err != nil || len(e.Jobs) == 0 {
		p.T.Fatalf("killed at step %d: the evaluation is %+v, %v", n, e, err)
	}
	tick, found, err := p.Decisions.LastTick(p.T.Context(), "budgets", "stop")
	if err != nil || !found || tick.Evaluation != id {
		p.T.Errorf("killed at step %d: the last tick is %+v, %v", n, tick, err)
	}
	stream, err := p.JS.Stream(p.T.Context(), "USHER_CAMPAIGNS")
	if err != nil {
		p.T.Fatal(err)
	}
	if got := stream.CachedInfo().State.Msgs; got != uint64(n*len(e.Jobs)) {
		p.T.Errorf("killed at step %d: %d jobs were published of %d evaluations of %d", n, got, n, len(e.Jobs))
	}
}
