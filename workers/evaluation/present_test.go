package evaluation_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/internal/rtb"
)

// TestPresentBudget checks that a day without a row has the campaign's present budget, and that the
// reason names it.
func TestPresentBudget(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", strings.ReplaceAll(budgets, "window: today", "window: last 2 days\n    schedule: \"0 7 * * *\"")))
	p.Start()
	p.setBudget(300)
	const row = `{"reportDate":"2014-03-31","campaignCode":"SANDBOX1-spring","grossMediaSpend":%d,"budget":100,"currencyCode":"USD"}`
	for i, c := range []struct {
		spend int
		want  usher.Action
	}{{379, usher.Unknown}, {380, usher.Pause}} { // 0.95 * (100 + 300)
		p.serveTwice(fmt.Sprintf(row, c.spend))
		id := fmt.Sprintf("tick-%d", i)
		p.evaluate(id, fmt.Sprintf(`,"rule":"stop","asOf":"2014-04-01T0%d:00:00Z"`, i))
		found := false
		for _, d := range p.decisions(id) {
			found = found || d.Campaign == "SANDBOX1-spring" && d.Action == c.want && (c.want == usher.Unknown || strings.Contains(d.Reason, "with the campaign's present budget, 300, on the other 1 day"))
		}
		if !found {
			t.Errorf("with %d: %+v", c.spend, p.decisions(id))
		}
	}
}

// TestActiveCampaignMayLackRows checks that a campaign that is active may lack rows although it has had
// none lately, and that one that is not cannot.
func TestActiveCampaignMayLackRows(t *testing.T) {
	t.Parallel()
	const file = `
account: SANDBOX1
timezone: Europe/London
rules:
  - name: slow
    scope: {campaigns: ["SANDBOX1-spring", "SANDBOX1-winter"], level: account}
    window: yesterday
    pause_when: grossMediaSpend < 50
    schedule: "0 7 * * *"
`
	p := newRuleQueue(t, load(t, "slow", file))
	p.Start()
	for i, want := range []usher.Action{usher.Unknown, usher.Pause} {
		p.serveTwice(`{"reportDate":"2014-03-31","campaignCode":"SANDBOX1-spring","grossMediaSpend":7}`)
		id := fmt.Sprintf("tick-%d", i)
		p.evaluateFile("slow", id, fmt.Sprintf(`,"rule":"slow","asOf":"2014-04-01T0%d:00:00Z"`, i))
		e, err := p.Decisions.Evaluation(t.Context(), id)
		if err != nil || e.Counts[want] == 0 {
			t.Errorf("run %d: %+v, %v", i, e.Counts, err)
		}
		for _, c := range p.Creatives("SANDBOX1-winter") {
			p.SetStatus("SANDBOX1-winter", c.CreativeCode, rtb.Inactive)
		}
	}
}
