package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher/internal/readable"
	"usher/internal/rules/figures"
)

// Key is a key of a rule with its value as text.
type Key struct {
	Name  string `json:"key"`
	Value string `json:"value"`
}

// Keys returns the keys of the rule that are not at their default, in the order in which
// the documentation has them. min_data, limits and parts of the scope are single lines.
func (rule *Rule) Keys() []Key {
	var keys []Key
	add := func(name, value string) {
		if value != "" {
			keys = append(keys, Key{name, value})
		}
	}
	add("campaigns", strings.Join(rule.Scope.Campaigns, ", "))
	add("exclude", strings.Join(rule.Scope.Exclude, ", "))
	keys = append(keys, rule.Scope.selection()...)
	add("level", string(rule.Scope.Level))
	add("keep_active", positive(rule.Scope.KeepActive))
	if len(rule.conditions()) > 0 {
		add("window", rule.Window.String())
	}
	if rule.Pause != nil {
		add(rule.downKey(), rule.Pause.Source)
	}
	if rule.Resume != nil {
		add(rule.upKey(), rule.Resume.Source)
	}
	if rule.Bidding != nil {
		add(rule.Bidding.Field.Key(), rule.Bidding.String())
	}
	if len(rule.days) > 0 {
		add("for", readable.Count(len(rule.days), "day"))
	}
	add("min_age", ageText(rule.MinAge))
	if rule.Hours != nil {
		add("active_hours", rule.Hours.String())
		add("active_days", rule.Hours.Days())
	}
	add("min_data", minimaText(rule.MinData))
	add("min_days", positive(rule.MinDays))
	if rule.Schedule != nil {
		add("schedule", rule.Schedule.String())
	}
	add("cooldown", ageText(rule.Cooldown))
	if rule.Priority != 0 {
		add("priority", strconv.Itoa(rule.Priority))
	}
	add("until", rule.Until)
	add("formerly", rule.Formerly)
	limits := limitText(rule.Limits)
	if flips := positive(rule.Limits.FlipsPerDay); flips != "" {
		limits = strings.TrimPrefix(limits+", max_flips_per_day "+flips, ", ")
	}
	add("limits", limits)
	add("max_report_age", ageText(rule.MaxAge))
	add("report_lag", ageText(rule.Lag))
	add("notify", string(rule.Notify))
	add("mode", string(rule.Mode))
	return keys
}

// Extras returns the keys that restrict what a rule acts on, or make it report: the selection
// of creatives, for, min_age, active_hours and notify.
func (rule *Rule) Extras() []Key {
	return slices.DeleteFunc(rule.Keys(), func(k Key) bool {
		return !slices.Contains([]string{"creatives", "types", "labels", "for", "min_age", "active_hours", "active_days", "until", "notify"}, k.Name)
	})
}

func positive(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// ageText returns a duration as in a rule file: 7d, 36h.
func ageText(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d%(24*time.Hour) == 0:
		return fmt.Sprintf("%dd", d/(24*time.Hour))
	}
	return durationText(d)
}

func minimaText(minima []figures.Minimum) string {
	var parts []string
	for _, least := range minima {
		parts = append(parts, fmt.Sprintf("%s %s", least.Name(), readable.Exact(least.Least)))
	}
	return strings.Join(parts, ", ")
}
