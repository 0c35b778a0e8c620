package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// lintOverlap finds figures with which the rule would pause and resume at once, and
// conditions without a gap between them.
func (r *reader) lintOverlap(rule *Rule, at place) {
	const hint = "leave a gap between them, such as pause_when: grossMediaSpend >= 0.95 * budget, resume_when: grossMediaSpend < 0.80 * budget"
	overlap, shared, hasGap := findOverlap(rule.Pause, rule.Resume)
	switch {
	case overlap != "" && shared:
		r.errorf(at, hint, "pause_when and resume_when overlap: with %s both hold", overlap)
	case overlap != "":
		r.warnf(at, hint, "pause_when and resume_when can hold at once: with %s the pause wins, and as soon as pause_when does not hold the creative is resumed", overlap)
	case !hasGap:
		r.warnf(at, hint, "there is no gap between pause_when and resume_when: a value near the threshold pauses and resumes the creative repeatedly")
	}
}

// findOverlap returns figures with which two conditions hold at once, or "" if it finds
// none; whether the conditions then read a metric or compare a quantity that is the
// same; and whether there is a gap between them.
func findOverlap(pause, resume *Condition) (overlap string, shared, hasGap bool) {
	paused, ok := figuresOf{}.boxes(pause.root, true)
	resumed, also := figuresOf{}.boxes(resume.root, true)
	if !ok || !also || len(paused)*len(resumed) > maxBoxes {
		return "", false, true
	}
	reads := slices.ContainsFunc(pause.reads, func(name string) bool { return slices.Contains(resume.reads, name) })
	for _, first := range paused {
		for _, second := range resumed {
			both := first.and(second)
			if both == nil || shared {
				continue
			}
			if example := both.example(pause.root, resume.root); example != nil {
				overlap = describe(example)
				shared = reads || len(both) < len(first)+len(second)
			}
		}
	}
	near, ok := figuresOf{closed: true}.both(pause.root, true, resume.root, true)
	return overlap, shared, !ok || len(near) == 0
}

// describe returns the names and the values of leaves: spend before its budget, clicks
// before impressions.
func describe(values map[leaf]float64) string {
	order := func(l leaf) int {
		if l.field == Budget || l.field == LifetimeBudget || l.previous {
			return -1
		}
		return int(l.field)
	}
	leaves := slices.SortedFunc(maps.Keys(values), func(a, b leaf) int {
		return cmp.Or(cmp.Compare(order(b), order(a)), strings.Compare(a.String(), b.String()))
	})
	var list []string
	for _, of := range leaves {
		list = append(list, of.String()+" "+short(values[of]))
	}
	return strings.Join(list, ", ")
}

// reach is a rule with the figures with which it does not pause, and those with which
// its resume_when holds. They are nil if that is always or never so.
type reach struct {
	rule               *Rule
	notPaused, resumed []box
}

// lintTogether finds rules that together pause every creative, and a rule that wants
// paused whatever another one resumes.
func (r *reader) lintTogether() {
	var list []reach
	for _, rule := range r.set.Rules {
		if r.places[rule] == nil || !rule.enabled() || rule.Pause == nil {
			continue // it is not valid, it changes nothing, or it has hours alone
		}
		this := reach{rule: rule}
		this.notPaused, _ = figuresOf{}.boxes(rule.Pause.root, false)
		if rule.Resume != nil {
			this.resumed, _ = figuresOf{}.boxes(rule.Resume.root, true)
		}
		for _, other := range list {
			if rule.Scope.Level == other.rule.Scope.Level && rule.Window == other.rule.Window && rule.Scope.meets(other.rule.Scope) {
				r.lintPair(other, this)
			}
		}
		list = append(list, this)
	}
	r.ruleName = ""
}

// lintPair does so for two rules, in the order of the file.
func (r *reader) lintPair(a, b reach) {
	if disjoint(a.notPaused, b.notPaused) {
		r.ruleName = b.rule.Name
		r.warnf(r.places[b.rule]["pause_when"], "leave figures with which neither pauses",
			"pause_when: the rules %s and %s together pause every creative that both read", a.rule.Name, b.rule.Name)
	}
	for _, pair := range [][2]reach{{a, b}, {b, a}} {
		if resumes, pauses := pair[0], pair[1]; disjoint(resumes.resumed, pauses.notPaused) {
			r.ruleName = resumes.rule.Name
			r.warnf(r.places[resumes.rule]["resume_when"], fmt.Sprintf("choose a resume_when that can hold while pause_when of %s does not", pauses.rule.Name),
				"resume_when: rule %s wants paused whatever this resumes, so nothing is resumed", pauses.rule.Name)
		}
	}
}

// disjoint reports whether two unions of boxes have no figures in common. It is false
// if one of them is empty.
func disjoint(a, b []box) bool {
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > maxBoxes {
		return false
	}
	return !slices.ContainsFunc(a, func(first box) bool { return slices.ContainsFunc(b, first.meets) })
}

// isConstant reports whether the condition always or never holds.
func (c *Condition) isConstant() bool {
	always, never := figuresOf{}.constant(c.root)
	return always || never
}
