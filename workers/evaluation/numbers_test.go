package evaluation_test

import (
	"strings"
	"testing"

	"usher"
	"usher/internal/rtb"
	"usher/queues/audit"
)

// cheaper is a rule file that lowers and raises the daily budget by an event.
const cheaper = `
account: SANDBOX1
timezone: Europe/London
rules:
  - name: pace
    scope: {campaigns: ["SANDBOX1-*"]}
    window: today
    decrease_when: grossMediaSpend >= 90
    increase_when: grossMediaSpend < 10
    budget: {decrease: 20%, min: 50, increase: 10%, max: 500}
`

// budget returns the daily budget of SANDBOX1-spring as the platform has it.
func (p *ruleQueue) budget() float64 {
	p.T.Helper()
	return p.definition().Number(usher.BudgetField)
}

func (p *ruleQueue) definition() rtb.Definition {
	p.T.Helper()
	d, err := p.Worker.Platform("", true).CampaignDefinition(p.T.Context(), "SANDBOX1-spring")
	if err != nil {
		p.T.Fatal(err)
	}
	return d
}

// setBudget sets the daily budget as a person would.
func (p *ruleQueue) setBudget(amount float64) {
	p.T.Helper()
	client := p.Worker.Platform("", true)
	changed, err := p.definition().With("SANDBOX1-spring", usher.BudgetField, amount)
	if err == nil {
		err = client.Campaigns.Lock(p.T.Context(), "SANDBOX1-spring")
	}
	if err == nil {
		_, err = client.ReplaceCampaign(p.T.Context(), "SANDBOX1-spring", changed)
	}
	if err == nil {
		err = client.Campaigns.Unlock(p.T.Context(), "SANDBOX1-spring")
	}
	if err != nil {
		p.T.Fatal(err)
	}
}

// An event makes a rule decrease the budget, and an undo restores it.
func TestEventDecreasesBudget(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", cheaper))
	p.Start()
	p.setBudget(100)
	before := p.definition()
	e := p.evaluate("high", spent("SANDBOX1-spring", 97))
	if len(e.Jobs) != 1 || e.Counts[usher.Decrease] != 1 || e.State != usher.EvaluationDone {
		t.Fatalf("the evaluation is %+v", e)
	}
	after := p.definition()
	if got := p.budget(); got != 80 || len(before.Differences(after, usher.BudgetField)) > 0 {
		t.Errorf("the budget is %v, and %v differ", got, before.Differences(after, usher.BudgetField))
	}
	audits := p.audits()
	if len(audits) != 1 {
		t.Fatalf("%d audits: %+v", len(audits), audits)
	}
	a := audits[0]
	if a.Rule != "pace" || a.Evaluation != "high" || a.Actor != "rules/budgets" || a.Metrics["grossMediaSpend"] != 97 || len(a.Values) == 0 || a.Creative != "" ||
		a.Before != "100 USD" || a.Wanted != "80 USD" || a.After != "80 USD" || a.Reason != "daily budget from 100 to 80 USD: grossMediaSpend >= 90 (97 >= 90)" ||
		!before.Same(rtb.Definition(a.Definitions.Before)) || !after.Same(rtb.Definition(a.Definitions.After)) {
		t.Errorf("the audit is %+v", a)
	}
	// Once a day.
	if e = p.evaluate("again", spent("SANDBOX1-spring", 98)); len(e.Jobs) != 0 || e.Counts[usher.Held] != 1 || p.budget() != 80 {
		t.Errorf("the evaluation is %+v: %+v", e, p.decisions("again"))
	}
	undo, left, err := p.Decisions.Interventions().Undo(t.Context(), "high", "ann", "too soon")
	if err != nil || len(left) > 0 || len(undo.Jobs) != 1 || undo.Counts[usher.Increase] != 1 {
		t.Fatalf("the undo is %+v, left %+v, %v", undo, left, err)
	}
	p.Done(undo.Jobs...)
	if !before.Same(p.definition()) {
		t.Errorf("after the undo %v differ", before.Differences(p.definition(), ""))
	}
	// Rules do not change an undone number.
	if e = p.evaluate("after-undo", spent("SANDBOX1-spring", 98)); len(e.Jobs) != 0 {
		t.Errorf("the evaluation is %+v", e)
	}
	if d := p.decisions("after-undo"); len(d) != 1 || d[0].Guard != usher.GuardKept || !strings.HasPrefix(d[0].Reason, "kept by ann until released (undo of high: too soon): ") {
		t.Errorf("the decisions are %+v", d)
	}
	if released, err := p.Decisions.Interventions().Release(t.Context(), "SANDBOX1-spring", audit.Act{Actor: "ann"}); err != nil || len(released.Fields) != 2 || released.Creative != "" {
		t.Fatalf("released %v, %v", released, err)
	}
	story, err := p.Decisions.Story(t.Context(), "SANDBOX1-spring")
	if err != nil || len(story.Pages) < 4 {
		t.Errorf("the story is %+v, %v", story, err)
	}
}

// An undo does not change a number that a person has set since.
func TestUndoAfterPerson(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", cheaper))
	p.Start()
	p.setBudget(100)
	p.evaluate("high", spent("SANDBOX1-spring", 97))
	p.setBudget(70)
	undo, _, err := p.Decisions.Interventions().Undo(t.Context(), "high", "ann", "too soon")
	if err != nil {
		t.Fatal(err)
	}
	p.Done(undo.Jobs...)
	if got := p.budget(); got != 70 {
		t.Errorf("the budget is %v", got)
	}
}

// A publisher cannot publish a job that sets a number.
func TestOnlyRulesPublishNumbers(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", cheaper))
	p.Start()
	p.Publish(usher.CampaignBudget, `{"id":"mine","campaign":"SANDBOX1-spring","evaluation":"high"}`)
	p.Until("mine", usher.Failed)
}
