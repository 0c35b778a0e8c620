package decisions_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"usher"
	"usher/queues/decisions"
	"usher/queues/queuetest"
)

// TestActivity checks what is counted of rules, and in which times creatives were paused, from entries of
// the audit.
func TestActivity(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	ago := func(hours int) time.Time { return now.Add(-time.Duration(hours) * time.Hour) }
	const on, off = "ACTIVE", "INACTIVE"
	change := func(hours int, actor, creative, before, after string) usher.Audit {
		return usher.Audit{At: ago(hours), Actor: actor, Rule: "stop", Campaign: "A", Creative: creative, Before: before, Wanted: after, After: after}
	}
	byRule := func(hours int, creative, before, after string) usher.Audit {
		return change(hours, "rules/f", creative, before, after)
	}
	budget := byRule(9, "", "100 USD", "80 USD")
	budget.Bidding = &usher.BiddingChange{Field: usher.BudgetField, From: 100, To: 80}
	failed := byRule(8, "a-1", on, off)
	failed.After = on
	restored := byRule(7, "a-5", on, off)
	restored.Restores = "newer"
	keeps := change(20, "ann", "a-3", off, off)
	keeps.Keeps = true
	handedBack := change(6, "ann", "a-3", "kept", usher.Released)

	q := queuetest.New(t).Queue(t)
	for _, a := range []usher.Audit{
		byRule(300, "a-1", on, off), // too old
		change(200, "ann", "a-2", off, on),
		byRule(180, "a-2", on, off), change(170, "bob", "a-2", off, on),
		byRule(100, "a-1", on, off), byRule(90, "a-1", off, on),
		byRule(80, "a-2", on, off), byRule(60, "a-2", on, off), // somebody has resumed it on the platform
		byRule(50, "a-3", on, off), keeps,
		change(40, "ann", "a-4", on, off), change(30, "ann", "a-4", off, on),
		budget, failed, restored, handedBack,
		{At: ago(5), Actor: "ann", Before: "limit 1", Wanted: "limit 2", After: "limit 2"},
	} {
		if err := q.Audit().Append(t.Context(), "A", a, ""); err != nil {
			t.Fatal(err)
		}
	}
	got, err := decisions.New(q, nil).Activity(t.Context(), now.AddDate(0, 0, -7))
	if err != nil || !maps.Equal(got.Rules, map[string]decisions.Changes{"f/stop": {Pauses: 4, Resumes: 1, Numbers: 1}}) {
		t.Errorf("the rules did %+v, %v", got.Rules, err)
	}
	paused := func(rule, creative string, from, to int) usher.PausedTime {
		p := usher.PausedTime{Rule: rule, Campaign: "A", Creative: creative}
		if from > 0 {
			p.From = ago(from)
		}
		if to > 0 {
			p.To = ago(to)
		}
		return p
	}
	elsewhere := paused("f/stop", "a-2", 80, 60)
	elsewhere.Elsewhere = true
	want := []usher.PausedTime{
		paused("", "a-5", 7, 0), paused("", "a-4", 40, 30), paused("f/stop", "a-3", 50, 0),
		paused("f/stop", "a-2", 60, 0), elsewhere, paused("f/stop", "a-1", 100, 90), paused("f/stop", "a-2", 180, 170), paused("", "a-2", 0, 200),
	}
	if !slices.Equal(got.Paused, want) {
		t.Errorf("paused were %+v, want %+v", got.Paused, want)
	}
}
