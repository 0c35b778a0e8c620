package rules

import (
	"strings"
	"testing"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
)

// TestPageEscapesForeignText puts markup into every text that comes from a rule file or
// the platform.
func TestPageEscapesForeignText(t *testing.T) {
	t.Parallel()
	const evil = `"><script>alert('x')</script>&`
	set, problems := rules.Load("budgets.yaml", []byte("account: SANDBOX1\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"*\"]}, window: today, pause_when: clicks < 1 && clicks >= 0}\n"))
	if set == nil {
		t.Fatal(problems)
	}
	set.Account = evil
	outcome := &backtest.Outcome{
		Decisions: []usher.Decision{{Date: "2014-04-01", Campaign: evil, Creative: evil, Rule: evil, Action: usher.Pause, Reason: evil}},
		Summary:   backtest.Summary{From: "2014-04-01", To: "2014-04-01", Days: 1, Rules: []backtest.RuleSummary{{Rule: evil}}, ByDay: []backtest.DaySummary{{Date: "2014-04-01", Spend: 3, Saved: 1}}},
	}
	outcome.Summary.ByCreative = []backtest.CreativeSummary{{Campaign: evil, Creative: evil, Saved: 1}}
	other := &backtest.Outcome{Decisions: []usher.Decision{}, Summary: outcome.Summary}
	for _, page := range []string{newBacktestPage(set, outcome).html(), comparison{{evil, set, outcome}, {evil, set, other}}.html()} {
		if strings.Contains(page, "<script") || strings.Contains(page, "'x'") || !strings.Contains(page, "&lt;script&gt;") {
			t.Errorf("the page contains unescaped markup:\n%s", page)
		}
		if strings.Contains(page, "NaN") || strings.Contains(page, "%!") {
			t.Errorf("the page contains an invalid number:\n%s", page)
		}
	}
}

// TestChartOfCreativesWithDates checks that the cell of a decision is at its day, even if
// the creative was not in scope on the days before.
func TestChartOfCreativesWithDates(t *testing.T) {
	t.Parallel()
	rows := chartRows(&backtest.Outcome{
		Decisions: []usher.Decision{{Date: "2014-04-02", Creative: "b", Action: usher.Pause}, {Date: "2014-04-03", Creative: "a"}, {Date: "2014-04-03", Creative: "b"}},
		Summary:   backtest.Summary{ByDay: []backtest.DaySummary{{Date: "2014-04-01"}, {Date: "2014-04-02"}, {Date: "2014-04-03"}}},
	}, false)
	if len(rows) != 2 || rows[0].cells[0].day != 1 || rows[0].cells[1].day != 2 || rows[0].cells[1].class != "paused" || rows[1].cells[0].day != 2 {
		t.Errorf("the rows are %+v", rows)
	}
}

// TestPageWithoutSpend checks that the page does not divide by a spend of zero.
func TestPageWithoutSpend(t *testing.T) {
	t.Parallel()
	set, _ := rules.Load("budgets.yaml", []byte("account: SANDBOX1\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"*\"]}, window: today, pause_when: clicks > 1}\n"))
	outcome, err := backtest.Run(t.Context(), set, backtest.Input{From: "2014-04-01", To: "2014-04-02"})
	if err != nil {
		t.Fatal(err)
	}
	if page := newBacktestPage(set, outcome).html(); strings.Contains(page, "NaN") || strings.Contains(page, "Inf") || !strings.Contains(page, "No rule changed anything.") {
		t.Errorf("invalid page without spend:\n%s", page)
	}
}

// TestUnknownRulesAreNamed checks that a backtest says why a rule decided nothing.
func TestUnknownRulesAreNamed(t *testing.T) {
	t.Parallel()
	decisions := []usher.Decision{
		{Date: "2014-04-01", Campaign: "A-1", Creative: "c", Rule: "acts", Action: usher.Pause},
		{Date: "2014-04-02", Campaign: "A-1", Creative: "d", Rule: "acts", Action: usher.Unknown, Reason: "unknown: never"},
		{Date: "2014-04-02", Campaign: "A-1", Creative: "d", Rule: "waits", Action: usher.Unknown, Reason: "unknown: 63 clicks"},
	}
	o := &backtest.Outcome{Decisions: decisions, Summary: backtest.Summary{Rules: []backtest.RuleSummary{{Rule: "acts", Pauses: 1, Unknown: 1}, {Rule: "waits", Unknown: 2}}}}
	if got := notes(o); got != "waits changed nothing: 2 of its decisions are unknown, the first on 2014-04-02, d: unknown: 63 clicks." {
		t.Errorf("the note is %q", got)
	}
}

// TestPagesShowNumbers checks that the page and the comparison show each number, and what it
// would have been set to, apart from the other number of the campaign.
func TestPagesShowNumbers(t *testing.T) {
	t.Parallel()
	set, _ := rules.Load("spend.yaml", []byte("account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"*\"]}, window: today, pause_when: clicks > 1}\n"))
	decide := func(field usher.BiddingField, from, to float64) usher.Decision {
		change := &usher.BiddingChange{Field: field, From: from, To: to, Currency: "USD"}
		return usher.Decision{Date: "2014-04-01", Campaign: "A-1", Rule: "r", Action: change.Action(), Bidding: change}
	}
	outcome := func(budget float64) *backtest.Outcome {
		list := []usher.Decision{decide(usher.BudgetField, 80, budget), decide(usher.BidField, 2, 3)}
		o := &backtest.Outcome{Decisions: list, Summary: backtest.Summary{Days: 1, Decreases: 1, Increases: 1, ByDay: []backtest.DaySummary{{Date: "2014-04-01"}}}}
		for _, d := range list {
			o.Summary.ByNumber = append(o.Summary.ByNumber, backtest.NumberSummary{Campaign: d.Campaign, Change: *d.Bidding, Decreases: 1})
		}
		return o
	}
	page := newBacktestPage(set, outcome(64)).html()
	for _, want := range []string{"A-1 budget", "A-1 bid", ">64</text>", "80 → 64 USD", "2 → 3 USD", "daily budget", "1 decrease, 1 increase"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q:\n%s", want, page)
		}
	}
	two := comparison{{"a.yaml", set, outcome(64)}, {"b.yaml", set, outcome(72)}}
	if list := two.differences(); len(list) != 1 || list[0].Field != usher.BudgetField || list[0].Before.Bidding.To != 64 || list[0].After.Bidding.To != 72 {
		t.Errorf("the differences are %+v", list)
	}
	var text strings.Builder
	if err := two.write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"decrease r: 80 → 64 USD", "decrease r: 80 → 72 USD", "daily budget  80 → 64 USD  80 → 72 USD", "maximum bid   2 → 3 USD    2 → 3 USD"} {
		if html := two.html(); !strings.Contains(text.String(), want) || strings.Contains(want, "decrease") && !strings.Contains(html, want) {
			t.Errorf("the comparison does not have %q:\n%s\n%s", want, text.String(), html)
		}
	}
}
