package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
)

// TestHeldDays checks for: each complete day before today must meet pause_when alone.
func TestHeldDays(t *testing.T) {
	t.Parallel()
	const spend = "grossMediaSpend >= 7"
	week := func() []figures.Row { return days(8) }
	for name, c := range map[string]struct {
		keys, condition string
		rows            []figures.Row
		want            usher.Action
		reason          string
	}{
		"on each day":                  {"window: yesterday, for: 3 days", spend, week(), usher.Pause, "grossMediaSpend >= 7 (8 >= 7), and held on each day from 2026-05-17 to 2026-05-19"},
		"on one day":                   {"window: last 2 days, for: 1 day", spend, week(), usher.Pause, "(16 >= 7), and held on 2026-05-19"},
		"not on the oldest":            {"window: yesterday, for: 3 days", spend, having(week(), 2, figures.GrossMediaSpend, 6), usher.None, "grossMediaSpend >= 7 (8 >= 7), but held on 2 of 3 days: not on 2026-05-17 (6 is not >= 7)"},
		"the day before does not care": {"window: yesterday, for: 3 days", spend, having(week(), 3, figures.GrossMediaSpend, 6), usher.Pause, ""},
		"the newest is named":          {"window: last 7 days, for: 3 days", spend, having(having(week(), 0, figures.GrossMediaSpend, 6), 2, figures.GrossMediaSpend, 5), usher.None, "(51 >= 7), but held on 1 of 3 days: not on 2026-05-19 (6 is not >= 7)"},
		"days alone, not sums":         {"window: last 7 days, for: 2 days", "grossMediaSpend >= 50", week(), usher.None, "(56 >= 50), but held on 0 of 2 days: not on 2026-05-19 (8 is not >= 50)"},
		"not now":                      {"window: last 7 days, for: 2 days", "grossMediaSpend < 10", week(), usher.None, "does not hold: grossMediaSpend < 10 (56 is not < 10)"},
		"a day without a row":          {"window: yesterday, for: 3 days", spend, days(2), usher.None, "but held on 2 of 3 days: not on 2026-05-17 (unknown: the report has no row)"},
		"a day without the field":      {"window: yesterday, for: 3 days", spend, without(week(), 1, figures.GrossMediaSpend), usher.None, "but held on 2 of 3 days: not on 2026-05-18 (unknown: no grossMediaSpend)"},
		"a day with a budget of 0":     {"window: yesterday, for: 3 days, min_data: {clicks: 0.5}", "budgetUsed >= 0.5", having(week(), 1, figures.Budget, 0), usher.None, "not on 2026-05-18 (unknown: budget is 0)"},
		"a day below min_data":         {"window: last 7 days, min_data: {impressions: 10}, for: 3 days", "ctr >= 0.01", having(week(), 1, figures.Impressions, 4), usher.None, "not on 2026-05-18 (unknown: 4 impressions in the day, and min_data requires 10)"},
		"yesterday without a row":      {"window: yesterday, for: 3 days", spend, days(3)[1:], usher.Unknown, "unknown: the report has no row for yesterday"},
		"several metrics":              {"window: last 7 days, for: 2 days", "clicks >= 1 && impressions > 9", having(week(), 1, figures.Impressions, 4), usher.None, "not on 2026-05-18 (clicks 1, impressions 4)"},
		"another currency":             {"window: yesterday, for: 3 days", spend, in("EUR", week(), 2), usher.Pause, ""},
		"a missing day of the window":  {"window: last 7 days, min_days: 5, for: 3 days", spend, append(days(4), days(7)[5:]...), usher.Pause, ""},
		"max_report_age":               {"window: yesterday, max_report_age: 48h, for: 5 days", spend, week(), usher.Pause, ""},
		"resume_when has no days":      {"window: yesterday, for: 5 days, resume_when: grossMediaSpend < 1", "grossMediaSpend >= 20", days(1), usher.None, "does not hold"},
		"pause_when without its days":  {"window: yesterday, for: 2 days, resume_when: grossMediaSpend < 1", spend, days(1), usher.None, "but held on 1 of 2 days"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := oneRule(t, "campaign", c.condition, c.keys)
			d := decideAt(t, set, noon(), c.rows...)
			if d.Action != c.want || !strings.Contains(d.Reason, c.reason) {
				t.Errorf("%s: %s", d.Action, d.Reason)
			}
		})
	}
}

// TestHeldDaysAreNeeded checks that a run reads the days of for, in the account's zone.
func TestHeldDaysAreNeeded(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		"window: today, for: 3 days":        "2026-05-17 to 2026-05-20",
		"window: yesterday, for: 30 days":   "2026-04-20 to 2026-05-19",
		"window: last 7 days, for: 3 days":  "2026-05-13 to 2026-05-19",
		"window: last 2 days, for: '1 day'": "2026-05-18 to 2026-05-19",
	} {
		needs := rules.NewFigures(oneRule(t, "campaign", "won > 5", keys), noon()).Needs()
		if len(needs) != 1 || needs[0].From+" to "+needs[0].To != want {
			t.Errorf("%s reads %v, want %s", keys, needs, want)
		}
	}
}

