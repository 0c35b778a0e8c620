package rules_test

import (
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
)

// TestMinAge checks from when on a rule changes a campaign or a creative.
func TestMinAge(t *testing.T) {
	t.Parallel()
	const seven, older = "window: yesterday, min_age: 7d", "2026-05-01T00:00:00.000"
	for name, c := range map[string]struct {
		level, keys string
		rows        []string // the dates with a row, and yesterday unless there is a "-"
		updated     string
		want        usher.Action
		reason      string
	}{
		"first row 6 days ago":          {"creative", seven, []string{"2026-05-14"}, older, usher.None, "left alone: 6 days old, and min_age is 7d"},
		"first row 7 days ago":          {"creative", seven, []string{"2026-05-13"}, older, usher.Pause, ""},
		"rows in any order":             {"creative", seven, []string{"2026-05-18", "2026-05-13", "2026-05-16"}, older, usher.Pause, ""},
		"with days between":             {"creative", seven, []string{"2026-03-01"}, older, usher.Pause, ""},
		"of a campaign, young":          {"campaign", seven, []string{"2026-05-14"}, older, usher.None, "6 days old"},
		"of a campaign, old":            {"campaign", seven, []string{"2026-05-13"}, older, usher.Pause, ""},
		"first row yesterday":           {"creative", seven, nil, older, usher.None, "left alone: 1 day old, and min_age is 7d"},
		"hours":                         {"creative", "window: yesterday, min_age: 37h", nil, older, usher.None, "1 day old, and min_age is 37h"},
		"hours since midnight":          {"creative", "window: yesterday, min_age: 36h", nil, older, usher.Pause, ""},
		"first row 90 days ago":         {"creative", "window: yesterday, min_age: 90d", []string{"2026-02-19"}, older, usher.Pause, ""},
		"a row before 90 days":          {"creative", "window: yesterday, min_age: 7d", []string{"2026-02-18"}, older, usher.None, "1 day old"},
		"no row in 90 days":             {"creative", "window: lifetime, min_age: 7d", []string{"2025-01-01", "-"}, older, usher.Pause, ""},
		"no row, updated lately":        {"creative", "window: lifetime, min_age: 7d", []string{"2025-01-01", "-"}, "2026-05-13T12:00:00.001", usher.None, "6 days old"},
		"no row, updated 7d ago":        {"creative", "window: lifetime, min_age: 7d", []string{"2025-01-01", "-"}, "2026-05-13T12:00:00.000", usher.Pause, ""},
		"no row, updated just now":      {"creative", "window: lifetime, min_age: 7d", []string{"2025-01-01", "-"}, "2026-05-20T11:30:00.000", usher.None, "0 hours old"},
		"no row, campaign":              {"campaign", "window: lifetime, min_age: 7d", []string{"2025-01-01", "-"}, "2026-05-13T12:00:00.000", usher.Pause, ""},
		"no row, never updated":         {"creative", "window: lifetime, min_age: 7d", []string{"2025-01-01", "-"}, "", usher.None, "left alone: its age is not known, and min_age is 7d"},
		"no row in the window":          {"creative", seven, []string{"2026-05-01", "-"}, older, usher.Unknown, "no row for yesterday"},
		"without min_age":               {"creative", "window: yesterday", nil, older, usher.Pause, ""},
		"young, with for":               {"creative", seven + ", for: 2 days", []string{"2026-05-18"}, older, usher.None, "2 days old"},
		"old, with too few for":         {"creative", seven + ", for: 2 days", []string{"2026-05-01"}, older, usher.None, "held on 1 of 2 days"},
		"young, the condition does not": {"creative", seven + ", min_data: {clicks: 5}", nil, older, usher.Unknown, "min_data requires 5"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := oneRule(t, c.level, "impressions >= 5", c.keys)
			var rows []figures.Row
			dates := c.rows
			if !slices.Contains(dates, "-") {
				dates = slices.Concat(dates, []string{"2026-05-19"})
			}
			for _, date := range dates {
				if date == "-" {
					continue
				}
				row := relativeRow(date, "A-x", "c", 9, 1)
				if c.level == "campaign" {
					row.Creative = ""
				}
				rows = append(rows, row)
			}
			snapshot := active("c", reported(t, set, noon(), rows...))
			snapshot.Creatives[0].LatestUpdate = c.updated
			d := onlyDecision(t, set, snapshot)
			if d.Action != c.want || !strings.Contains(d.Reason, c.reason) {
				t.Errorf("%s: %s", d.Action, d.Reason)
			}
		})
	}
}

