package rules

import (
	"cmp"
	"slices"

	"usher/internal/rules/analysis"
	"usher/internal/rules/condition"
	"usher/internal/rules/document"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// lint finds likely mistakes in a rule. given are the places of its keys, places
// those of some values. Of a rule that is not valid only the window is checked.
func (r *reader) lint(rule *Rule, given, places map[string]document.Place, valid bool) {
	r.lintWindow(rule, given)
	if !valid {
		return // what is missing or wrong would look like another mistake
	}
	r.lintSchedule(rule, given, places["schedule"])
	r.lintHours(rule, given)
	r.lintUntil(rule, given)
	r.lintLimits(rule, given)
	r.lintMinData(rule, given["min_data"])
	for _, c := range []struct {
		key       string
		condition *condition.Condition
	}{{rule.downKey(), rule.Pause}, {rule.upKey(), rule.Resume}} {
		if c.condition != nil {
			r.lintRatios(c.key, c.condition, places[c.key], given)
			r.lintFalling(rule, c.key, c.condition, places[c.key])
			r.lintCondition(rule, c.key, c.condition)
			r.lintLate(rule, c.key, c.condition, given)
		}
	}
	if rule.Pause != nil && rule.Resume != nil && !analysis.IsConstant(rule.Pause.Root) && !analysis.IsConstant(rule.Resume.Root) {
		r.lintOverlap(rule, places[rule.upKey()])
	}
	r.lintExcluded(rule, given["scope"])
	if at, windowed := given["window"]; windowed && rule.reads("projectedSpend") && !rule.Window.IsRunning() {
		r.Warnf(at, "write window: today, or compare grossMediaSpend; what a month ends with is monthEndSpend", "projectedSpend is only the spend with window: %s: it looks ahead until the end of today", rule.Window)
	}
	if rule.Lag > 0 && !rule.reads("projectedSpend") {
		r.Warnf(given["report_lag"], "use projectedSpend in pause_when, or remove report_lag", "report_lag has no effect: no condition reads projectedSpend")
	}
}

// lintWindow finds windows that have no data.
func (r *reader) lintWindow(rule *Rule, given map[string]document.Place) {
	at, windowed := given["window"]
	if windowed && rule.Window.Kind == figures.Today && (rule.Pause != nil || rule.Hours == nil) {
		hint := "write window: yesterday, or let a budget engine publish rules.evaluate with metrics"
		if rule.Scope.Level != figures.CampaignLevel {
			hint = "write window: yesterday; metrics of a budget engine are for rules on campaigns"
		}
		r.Warnf(at, hint, "the platform promises rows of complete days only: without a row of today, the rule's metrics are unknown and it does nothing")
	}
	for _, c := range rule.conditions() {
		if !rule.Window.HasPrevious() && c.ReadsPrevious() {
			r.Errorf(at, "write window: last 7 days, or do not use previous", "%s has no window before it", rule.Window)
		}
	}
}

// lintRatios finds ratios without min_data.
func (r *reader) lintRatios(key string, c *condition.Condition, at document.Place, given map[string]document.Place) {
	if _, ok := given["min_data"]; ok {
		return
	}
	if ratio := c.Ratio(); ratio != "" {
		r.requireMinData(key, ratio+" is a ratio", at)
	} else if analysis.DividesByCount(c.Root) {
		r.requireMinData(key, "it divides by a count", at)
	}
}

// lintFalling finds metrics that may fall in the course of a day.
func (r *reader) lintFalling(rule *Rule, key string, c *condition.Condition, at document.Place) {
	if rule.Window.Kind != figures.Today {
		return
	}
	if name := c.Falling(); name != "" {
		r.Warnf(at, "write window: yesterday or last 7 days for "+name+", or use a metric that only grows, such as grossMediaSpend",
			"%s: %s can rise and fall during the day, so with window: today the rule acts on random variation", key, name)
	}
}

// lintCondition finds conditions that are constant, misleading or hard to read. key is
// pause_when or resume_when.
func (r *reader) lintCondition(rule *Rule, key string, c *condition.Condition) {
	of := analysis.Rule{Level: rule.Scope.Level, KeepActive: rule.Scope.KeepActive, MinData: rule.MinData, Notifies: rule.Mode == Notify}
	faults := of.ResumeMistakes
	if key == "pause_when" {
		faults = of.PauseMistakes
	}
	for _, fault := range slices.Concat(faults(c.Root), c.Mixed()) {
		r.Warnf(r.placesIn[c](fault.Line, fault.Column), fault.Hint, "%s: %s", key, fault.Message)
	}
}

// lintMinData finds ratios whose divisor min_data does not require, or too little of it.
// It reports one of them.
func (r *reader) lintMinData(rule *Rule, at document.Place) {
	of := analysis.Rule{Level: rule.Scope.Level, MinData: rule.MinData}
	if mistake, hint := of.DataMistake(rule.expressions()); mistake != "" {
		r.Warnf(at, hint, "%s", mistake)
	}
}

func (r *reader) requireMinData(key, why string, at document.Place) {
	r.Errorf(at, "write min_data: {impressions: 5000}, or another number that makes it meaningful", "%s: %s, and without min_data it fires on a handful of impressions", key, why)
}

// reads reports whether one of the rule's conditions reads a metric.
func (rule *Rule) reads(name string) bool {
	return slices.ContainsFunc(rule.conditions(), func(c *condition.Condition) bool { return c.Reads(name) })
}

// conditions returns the rule's conditions that are valid.
func (rule *Rule) conditions() []*condition.Condition {
	return slices.DeleteFunc([]*condition.Condition{rule.Pause, rule.Resume}, func(c *condition.Condition) bool { return c == nil })
}

// expressions returns the expressions of these conditions.
func (rule *Rule) expressions() []*expression.Expression {
	var list []*expression.Expression
	for _, c := range rule.conditions() {
		list = append(list, c.Root)
	}
	return list
}

// lintLate warns of a comparison of a report with an outcome of fewer days.
func (r *reader) lintLate(rule *Rule, key string, c *condition.Condition, given map[string]document.Place) {
	if rule.Window.Length() == 0 {
		return
	}
	mistake, hint := analysis.LateMistake(c.Root, rule.Window, cmp.Or(rule.MinDays, rule.Window.Length()))
	if mistake == "" {
		return
	}
	at, found := given["min_days"]
	if !found {
		at = given["window"]
	}
	r.Warnf(at, hint, "%s: %s", key, mistake)
}