// TestHeldDaysOfRelatives checks that metrics of the campaign, of the account and ranks
// are those of the single day.
func TestHeldDaysOfRelatives(t *testing.T) {
	t.Parallel()
	for condition, want := range map[string]string{
		"ctr < campaign.ctr":            "but held on 1 of 2 days: not on 2026-05-18 (0.2 is not < 0.15)",
		"campaign.ctr < account.ctr":    "but held on 1 of 2 days: not on 2026-05-18 (0.15 is not < 0.15)",
		"rank(ctr) == 2":                "but held on 1 of 2 days: not on 2026-05-18 (1 is not == 2)",
		"rank(ctr) == count()":          "but held on 1 of 2 days: not on 2026-05-18 (1 is not == 2)",
		"ctr_upper95 < 0.5 * 0.7 - 0.1": "but held on 1 of 2 days: not on 2026-05-18",
	} {
		set := oneRule(t, "creative", condition, "window: last 3 days, min_data: {impressions: 10}, for: 2 days")
		var rows []figures.Row
		for day, clicks := range map[int]float64{17: 1, 18: 20, 19: 1} {
			date := fmt.Sprintf("2026-05-%d", day)
			rows = append(rows,
				relativeRow(date, "A-x", "c1", 100, clicks), relativeRow(date, "A-x", "c2", 100, 10),
				relativeRow(date, "A-x", "", 200, 10+clicks), relativeRow(date, "A-y", "", 800, 120))
		}
		d := onlyDecision(t, set, active("c1", reported(t, set, noon(), rows...)))
		if d.Action != usher.None || !strings.Contains(d.Reason, want) {
			t.Errorf("%s: %s: %s", condition, d.Action, d.Reason)
		}
	}
}

// TestHeldDaysInBacktest checks that a backtest pauses on the first day with enough days
// before it, and not earlier.
func TestHeldDaysInBacktest(t *testing.T) {
	t.Parallel()
	set := oneRule(t, "campaign", "grossMediaSpend >= 7", "window: today, for: 2 days")
	input := backtest.Input{From: "2026-05-12", To: "2026-05-19", Rows: having(days(9), 6, figures.GrossMediaSpend, 1), Creatives: []rules.Creative{{Campaign: "A-x", Code: "c"}}}
	for i := range input.Rows {
		input.Rows[i].Campaign = "A-x"
	}
	outcome, err := backtest.Run(t.Context(), set, input)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range outcome.Decisions {
		if (d.Action == usher.Pause) != (d.Date == "2026-05-16") {
			t.Errorf("%s: %s: %s", d.Date, d.Action, d.Reason)
		}
	}
	needs, err := backtest.Needs(set, "2026-05-12", "2026-05-19")
	if err != nil || len(needs) != 1 || needs[0].From != "2026-05-10" || needs[0].To != "2026-05-19" {
		t.Errorf("the backtest reads %v, %v", needs, err)
	}
}

// TestHeldDaysOfOthers checks that a rule whose days are too few does not keep another
// one from resuming, and blocks it once it has them.
func TestHeldDaysOfOthers(t *testing.T) {
	t.Parallel()
	for days, want := range map[string]usher.Action{"2 days": usher.Resume, "1 day": usher.None} {
		set := load(t, "account: A\ntimezone: UTC\nrules:\n"+
			"  - {name: r, scope: {campaigns: [\"A-*\"]}, window: today, pause_when: won > 500, resume_when: won < 300}\n"+
			"  - {name: s, scope: {campaigns: [\"A-*\"]}, window: today, pause_when: clicks > 5, for: "+days+"}\n"+
			"tests:\n  - {paused_by: r, metrics: {won: 9, clicks: 9}, days: [{clicks: 9}, {clicks: 1}], expect: resume}\n")
		results, err := set.RunTests(t.Context())
		if err != nil || results[0].Decision.Action != want {
			t.Errorf("%s: %+v, %v", days, results, err)
		}
	}
}

// TestHeldDaysInTests checks the key days of a test case.
func TestHeldDaysInTests(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
rules:
  - {name: r, scope: {campaigns: ["A-*"]}, window: last 7 days, pause_when: won > 5, for: 2 days}
tests:
  - {name: metrics are those of each day, metrics: {won: 9}, expect: pause}
  - {name: days, metrics: {won: 90}, days: [{won: 9}, {won: 8}], expect: pause}
  - {name: a day, metrics: {won: 90}, days: [{won: 9}, {won: 5}], expect: none}
  - {name: a day without a row, metrics: {won: 90}, days: [{}, {won: 9}], expect: none}
  - {name: a day that is not listed, metrics: {won: 90}, days: [{won: 9}], expect: none}
  - {name: no days, metrics: {won: 90}, days: [], expect: none}
  - {name: more days, metrics: {won: 90}, days: [{won: 9}, {won: 9}, {won: 1}], expect: pause}
`)
	results, err := set.RunTests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if !r.Passed {
			t.Errorf("%s: %s", r.Test, r.Message)
		}
	}
}
