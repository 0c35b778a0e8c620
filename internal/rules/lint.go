package rules

import (
	"slices"
	"strings"
)

// lint finds likely mistakes in a rule. given are the places of its keys, places
// those of some values. Of a rule that is not valid only the window is judged.
func (r *reader) lint(rule *Rule, given, places map[string]place, valid bool) {
	r.lintWindow(rule, given)
	if !valid {
		return // what is missing or wrong would look like another mistake
	}
	r.lintSchedule(rule, given, places["schedule"])
	r.lintHours(rule, given)
	r.lintLimits(rule, given)
	r.lintMinData(rule, given["min_data"])
	for _, c := range []struct {
		key       string
		condition *Condition
	}{{"pause_when", rule.Pause}, {"resume_when", rule.Resume}} {
		if c.condition != nil {
			r.lintRatios(c.key, c.condition, places[c.key], given)
			r.lintFalling(rule, c.key, c.condition, places[c.key])
			r.lintCondition(rule, c.key, c.condition)
			r.lintMixed(c.key, c.condition)
		}
	}
	if rule.Resume != nil && !rule.Pause.isConstant() && !rule.Resume.isConstant() {
		r.lintOverlap(rule, places["resume_when"])
	}
	for _, glob := range rule.Scope.Campaigns {
		if slices.Contains(rule.Scope.Exclude, glob) || slices.Contains(rule.Scope.Exclude, "*") {
			r.errorf(given["scope"], "remove the pattern from exclude, or the rule from the file", "the scope matches nothing: %q is excluded, too", glob)
			break
		}
	}
	if rule.Lag > 0 && !rule.reads("projectedSpend") {
		r.warnf(given["report_lag"], "use projectedSpend in pause_when, or remove report_lag", "report_lag has no effect: no condition reads projectedSpend")
	}
}

// lintWindow finds windows that have no data.
func (r *reader) lintWindow(rule *Rule, given map[string]place) {
	at, windowed := given["window"]
	if windowed && rule.Window.kind == today && (rule.Pause != nil || rule.Hours == nil) {
		r.warnf(at, "write window: yesterday, or let a budget engine publish rules.evaluate with metrics",
			"the platform promises rows of complete days only: without a row of today, the rule's metrics are unknown and it does nothing")
	}
	for _, c := range rule.conditions() {
		if !rule.Window.hasPrevious() && slices.ContainsFunc(c.reads, func(name string) bool { return strings.HasPrefix(name, "previous.") }) {
			r.errorf(at, "write window: last 7 days, or do not use previous", "%s has no window before it", rule.Window)
		}
	}
}

// lintRatios finds ratios without min_data.
func (r *reader) lintRatios(key string, c *Condition, at place, given map[string]place) {
	if _, ok := given["min_data"]; ok {
		return
	}
	for _, name := range c.reads {
		if _, bare := splitMetric(name); variableNamed(bare).ratio {
			r.requireMinData(key, name+" is a ratio", at)
			return
		}
	}
	if c.root.dividesByCount() {
		r.requireMinData(key, "it divides by a count", at)
	}
}

// lintFalling finds metrics that may fall in the course of a day.
func (r *reader) lintFalling(rule *Rule, key string, c *Condition, at place) {
	if rule.Window.kind != today {
		return
	}
	for _, name := range c.reads {
		if _, bare := splitMetric(name); variableNamed(bare).falls && !strings.HasPrefix(name, "previous.") && !strings.HasPrefix(name, over) {
			r.warnf(at, "write window: yesterday or last 7 days for "+name+", or use a metric that only grows, such as grossMediaSpend",
				"%s: %s can rise and fall during the day, so with window: today the rule acts on random variation", key, name)
			return
		}
	}
}

func (r *reader) requireMinData(key, why string, at place) {
	r.errorf(at, "write min_data: {impressions: 5000}, or another number that makes it meaningful", "%s: %s, and without min_data it fires on a handful of impressions", key, why)
}

// dividesByCount reports whether the condition itself divides by a field that counts
// events.
func (x *expression) dividesByCount() bool {
	if x.op == opNamed {
		return false // see Variable.ratio
	}
	if x.op == opDivide && x.args[1].readsCount() {
		return true
	}
	return slices.ContainsFunc(x.args, (*expression).dividesByCount)
}

func (x *expression) readsCount() bool {
	return x.op == opColumn && x.column.counts() || slices.ContainsFunc(x.args, (*expression).readsCount)
}

// reads reports whether one of the rule's conditions reads a metric.
func (rule *Rule) reads(name string) bool {
	return slices.ContainsFunc(rule.conditions(), func(c *Condition) bool {
		return slices.ContainsFunc(c.reads, func(read string) bool {
			_, bare := splitMetric(read)
			return bare == name
		})
	})
}

// conditions returns the rule's conditions that are valid.
func (rule *Rule) conditions() []*Condition {
	return slices.DeleteFunc([]*Condition{rule.Pause, rule.Resume}, func(c *Condition) bool { return c == nil })
}
