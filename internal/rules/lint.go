package rules

import (
	"slices"
	"strings"
)

// lint finds likely mistakes in a rule. given are the places of its keys, places
// those of its conditions.
func (r *reader) lint(rule *Rule, given, places map[string]place) {
	r.lintWindow(rule, given)
	for _, c := range []struct {
		key       string
		condition *Condition
	}{{"pause_when", rule.Pause}, {"resume_when", rule.Resume}} {
		if c.condition != nil {
			r.lintRatios(c.key, c.condition, places[c.key], given)
			r.lintFalling(rule, c.key, c.condition, places[c.key])
		}
	}
	if rule.Pause != nil && rule.Resume != nil {
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
	at := given["window"]
	if rule.Window.kind == today {
		r.warnf(at, "write window: yesterday, or let a budget engine publish rules.evaluate with metrics",
			"the platform promises rows of complete days only: without a row of today, the rule's metrics are unknown and it does nothing")
	}
	for _, c := range []*Condition{rule.Pause, rule.Resume} {
		if c != nil && rule.Window.kind == lifetime && slices.ContainsFunc(c.reads, func(name string) bool { return strings.HasPrefix(name, "previous.") }) {
			r.errorf(at, "write window: last 7 days, or do not use previous", "lifetime has no window before it")
		}
	}
}

// lintRatios finds ratios without min_data.
func (r *reader) lintRatios(key string, c *Condition, at place, given map[string]place) {
	if _, ok := given["min_data"]; ok {
		return
	}
	for _, name := range c.reads {
		if variableNamed(strings.TrimPrefix(name, "previous.")).ratio {
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
		if !strings.HasPrefix(name, "previous.") && variableNamed(name).falls {
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
	for _, c := range []*Condition{rule.Pause, rule.Resume} {
		if c != nil && (slices.Contains(c.reads, name) || slices.Contains(c.reads, "previous."+name)) {
			return true
		}
	}
	return false
}
