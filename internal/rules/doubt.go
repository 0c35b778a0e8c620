package rules

import (
	"fmt"
	"slices"
	"strings"
)

// doubt finds what can be read but is likely to go wrong: the mistakes that
// tools of this kind are known for.
func (r *reader) doubt(rule *Rule, there, places map[string]place) {
	r.doubtWindow(rule, there)
	for _, c := range []struct {
		key       string
		condition *Condition
	}{{"pause_when", rule.Pause}, {"resume_when", rule.Resume}} {
		if c.condition != nil {
			r.doubtRatios(c.key, c.condition, places[c.key], there)
			r.doubtFalling(rule, c.key, c.condition, places[c.key])
		}
	}
	if rule.Pause != nil && rule.Resume != nil {
		r.doubtPair(rule, places["resume_when"])
	}
	for _, glob := range rule.Scope.Campaigns {
		if slices.Contains(rule.Scope.Exclude, glob) || slices.Contains(rule.Scope.Exclude, "*") {
			r.wrongf(there["scope"], "take the pattern out of exclude, or the rule out of the file", "the scope matches nothing: %q is excluded, too", glob)
			break
		}
	}
	if rule.Lag > 0 && !rule.reads("projectedSpend") {
		r.warnf(there["report_lag"], "use projectedSpend in pause_when, or leave report_lag out", "report_lag has no effect: no condition reads projectedSpend")
	}
}

// doubtWindow doubts what cannot be as the window says.
func (r *reader) doubtWindow(rule *Rule, there map[string]place) {
	at := there["window"]
	if rule.Window.kind == today {
		r.warnf(at, "write window: yesterday, or let a budget engine publish rules.evaluate with metrics",
			"the platform promises rows of complete days only: while today's is missing, the rule's figures are unknown and it does nothing")
	}
	for _, c := range []*Condition{rule.Pause, rule.Resume} {
		if c != nil && rule.Window.kind == lifetime && slices.ContainsFunc(c.reads, func(name string) bool { return strings.HasPrefix(name, "previous.") }) {
			r.wrongf(at, "write window: last 7 days, or leave previous out", "there is no window before lifetime")
		}
	}
}

// doubtRatios doubts ratios on little data.
func (r *reader) doubtRatios(key string, c *Condition, at place, there map[string]place) {
	if _, given := there["min_data"]; given {
		return // what is wrong with it was said
	}
	for _, name := range c.reads {
		if variableNamed(strings.TrimPrefix(name, "previous.")).ratio {
			r.needsData(key, name+" is a ratio", at)
			return
		}
	}
	if c.root.dividesByCount() {
		r.needsData(key, "it divides by a count", at)
	}
}

// doubtFalling doubts metrics that fall while the day goes on.
func (r *reader) doubtFalling(rule *Rule, key string, c *Condition, at place) {
	if rule.Window.kind != today {
		return
	}
	for _, name := range c.reads {
		if !strings.HasPrefix(name, "previous.") && variableNamed(name).falls {
			r.warnf(at, "write window: yesterday or last 7 days for "+name+", or take a metric that only grows, such as grossMediaSpend",
				"%s: %s can rise and fall while the day goes on, so a window of today acts on its accidents", key, name)
			return
		}
	}
}

func (r *reader) needsData(key, why string, at place) {
	r.wrongf(at, "write min_data: {impressions: 5000}, so many as make it meaningful", "%s: %s, and without min_data it fires on a handful of impressions", key, why)
}

// dividesByCount reports whether something written is divided by a field that
// counts events.
func (x *expression) dividesByCount() bool {
	if x.op == opNamed {
		return false // said of the metric itself
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

// doubtPair finds values at which the rule would pause and resume at once, or at
// which nothing lies between the two.
func (r *reader) doubtPair(rule *Rule, at place) {
	shared := func(name string) bool { return slices.Contains(rule.Resume.reads, name) }
	if !slices.ContainsFunc(rule.Pause.reads, shared) {
		return
	}
	const hint = "leave a gap between them, such as pause_when: grossMediaSpend >= 0.95 * budget, resume_when: grossMediaSpend < 0.80 * budget"
	switch both, between := probe(rule.Pause, rule.Resume); {
	case both != "":
		r.wrongf(at, hint, "pause_when and resume_when overlap: with %s both hold", both)
	case !between:
		r.warnf(at, hint, "nothing lies between pause_when and resume_when: a value that wavers makes the creative flap")
	}
}

// probe tries two conditions on values around the numbers in them. It returns
// values with which both hold, "" where none were found, and whether it found
// some with which neither does.
func probe(pause, resume *Condition) (both string, between bool) {
	var reads []string
	for _, name := range slices.Concat(pause.reads, resume.reads) {
		if !slices.Contains(reads, name) {
			reads = append(reads, name)
		}
	}
	if len(reads) > int(columns) {
		return "", true // more than a person would read, too
	}
	a, b := pause.root.over(reads), resume.root.over(reads)
	values := probes(slices.Concat(a.numbers(), b.numbers()))
	tried, count := combinations(values, len(reads))
	e := evaluation{windows: []windowSums{tried}}
	for e.low = 0; e.low < count; e.low = e.high {
		e.high = min(e.low+blockSize, count)
		yes := slices.Clone(e.run(a, 0))
		for i, too := range e.run(b, 0) {
			if yes[i] == 1 && too == 1 {
				var at []string
				for k, name := range reads {
					at = append(at, fmt.Sprintf("%s %s", name, numberText(tried.columns[k][e.low+i])))
				}
				return strings.Join(at, ", "), between
			}
			between = between || yes[i] == 0 && too == 0
		}
	}
	return "", between
}

// combinations are columns that hold every combination of values, or a fixed
// choice of 2^16 where there are more.
func combinations(values []float64, width int) (windowSums, int) {
	const most = 1 << 16
	count := 1
	for range width {
		count = min(count*len(values), most+1)
	}
	all := count <= most
	count = min(count, most)
	sums, stride := windowSums{}, 1
	for i := range width {
		sums.columns[i] = make([]float64, count)
		for n := range count {
			pick := n / stride
			if !all {
				pick = int((uint64(n)*uint64(width) + uint64(i) + 1) * 0x9E3779B97F4A7C15 >> 40) // scattered, the same every time
			}
			sums.columns[i][n] = values[pick%len(values)]
		}
		stride = min(stride*len(values), most+1)
	}
	return sums, count
}

// over is the expression with its metrics read from columns of their own, in the
// order of names: whatever they are made of, any value may come.
func (x *expression) over(names []string) *expression {
	if x.name != "" {
		return &expression{op: opColumn, column: Field(slices.Index(names, x.name)), name: x.name}
	}
	made := *x
	made.args = nil
	for _, arg := range x.args {
		made.args = append(made.args, arg.over(names))
	}
	return &made
}

// numbers are the constants in the expression.
func (x *expression) numbers() []float64 {
	var list []float64
	if x.op == opNumber {
		list = append(list, x.number)
	}
	for _, arg := range x.args {
		list = append(list, arg.numbers()...)
	}
	return list
}

// probes are values at, between and beyond some numbers; no metric is negative.
func probes(numbers []float64) []float64 {
	list := append([]float64{0, 1}, numbers[:min(len(numbers), 12)]...)
	slices.Sort(list)
	list = slices.Compact(list)
	all := slices.Clone(list)
	for i := 1; i < len(list); i++ {
		all = append(all, (list[i-1]+list[i])/2)
	}
	all = append(all, list[len(list)-1]*2+1)
	return slices.DeleteFunc(all, func(v float64) bool { return v < 0 })
}
