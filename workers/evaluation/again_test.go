package evaluation_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/queues/decisions"
	"usher/workers/evaluation"
)

// again returns the interventions of people, which decide again by the rules of a set, beside others.
func (p *ruleQueue) again(set *rules.Set, others ...*rules.Set) decisions.Interventions {
	i := p.Decisions.Interventions()
	i.Again = func(ctx context.Context, e usher.Evaluation, held []usher.StoredDecision) (map[string]usher.Decision, error) {
		var campaigns []string
		for i := range held {
			campaigns = append(campaigns, held[i].Campaign)
		}
		kept, err := p.Jobs.Settings().Kept(ctx)
		if err != nil {
			return nil, err
		}
		memory, err := p.Decisions.Memory(ctx, campaigns)
		if err != nil {
			return nil, err
		}
		q := evaluation.Question{Platform: p.Client("sandbox", "sandbox", nil), Set: set, Others: others, At: e.AsOf, Campaigns: campaigns, Memory: memory, Kept: kept, Actions: usher.BiddingFields()}
		if e.Rule != "" {
			q.Due = []string{e.Rule}
		}
		all, err := q.Decide(ctx)
		now := map[string]usher.Decision{}
		for _, d := range all {
			s := usher.StoredDecision{Decision: d}
			now[s.Subject()] = d
		}
		return now, err
	}
	return i
}

// TestApprovalDecidesAgain checks that an approval carries out what is still wanted, leaves out what
// is not, and holds what is UNKNOWN now.
func TestApprovalDecidesAgain(t *testing.T) {
	t.Parallel()
	set := load(t, "budgets", strings.ReplaceAll(budgets, "window: today", "window: yesterday\n    mode: approve\n    schedule: \"0 7 * * *\""))
	p := newRuleQueue(t, set)
	p.Start()
	row := func(campaign string, spend float64) string {
		return fmt.Sprintf(`{"reportDate":"2014-03-31","campaignCode":"SANDBOX1-%s","grossMediaSpend":%g,"budget":100}`, campaign, spend)
	}
	p.serveTwice(row("spring", 97), row("summer", 98), row("winter", 99))
	p.evaluate("tick", `,"rule":"stop","asOf":"2014-04-01T07:00:00Z"`)
	p.Control("DELETE", "faults", nil, nil)

	p.serveTwice() // the report is empty
	if _, err := p.again(set).Approve(t.Context(), "tick", "ann", "", nil); !errors.Is(err, decisions.ErrUndecided) {
		t.Fatalf("without a report it is approved: %v", err)
	}
	p.Control("DELETE", "faults", nil, nil)

	p.serveTwice(row("spring", 97), row("summer", 3)) // summer is restated, winter is gone
	e, err := p.again(set).Approve(t.Context(), "tick", "ann", "looked", nil)
	if err != nil || e.State != usher.EvaluationHeld || len(e.Jobs) != 1 || e.Jobs[0] != "tick.SANDBOX1-spring.pause" {
		t.Fatalf("the first approval is %+v, %v", e, err)
	}
	codes := map[usher.WarningCode]int{}
	for _, w := range e.Warnings {
		codes[w.Code]++
		if w.Code == "no_longer" && !strings.Contains(w.Description, "pause of SANDBOX1-summer/summer-1 is no longer wanted: does not hold: grossMediaSpend >= 0.95 * budget (3 is not >= 95)") && !strings.Contains(w.Description, "summer-2") && !strings.Contains(w.Description, "summer-3") {
			t.Errorf("a warning is %q", w.Description)
		}
	}
	winter := len(p.Creatives("SANDBOX1-winter"))
	if codes["no_longer"] != len(p.Creatives("SANDBOX1-summer")) || codes["unknown"] != winter || e.CountApprovable()-len(e.LeftOut) != winter {
		t.Errorf("the warnings are %v, and %d wait", codes, e.CountApprovable()-len(e.LeftOut))
	}
	p.Done(e.Jobs...)
	p.Control("DELETE", "faults", nil, nil)

	p.serveTwice(row("spring", 97), row("summer", 98), row("winter", 99))
	e, err = p.again(set).Approve(t.Context(), "tick", "bob", "it is back", nil)
	if err != nil || e.State != usher.EvaluationApproved || len(e.Jobs) != 2 || e.Jobs[1] != "tick.SANDBOX1-winter.pause.approved2" {
		t.Fatalf("the second approval is %+v, %v", e, err)
	}
	p.Done(e.Jobs...)
	for campaign, want := range map[string]string{"spring": rtb.Inactive, "summer": rtb.Active, "winter": rtb.Inactive} {
		for code, status := range p.Statuses("SANDBOX1-" + campaign) {
			if status != want && status != rtb.Pending {
				t.Errorf("%s is %s", code, status)
			}
		}
	}
}

