package rules

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"usher/internal/readable"
	"usher/internal/rules/condition"
	"usher/internal/rules/document"
)

// keyHint returns the hint for an unknown key that follows a value, and the key that
// was meant, if any. It returns "" for a key that is only misspelt.
func keyHint(key, before string, keys map[string]func(ast.Node)) (hint, meant string) {
	if strings.Trim(key, "0123456789%") == "" {
		return "write " + condition.PlainNumber(before+","+strings.TrimRight(key, "%")) + key[len(strings.TrimRight(key, "%")):] + ": a comma begins the next key", ""
	}
	if key == "minimum" && keys["min"] != nil { // of a budget, and not of a rule
		return "write min", "min"
	}
	if meant = keysElsewhere[key]; keys[meant] != nil {
		return fmt.Sprintf("write %s", meant), meant
	}
	if strings.HasPrefix(meant, "mode") && keys["mode"] != nil {
		return "write " + meant, ""
	}
	if keys["grossMediaSpend"] != nil && readable.Nearest(key, document.Sorted(keys)) == "" { // of min_data, or of a test
		return "it takes: " + strings.Join(document.Sorted(keys), ", ") + "; and outcome.NAME for a number from outside, such as outcome.installs", ""
	}
	if keys["mode"] != nil {
		return ruleKeyHint(key), ""
	}
	if ruleKeys[key] && (keys["campaigns"] != nil || keys["max_share"] != nil) {
		return "write it in the rule, outside of " + map[bool]string{true: "scope", false: "limits"}[keys["campaigns"] != nil], ""
	}
	return "", ""
}

// ruleKeyHint returns the hint for a key of a rule that is a key of other tools, or of one of
// the rule's mappings, or "".
func ruleKeyHint(key string) string {
	switch key {
	case "action", "then":
		return "leave it out: pause_when pauses, and mode: notify only reports"
	case "description", "comment", "note":
		return "write a comment, which begins with #"
	case "decrease", "increase":
		return "write it in budget or bid"
	case "targets", "target", "table":
		return "write it at the top of the file: targets: targets.csv"
	}
	if inside := mappingOf[key]; inside != "" {
		return fmt.Sprintf("write it in %s: {%s: …}", inside, key)
	}
	return ""
}

// mappingOf has the mappings of a rule, by their keys.
var mappingOf = map[string]string{
	"campaigns": "scope", "exclude": "scope", "creatives": "scope", "types": "scope", "labels": "scope", "level": "scope", "keep_active": "scope",
	"max_creatives": "limits", "max_campaigns": "limits", "max_share": "limits", "max_amount": "limits", "max_flips_per_day": "limits",
}

// ruleKeys are keys of a rule that may seem to belong to one of its mappings.
var ruleKeys = map[string]bool{"window": true, "min_data": true, "min_age": true, "schedule": true, "cooldown": true, "priority": true, "mode": true, "max_report_age": true}

// mappingHint returns the hint for a text in place of a mapping, or "".
func mappingHint(what, text string) string {
	switch what {
	case "scope":
		return fmt.Sprintf("write scope: {campaigns: [%q]}", patternOf(text))
	case "limits":
		return "write limits: {max_share: 20%}, or max_creatives: and a number"
	}
	return ""
}

// patternOf returns the pattern that a text in place of a list of patterns stands for.
func patternOf(text string) string {
	switch strings.ToLower(text) {
	case "all", "account", "everything", "any":
		return "*"
	}
	return text
}

// keysElsewhere has keys of other tools, and what they mean here.
var keysElsewhere = map[string]string{
	"when": "pause_when", "if": "pause_when", "condition": "pause_when", "conditions": "pause_when", "pause_if": "pause_when", "turn_off_when": "pause_when", "turn_on_when": "resume_when", "pause": "pause_when", "resume": "resume_when", "unpause_when": "resume_when",
	"increase_budget_by": "budget", "decrease_budget_by": "budget", "increase_budget": "budget", "decrease_budget": "budget", "increase_bid_by": "bid", "decrease_bid_by": "bid", "maximum": "max",
	"apply_to": "scope", "applies_to": "scope", "min_impressions": "min_data", "min_clicks": "min_data",
	"lower_when": "decrease_when", "raise_when": "increase_when", "daily_budget": "budget", "max_bid": "bid", "lower": "decrease", "raise": "increase", "by": "decrease", "floor": "min", "not_below": "min", "ceiling": "max", "not_above": "max", "max_changes_per_day": "max_flips_per_day",
	"every": "schedule", "interval": "schedule", "cron": "schedule", "run": "schedule", "time_range": "window", "lookback": "window", "period": "window", "campaign": "campaigns",
	"enabled": "mode: observe for a rule that must not act", "active": "mode: observe for a rule that must not act", "disabled": "mode: observe for a rule that must not act",
	"weekdays": "active_days", "days_of_week": "active_days", "hours": "active_hours", "dayparting": "active_hours", "active_time": "active_hours",
	"alert": "notify", "alerts": "notify", "notification": "notify", "notifications": "notify",
	"creative": "creatives", "creative_names": "creatives", "creative_name": "creatives", "type": "types", "creative_types": "types", "label": "labels", "tags": "labels", "tag": "labels", "start": "from", "end": "to", "until": "to",
	"advertiser": "account", "time_zone": "timezone", "tz": "timezone", "minimum": "min_data", "for_days": "for", "days": "for", "duration": "for",
}
