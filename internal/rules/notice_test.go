package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
)

// TestCompareFindings checks when a finding is reported, and when it ends.
func TestCompareFindings(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
rules:
  - {name: r, scope: {campaigns: ["A-*"]}, window: yesterday, pause_when: clicks > 5, notify: each}
  - {name: other, scope: {campaigns: ["A-*"]}, window: yesterday, pause_when: clicks > 7, notify: digest}
  - {name: silent, scope: {campaigns: ["A-*"]}, window: yesterday, pause_when: clicks > 8}
`)
	known := usher.Finding{File: set.Name, Rule: "r", Action: usher.Held, Wants: usher.Pause, Guard: usher.GuardCap, Run: "before"}
	held := usher.Decision{Rule: "r", Action: usher.Held, Wants: usher.Pause, Guard: usher.GuardCap, Notice: usher.NoticeEach}
	with := func(change func(d *usher.Decision)) usher.Decision {
		d := held
		change(&d)
		return d
	}
	began, ended := "began held pause cap", "ended held pause cap"
	number := func(action, wants usher.Action, to float64) usher.Decision {
		return usher.Decision{Rule: "r", Action: action, Wants: wants, Notice: usher.NoticeEach, Bidding: &usher.BiddingChange{Field: usher.BudgetField, From: to + 20, To: to}}
	}
	decreased := usher.Finding{File: set.Name, Rule: "r", Action: usher.Decrease, To: 80, Run: "before"}
	for name, c := range map[string]struct {
		d       usher.Decision
		due     []string
		known   []usher.Finding
		notice  usher.Notice
		changes []string
	}{
		"new":             {held, nil, nil, usher.NoticeEach, []string{began}},
		"the same":        {held, nil, []usher.Finding{known}, "", nil},
		"the same run":    {held, nil, []usher.Finding{{File: set.Name, Rule: "r", Action: usher.Held, Wants: usher.Pause, Guard: usher.GuardCap, Run: "now"}}, usher.NoticeEach, []string{began}},
		"another guard":   {held, nil, []usher.Finding{{File: set.Name, Rule: "r", Action: usher.Held, Wants: usher.Pause, Guard: usher.GuardCooldown, Run: "before"}}, usher.NoticeEach, []string{began}},
		"of another file": {held, nil, []usher.Finding{{File: "y", Rule: "r", Action: usher.Held, Wants: usher.Pause, Guard: usher.GuardCap, Run: "before"}}, usher.NoticeEach, []string{began}},
		"quiet":           {usher.Decision{Rule: "r", Action: usher.None}, nil, []usher.Finding{known}, "", []string{ended}},
		"out of scope":    {usher.Decision{}, nil, []usher.Finding{known}, "", []string{ended}},
		"unknown":         {usher.Decision{Rule: "r", Action: usher.Unknown}, nil, []usher.Finding{known}, "", nil},
		"unknown vote": {with(func(d *usher.Decision) {
			d.Rule, d.Votes = "other", []usher.Vote{{Rule: "other", Action: usher.Pause}, {Rule: "r", Action: usher.Unknown}}
		}), nil, []usher.Finding{known}, usher.NoticeEach, []string{began}},
		"budget again":     {number(usher.Decrease, "", 64), nil, []usher.Finding{decreased}, usher.NoticeEach, []string{"began decrease  "}},
		"the same budget":  {number(usher.Decrease, "", 80), nil, []usher.Finding{decreased}, "", nil},
		"would, again":     {number(usher.Notify, usher.Decrease, 64), nil, []usher.Finding{{File: set.Name, Rule: "r", Action: usher.Notify, Wants: usher.Decrease, Run: "before"}}, "", nil},
		"not due":          {usher.Decision{Rule: "other", Action: usher.None}, []string{"other"}, []usher.Finding{known}, "", nil},
		"due, and quiet":   {usher.Decision{Rule: "r", Action: usher.None}, []string{"r"}, []usher.Finding{known}, "", []string{ended}},
		"another rule":     {usher.Decision{Rule: "silent", Action: usher.Pause}, nil, []usher.Finding{known}, "", []string{ended}},
		"rule was removed": {usher.Decision{Rule: "r", Action: usher.None}, []string{"r"}, []usher.Finding{{File: set.Name, Rule: "gone", Action: usher.Pause}}, "", []string{"ended pause  "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var changes []string
			for _, change := range set.CompareFindings(&c.d, c.due, c.known, "now", time.Now()) {
				word := "began"
				if change.Ended {
					word = "ended"
				}
				changes = append(changes, fmt.Sprintf("%s %s %s %s", word, change.Finding.Action, change.Finding.Wants, change.Finding.Guard))
			}
			if c.d.Notice != c.notice || !slices.Equal(changes, c.changes) {
				t.Errorf("the notice is %q, and %q", c.d.Notice, changes)
			}
		})
	}
}

// TestNotices checks which decisions of a run and of a backtest are reported: those of a
// finding on the first of its days only.
func TestNotices(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
rules:
  - {name: held, scope: {campaigns: ["A-x"]}, window: today, pause_when: won > 5, limits: {max_creatives: 1}, notify: digest}
  - {name: acts, scope: {campaigns: ["A-y"]}, window: today, pause_when: won > 5, resume_when: won < 3, notify: each}
  - {name: silent, scope: {campaigns: ["A-z"]}, window: today, pause_when: won > 5}
tests:
  - {campaign: A-y, metrics: {won: 9}, expect: pause}
  - {campaign: A-y, metrics: {won: 4}, expect: none}
  - {campaign: A-z, metrics: {won: 9}, expect: pause}
`)
	results, err := set.RunTests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []usher.Notice{usher.NoticeEach, "", ""} {
		if results[i].Decision.Notice != want {
			t.Errorf("the notice of test %d is %q", i, results[i].Decision.Notice)
		}
	}
	input := backtest.Input{From: "2026-05-10", To: "2026-05-14"}
	for _, campaign := range []string{"A-x", "A-y", "A-z"} {
		input.Creatives = append(input.Creatives, rules.Creative{Campaign: campaign, Code: campaign + "-1"}, rules.Creative{Campaign: campaign, Code: campaign + "-2"})
		for i, won := range []float64{9, 9, 2, 9, 9} {
			row := figures.Row{Date: fmt.Sprintf("2026-05-1%d", i), Campaign: campaign}
			row.Values[figures.Won] = won
			input.Rows = append(input.Rows, row)
		}
	}
	outcome, err := backtest.Run(t.Context(), set, input)
	if err != nil {
		t.Fatal(err)
	}
	var reported []string
	for _, d := range outcome.Decisions {
		if d.Notice != "" && strings.HasSuffix(d.Creative, "-1") {
			reported = append(reported, fmt.Sprintf("%s %s %s %s", d.Date[8:], d.Creative, d.Action, d.Notice))
		}
	}
	if want := []string{"10 A-x-1 held digest", "10 A-y-1 pause each", "12 A-y-1 resume each", "13 A-x-1 held digest", "13 A-y-1 pause each"}; !slices.Equal(reported, want) {
		t.Errorf("reported are %q", reported)
	}
	if s := outcome.Summary.Rules; s[0].Notices != 4 || s[1].Notices != 6 || s[2].Notices != 0 {
		t.Errorf("the summary is %+v", s)
	}
}

// TestMistakesInNotify checks values of notify that say nothing.
func TestMistakesInNotify(t *testing.T) {
	const schedule = "    schedule: \"0 7 * * *\"\n    limits"
	notify := func(text string, want ...string) mistake {
		return mistake{schedule, "    " + text + "\n" + schedule, want}
	}
	testMistakes(t, map[string]mistake{
		"digest":        notify("notify: digest"),
		"mode":          notify("mode: notify"),
		"mode and each": notify("notify: each\n    mode: notify"),
		"a channel":     notify("notify: slack", `8:13: error: unknown notify "slack" | write one of: digest, each`),
		"true":          notify("notify: true", `8:13: error: unknown notify "true" | write digest`),
		"alert":         notify("alert: each", `8:5: error: a rule has no key "alert" | write notify`),
		"observe":       notify("notify: each\n    mode: observe", `8:5: error: notify reports decisions to people, and mode: observe only records them | write mode: notify`),
	})
}
