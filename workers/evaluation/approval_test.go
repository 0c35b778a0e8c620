package evaluation_test

import (
	"testing"

	"usher"
	"usher/internal/rtb"
	"usher/queues/queuetest"
)

// A run counts its held decisions by guard, so it says how many of them an approval carries out:
// not those that keep_active holds.
func TestApprovalCarriesOutSome(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", `
account: SANDBOX1
timezone: Europe/London
rules:
  - {name: ask, scope: {campaigns: ["SANDBOX1-*"], keep_active: 1}, window: today, pause_when: grossMediaSpend > 90, mode: approve}
`))
	p.Start()
	e := p.evaluate("asks", spent("SANDBOX1-spring", 97))
	if e.State != usher.EvaluationHeld || e.Counts[usher.Held] != 2 || e.CountApprovable() != 1 || queuetest.JSON(t, e.Guards) != `{"approval":1,"keep_active":1}` {
		t.Errorf("the run is %+v", e)
	}
	approved, err := p.Decisions.Interventions().Approve(t.Context(), "asks", "ann", "")
	if err != nil || len(approved.Jobs) != 1 {
		t.Fatalf("approved it is %+v, %v", approved, err)
	}
	p.Done(approved.Jobs...)
	if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Active {
		t.Errorf("statuses are %v", got)
	}
}
