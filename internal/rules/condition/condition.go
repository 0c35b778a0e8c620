package condition

import (
	"fmt"
	"slices"
	"strings"

	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// Condition is a checked condition of a rule.
type Condition struct {
	Source string // in one line
	Text   string // as in the file
	Root   *expression.Expression

	mixed []Fault
}

// Scope says whose figures a condition reads.
type Scope struct {
	Level   figures.Level
	Window  figures.Window
	Columns *figures.Columns // to which it adds those that it reads
	// Targets are the columns of the table of targets; nil: the file has none, or it cannot be read.
	Targets []string
	// AnyTarget says that the columns are not known: then every name is taken as one.
	AnyTarget bool
}

// MaxSize is the number of parts of the largest condition. It has no loops, so its size is its cost.
const MaxSize = 200

// Compile reads a condition and checks it. If it has faults, there is no condition.
//
// A condition has numbers, metrics, their operators and parentheses. It has no texts, lists or
// functions, so nothing loops.
func Compile(source string, scope Scope) (*Condition, []Fault) {
	tokens := tokenize(source)
	if faults := findForeign(source, tokens); len(faults) > 0 {
		return nil, faults
	}
	p := &parser{source: source, tokens: tokens, binder: binder{Scope: scope}}
	root := p.parse()
	switch {
	case p.syntax != nil:
		return nil, []Fault{*p.syntax}
	case p.size > MaxSize:
		return nil, []Fault{{1, 0, fmt.Sprintf("it has %d parts; %d are allowed", p.size, MaxSize), "split it into two rules"}}
	case len(p.names) > 0:
		return nil, p.names
	case len(p.types) > 0:
		return nil, p.types
	case !root.IsTruth():
		return nil, []Fault{{Line: 1, Message: "it is a number, not a condition", Hint: "compare it with a number: " + source + " > 0"}}
	case len(root.Metrics()) == 0:
		return nil, []Fault{{Line: 1, Message: "it reads no metric, so its value never changes", Hint: "compare a metric: grossMediaSpend >= 0.95 * budget"}}
	}
	return &Condition{Source: strings.Join(strings.Fields(source), " "), Text: source, Root: root.Expression, mixed: p.mixed}, nil
}

// Mixed returns a fault for each && and || that are mixed without parentheses.
func (c *Condition) Mixed() []Fault { return c.mixed }

// Reads reports whether the condition reads a metric, of whatever window.
func (c *Condition) Reads(metric string) bool {
	return slices.ContainsFunc(c.Root.Metrics(), func(name string) bool {
		_, bare := expression.SplitName(name)
		return bare == metric
	})
}

// ReadsPrevious reports whether the condition reads the window before the rule's.
func (c *Condition) ReadsPrevious() bool {
	return slices.ContainsFunc(c.Root.Metrics(), func(name string) bool { return strings.HasPrefix(name, "previous.") })
}

// ReadsToday reports whether the condition reads over("today"), whatever its window is.
func (c *Condition) ReadsToday() bool {
	prefix := over + `("` + figures.Window{Kind: figures.Today}.String() + `").`
	return slices.ContainsFunc(c.Root.Metrics(), func(name string) bool { return strings.HasPrefix(name, prefix) })
}

// Ratio returns a metric of the condition that divides by a count, so that it means little
// while that is small, or "".
func (c *Condition) Ratio() string {
	for _, name := range c.Root.Metrics() {
		if _, bare := expression.SplitName(name); variableNamed(bare).ratio {
			return name
		}
	}
	return ""
}

// Falling returns a metric of the condition that may fall in the course of a day, or "".
func (c *Condition) Falling() string {
	for _, name := range c.Root.Metrics() {
		prefix, bare := expression.SplitName(name)
		if variableNamed(bare).falls && prefix != "previous." && !strings.HasPrefix(prefix, over) {
			return name
		}
	}
	return ""
}

// NotDaily returns a metric of the condition that single days do not have, or "".
func (c *Condition) NotDaily() string {
	for _, name := range c.Root.Metrics() {
		prefix, bare := expression.SplitName(name)
		if prefix == "previous." || strings.HasPrefix(prefix, over) || bare == "lifetimeUsed" || bare == "projectedSpend" || bare == "monthEndSpend" {
			return name
		}
	}
	return ""
}

// Over returns the condition over another window, which it adds to columns.
func (c *Condition) Over(w figures.Window, columns *figures.Columns) *Condition {
	other := *c
	other.Root = c.Root.Over(w, columns)
	return &other
}
