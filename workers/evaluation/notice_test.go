package evaluation_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/queues/decisions"
	"usher/workers/internal/workertest"
)

// A finding is reported when it begins, and again only if it has ended and begun again: not
// in each run, not after a run that decides UNKNOWN, and not after a restart.
func TestFindingsAreReportedOnce(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(budgets, "window: today", "window: yesterday")
	p := newRuleQueue(t, load(t, "budgets", text+"    mode: notify\n    notify: each\n"))
	_, end := p.Start()
	high := `{"reportDate":"2014-03-31","campaignCode":"SANDBOX1-spring","grossMediaSpend":97,"budget":100}`
	low := strings.ReplaceAll(high, "97", "50")
	for i, c := range []struct {
		row  string
		want int
	}{{high, 2}, {high, 0}, {"", 0}, {high, 0}, {low, 0}, {high, 2}, {high, 0}} {
		if i == 3 {
			end()
			p.Start()
		}
		p.Fault("reporting.campaigns", "status", map[string]any{"status": 200, "body": json.RawMessage(`{"status":"success","data":{"reports":[` + c.row + `]}}`)})
		e := p.evaluate(fmt.Sprintf("tick-%d", i), fmt.Sprintf(`,"rule":"stop","asOf":"2014-04-01T0%d:00:00Z"`, i))
		reported := 0
		for _, d := range p.decisions(e.ID) {
			if d.Notice == usher.NoticeEach {
				reported++
			}
		}
		if e.Notices != c.want || reported != c.want {
			t.Errorf("run %d reports %d decisions, and %d are stored, want %d", i, e.Notices, reported, c.want)
		}
	}
}

// A rule that acts reports its pauses and resumes, and an event about one campaign does not
// affect the findings on others.
func TestFindingsOfEvents(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", budgets+"    notify: digest\n"))
	p.Start()
	for i, c := range []struct {
		campaign string
		spend    float64
		want     int
	}{{"spring", 97, 2}, {"spring", 98, 0}, {"summer", 97, 3}, {"spring", 10, 2}, {"summer", 98, 0}, {"spring", 97, 2}} {
		if e := p.evaluate(fmt.Sprintf("event-%d", i), spent("SANDBOX1-"+c.campaign, c.spend)); e.Notices != c.want {
			t.Errorf("event %d reports %d decisions, want %d", i, e.Notices, c.want)
		}
	}
	notices, err := decisions.NewNotices(p.Jobs).List(t.Context())
	if err != nil || len(notices) != 4 || notices[0].Each {
		t.Errorf("the notices are %+v, %v", notices, err)
	}
}

// A worker is killed before or after each step of an evaluation. The findings that began in
// the evaluation are reported nevertheless.
func TestNoticesOfKilledEvaluations(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(budgets, "window: today", "window: yesterday")
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after is %t", after), func(t *testing.T) {
			t.Parallel()
			p := newRuleQueue(t, load(t, "budgets", text+"    mode: notify\n"))
			want := 0
			for n := 1; ; n++ {
				id := fmt.Sprintf("tick-%d", n)
				s := &workertest.Lease{Piece: usher.Work{ID: id, Kind: usher.RulesEvaluate, Job: usher.Job{
					ID: id, Rules: "budgets", Rule: "stop", AsOf: fmt.Sprintf("2014-04-01T06:%02d:00Z", n),
				}}}
				d := &workertest.Crash{AtStep: n, After: after}
				p.RunAndCrash(s, d)
				for s.Ended == nil {
					s.Piece.Crashes++
					p.RunAndCrash(s, &workertest.Crash{})
				}
				e, err := p.Decisions.Evaluation(t.Context(), id)
				if n == 1 {
					want = e.Notices
				}
				if err != nil || e.Notices != want || want == 0 || e.Counts[usher.Notify] != want {
					t.Fatalf("killed at step %d: %+v, %v", n, e, err)
				}
				if !d.Dead() {
					return
				}
				p.endFindings(t)
			}
		})
	}
}

// endFindings ends all findings, so that the next evaluation reports them again.
func (p *ruleQueue) endFindings(t *testing.T) {
	t.Helper()
	client := p.Worker.Platform("SANDBOX1", false)
	campaigns, err := client.Campaigns.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all, err := decisions.New(p.Jobs, nil).Findings(t.Context(), campaigns)
	if err != nil || len(all) == 0 {
		t.Fatalf("the findings are %v, %v", all, err)
	}
	for campaign, creatives := range all {
		var ended []usher.FindingChange
		for creative, list := range creatives {
			ended = append(ended, usher.FindingChange{Creative: creative, Finding: list[0], Ended: true})
		}
		if err := p.Decisions.ChangeFindings(t.Context(), campaign, ended); err != nil {
			t.Fatal(err)
		}
	}
}
