package rules_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// days returns a row for each of the days before 2026-05-20, the last one first. Each
// has 10 impressions, a spend of 8, budgets of 10, and is in USD.
func days(n int) []figures.Row {
	var list []figures.Row
	for i := range n {
		row := figures.Row{Date: fmt.Sprintf("2026-05-%02d", 19-i), Currency: "USD"}
		row.Values[figures.Impressions], row.Values[figures.Clicks] = 10, 1
		row.Values[figures.GrossMediaSpend], row.Values[figures.Budget], row.Values[figures.LifetimeBudget] = 8, 10, 10
		list = append(list, row)
	}
	return list
}

// without returns rows of which one lacks some fields.
func without(list []figures.Row, at int, fields ...figures.Field) []figures.Row {
	for _, f := range fields {
		list[at].Values[f] = math.NaN()
	}
	return list
}

// having returns rows of which one has another value of a field.
func having(list []figures.Row, at int, f figures.Field, v float64) []figures.Row {
	list[at].Values[f] = v
	return list
}

func in(currency string, list []figures.Row, at ...int) []figures.Row {
	for _, i := range at {
		list[i].Currency = currency
	}
	return list
}

// TestHoles checks what is decided if a report lacks days, fields or budgets, or has
// several currencies.
func TestHoles(t *testing.T) {
	t.Parallel()
	const all, more = "last 7 days", "last 7 days, min_days: 6"
	for name, c := range map[string]struct {
		window, condition string
		rows              []figures.Row
		want              usher.Action
		reason            string
	}{
		"all days":                     {all, "impressions > 1", days(7), usher.Pause, ""},
		"6 of 7 days":                  {all, "impressions > 60", days(6), usher.Unknown, "unknown: the report has 6 of 7 days of the last 7 days (2026-05-13 to 2026-05-19), impressions is at least 60"},
		"6 of 7 days have enough":      {all, "impressions >= 60", days(6), usher.Pause, "impressions >= 60 (at least 60, on 6 of 7 days)"},
		"… which is never little":      {all, "impressions < 60", days(6), usher.None, "does not hold: impressions < 60 (at least 60, on 6 of 7 days)"},
		"a difference":                 {all, "50 - clicks < 45", days(6), usher.Pause, "50 - clicks < 45 (at most 44, on 6 of 7 days)"},
		"a negated sum":                {all, "-clicks <= -6", days(6), usher.Pause, "(at most -6, on 6 of 7 days)"},
		"a product":                    {all, "2 * clicks > 11 && clicks * won >= 0", days(6), usher.Pause, "clicks at least 6, won at least 0, on 6 of 7 days"},
		"a ratio":                      {all, "ctr >= 0.1", days(6), usher.Unknown, "unknown: the report has 6 of 7 days"},
		"a bound of ctr":               {all, "ctr_upper95 > 0.01", days(6), usher.Unknown, "6 of 7 days"},
		"a choice":                     {all, "(clicks > 5 ? clicks : won) > 5", days(6), usher.Pause, "at least 6"},
		"not equal":                    {all, "clicks != 5 && !(clicks == 5)", days(6), usher.Pause, ""},
		"equal or more":                {all, "clicks == 6", days(6), usher.Unknown, ""},
		"a cap of budgets":             {all, "grossMediaSpend >= 0.68 * budget", days(6), usher.Pause, "(at least 48 >= 47.6, on 6 of 7 days, with the budget of 2026-05-19, 10, on the other 1 day)"},
		"the part of a budget":         {all, "budgetUsed >= 0.68", days(6), usher.Pause, "at least 0.685714"},
		"pacing":                       {all, "pacing >= 0.68", days(6), usher.Pause, "at least 0.685714"},
		"an hour's spend":              {all, "spendRate >= 0.28", days(6), usher.Pause, "at least 0.285714"},
		"no row, a field":              {"yesterday", "clicks >= 1", days(0), usher.Unknown, ""},
		"a lack with min_days":         {more, "clicks >= 6", without(days(7), 2, figures.Clicks), usher.Pause, "at least 6"},
		"… and not enough":             {more, "clicks >= 7", without(days(7), 2, figures.Clicks), usher.Unknown, "no clicks on a day of the last 7 days"},
		"a negative number":            {all, "grossMediaSpend < 50", having(days(7), 1, figures.GrossMediaSpend, -900), usher.Unknown, "unknown: a negative grossMediaSpend in the last 7 days (2026-05-13 to 2026-05-19)"},
		"a ratio of one":               {all, "cpc < 7", having(days(7), 1, figures.GrossMediaSpend, -900), usher.Unknown, "a negative grossMediaSpend in the last 7 days"},
		"enough without it":            {all, "grossMediaSpend >= 48", having(days(7), 1, figures.GrossMediaSpend, -900), usher.Pause, "at least 48, without a negative grossMediaSpend"},
		"a negative margin":            {all, "mediaMargin < -5", having(days(7), 0, figures.MediaMargin, -9), usher.Pause, "-9 < -5"},
		"6 of 7 days are enough":       {more, "impressions > 1", days(6), usher.Pause, "impressions > 1 (60 > 1, on 6 of 7 days)"},
		"5 of 7 days are not":          {more, "impressions > 1", days(5), usher.Unknown, "5 of 7 days of the last 7 days (2026-05-13 to 2026-05-19), and min_days requires 6"},
		"one day of a lifetime":        {"lifetime", "impressions > 1", days(1), usher.Pause, "impressions > 1 (10 > 1, on 1 day)"},
		"3 of 7 budgets":               {all, "grossMediaSpend >= 0.95 * budget", without(without(days(7), 2, figures.Budget), 0, figures.Budget), usher.Unknown, "unknown: no budget on a day of the last 7 days"},
		"a field that is not read":     {all, "clicks > 1", without(days(7), 2, figures.Budget), usher.Pause, ""},
		"one side decides":             {all, "clicks > 1 || budget > 5", without(days(7), 2, figures.Budget), usher.Pause, ""},
		"the newest row lacks it":      {all, "lifetimeBudget > 5", without(days(7), 0, figures.LifetimeBudget), usher.Unknown, "no lifetimeBudget on a day"},
		"an older row lacks it":        {all, "lifetimeBudget > 5", without(days(7), 5, figures.LifetimeBudget), usher.Unknown, "no lifetimeBudget on a day"},
		"no budget to be due":          {all, "pacing > 0.1", without(days(7), 5, figures.Budget), usher.Unknown, "no budget in the last 7 days"},
		"a product with a budget of 0": {"yesterday", "grossMediaSpend >= 0.95 * budget", having(days(1), 0, figures.Budget, 0), usher.Unknown, "unknown: budget is 0"},
		"a ratio to a budget of 0":     {"yesterday", "budgetUsed >= 0.95", having(days(1), 0, figures.Budget, 0), usher.Unknown, "unknown: budget is 0"},
		"a ratio of a budget of 0":     {"yesterday", "budget / grossMediaSpend <= 1", having(days(1), 0, figures.Budget, 0), usher.Unknown, "budget is 0"},
		"a budget of 0 alone":          {"yesterday", "budget <= 0", having(days(1), 0, figures.Budget, 0), usher.Pause, ""},
		"a budget of 0 on one day":     {all, "grossMediaSpend >= 0.9 * budget", having(days(7), 3, figures.Budget, 0), usher.Pause, ""},
		"a lifetime budget of 0":       {"lifetime", "lifetimeBudget * 2 < 1", having(days(1), 0, figures.LifetimeBudget, 0), usher.Unknown, "lifetimeBudget is 0"},
		"the window before":            {"last 3 days", "previous.impressions > 1", days(6), usher.Pause, ""},
		"lacks a day":                  {"last 3 days", "previous.impressions > 20", days(5), usher.Unknown, "unknown: the window before the last 3 days (2026-05-14 to 2026-05-16) has 2 of 3 days"},
		"lacks a day, and has enough":  {"last 3 days", "previous.impressions >= 20", days(5), usher.Pause, "at least 20, on 2 of 3 days in the window before the last 3 days"},
		"the rest decides":             {"last 3 days", "impressions > 1 || previous.impressions > 1", days(5), usher.Pause, ""},
		"misses min_data":              {"last 3 days, min_data: {impressions: 25}", "previous.ctr > 0", having(days(6), 4, figures.Impressions, 1), usher.Unknown, "unknown: the window before the last 3 days (2026-05-14 to 2026-05-16) is below min_data"},
		"one currency":                 {all, "grossMediaSpend >= 50", days(7), usher.Pause, ""},
		"currencies of rows":           {all, "grossMediaSpend >= 50", in("EUR", days(7), 3), usher.Unknown, "the rows of the last 7 days (2026-05-13 to 2026-05-19) have several currencies"},
		"of rows, a ratio":             {all, "budgetUsed >= 0.5", in("EUR", days(7), 3), usher.Unknown, "several currencies"},
		"of rows, no amount":           {all, "impressions > 1", in("EUR", days(7), 3), usher.Pause, ""},
		"an unknown currency":          {all, "grossMediaSpend >= 50", in("", days(7), 3), usher.Pause, ""},
		"of two windows":               {"last 3 days", "grossMediaSpend >= previous.grossMediaSpend", in("EUR", days(6), 3, 4, 5), usher.Unknown, "grossMediaSpend >= previous.grossMediaSpend depends on the currency, and there are several"},
		"of two windows, divided":      {"last 3 days", "grossMediaSpend / previous.grossMediaSpend >= 1", in("EUR", days(6), 3, 4, 5), usher.Unknown, "depends on the currency"},
		"of two windows, ratios":       {"last 3 days", "budgetUsed >= previous.budgetUsed", in("EUR", days(6), 3, 4, 5), usher.Pause, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(c.window, "min_data") {
				c.window += ", min_data: {impressions: 1}"
			}
			set := oneRule(t, "campaign", c.condition, "window: "+c.window)
			d := decideAt(t, set, noon(), c.rows...)
			if d.Action != c.want || !strings.Contains(d.Reason, c.reason) {
				t.Errorf("%s: %s", d.Action, d.Reason)
			}
		})
	}
}

