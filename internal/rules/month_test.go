package rules_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
)

// TestMonthEndSpend checks the projection to the end of the month, and the days that it
// needs.
func TestMonthEndSpend(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		window, condition, at string
		missing               string // a date without a row
		want                  usher.Action
		spend                 float64 // by the end of the month
		reason                string
	}{
		"above":                 {"yesterday", "monthEndSpend > 309", "2026-05-20T10:00:00Z", "", usher.Pause, 310, "monthEndSpend > 309 (310 > 309)"},
		"below":                 {"yesterday", "monthEndSpend > 311", "2026-05-20T10:00:00Z", "", usher.None, 310, "310 is not > 311"},
		"on the second":         {"yesterday", "monthEndSpend > 309", "2026-05-02T10:00:00Z", "", usher.Pause, 310, ""},
		"on the first":          {"yesterday", "monthEndSpend > 1", "2026-05-01T10:00:00Z", "", usher.Unknown, 0, "unknown: this month has no complete day yet"},
		"a day is missing":      {"yesterday", "monthEndSpend > 309", "2026-05-20T10:00:00Z", "2026-05-07", usher.Unknown, 0, "unknown: this month (2026-05-01 to 2026-05-19) has 18 of 19 days"},
		"enough is known":       {"yesterday", "monthEndSpend > 293", "2026-05-20T10:00:00Z", "2026-05-07", usher.Pause, 0, "monthEndSpend > 293 (at least 293.68, on 18 of 19 days in this month (2026-05-01 to 2026-05-19))"}, // 180 in 19 days
		"February":              {"last 7 days", "monthEndSpend > 279", "2026-02-11T10:00:00Z", "", usher.Pause, 280, ""},
		"in the account's zone": {"yesterday", "monthEndSpend > 1", "2026-05-31T23:30:00Z", "", usher.Unknown, 0, "no complete day yet"}, // 1 June in London
		"clocks are set":        {"yesterday", "monthEndSpend > 1", "2026-03-30T10:00:00Z", "", usher.Pause, 290 / 695.0 * 743, ""},
		"by its own window":     {"this month", "monthEndSpend > 309", "2026-05-20T10:00:00Z", "", usher.Pause, 310, ""},
		"a sum of the month":    {"this month", "grossMediaSpend >= 190", "2026-05-20T10:00:00Z", "", usher.Pause, 0, "(190 >= 190)"},
		"no day of the month":   {"this month", "grossMediaSpend >= 0", "2026-05-01T10:00:00Z", "", usher.Unknown, 0, "unknown: this month has no complete day yet"},
		"of the campaign":       {"yesterday", "campaign.monthEndSpend > 309", "2026-05-20T10:00:00Z", "", usher.Pause, 0, ""},
		"of the account":        {"yesterday", "account.monthEndSpend > 309", "2026-05-20T10:00:00Z", "", usher.Pause, 0, ""},
		"of another window":     {"yesterday", `over("this month").grossMediaSpend >= 190`, "2026-05-20T10:00:00Z", "", usher.Pause, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := load(t, fmt.Sprintf("account: A\ntimezone: Europe/London\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: %s, pause_when: '%s'}\n", c.window, c.condition))
			at, err := time.Parse(time.RFC3339, c.at)
			if err != nil {
				t.Fatal(err)
			}
			var rows []figures.Row
			for day := at.AddDate(0, 0, -70); !day.After(at); day = day.AddDate(0, 0, 1) {
				if date := day.Format(time.DateOnly); date != c.missing {
					rows = append(rows, spent(date, 10, 0))
				}
			}
			sums := reported(t, set, at, rows...)
			for _, need := range sums.Needs() {
				if need.From > need.To {
					t.Errorf("it reads %+v", need)
				}
			}
			d := onlyDecision(t, set, active("c", sums))
			if d.Action != c.want || !strings.Contains(d.Reason, c.reason) || math.Abs(d.Metrics["monthEndSpend"]-c.spend) > 1e-6 {
				t.Errorf("%s: %s: %v", d.Action, d.Reason, d.Metrics)
			}
			if _, has := d.Metrics[`over("this month").grossMediaSpend`]; c.spend > 0 && !has {
				t.Errorf("the metrics are %v", d.Metrics)
			}
		})
	}
}

