package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// decideTogether returns the decisions of a rule of level account on campaigns, each with one creative
// and rows of spend on days up to yesterday.
func decideTogether(t *testing.T, rule string, spend map[string][]float64) []usher.Decision {
	t.Helper()
	text := "account: A\ntimezone: UTC\nrules:\n  - {name: cap, scope: {campaigns: [\"A-*\"], exclude: [\"A-loyalty\"], level: account}, " + rule + "}\n"
	set, problems := rules.Load("x.yaml", []byte(text))
	if set == nil {
		t.Fatal(problems)
	}
	sums := rules.NewFigures(set, noon())
	var creatives []rules.Creative
	for campaign, days := range spend {
		creatives = append(creatives, rules.Creative{Campaign: campaign, Code: campaign + "-1", Status: rules.Active})
		for i, gross := range days {
			if gross < 0 {
				continue // no row
			}
			row := figures.Row{Date: fmt.Sprintf("2026-05-%02d", 19-i), Campaign: campaign}
			row.Values[figures.GrossMediaSpend], row.Values[figures.Impressions], row.Values[figures.Clicks] = gross, 1000, 10
			if err := sums.Add(row); err != nil {
				t.Fatal(err)
			}
		}
	}
	run, err := set.Decide(t.Context(), rules.Snapshot{Figures: sums, Creatives: creatives})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(run.Decisions(nil))
}

// TestTogether checks that the sums over the campaigns in scope decide on all of them, and that the
// spend of others does not count.
func TestTogether(t *testing.T) {
	t.Parallel()
	three := map[string][]float64{"A-a": {60, 10, 10}, "A-b": {50, 10, -1}, "A-loyalty": {900, 900, 900}}
	for _, c := range []struct {
		name, rule string
		spend      map[string][]float64
		action     usher.Action
		reason     string
	}{
		{"a cap", "window: last 3 days, pause_when: grossMediaSpend >= 100", three, usher.Pause, "grossMediaSpend >= 100 (at least 140, of 2 campaigns together, 1 of 2 campaigns without some days of the last 3 days (2026-05-17 to 2026-05-19))"},
		{"enough data together", "window: yesterday, min_data: {clicks: 20}, pause_when: cpc > 5", three, usher.Pause, "cpc > 5 (5.5 > 5, of 2 campaigns together)"},
		{"too little data together", "window: yesterday, min_data: {clicks: 21}, pause_when: cpc > 5", three, usher.Unknown, "unknown: 20 clicks in yesterday, and min_data requires 21"},
		{"a share of the account", "window: yesterday, pause_when: grossMediaSpend < 0.2 * account.grossMediaSpend", three, usher.Pause, "grossMediaSpend < 0.2 * account.grossMediaSpend (110 < 202, of 2 campaigns together)"},
		{"not yet", "window: yesterday, pause_when: grossMediaSpend >= 111", three, usher.None, "does not hold: grossMediaSpend >= 111 (110 is not >= 111, of 2 campaigns together)"},
		{"unknown", "window: last 3 days, pause_when: grossMediaSpend >= 150", three, usher.Unknown, "unknown: grossMediaSpend of the campaigns in scope is at least 140: 1 of 2 campaigns without some days of the last 3 days (2026-05-17 to 2026-05-19)"},
		{"no rows", "window: yesterday, pause_when: grossMediaSpend >= 150", map[string][]float64{"A-a": {-1}, "A-loyalty": {900}}, usher.Unknown, "unknown: the report has no row for yesterday (2026-05-19)"},
		{"the window before", "window: yesterday, pause_when: grossMediaSpend > 5 * previous.grossMediaSpend", three, usher.Pause, "grossMediaSpend > 5 * previous.grossMediaSpend (110 > 100, of 2 campaigns together)"},
		{"held on each day", "window: last 2 days, for: 2 days, pause_when: grossMediaSpend >= 20", three, usher.Pause, "grossMediaSpend >= 20 (130 >= 20, of 2 campaigns together), and held on each day from 2026-05-18 to 2026-05-19"},
		{"the hours of the day, not those of each campaign", "window: yesterday, pause_when: spendRate > 4.5", three, usher.Pause, "spendRate > 4.5 (4.58333 > 4.5, of 2 campaigns together)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			decisions := decideTogether(t, c.rule, c.spend)
			if len(decisions) == 0 {
				t.Fatal("there is no decision")
			}
			for _, d := range decisions {
				if d.Campaign == "A-loyalty" || d.Action != c.action || d.Reason != c.reason || d.Level != "account" {
					t.Errorf("%s of %q: %s: %s", d.Campaign, d.Level, d.Action, d.Reason)
				}
			}
		})
	}
}

// TestTogetherProblems checks what a rule of level account cannot read, and which advice it gets.
func TestTogetherProblems(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"window: yesterday, pause_when: clicks > campaign.clicks":                                                                            "with level: account there is no campaign",
		"window: yesterday, pause_when: rank(clicks) > 3":                                                                                    "there is nothing to rank",
		"window: yesterday, pause_when: mediaMargin > 3":                                                                                     "margins of campaigns do not add up",
		"window: yesterday, min_age: 7d, pause_when: clicks > 3":                                                                             "remove min_age",
		"window: this month, limits: {max_share: 20%}, schedule: \"0 7 * * *\", pause_when: grossMediaSpend >= 1000":                         "max_share: 20% holds every change of the rule: it decides on all campaigns in scope together",
		"window: this month, schedule: \"0 0,7 * * *\", until: next_month, pause_when: grossMediaSpend >= 20000":                             "",
		"window: yesterday, schedule: \"0 7 * * *\", budget: {decrease: 10%, min: 5}, decrease_when: grossMediaSpend >= 20000":               "",
		"window: this month, schedule: \"0 7 * * *\", pause_when: monthEndSpend >= 20000, resume_when: monthEndSpend < 19000, cooldown: 24h": "",
	} {
		text := "account: A\ntimezone: UTC\nrules:\n  - {name: cap, scope: {campaigns: [\"A-*\"], level: account}, " + rule + "}\n"
		_, problems := rules.Load("x.yaml", []byte(text))
		var all strings.Builder
		for _, p := range problems {
			all.WriteString(p.String() + "\n")
		}
		if want == "" && len(problems) > 0 || !strings.Contains(all.String(), want) {
			t.Errorf("%s: the problems are\n%s", rule, &all)
		}
	}
}