// TestCapOfTheAccount checks that the figures of the account and of the campaign decide,
// whatever the creative's or the campaign's own rows lack.
func TestCapOfTheAccount(t *testing.T) {
	t.Parallel()
	row := func(campaign, creative, date string) figures.Row {
		return relativeRow(date, campaign, creative, 100, 10)
	}
	for name, c := range map[string]struct {
		level, keys, condition string
		rows                   []figures.Row
		want                   usher.Action
		reason                 string
	}{
		"no row of the campaign": {"campaign", "window: yesterday", "account.clicks >= 10", []figures.Row{row("A-y", "", "2026-05-19")}, usher.Pause, "account.clicks >= 10 (10 >= 10)"},
		"an old row of it":       {"campaign", "window: yesterday", "account.clicks >= 10", []figures.Row{row("A-y", "", "2026-05-19"), row("A-x", "", "2026-05-16")}, usher.Pause, "account.clicks >= 10 (at least 10, 1 of 2 campaigns without some days of yesterday (2026-05-19))"},
		"not enough":             {"campaign", "window: yesterday", "account.clicks >= 11", []figures.Row{row("A-y", "", "2026-05-19"), row("A-x", "", "2026-05-16")}, usher.Unknown, "unknown: clicks of the account is at least 10: 1 of 2 campaigns without some days"},
		"the account is little":  {"campaign", "window: yesterday", "account.clicks < 11", []figures.Row{row("A-y", "", "2026-05-19"), row("A-x", "", "2026-05-16")}, usher.Unknown, "account"},
		"with min_days":          {"campaign", "window: last 3 days, min_days: 2", "account.clicks >= 20", []figures.Row{row("A-y", "", "2026-05-19"), row("A-y", "", "2026-05-18")}, usher.Pause, "20 >= 20"},
		"an old report":          {"campaign", "window: last 3 days, max_report_age: 24h", "account.clicks >= 10", []figures.Row{row("A-y", "", "2026-05-17")}, usher.Pause, "at least 10"},
		"little by an old one":   {"campaign", "window: last 3 days, min_days: 1, max_report_age: 24h", "account.clicks < 11", []figures.Row{row("A-y", "", "2026-05-17")}, usher.Unknown, "account"},
		"no row of a creative":   {"creative", "window: yesterday", "campaign.clicks >= 10", []figures.Row{row("A-x", "", "2026-05-19")}, usher.Pause, "10 >= 10"},
		"some of its campaign":   {"creative", "window: last 2 days", "campaign.clicks >= 10", []figures.Row{row("A-x", "", "2026-05-19")}, usher.Pause, "campaign.clicks >= 10 (at least 10, on 1 of 2 days of the campaign in the last 2 days (2026-05-18 to 2026-05-19))"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := oneRule(t, c.level, c.condition, c.keys)
			d := onlyDecision(t, set, active("c1", reported(t, set, noon(), c.rows...)))
			if d.Action != c.want || !strings.Contains(d.Reason, c.reason) {
				t.Errorf("%s: %s", d.Action, d.Reason)
			}
		})
	}
}