// TestMonthCapHoldsWithHoles checks that the example of a monthly budget stops a campaign by the
// days that have a row, and does not resume it.
func TestMonthCapHoldsWithHoles(t *testing.T) {
	t.Parallel()
	const file = "../../docs/examples/rules/month-budget.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	set, problems := rules.Load(file, text)
	if set == nil {
		t.Fatal(problems)
	}
	at := time.Date(2026, 5, 20, 7, 0, 0, 0, set.Zone)
	for spend, want := range map[float64]usher.Action{400: usher.Unknown, 1100: usher.Pause, 1700: usher.Pause} {
		sums := rules.NewFigures(set, at)
		for day := 1; day <= 19; day++ {
			row := spent(fmt.Sprintf("2026-05-%02d", day), spend, 0)
			if row.Campaign = "SANDBOX1-brand"; day == 4 || day == 11 {
				continue
			}
			if err := sums.Add(row); err != nil {
				t.Fatal(err)
			}
		}
		for status, want := range map[string]usher.Action{rules.Active: want, rules.Inactive: map[usher.Action]usher.Action{usher.Pause: usher.None, usher.Unknown: usher.Unknown}[want]} {
			snapshot := rules.Snapshot{Figures: sums, Creatives: []rules.Creative{{Campaign: "SANDBOX1-brand", Code: "c", Status: status}}}
			if d := onlyDecision(t, set, snapshot); d.Action != want {
				t.Errorf("%v a day, %s: %s: %s", spend, status, d.Action, d.Reason)
			}
		}
	}
}

// TestMonthInTestsAndBacktests checks month-end pacing at the end of days.
func TestMonthInTestsAndBacktests(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: Europe/London
rules:
  - {name: r, scope: {campaigns: ["A-*"]}, window: yesterday, pause_when: monthEndSpend > 3000, resume_when: monthEndSpend < 2900}
tests:
  - {name: above, metrics: {grossMediaSpend: 1401}, expect: pause}
  - {name: below, metrics: {grossMediaSpend: 1300}, expect: none}
  - {name: at noon, at: "12:00", metrics: {grossMediaSpend: 1401}, expect: pause}
  - {name: late, date: 2026-01-31, metrics: {grossMediaSpend: 1401}, expect: none}
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
	input := backtest.Input{From: "2026-01-30", To: "2026-02-04", Creatives: []rules.Creative{{Campaign: "A-x", Code: "c"}}}
	for day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); day.Before(time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC)); day = day.AddDate(0, 0, 1) {
		row := figures.Row{Date: day.Format(time.DateOnly), Campaign: "A-x"}
		row.Values[figures.GrossMediaSpend] = 100 // 3100 in January, 2800 in February
		input.Rows = append(input.Rows, row)
	}
	needs, err := backtest.Needs(set, input.From, input.To)
	if err != nil || len(needs) != 1 || needs[0].From != "2026-01-01" || needs[0].To != "2026-02-04" {
		t.Errorf("it reads %v, %v", needs, err)
	}
	outcome, err := backtest.Run(t.Context(), set, input)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range outcome.Decisions {
		got = append(got, string(d.Action))
	}
	if want := "pause, none, unknown, resume, none, none"; strings.Join(got, ", ") != want {
		t.Errorf("decided are %v", got)
	}
}

// TestMistakesInMonths checks what cannot be of a month.
func TestMistakesInMonths(t *testing.T) {
	window := func(to, condition string, want ...string) mistake {
		return mistake{"window: yesterday\n    pause_when: grossMediaSpend >= 1.05 * budget", to + "\n    pause_when: " + condition, want}
	}
	testMistakes(t, map[string]mistake{
		"this month":    window("window: this month", "grossMediaSpend >= 1.05 * budget"),
		"one line":      window("window: yesterday", "monthEndSpend > 30000"),
		"before it":     window("window: this month", "previous.clicks > 500", "6:5: error: this month has no window before it | write window: last 7 days"),
		"month to date": window("window: month to date", "clicks > 500", `6:13: error: unknown window "month to date" | did you mean "this month"?`),
		"for":           window("window: yesterday\n    for: 2 days", "monthEndSpend > 30000", "7:5: error: for evaluates pause_when on single days, and monthEndSpend is not a metric of one day"),
	})
}

// TestMinDaysOfLifetime checks that min_days counts the days of a lifetime, too.
func TestMinDaysOfLifetime(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
rules:
  - {name: r, scope: {campaigns: ["A-*"]}, window: lifetime, min_days: 3, pause_when: won > 5}
`)
	sums := rules.NewFigures(set, noon())
	for _, c := range []struct {
		date string
		want usher.Action
	}{{"2026-05-01", usher.Unknown}, {"2026-05-07", usher.Unknown}, {"2026-05-09", usher.Pause}} {
		row := figures.Row{Date: c.date, Campaign: "A-x"}
		row.Values[figures.Won] = 9
		if err := sums.Add(row); err != nil {
			t.Fatal(err)
		}
		d := onlyDecision(t, set, active("c", sums))
		if d.Action != c.want || c.want == usher.Unknown && !strings.Contains(d.Reason, "min_days requires 3") {
			t.Errorf("%s: %s: %s", c.date, d.Action, d.Reason)
		}
	}
}
