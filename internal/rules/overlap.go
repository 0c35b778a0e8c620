package rules

import (
	"slices"
	"strings"
)

// lintOverlap finds values with which the rule would pause and resume at once, and
// conditions without a gap between them.
func (r *reader) lintOverlap(rule *Rule, at place) {
	isShared := func(name string) bool { return slices.Contains(rule.Resume.reads, name) }
	if !slices.ContainsFunc(rule.Pause.reads, isShared) {
		return
	}
	const hint = "leave a gap between them, such as pause_when: grossMediaSpend >= 0.95 * budget, resume_when: grossMediaSpend < 0.80 * budget"
	switch overlap, hasGap := findOverlap(rule.Pause, rule.Resume); {
	case overlap != "":
		r.errorf(at, hint, "pause_when and resume_when overlap: with %s both hold", overlap)
	case !hasGap:
		r.warnf(at, hint, "there is no gap between pause_when and resume_when: a value near the threshold pauses and resumes the creative repeatedly")
	}
}

// findOverlap tries two conditions with values around the numbers in them. It
// returns values with which both hold, or "", and whether there are values with
// which neither holds.
func findOverlap(pause, resume *Condition) (overlap string, hasGap bool) {
	var reads []string
	for _, name := range slices.Concat(pause.reads, resume.reads) {
		if !slices.Contains(reads, name) {
			reads = append(reads, name)
		}
	}
	if len(reads) > int(columns) {
		return "", true // too many for a set of columns
	}
	a, b := pause.root.withColumns(reads), resume.root.withColumns(reads)
	values := testValues(slices.Concat(a.numbers(), b.numbers()))
	sums, count := combinations(values, len(reads))
	e := evaluation{windows: []windowSums{sums}}
	for e.low = 0; e.low < count; e.low = e.high {
		e.high = min(e.low+blockSize, count)
		pauses := slices.Clone(e.run(a, 0))
		for i, resumes := range e.run(b, 0) {
			if pauses[i] == 1 && resumes == 1 {
				return sums.describe(reads, e.low+i), hasGap
			}
			hasGap = hasGap || pauses[i] == 0 && resumes == 0
		}
	}
	return "", hasGap
}

// describe returns the names and the values of the first columns at an index.
func (w windowSums) describe(names []string, at int) string {
	var list []string
	for column, name := range names {
		list = append(list, name+" "+numberText(w.columns[column][at]))
	}
	return strings.Join(list, ", ")
}

// combinations returns columns with all combinations of values, or with a fixed
// selection of 2^16 if there are more.
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
				pick = int((uint64(n)*uint64(width) + uint64(i) + 1) * 0x9E3779B97F4A7C15 >> 40) // scattered, but the same every time
			}
			sums.columns[i][n] = values[pick%len(values)]
		}
		stride = min(stride*len(values), most+1)
	}
	return sums, count
}

// withColumns returns the expression with a separate column for each metric, in the
// order of names, so that the metrics may have any values.
func (x *expression) withColumns(names []string) *expression {
	if x.name != "" {
		return &expression{op: opColumn, column: Field(slices.Index(names, x.name)), name: x.name}
	}
	replaced := *x
	replaced.args = nil
	for _, arg := range x.args {
		replaced.args = append(replaced.args, arg.withColumns(names))
	}
	return &replaced
}

// numbers returns the constants in the expression.
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

// testValues returns values at, between and beyond some numbers. No metric is
// negative.
func testValues(numbers []float64) []float64 {
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