// TestCampaignsOfSeveralCurrencies checks that an amount is not compared with a plain
// number if the rule's campaigns have several currencies.
func TestCampaignsOfSeveralCurrencies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scope, condition string
		want             usher.Action
	}{
		"a plain number":            {`"A-*"`, "grossMediaSpend >= 5", usher.Unknown},
		"a price":                   {`"A-*"`, "cpc >= 5", usher.Unknown},
		"a sum with a number":       {`"A-*"`, "grossMediaSpend + 5 >= budget", usher.Unknown},
		"its negation":              {`"A-*"`, "!(grossMediaSpend < 5)", usher.Unknown},
		"a choice":                  {`"A-*"`, "(clicks > 0 ? grossMediaSpend : budget) >= 5", usher.Unknown},
		"own amounts":               {`"A-*"`, "grossMediaSpend >= 0.5 * budget", usher.Pause},
		"a ratio":                   {`"A-*"`, "budgetUsed >= 0.5", usher.Pause},
		"a count":                   {`"A-*"`, "impressions >= 5", usher.Pause},
		"campaigns of one currency": {`"A-x"`, "grossMediaSpend >= 5", usher.Pause},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := load(t, "account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: ["+c.scope+"]}, window: yesterday, min_data: {impressions: 1}, pause_when: \""+c.condition+"\"}\n")
			rows := in("EUR", slices.Concat(days(1), days(1)), 1)
			rows[1].Campaign = "A-y"
			if d := decideAt(t, set, noon(), rows...); d.Action != c.want {
				t.Errorf("%s: %s", d.Action, d.Reason)
			}
		})
	}
}

