package decisions_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
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

// TestEarlierPauses checks which pauses that began before an activity's audit have lasted until then: those
// of which a rule remembers that they are the last change, and the creative's entry says the same.
func TestEarlierPauses(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	day := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	const on, off = "ACTIVE", "INACTIVE"
	change := func(days int, actor, creative, before, after string) usher.Audit {
		a := usher.Audit{At: day(days), AsOf: day(days), Actor: actor, Rule: "stop", Campaign: "A.b", Creative: creative, Before: before, Wanted: after, After: after, LatestUpdate: day(days).Format(time.DateTime)}
		if usher.RuleFileOfActor(actor) != "" {
			a.Job, a.Evaluation = creative+"-"+a.LatestUpdate, "run"
		}
		return a
	}
	byRule := func(days int, creative, before, after string) usher.Audit {
		return change(days, "rules/f", creative, before, after)
	}
	left := func(days int, status string) usher.CreativeEntry {
		return usher.CreativeEntry{Order: 1, Wanted: status, Job: "j", ChangedOrder: 1, Left: usher.CreativeState{Status: status, LatestUpdate: day(days).Format(time.DateTime)}}
	}
	keeps := change(11, "ann", "kept", off, off)
	keeps.Keeps = true

	q := queuetest.New(t).Queue(t)
	r := decisions.New(q, nil)
	entries := []usher.Audit{
		byRule(20, "lasts", on, off),
		byRule(12, "kept", on, off), keeps,
		byRule(39, "too-old", on, off),
		byRule(15, "resumed-before", on, off), byRule(14, "resumed-before", off, on),
		byRule(15, "by-ann-before", on, off), change(14, "ann", "by-ann-before", off, on),
		byRule(16, "evening", on, off), byRule(15, "evening", off, on), byRule(13, "evening", on, off), byRule(4, "evening", off, on),
		byRule(18, "by-ann", on, off), change(3, "ann", "by-ann", off, on),
		byRule(17, "elsewhere", on, off), byRule(2, "elsewhere", on, off),
		byRule(8, "in-the-margin", on, off),
	}
	slices.SortStableFunc(entries, func(a, b usher.Audit) int { return a.At.Compare(b.At) })
	for _, a := range entries {
		if err := q.Audit().Append(t.Context(), a.Campaign, a, ""); err != nil {
			t.Fatal(err)
		}
		if err := r.Remember(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	for creative, entry := range map[string]usher.CreativeEntry{
		"lasts": left(20, off), "kept": left(12, off), "too-old": left(39, off), "resumed-before": left(14, on), "by-ann-before": left(14, on), "in-the-margin": left(8, off),
	} {
		if err := q.Store().State.Put(t.Context(), "creatives."+creative, &entry); err != nil {
			t.Fatal(err)
		}
	}
	got, err := r.Activity(t.Context(), day(7))
	if err != nil {
		t.Fatal(err)
	}
	paused := func(creative string, from, to int) usher.PausedTime {
		p := usher.PausedTime{Rule: "f/stop", Campaign: "A.b", Creative: creative, From: day(from)}
		if to > 0 {
			p.To = day(to)
		}
		return p
	}
	unsure, elsewhere := paused("by-ann", 18, 3), paused("elsewhere", 17, 2)
	unsure.Unsure, elsewhere.Elsewhere = true, true
	want := []usher.PausedTime{
		elsewhere, unsure, paused("elsewhere", 2, 0), paused("evening", 13, 4), paused("evening", 16, 15), paused("in-the-margin", 8, 0), paused("kept", 12, 0), paused("lasts", 20, 0),
	}
	slices.SortFunc(got.Paused, func(a, b usher.PausedTime) int {
		return cmp.Or(strings.Compare(a.Creative, b.Creative), b.From.Compare(a.From))
	})
	slices.SortFunc(want, func(a, b usher.PausedTime) int {
		return cmp.Or(strings.Compare(a.Creative, b.Creative), b.From.Compare(a.From))
	})
	if !slices.Equal(got.Paused, want) {
		t.Errorf("paused were\n%+v, want\n%+v", got.Paused, want)
	}
	if n := got.Earlier(); !maps.Equal(n, map[string]int{"f/stop": 6}) {
		t.Errorf("of before are %v", n)
	}
}

// TestEarlierPausesWithoutGaps checks that a rule's pause that its memory has kept for a cooldown does not count
// as ended by a later change, if those in between are forgotten.
func TestEarlierPausesWithoutGaps(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	q := queuetest.New(t).Queue(t)
	r := decisions.New(q, nil)
	remember := func(rule, after string, at time.Time) {
		a := did(at.Format(time.RFC3339), "a-1", after, at)
		a.Rule, a.AsOf = rule, at
		if err := r.Remember(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	begin := now.AddDate(0, 0, -30)
	remember("cap", "INACTIVE", begin)
	for hours := range 61 { // an even number is a pause; one of them comes before the 50 that are kept
		remember("night", []string{"INACTIVE", "ACTIVE"}[hours%2], begin.Add(time.Duration(hours+1)*time.Hour))
	}
	left := usher.CreativeState{Status: "INACTIVE", LatestUpdate: begin.Add(61 * time.Hour).Format(time.RFC3339Nano)}
	if err := q.Store().State.Put(t.Context(), "creatives.a-1", &usher.CreativeEntry{Order: 1, ChangedOrder: 1, Left: left}); err != nil {
		t.Fatal(err)
	}
	got, err := r.Activity(t.Context(), now.AddDate(0, 0, -7))
	if err != nil || len(got.Paused) == 0 {
		t.Fatalf("paused were %+v, %v", got.Paused, err)
	}
	for _, p := range got.Paused {
		if p.Rule != "budgets/night" {
			t.Errorf("it was paused %+v", p)
		}
	}
}
