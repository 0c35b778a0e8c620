package rules_test

import (
	"fmt"
	"slices"
	"testing"

	"usher/internal/rules"
)

// TestKeys checks that the keys of a rule are shown as in the file.
func TestKeys(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
labels: {may: {from: 2026-05-12}}
rules:
  - name: r
    scope: {campaigns: ["A-a", "A-b*"], exclude: ["*-x"], creatives: ["*-1"], types: [IMAGE], labels: [may], level: creative, keep_active: 2}
    window: last 7 days
    pause_when: ctr < 0.001
    resume_when: ctr > 0.002
    for: 3 days
    min_age: 168h
    min_data: {impressions: 5000, won: 2.5}
    min_days: 5
    schedule: "0 7 * * *"
    cooldown: 90m
    priority: -3
    limits: {max_creatives: 7, max_share: 20%, max_flips_per_day: 2}
    max_report_age: 48h
    notify: each
    mode: approve
  - {name: hours, scope: {campaigns: ["A-*"]}, active_hours: "08:00-22:00", limits: {max_flips_per_day: 3}}
`)
	for i, want := range [][]rules.Key{
		{
			{"campaigns", "A-a, A-b*"}, {"exclude", "*-x"}, {"creatives", "*-1"}, {"types", "IMAGE"}, {"labels", "may"}, {"level", "creative"}, {"keep_active", "2"},
			{"window", "last 7 days"}, {"pause_when", "ctr < 0.001"}, {"resume_when", "ctr > 0.002"}, {"for", "3 days"}, {"min_age", "7d"}, {"min_data", "impressions 5000, won 2.5"},
			{"min_days", "5"}, {"schedule", "0 7 * * *"}, {"cooldown", "1h30m"}, {"priority", "-3"}, {"limits", "max_creatives 7, max_share 20%, max_flips_per_day 2"},
			{"max_report_age", "2d"}, {"notify", "each"}, {"mode", "approve"},
		},
		{{"campaigns", "A-*"}, {"level", "campaign"}, {"active_hours", "08:00-22:00"}, {"limits", "max_flips_per_day 3"}, {"mode", "act"}},
	} {
		if got := set.Rules[i].Keys(); !slices.Equal(got, want) {
			t.Errorf("the keys are %v", got)
		}
	}
	if got := fmt.Sprint(set.Rules[0].Extras()); got != "[{creatives *-1} {types IMAGE} {labels may} {for 3 days} {min_age 7d} {notify each}]" {
		t.Errorf("the extras are %v", got)
	}
}
