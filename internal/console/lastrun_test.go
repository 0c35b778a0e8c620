package console

import (
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
)

// TestLastRun checks that the last run of a rule is that of any origin.
func TestLastRun(t *testing.T) {
	t.Parallel()
	set, problems := rules.Load("budgets.yaml", []byte(`account: A
timezone: UTC
rules:
  - {name: daily, scope: {campaigns: ["A-*"]}, window: yesterday, pause_when: clicks > 5, schedule: "0 7 * * *"}
  - {name: spent, scope: {campaigns: ["A-*"]}, window: today, pause_when: clicks > 5}
`))
	if set == nil {
		t.Fatal(problems)
	}
	at := func(hour int) time.Time { return time.Date(2026, 5, 20, hour, 0, 0, 0, time.UTC) }
	some := map[usher.Action]int{usher.None: 3}
	newest := []usher.Evaluation{
		{ID: "undo", File: "budgets", At: at(12), UndoOf: "event"},
		{ID: "refused", File: "budgets", At: at(11), Event: true, Why: "the metric clicks is -1"},
		{ID: "event", File: "budgets", At: at(10), Event: true, Counts: some},
		{ID: "other", File: "other", At: at(9), Counts: some},
		{ID: "one", File: "budgets", Rule: "daily", At: at(8), Counts: some},
		{ID: "by-hand", File: "budgets", At: at(7)},
	}
	for _, c := range []struct {
		name   string
		runs   []usher.Evaluation
		rule   int
		paused int // the hour; 0: it is not paused
		want   time.Time
	}{
		{"an event is not for a rule on yesterday", newest, 0, 0, at(8)},
		{"an event is for a rule on today", newest, 1, 0, at(10)},
		{"a run of another rule does not count", newest[3:], 1, 0, at(7)},
		{"a run while the rule is paused does not count", newest, 1, 9, at(7)},
		{"no run", newest[3:4], 0, 0, time.Time{}},
	} {
		var pause *usher.Setting
		if c.paused > 0 {
			pause = &usher.Setting{At: at(c.paused)}
		}
		if got := newRuleRuns(c.runs).last("budgets", set.Rules[c.rule], pause); !got.Equal(c.want) {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}
