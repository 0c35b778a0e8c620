package evaluation_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/rtb"
)

// serve makes the next report of all campaigns have one row: what SANDBOX1-spring spent
// of a budget of 100 on a day.
func (p *ruleQueue) serve(day string, spend float64) {
	p.T.Helper()
	p.Fault("reporting.campaigns", "status", map[string]any{"status": 200, "body": json.RawMessage(fmt.Sprintf(
		`{"status":"success","data":{"reports":[{"reportDate":%q,"campaignCode":"SANDBOX1-spring","currencyCode":"USD","grossMediaSpend":%g,"budget":100,"impressions":100,"clicks":1}]}}`, day, spend))})
}

// A file does not resume what another file wants paused, by a tick or by an event.
func TestOtherFileBlocksResume(t *testing.T) {
	t.Parallel()
	fb := load(t, "budgets", strings.ReplaceAll(budgets, "window: today", "window: yesterday")+`  - name: now
    scope: {campaigns: ["SANDBOX1-*"]}
    window: today
    pause_when: grossMediaSpend >= 0.95 * budget
    resume_when: grossMediaSpend < 0.80 * budget
`)
	fa := load(t, "fa", "account: SANDBOX1\ntimezone: Europe/London\nrules:\n"+
		"  - {name: few, scope: {campaigns: [\"SANDBOX1-*\"], level: creative}, window: yesterday, pause_when: impressions >= 0}\n"+
		"  - {name: other, scope: {campaigns: [\"SANDBOX1-*\"]}, window: yesterday, pause_when: grossMediaSpend < 0}\n")
	p := newRuleQueue(t, fb, fa)
	p.Start()
	p.serve("2014-03-31", 97)
	p.evaluate("high", `,"rule":"stop","asOf":"2014-04-01T06:00:00Z"`)
	for n := range 3 {
		p.serve("2014-03-31", 50)
		before := len(p.Calls("reporting.campaign"))
		e := p.evaluate(fmt.Sprintf("low-%d", n), fmt.Sprintf(`,"rule":"stop","asOf":"2014-04-01T06:1%d:00Z"`, n))
		if e.Counts[usher.Resume] != 0 || len(e.Jobs) != 0 {
			t.Errorf("run %d resumes what fa wants paused: %+v", n, e)
		}
		if calls := len(p.Calls("reporting.campaign")) - before; calls != 1 {
			t.Errorf("run %d read the creatives of %d campaigns", n, calls)
		}
		r := slices.DeleteFunc(p.decisions(e.ID), func(r usher.StoredDecision) bool { return r.Campaign != "SANDBOX1-spring" })
		if len(r) != 2 || r[0].Guard != usher.GuardPauseWanted || !strings.Contains(r[0].Reason, "rule fa/few wants it paused") {
			t.Errorf("run %d decides %+v", n, r)
		}
	}
	if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
}

// A rule that is not due compares an amount with a plain number, and the campaigns in its scope
// have two currencies: its vote is UNKNOWN and blocks no resume. The campaigns whose creatives
// are not decided on are read only to see that.
func TestCurrenciesOfARuleThatIsNotDue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		currency string // of the campaign whose creatives are not decided on
		resumes  int
		reads    int // of campaigns' creatives
	}{
		"two currencies": {"EUR", 2, 2},
		"one currency":   {"USD", 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newRuleQueue(t, load(t, "budgets", strings.ReplaceAll(budgets, "window: today", "window: yesterday")+`  - name: dear
    scope: {campaigns: ["SANDBOX1-spring", "SANDBOX1-winter"], level: creative}
    window: last 2 days
    pause_when: grossMediaSpend >= 5
`))
			p.Start()
			p.serve("2014-03-31", 97)
			p.evaluate("high", `,"rule":"stop","asOf":"2014-04-01T06:00:00Z"`)
			p.serve("2014-03-31", 50)
			const row = `{"reportDate":%q,"campaignCode":%q,"currencyCode":%q,"grossMediaSpend":50,"creatives":[{"creativeCode":%q,"grossMediaSpend":9},{"creativeCode":%q,"grossMediaSpend":9}]}`
			rowsOf := func(campaign, currency string) string {
				code := strings.TrimPrefix(campaign, "SANDBOX1-")
				first, second := code+"-1", code+"-2"
				return fmt.Sprintf(row, "2014-03-30", campaign, currency, first, second) + "," + fmt.Sprintf(row, "2014-03-31", campaign, currency, first, second)
			}
			spring, winter := rowsOf("SANDBOX1-spring", "USD"), rowsOf("SANDBOX1-winter", c.currency)
			for path, rows := range map[string]string{"/SANDBOX1-spring": spring, "/SANDBOX1-winter": winter, "": spring + "," + winter} {
				p.Control("POST", "faults", map[string]any{"path": "/v3/reporting/campaigns" + path + "/2014-03-30/2014-03-31", "status": 200, "body": json.RawMessage(`{"status":"success","data":{"reports":[` + rows + `]}}`)}, nil)
			}
			before := len(p.Calls("reporting.campaign"))
			e := p.evaluate("low", `,"rule":"stop","asOf":"2014-04-01T06:10:00Z"`)
			if e.Counts[usher.Resume] != c.resumes {
				t.Errorf("the evaluation is %+v: %+v", e, p.decisions("low"))
			}
			if reads := len(p.Calls("reporting.campaign")) - before; reads != c.reads {
				t.Errorf("it read the creatives of %d campaigns", reads)
			}
		})
	}
}

