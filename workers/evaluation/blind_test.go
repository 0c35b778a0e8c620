package evaluation_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"usher/internal/rtb"
	"usher/workers/internal/workertest"
)

// blindness returns what the rules are blind on, in a line each.
func (p *ruleQueue) blindness() string {
	p.T.Helper()
	all, err := p.Decisions.Blindness(p.T.Context())
	if err != nil {
		p.T.Fatal(err)
	}
	var lines []string
	for _, b := range all {
		for _, s := range b.On {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s: %s %g %s %s", b.File, b.Rule, s.Name(), s.Spend, s.Day, s.Missing+s.Changed)))
		}
	}
	return strings.Join(lines, "\n")
}

// serveTwice has the platform answer the next two reports of all campaigns with rows.
func (p *ruleQueue) serveTwice(rows ...string) {
	for range 2 {
		p.Fault("reporting.campaigns", "status", map[string]any{"status": 200, "body": json.RawMessage(`{"status":"success","data":{"reports":[` + strings.Join(rows, ",") + `]}}`)})
	}
}

// TestBlindness checks that a rule that is UNKNOWN because rows are missing is found to be blind
// on what is ACTIVE and had spend lately, until it can decide again.
func TestBlindness(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(budgets, "window: today", "window: last 2 days\n    schedule: \"0 7 * * *\"")
	p := newRuleQueue(t, load(t, "budgets", text))
	p.Start()
	row := func(day int, campaign string, spend float64) string {
		return fmt.Sprintf(`{"reportDate":"2014-03-%d","campaignCode":"SANDBOX1-%s","grossMediaSpend":%g,"budget":100}`, day, campaign, spend)
	}
	for i, c := range []struct {
		rows []string
		want string
	}{
		{[]string{row(31, "spring", 7)}, "budgets stop: SANDBOX1-spring 7 2014-03-31 the report has 1 of 2 days of the last 2 days (2014-03-30 to 2014-03-31)"},
		{[]string{row(31, "spring", 7), row(30, "spring", 70)}, ""},
		{[]string{row(31, "spring", 0)}, ""},   // it had no spend
		{[]string{row(31, "spring", 190)}, ""}, // the cap holds
		{[]string{row(31, "brand", 7), row(31, "winter", 9)}, "budgets stop: SANDBOX1-winter 9 2014-03-31 the report has 1 of 2 days of the last 2 days (2014-03-30 to 2014-03-31)"}, // brand is not in scope
	} {
		p.serveTwice(c.rows...)
		p.evaluate(fmt.Sprintf("tick-%d", i), fmt.Sprintf(`,"rule":"stop","asOf":"2014-04-01T0%d:00:00Z"`, i))
		if got := p.blindness(); got != c.want {
			t.Errorf("run %d: %q, want %q", i, got, c.want)
		}
	}
}

// TestNothingIsBlindOnPausedCampaigns checks that a rule is not blind on a campaign without an
// ACTIVE creative.
func TestNothingIsBlindOnPausedCampaigns(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", strings.ReplaceAll(budgets, "window: today", "window: last 2 days\n    schedule: \"0 7 * * *\"")))
	p.Start()
	for _, c := range p.Creatives("SANDBOX1-winter") {
		p.SetStatus("SANDBOX1-winter", c.CreativeCode, rtb.Inactive)
	}
	p.serveTwice(`{"reportDate":"2014-03-31","campaignCode":"SANDBOX1-winter","grossMediaSpend":9,"budget":100}`)
	p.evaluate("tick", `,"rule":"stop","asOf":"2014-04-01T09:00:00Z"`)
	if got := p.blindness(); got != "" {
		t.Errorf("it is blind on %q", got)
	}
}

// TestOrphans checks that creatives that a rule paused which no file has any more are found, until
// a rule takes them over.
func TestOrphans(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"", "    formerly: old\n"} {
		p := newRuleQueue(t, load(t, "budgets", strings.ReplaceAll(budgets, "name: stop", "name: old")))
		_, end := p.Start()
		p.evaluate("pause", spent("SANDBOX1-spring", 97))
		end()
		renamed := load(t, "budgets", strings.ReplaceAll(budgets, "window: today", "window: yesterday\n    schedule: \"0 7 * * *\"")+keys)
		p.Evaluation.Rules = workertest.RuleSets{renamed}
		p.Start()
		p.evaluate("tick", `,"rule":"stop","asOf":"2014-04-01T07:00:00Z"`)
		want := "budgets budgets/old: SANDBOX1-spring spring-1 0"
		if keys != "" {
			want = ""
		}
		if got := p.blindness(); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("with %q: %q, want %q", keys, got, want)
		}
	}
}

// TestTookBack checks that what somebody changed on the platform against a rule is found once the rule
// has changed it again: a creative, and a budget that is smaller than that of the newest row.
func TestTookBack(t *testing.T) {
	t.Parallel()
	_, rule, _ := strings.Cut(cheaper, "rules:\n")
	rule = strings.NewReplacer("window: today", "window: yesterday", "increase_when: grossMediaSpend < 10", "increase_when: grossMediaSpend >= 0").Replace(rule)
	rule = strings.Replace(rule, `["SANDBOX1-*"]`, `["SANDBOX1-spring", "SANDBOX1-winter"]`, 1)
	p := newRuleQueue(t, load(t, "budgets", budgets+rule))
	p.Start()
	p.evaluate("high", spent("SANDBOX1-spring", 97))
	p.SetStatus("SANDBOX1-spring", "spring-1", rtb.Active)
	p.setBudget(100)
	row := func(campaign string, budget float64) string {
		return fmt.Sprintf(`{"reportDate":"2014-03-31","campaignCode":"SANDBOX1-%s","grossMediaSpend":7,"budget":%g,"currencyCode":"USD"}`, campaign, budget)
	}
	p.serveTwice(row("spring", 120), row("winter", 5)) // winter's budget was raised, and is raised again
	p.evaluate("tick", `,"rule":"pace","asOf":"2014-04-01T09:00:00Z"`)
	if got := p.blindness(); got != "budgets pace: SANDBOX1-spring 0  daily budget 120 USD → 100 USD" {
		t.Errorf("after a tick: %q", got)
	}
	for _, id := range []string{"again", "still"} {
		p.evaluate(id, spent("SANDBOX1-spring", 98))
		if got := p.blindness(); got != "budgets pace: SANDBOX1-spring 0  daily budget 120 USD → 100 USD\nbudgets stop: SANDBOX1-spring spring-1 0  INACTIVE → ACTIVE" {
			t.Errorf("after %s: %q", id, got)
		}
	}
}