// TestMinAgeNeeds checks that a run and a backtest read the days of which the first row
// says the age.
func TestMinAgeNeeds(t *testing.T) {
	t.Parallel()
	set := oneRule(t, "creative", "won > 5", "window: yesterday, min_age: 7d")
	needs := rules.NewFigures(set, noon()).Needs()
	if len(needs) != 1 || needs[0] != (figures.Need{Level: figures.CreativeLevel, From: "2026-02-19", To: "2026-05-20"}) {
		t.Errorf("a run reads %v", needs)
	}
	needs, err := backtest.Needs(set, "2026-05-12", "2026-05-20")
	if err != nil || len(needs) != 1 || needs[0].From != "2026-02-11" || needs[0].To != "2026-05-20" {
		t.Errorf("a backtest reads %v, %v", needs, err)
	}
}

// TestMinAgeInBacktest checks that a backtest pauses a campaign on the first day on which
// it is old enough.
func TestMinAgeInBacktest(t *testing.T) {
	t.Parallel()
	set := oneRule(t, "campaign", "won >= 0", "window: today, min_age: 3d")
	input := backtest.Input{From: "2026-05-11", To: "2026-05-15", Rows: days(9), Creatives: []rules.Creative{{Campaign: "A-x", Code: "c", LatestUpdate: "2026-06-01T00:00:00.000"}}}
	for i := range input.Rows {
		input.Rows[i].Campaign = "A-x"
	}
	outcome, err := backtest.Run(t.Context(), set, input)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range outcome.Decisions { // the first row is of 2026-05-11
		if (d.Action == usher.Pause) != (d.Date == "2026-05-13") {
			t.Errorf("%s: %s: %s", d.Date, d.Action, d.Reason)
		}
	}
}

// TestMinAgeInTests checks the key age of a test case, for pauses and resumes.
func TestMinAgeInTests(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: Europe/London
rules:
  - {name: r, scope: {campaigns: ["A-*"]}, window: yesterday, pause_when: won > 500, resume_when: won < 300, min_age: 7d}
tests:
  - {name: old by default, metrics: {won: 900}, expect: pause}
  - {name: old enough, age: 7d, metrics: {won: 900}, expect: pause}
  - {name: young, age: 167h, metrics: {won: 900}, expect: none}
  - {name: resumed, age: 7d, paused_by: r, metrics: {won: 9}, expect: resume}
  - {name: not resumed, age: 6d, paused_by: r, metrics: {won: 9}, expect: none}
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

// TestMistakesInMinAge checks ages that cannot be.
func TestMistakesInMinAge(t *testing.T) {
	const schedule = "    schedule: \"0 7 * * *\"\n    limits"
	age := func(text string, want ...string) mistake {
		return mistake{schedule, "    min_age: " + text + "\n" + schedule, want}
	}
	testMistakes(t, map[string]mistake{
		"7d":       age("7d"),
		"90d":      age("90d"),
		"91d":      age("91d", "8:14: error: min_age is 91d, and first rows are looked for in the last 90 days | write 90d or less"),
		"2161h":    age("2161h", "8:14: error: min_age is 2161h, and first rows are looked for in the last 90 days | write 90d or less"),
		"7 days":   age("7 days", `8:14: error: min_age must be a duration, and this is "7 days" | write 7d`),
		"a number": age("7", `8:14: error: min_age must be a duration, and this is "7" | write 7m for minutes, 7h for hours or 7d for days`),
	})
}
