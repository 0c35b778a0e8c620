package rules

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher"
)

// evidence is the verdict of a rule of the run's set on a creative, with the figures
// behind it.
type evidence struct {
	rule       *Rule
	day        int // the running day
	windows    []windowSums
	at         int // in the index of the level; -1: no figures
	verdict    verdict
	time       time.Time     // of the run
	outside    bool          // the rule's hours
	evaluation *evaluation   // of this entity alone
	age        time.Duration // if the rule has a min_age
	held       []evidence    // by the days of for, if pause_when holds
}

// evidenceOf returns the evidence of a voter on the i-th creative.
func (r *Run) evidenceOf(v *voter, i int) evidence {
	f := r.snapshot.Figures
	e := evidence{rule: v.rule, day: f.files[v.file].day, windows: f.windowsOf(v.file, v.level), at: int(r.places[i][v.level]), verdict: v.vote(r.places[i]), time: f.at, outside: v.outside}
	one := v.evaluation
	one.low, one.high = e.at, e.at+1
	if e.at >= 0 {
		one.hidePrevious(v.rule)
	}
	e.evaluation, e.age = &one, v.ages[r.places[i][v.level]]
	if !e.outside && (e.verdict == wantsPause || e.verdict == tooShort) {
		for k := range v.held {
			e.held = append(e.held, r.evidenceOf(&v.held[k], i))
		}
	}
	return e
}

// value returns the value of an expression.
func (e evidence) value(x *expression) float64 {
	if e.at < 0 {
		return math.NaN()
	}
	return e.evaluation.run(x, 0)[0]
}

// condition returns the condition that holds, or nil. Hours are no condition.
func (e evidence) condition() *Condition {
	switch {
	case e.verdict == wantsPause && !e.outside:
		return e.rule.Pause
	case e.verdict == wantsResume:
		return e.rule.Resume
	}
	return nil
}

// report returns the newest date with a report row, or nothing.
func (e evidence) report() string {
	if e.at < 0 || e.windows[e.rule.slot].report[e.at] == 0 {
		return ""
	}
	return dayText(e.windows[e.rule.slot].report[e.at])
}

// metrics returns the metrics that the rule's conditions and min_data read, and the
// fields of which these are made. UNKNOWN ones are left out.
func (e evidence) metrics() map[string]float64 {
	metrics := map[string]float64{}
	for _, c := range e.rule.conditions() {
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
		of, name := splitMetric(x.name)
		switch {
		case name == "lifetimeUsed": // of all days, whatever the window is
			prefix = "lifetime."
		case name == "monthEndSpend":
			prefix = over + `("this month").`
		case of != "" && of != rankOf:
			prefix = of
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

// gaps says why the value of a condition is UNKNOWN: what the windows lack.
func (e evidence) gaps() []string {
	var list []string
	add := func(format string, args ...any) {
		if gap := fmt.Sprintf(format, args...); !slices.Contains(list, gap) {
			list = append(list, gap)
		}
	}
	var walk func(x *expression)
	walk = func(x *expression) {
		for n, arg := range x.args {
			if x.isZeroUnknown(n) && e.value(arg) == 0 {
				add("%s is 0", arg.column)
			}
			walk(arg)
		}
		switch {
		case x.op == opColumn && math.IsNaN(e.value(x)):
			add("%s", e.gap(x))
		case (x.absolute || x.crosses) && math.IsNaN(e.value(x)) && e.evaluation.currencies:
			add("%s depends on the currency, and there are several", x)
		}
	}
	for _, c := range e.rule.conditions() {
		walk(c.root)
	}
	if len(list) == 0 {
		add("a division by zero in %s", e.rule.Window)
	}
	return list
}

// gap says why a column is UNKNOWN.
func (e evidence) gap(x *expression) string {
	if x.of != own {
		return e.relativeGap(x)
	}
	w := &e.windows[x.slot]
	days, need := int(w.days[e.at]), w.requires(e.rule.MinDays)
	switch {
	case w.isEmpty():
		return w.text() + " has no complete day yet"
	case x.slot != e.rule.slot && days < need:
		return fmt.Sprintf("%s has %d of %d days", w.text(), days, w.requires(0))
	case x.slot == e.rule.before && e.evaluation.hidden[0]:
		return w.text() + " is below min_data"
	case w.currency[e.at] == severalCurrencies && x.column.isAmount():
		return "the rows of " + w.text() + " have several currencies"
	case x.column >= Fields:
		return "no budget in " + w.text()
	}
	if w.window.kind == daysAgo {
		return "no " + x.column.String()
	}
	return "no " + x.column.String() + " on a day of " + w.text()
}

// relativeGap says why a column of the campaign or of the account is UNKNOWN.
func (e evidence) relativeGap(x *expression) string {
	relations := e.evaluation.relations
	w := &relations.campaigns[x.slot]
	if w.isEmpty() {
		return w.text() + " has no complete day yet"
	}
	if x.of == ofAccount {
		return "no " + x.column.String() + " of the account in " + w.text()
	}
	at, days := int(relations.places[e.at]), 0
	if at >= 0 {
		days = int(w.days[at])
	}
	switch {
	case days == 0:
		return "the campaign has no row in " + w.text()
	case days < w.requires(e.rule.MinDays):
		return fmt.Sprintf("the campaign has %d of %d days of %s", days, w.requires(0), w.text())
	}
	return "no " + x.column.String() + " of the campaign in " + w.text()
}

// text names the window and its days.
func (w *windowSums) text() string {
	name := w.window.String()
	if w.previous {
		name = "the window before " + name
	}
	if w.window.kind == lifetime || w.window.kind == daysAgo || w.isEmpty() {
		return name
	}
	if w.from == w.to {
		return name + " (" + dayText(w.to) + ")"
	}
	return name + " (" + dayText(w.from) + " to " + dayText(w.to) + ")"
}

// isEmpty reports whether the window has no day: this month, on its first.
func (w *windowSums) isEmpty() bool { return w.from > w.to }