// TestApprovalAsksOtherRules checks that an approval leaves out a resume if a rule of another file, or a
// rule of level creative that was not due, wants the creative paused now, as a run does.
func TestApprovalAsksOtherRules(t *testing.T) {
	t.Parallel()
	const cap = "  - {name: cap, scope: {campaigns: [\"SANDBOX1-spring\"]}, window: last 2 days, pause_when: grossMediaSpend >= 500}\n"
	const weak = "  - {name: weak, scope: {campaigns: [\"SANDBOX1-spring\"], level: creative}, window: yesterday, pause_when: clicks < 5}\n"
	asks := strings.ReplaceAll(budgets, "window: today", "window: yesterday\n    mode: approve")
	for name, c := range map[string]struct {
		file, others, why string
		resumes           int
	}{
		"another file":  {asks, "account: SANDBOX1\ntimezone: Europe/London\nrules:\n" + cap, "rule caps/cap wants it paused", 0},
		"the same file": {asks + weak, "", "rule weak wants it paused", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sets := []*rules.Set{load(t, "budgets", c.file)}
			if c.others != "" {
				sets = append(sets, load(t, "caps", c.others))
			}
			p := newRuleQueue(t, sets...)
			p.Start()
			serve := func(before, yesterday float64) {
				p.Control("DELETE", "faults", nil, nil)
				row := func(day string, spend float64) string {
					return fmt.Sprintf(`{"reportDate":%q,"campaignCode":"SANDBOX1-spring","currencyCode":"USD","grossMediaSpend":%g,"budget":100,"creatives":[{"creativeCode":"spring-1","clicks":9},{"creativeCode":"spring-2","clicks":%g}]}`, day, spend, before)
				}
				for range 3 {
					p.serveTwice(row("2014-03-30", before), row("2014-03-31", yesterday))
					p.Fault("reporting.campaign", "status", map[string]any{"status": 200, "body": json.RawMessage(`{"status":"success","data":{"reports":[` + row("2014-03-31", yesterday) + `]}}`)})
				}
			}
			again := p.again(sets[0], sets[1:]...)
			serve(9, 97)
			p.evaluate("high", `,"rule":"stop","asOf":"2014-04-01T06:00:00Z"`)
			e, err := again.Approve(t.Context(), "high", "ann", "", nil)
			if err != nil || len(e.Jobs) != 1 {
				t.Fatalf("the pause is %+v, %v", e, err)
			}
			p.Done(e.Jobs...)
			serve(9, 50)
			if e := p.evaluate("low", `,"rule":"stop","asOf":"2014-04-01T06:10:00Z"`); e.Guards[usher.GuardApproval] != 2 {
				t.Fatalf("the resume is %+v", e)
			}
			if c.others != "" {
				serve(900, 50) // restated
			} else {
				serve(1, 50)
			}
			e, err = again.Approve(t.Context(), "low", "ann", "", nil)
			if err != nil || len(e.LeftOut) != 2-c.resumes || !strings.Contains(e.Warnings[0].Description, c.why) {
				t.Fatalf("the approval is %+v, %v", e, err)
			}
			p.Done(e.Jobs...)
			active := 0
			for _, status := range p.Statuses("SANDBOX1-spring") {
				if status == rtb.Active {
					active++
				}
			}
			if active != c.resumes {
				t.Errorf("%d are ACTIVE: %v", active, p.Statuses("SANDBOX1-spring"))
			}
		})
	}
}

// TestCooldownOfAnApproval checks that a cooldown begins with the approval of a run that waited, and not
// with the time as of which the run decided.
func TestCooldownOfAnApproval(t *testing.T) {
	t.Parallel()
	set := load(t, "budgets", strings.ReplaceAll(budgets, "window: today", "window: yesterday\n    mode: approve\n    cooldown: 12h"))
	p := newRuleQueue(t, set)
	p.Start()
	serve := func(day string, spend float64) {
		p.Control("DELETE", "faults", nil, nil)
		p.serve(day, spend)
		p.serve(day, spend)
	}
	serve("2014-03-31", 97)
	p.evaluate("high", `,"rule":"stop","asOf":"2014-04-01T06:00:00Z"`)
	serve("2014-03-31", 97)
	e, err := p.again(set).Approve(t.Context(), "high", "ann", "", nil)
	if err != nil || len(e.Jobs) != 1 {
		t.Fatalf("the approval is %+v, %v", e, err)
	}
	p.Done(e.Jobs...)
	serve("2014-04-01", 50)
	if e := p.evaluate("low", `,"rule":"stop","asOf":"2014-04-02T06:00:00Z"`); e.Guards[usher.GuardCooldown] != 2 {
		t.Errorf("the next run is %+v", e)
	}
	for _, a := range p.audits() {
		if a.Approved.IsZero() || !a.Approved.Equal(*e.Judged) || a.AsOf.Year() != 2014 {
			t.Errorf("an audit has approved %v, as of %v", a.Approved, a.AsOf)
		}
	}
}