// A rule that is due only on 29 February does not take a creative from one that is due now.
func TestRuleThatIsNotDueTakesNothing(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", strings.ReplaceAll(budgets, "window: today", "window: yesterday")+`    schedule: "0 * * * *"
  - name: leap
    scope: {campaigns: ["SANDBOX1-*"]}
    window: yesterday
    pause_when: grossMediaSpend >= 0.95 * budget
    resume_when: grossMediaSpend < 0
    priority: 9
    schedule: "0 7 29 2 *"
`))
	p.Start()
	p.serve("2014-03-31", 500)
	e := p.evaluate("tick", `,"rule":"stop","asOf":"2014-04-01T06:00:00Z"`)
	if e.Counts[usher.Pause] != 2 || p.Statuses("SANDBOX1-spring")["spring-1"] != rtb.Inactive {
		t.Errorf("the evaluation is %+v", e)
	}
}

// keep_active of one rule does not prevent another rule from pausing a campaign that has
// spent five times its budget.
func TestKeepActiveOfAnotherRule(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", `
account: SANDBOX1
timezone: Europe/London
rules:
  - {name: weak, scope: {campaigns: ["SANDBOX1-*"], keep_active: 1}, window: today, pause_when: clicks < 5}
  - {name: stop, scope: {campaigns: ["SANDBOX1-*"]}, window: today, pause_when: grossMediaSpend >= budget, schedule: "0 7 29 2 *"}
`))
	p.Start()
	e := p.evaluate("high", strings.Replace(spent("SANDBOX1-spring", 500), `"budget"`, `"clicks":1,"budget"`, 1))
	if e.Counts[usher.Pause] != 2 {
		t.Errorf("the evaluation is %+v", e)
	}
	for _, r := range p.decisions("high") {
		if r.Rule != "stop" {
			t.Errorf("%s is decided by %s: %s", r.Creative, r.Rule, r.Reason)
		}
	}
}

// A rule over its limit holds its run although the next rule takes all of its creatives: a
// person learns that the rule wants too much. The approval then has nothing to carry out.
func TestOverLimitWithNothingLeft(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", `
account: SANDBOX1
timezone: Europe/London
rules:
  - {name: wide, scope: {campaigns: ["SANDBOX1-*"]}, window: today, pause_when: grossMediaSpend > 90, priority: 2, limits: {max_creatives: 1}}
  - {name: last, scope: {campaigns: ["SANDBOX1-*"]}, window: today, pause_when: grossMediaSpend > 90}
`))
	p.Start()
	e := p.evaluate("both", spent("SANDBOX1-spring", 97))
	if e.State != usher.EvaluationHeld || e.Counts[usher.Pause] != 2 || e.Counts[usher.Held] != 0 || !strings.Contains(e.Why, "rule wide") {
		t.Errorf("the run is %+v", e)
	}
	for _, r := range p.decisions("both") {
		if r.Rule != "last" || len(r.Votes) != 2 || r.Votes[0].Guard != usher.GuardCap {
			t.Errorf("it decides %+v", r)
		}
	}
	if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
	approved, err := p.Decisions.Interventions().Approve(t.Context(), "both", "ann", "", nil)
	if err != nil || approved.State != usher.EvaluationApproved || !slices.Equal(approved.Jobs, e.Jobs) {
		t.Errorf("approved it is %+v, %v", approved, err)
	}
}
