package rules

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"usher"
)

// evidence is a rule's verdict on a creative, with the figures behind it.
type evidence struct {
	rule       *Rule
	figures    *Figures
	level      *levelFigures
	at         int // in the index of the level; -1: no figures
	verdict    verdict
	evaluation *evaluation // of this entity alone
}

func (r *Run) evidenceOf(rule int, c Creative) evidence {
	places := r.snapshot.Figures.places(c)
	v := &r.voters[slices.IndexFunc(r.voters, func(v voter) bool { return v.rule == rule })]
	e := evidence{rule: r.set.Rules[rule], figures: r.snapshot.Figures, level: &r.snapshot.Figures.levels[v.level], at: places[v.level], verdict: v.vote(places)}
	e.evaluation = &evaluation{windows: e.level.windows, low: e.at, high: e.at + 1, ahead: v.ahead}
	return e
}

// value returns the value of an expression.
func (e evidence) value(x *expression) float64 {
	if e.at < 0 {
		return math.NaN()
	}
	return e.evaluation.run(x, 0)[0]
}

// condition returns the condition that holds, or nil.
func (e evidence) condition() *Condition {
	switch e.verdict {
	case wantsPause:
		return e.rule.Pause
	case wantsResume:
		return e.rule.Resume
	}
	return nil
}

// conditions returns the conditions of the rule.
func (e evidence) conditions() []*Condition {
	if e.rule.Resume == nil {
		return []*Condition{e.rule.Pause}
	}
	return []*Condition{e.rule.Pause, e.rule.Resume}
}

// report returns the newest date with a report row, or nothing.
func (e evidence) report() string {
	if e.at < 0 || e.level.windows[e.rule.slot].report[e.at] == 0 {
		return ""
	}
	return dayText(e.level.windows[e.rule.slot].report[e.at])
}

// metrics returns the metrics that the rule's conditions and min_data read, and the
// fields of which these are made. UNKNOWN ones are left out.
func (e evidence) metrics() map[string]float64 {
	metrics := map[string]float64{}
	for _, c := range e.conditions() {
		e.addMetrics(metrics, c.root, "")
	}
	for _, least := range e.rule.MinData {
		addMetric(metrics, least.Field.String(), e.sum(least.Field))
	}
	return metrics
}

// addMetrics adds the metrics in an expression. prefix is that of the window of its
// fields.
func (e evidence) addMetrics(metrics map[string]float64, x *expression, prefix string) {
	switch {
	case x.op == opNamed:
		addMetric(metrics, x.name, e.value(x))
		if strings.HasPrefix(x.name, "previous.") {
			prefix = "previous."
		} else if x.name == "lifetimeUsed" {
			prefix = "lifetime."
		}
	case x.op == opColumn && x.name != "":
		addMetric(metrics, x.name, e.value(x))
	case x.op == opColumn && x.column < Fields:
		addMetric(metrics, prefix+x.column.String(), e.value(x))
	}
	for _, arg := range x.args {
		e.addMetrics(metrics, arg, prefix)
	}
}

func addMetric(metrics map[string]float64, name string, v float64) {
	if !math.IsNaN(v) {
		metrics[name] = rounded(v)
	}
}

// sum returns a field of the rule's window.
func (e evidence) sum(f Field) float64 {
	return e.value(&expression{op: opColumn, slot: e.rule.slot, column: f})
}

// values returns the parts of a condition with their values, from the inside out,
// each once.
func (e evidence) values(root *expression) []usher.Value {
	var list []usher.Value
	var walk func(x *expression)
	walk = func(x *expression) {
		if x.op == opNumber || x.op == opTruth {
			return
		}
		if x.op != opNamed {
			for _, arg := range x.args {
				walk(arg)
			}
		}
		v := usher.Value{Expression: x.String(), Result: resultText(x, e.value(x))}
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	walk(root)
	return list
}

func resultText(x *expression, v float64) string {
	switch {
	case math.IsNaN(v):
		return "unknown"
	case x.isTruth():
		return strconv.FormatBool(v == 1)
	}
	return short(v)
}

// compared returns a condition with its numbers: for a comparison "57.2 >= 56.05" or
// "53 is not >= 56.05", for others the metrics that it reads.
func (e evidence) compared(c *Condition) string {
	if level, sign := c.root.op.binding(); level == comparing {
		if e.value(c.root) == 0 {
			sign = "is not " + sign
		}
		return short(e.value(c.root.args[0])) + " " + sign + " " + short(e.value(c.root.args[1]))
	}
	var list []string
	for _, name := range c.reads {
		list = append(list, name+" "+short(e.metric(c.root, name)))
	}
	return strings.Join(list, ", ")
}

// metric returns the value of a metric in an expression.
func (e evidence) metric(x *expression, name string) float64 {
	if x.name == name {
		return e.value(x)
	}
	for _, arg := range x.args {
		if v := e.metric(arg, name); !math.IsNaN(v) {
			return v
		}
	}
	return math.NaN()
}

// unknownMetrics returns the metrics of the rule's conditions that are UNKNOWN, each
// once.
func (e evidence) unknownMetrics() []string {
	var list []string
	for _, c := range e.conditions() {
		for _, name := range c.reads {
			if math.IsNaN(e.metric(c.root, name)) && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}