// TestApprovalOfKept checks that an approval leaves out what a person keeps rules from.
func TestApprovalOfKept(t *testing.T) {
	t.Parallel()
	d := usher.StoredDecision{Decision: usher.Decision{Campaign: "A", Creative: "a-1", Action: usher.Held, Wants: usher.Pause, Guard: usher.GuardApproval}}
	kept := usher.Decision{Campaign: "A", Creative: "a-1", Action: usher.None, Guard: usher.GuardKept, Reason: "kept by ada until released"}
	if is, why := decisions.Compare(&d, map[string]usher.Decision{"A/a-1": kept}); is != decisions.Gone || why != kept.Reason {
		t.Errorf("it is %s: %s", is, why)
	}
}

// TestApprovalOfAChangedNumber checks that an approval of a number says that somebody changed it, if the
// rule still wants a change.
func TestApprovalOfAChangedNumber(t *testing.T) {
	t.Parallel()
	budget := func(action, wants usher.Action, from, to float64) usher.Decision {
		return usher.Decision{Campaign: "A", Action: action, Wants: wants, Guard: usher.GuardApproval, Reason: "would set it", Bidding: &usher.BiddingChange{Field: usher.BudgetField, From: from, To: to, Currency: "USD"}}
	}
	handsOff := budget(usher.None, "", 100, 100) // because somebody has changed the rule's own number
	handsOff.Guard = usher.GuardHandsOff
	held := usher.StoredDecision{Decision: budget(usher.Held, usher.Increase, 350, 385)}
	const changed = "the daily budget was changed after the decision, from 350 USD to 100 USD"
	for name, c := range map[string]struct {
		now  usher.Decision
		is   decisions.Standing
		want string
	}{
		"as it was":           {budget(usher.Held, usher.Increase, 350, 385), decisions.Wanted, ""},
		"a person changed it": {budget(usher.Held, usher.Increase, 100, 110), decisions.Changed, changed},
		"without an approval": {budget(usher.Increase, "", 100, 110), decisions.Changed, changed},
		"the rule's own":      {handsOff, decisions.Changed, changed},
		"no longer wanted":    {budget(usher.None, "", 100, 100), decisions.Gone, "would set it"},
		"unknown":             {budget(usher.Unknown, "", 100, 100), decisions.Undecided, "would set it"},
	} {
		if is, why := decisions.Compare(&held, map[string]usher.Decision{held.Subject(): c.now}); is != c.is || why != c.want {
			t.Errorf("%s: it is %s: %s", name, is, why)
		}
	}
	if text := decisions.LeftOut(&held, decisions.Changed, changed); text != "increase of A/budget is out of date: "+changed {
		t.Error(text)
	}
}

// TestStake checks that the spend at stake is that of the last days of what waits.
func TestStake(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t)
	at := time.Date(2014, 4, 10, 12, 0, 0, 0, time.UTC)
	held := []usher.StoredDecision{{Decision: usher.Decision{Campaign: "SANDBOX1-brand", Creative: "brand-1"}}, {Decision: usher.Decision{Campaign: "SANDBOX1-brand", Creative: "brand-2"}}}
	client := p.Client("sandbox", "sandbox", nil)
	stake, err := evaluation.ReadStake(t.Context(), client, time.UTC, at, held)
	if err != nil {
		t.Fatal(err)
	}
	days, err := client.Reporting.Campaign(t.Context(), "SANDBOX1-brand", "2014-04-04", "2014-04-10")
	want := 0.0
	for _, day := range days {
		for _, c := range day.Creatives {
			if c.CreativeCode != "brand-3" {
				want += c.GrossMediaSpend
			}
		}
	}
	got := 0.0
	for _, amount := range stake.Gross {
		got += amount
	}
	if stake.Of != 7 || stake.Known != 7 {
		t.Errorf("%d of %d days are known", stake.Known, stake.Of)
	}
	if err != nil || stake.From != "2014-04-04" || stake.To != "2014-04-10" || want == 0 || got < want-1e-6 || got > want+1e-6 {
		t.Errorf("the stake is %+v, want %g, %v", stake, want, err)
	}
	row := `{"reportDate":"2014-04-09","campaignCode":"SANDBOX1-brand","currencyCode":"USD","creatives":[{"creativeCode":"brand-1","grossMediaSpend":0.03}`
	for rest, known := range map[string]int{"": 0, `,{"creativeCode":"brand-2","grossMediaSpend":0}`: 1} {
		p.Control("DELETE", "faults", nil, nil)
		p.Fault("reporting.campaign", "status", map[string]any{"status": 200, "body": json.RawMessage(`{"status":"success","data":{"reports":[` + row + rest + `]}]}}`)})
		if stake, err := evaluation.ReadStake(t.Context(), client, time.UTC, at, held); err != nil || stake.Known != known || stake.Gross["USD"] != 0.03 {
			t.Errorf("the stake is %+v, %v", stake, err)
		}
	}
}
