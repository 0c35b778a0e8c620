package rules_test

import (
	"strings"
	"testing"

	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// TestBlind checks on what a rule is blind, and what it says is missing.
func TestBlind(t *testing.T) {
	t.Parallel()
	row := func(day, campaign string, spend, clicks float64, currency string) figures.Row {
		r := figures.Row{Date: "2026-05-" + day, Campaign: campaign, Currency: currency}
		r.Values[figures.GrossMediaSpend], r.Values[figures.Clicks], r.Values[figures.Impressions], r.Values[figures.Auctions] = spend, clicks, 100*clicks, 100
		return r
	}
	dollars := func(days ...string) (rows []figures.Row) {
		for _, day := range days {
			rows = append(rows, row(day, "A-x", 50, 5, "USD"))
		}
		return rows
	}
	const condition = "depends on the currency, and there are several"
	for name, c := range map[string]struct {
		keys string
		rows []figures.Row
		want string
	}{
		"another campaign has another currency": {"window: yesterday, pause_when: grossMediaSpend >= 100", append(dollars("19"), row("19", "A-y", 1, 1, "EUR")),
			"A-x: grossMediaSpend >= 100 " + condition + "; A-y: grossMediaSpend >= 100 " + condition},
		"one outside of the scope has": {"window: yesterday, pause_when: grossMediaSpend >= 100", append(dollars("19"), row("19", "B-y", 1, 1, "EUR")), ""},
		"a ratio needs no currency":    {"window: yesterday, pause_when: clicks >= 100", append(dollars("19"), row("19", "A-y", 1, 1, "EUR")), ""},
		"one campaign has two": {"window: last 2 days, min_data: {impressions: 1}, pause_when: cpc >= 2 * over(\"yesterday\").cpc", append(dollars("19"), row("18", "A-x", 1, 1, "EUR")),
			"A-x: the rows of the last 2 days (2026-05-18 to 2026-05-19) have several currencies; cpc >= 2 * over(\"yesterday\").cpc " + condition},
		"ranks of amounts": {"window: yesterday, pause_when: rank(grossMediaSpend) > 1", append(dollars("19"), row("19", "A-y", 1, 1, "EUR")),
			"A-x: the ranks compare amounts, and there are several currencies; A-y: the ranks compare amounts, and there are several currencies"},
		"a division by zero, and another currency elsewhere": {"window: yesterday, min_data: {auctions: 1}, pause_when: grossMediaSpend / clicks > 2", []figures.Row{row("19", "A-x", 5, 0, "USD"), row("19", "B-y", 1, 1, "EUR")}, ""},

		"a day of for has no row":         {"window: yesterday, for: 3 days, pause_when: clicks >= 2", dollars("19", "17"), "A-x: for depends on 2026-05-18: the report has no row"},
		"it did not hold on another day":  {"window: yesterday, for: 3 days, pause_when: clicks >= 2", append(dollars("19"), row("17", "A-x", 1, 1, "USD")), ""},
		"a day of for lacks a number":     {"window: yesterday, for: 2 days, pause_when: clicks >= 2", append(dollars("19"), row("18", "A-x", 1, -1, "USD")), "A-x: for depends on 2026-05-18: a negative clicks in the day"},
		"a day of for is below min_data":  {"window: yesterday, for: 3 days, pause_when: clicks >= 2, min_data: {impressions: 200}", append(dollars("19"), row("18", "A-x", 1, 1, "USD")), ""},
		"it does not hold now":            {"window: yesterday, for: 3 days, pause_when: clicks >= 20", dollars("19"), ""},
		"it held on each day":             {"window: yesterday, for: 2 days, pause_when: clicks >= 2", dollars("19", "18"), ""},
		"a day of for, of all campaigns":  {"window: yesterday, for: 2 days, pause_when: clicks >= 2", append(dollars("19", "18"), row("19", "A-y", 1, 5, "USD")), "A-y: for depends on 2026-05-18: the report has no row"},
		"a rule of level account and for": {"window: yesterday, for: 2 days, pause_when: clicks >= 2", dollars("19"), "A-x: for depends on 2026-05-18: the report has no row"},
	} {
		level := "campaign"
		if strings.Contains(name, "account") {
			level = "account"
		}
		set := load(t, "account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"], level: "+level+"}, "+c.keys+"}\n")
		at, err := set.EndOf("2026-05-20")
		if err != nil {
			t.Fatal(err)
		}
		snapshot := rules.Snapshot{Figures: rules.NewFigures(set, at)}
		known := map[string]bool{}
		for _, r := range c.rows {
			if err := snapshot.Figures.Add(r); err != nil {
				t.Fatal(err)
			}
			if !known[r.Campaign] && strings.HasPrefix(r.Campaign, "A-") {
				known[r.Campaign] = true
				snapshot.Creatives = append(snapshot.Creatives, rules.Creative{Campaign: r.Campaign, Code: "c-" + r.Campaign, Status: rules.Active})
			}
		}
		run, err := set.Decide(t.Context(), snapshot)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, b := range run.Blind() {
			list = append(list, b.Campaign+": "+b.Missing)
		}
		if got := strings.Join(list, "; "); got != c.want {
			t.Errorf("%s: blind is %q, want %q", name, got, c.want)
		}
	}
}
