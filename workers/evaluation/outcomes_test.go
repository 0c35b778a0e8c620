package evaluation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules/figures"
	"usher/internal/sandbox"
	"usher/workers/evaluation"
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

// A run decides on a creative that has outcomes and no row in the report, as a question does.
func TestCreativesWithOnlyOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		condition, want string
		isComplete      bool
		rows            string
	}{
		{"outcome.complaints > 5", "pause by r", false, `{"creativeCode":"spring-2","clicks":1}`},
		{"outcome.complaints > 5", "pause by r", true, `{"creativeCode":"spring-2","clicks":1}`},
		{"outcome.complaints > 5", "pause by r", false, ""},
		{"outcome.complaints < 50", "unknown by r", false, `{"creativeCode":"spring-2","clicks":1}`},
		{"outcome.complaints < 15", "none", false, `{"creativeCode":"spring-2","clicks":1}`},
	} {
		w := &ways{Bench: workertest.NewBench(t, sandbox.Options{}), at: time.Now().UTC()}
		w.Evaluation.Store, w.Worker.Now = &w.memoryStore, func() time.Time { return w.at }
		complaints := &delivered{name: "complaints", creative: "spring-1", isComplete: c.isComplete}
		complaints.number.Store(20)
		w.Evaluation.Outcomes = complaints.read
		set := load(t, "complaints", fmt.Sprintf("account: SANDBOX1\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [SANDBOX1-spring], level: creative}, window: last 2 days, pause_when: %q}\n", c.condition))
		serve := func() {
			w.Fault("reporting.campaign", "status", map[string]any{"status": 200, "body": json.RawMessage(fmt.Sprintf(
				`{"status":"success","data":{"reports":[{"reportDate":%q,"campaignCode":"SANDBOX1-spring","creatives":[%s]}]}}`, w.at.AddDate(0, 0, -1).Format(time.DateOnly), c.rows))})
		}
		serve()
		if got := w.run(set, usher.Job{AsOf: w.at.Format(time.RFC3339)}); got != c.want {
			t.Errorf("%s, rows %q: a run decides %q, want %q", c.condition, c.rows, got, c.want)
		}
		serve()
		q := evaluation.Question{Platform: w.Worker.Platform("", false), Set: set, At: w.at, Campaigns: []string{"SANDBOX1-spring"}, Outcomes: complaints.read}
		all, err := q.Decide(t.Context())
		all = slices.DeleteFunc(all, func(d usher.Decision) bool { return d.Creative != "spring-1" })
		if got := outcome(all); err != nil || got != c.want {
			t.Errorf("%s, rows %q: a question decides %q, want %q; %v", c.condition, c.rows, got, c.want, err)
		}
	}
}

// A rule is blind on the creatives of which nothing is known, and not on those whose outcomes decide.
func TestNoBlindnessOnCreativesWithOutcomes(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "complaints", `account: SANDBOX1
timezone: UTC
rules:
  - {name: r, scope: {campaigns: [SANDBOX1-spring], level: creative}, window: yesterday, pause_when: "clicks >= 0 && outcome.complaints > 5", schedule: "0 7 * * *"}
`))
	complaints := &delivered{name: "complaints", creative: "spring-1"}
	complaints.number.Store(1)
	p.Evaluation.Outcomes = complaints.read
	p.Start()
	report := func(day int) {
		p.Fault("reporting.campaign", "status", map[string]any{"status": 200, "body": json.RawMessage(fmt.Sprintf(
			`{"status":"success","data":{"reports":[{"reportDate":"2014-03-%d","campaignCode":"SANDBOX1-spring","creatives":[{"creativeCode":"spring-1","grossMediaSpend":7},{"creativeCode":"spring-2","grossMediaSpend":9}]}]}}`, day))})
	}
	p.Fault("reporting.campaign", "status", map[string]any{"status": 200, "body": json.RawMessage(`{"status":"success","data":{"reports":[]}}`)})
	report(28)
	p.evaluateFile("complaints", "tick", `,"rule":"r","asOf":"2014-04-01T07:00:00Z"`)
	if got, want := p.blindness(), "complaints r: SANDBOX1-spring spring-2 9 2014-03-28 "; !strings.HasPrefix(got, want) || strings.Contains(got, "spring-1 ") {
		t.Errorf("it is blind on %q, want %q", got, want)
	}
}