// TestDayThatApiaNeverHad checks that a window does not ask for a row of a day that a
// zone skipped.
func TestDayThatApiaNeverHad(t *testing.T) {
	t.Parallel()
	set := load(t, "account: A\ntimezone: Pacific/Apia\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: last 3 days, pause_when: impressions > 1}\n")
	at := time.Date(2012, 1, 1, 12, 0, 0, 0, set.Zone)
	if d := decideAt(t, set, at, viewed("2011-12-29", 9, 0), viewed("2011-12-31", 9, 0)); d.Action != usher.Pause {
		t.Errorf("%s: %s", d.Action, d.Reason)
	}
}

// TestNamesOfMetrics checks that metrics of other windows than the rule's are named by
// them.
func TestNamesOfMetrics(t *testing.T) {
	t.Parallel()
	set := load(t, "account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: yesterday, min_data: {impressions: 1}, pause_when: lifetimeUsed > 1 && previous.lifetimeUsed > 1 && previous.budgetUsed > 0.1 && clicks > 0}\n")
	d := decideAt(t, set, noon(), days(2)...)
	want := []string{
		"clicks", "impressions", "lifetime.grossMediaSpend", "lifetime.lifetimeBudget", "lifetimeUsed", "previous.budget", "previous.budgetUsed",
		"previous.grossMediaSpend", "previous.lifetimeUsed",
	}
	if got := slices.Sorted(maps.Keys(d.Metrics)); !slices.Equal(got, want) {
		t.Errorf("metrics are %v", got)
	}
}

// TestRanksOfSeveralCurrencies checks that ranks by an amount are decided, because they
// compare creatives of one campaign, and that an amount of the campaign is not.
func TestRanksOfSeveralCurrencies(t *testing.T) {
	t.Parallel()
	for condition, want := range map[string]usher.Action{
		"rank(cpc) < 2":                           usher.Pause,
		"rank(grossMediaSpend) > count() - 1":     usher.Pause,
		"rank(cpc) < 2 && grossMediaSpend > 1":    usher.Unknown,
		"campaign.grossMediaSpend > 1":            usher.Unknown,
		"grossMediaSpend > 0.1 * campaign.budget": usher.Pause,
	} {
		rows := in("EUR", slices.Concat(days(1), days(1), days(1), days(1)), 2, 3)
		for i, of := range []figures.Row{{Campaign: "A-x"}, {Campaign: "A-x", Creative: "c"}, {Campaign: "A-y"}, {Campaign: "A-y", Creative: "d"}} {
			rows[i].Campaign, rows[i].Creative = of.Campaign, of.Creative
		}
		set := oneRule(t, "creative", condition, "window: yesterday, min_data: {impressions: 1, clicks: 1}")
		if d := decideAt(t, set, noon(), rows...); d.Action != want {
			t.Errorf("%s: %s: %s", condition, d.Action, d.Reason)
		}
	}
}

// TestBlindOnEverything checks that a rule is blind on all creatives whose rows are missing, however
// many there are: the first thousand may be those without spend.
func TestBlindOnEverything(t *testing.T) {
	t.Parallel()
	const creatives = 1500
	set := load(t, "account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"], level: creative}, window: last 2 days, schedule: \"0 7 * * *\", pause_when: clicks > 100}\n")
	at, err := set.EndOf("2026-05-20")
	if err != nil {
		t.Fatal(err)
	}
	snapshot := rules.Snapshot{Figures: rules.NewFigures(set, at)}
	for n := range creatives {
		row := figures.Row{Date: "2026-05-19", Campaign: fmt.Sprintf("A-%d", n/10), Creative: fmt.Sprintf("c%d", n)}
		if err := snapshot.Figures.Add(row); err != nil {
			t.Fatal(err)
		}
		snapshot.Creatives = append(snapshot.Creatives, rules.Creative{Campaign: row.Campaign, Code: row.Creative, Status: "ACTIVE"})
	}
	run, err := set.Decide(t.Context(), snapshot)
	if err != nil {
		t.Fatal(err)
	}
	if blind := run.Blind(); len(blind) != creatives {
		t.Errorf("the rule is blind on %d creatives, want %d", len(blind), creatives)
	}
}
