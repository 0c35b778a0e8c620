package condition

import (
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/operators"

	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// Condition is a checked condition of a rule.
type Condition struct {
	Source string // in one line
	Text   string // as in the file
	Root   *expression.Expression
}

// Scope says whose figures a condition reads.
type Scope struct {
	Level   figures.Level
	Window  figures.Window
	Columns *figures.Columns // to which it adds those that it reads
}

// Language compiles conditions. It is safe for concurrent use.
type Language struct{ env *cel.Env }

// MaxSize is the number of parts of the largest condition. It has no loops, so its size is its cost.
const MaxSize = 200

// NewLanguage returns a subset of CEL: numbers, booleans, their operators and names. All
// numbers are doubles. There are no texts, lists, macros or functions, so nothing
// loops; metricOver and rank replace over, rank and count by names.
func NewLanguage() (*Language, error) {
	number, truth := cel.DoubleType, cel.BoolType
	binary := func(name string, argument, result *cel.Type) cel.EnvOption {
		return cel.Function(name, cel.Overload(name+" of "+argument.String(), []*cel.Type{argument, argument}, result))
	}
	options := []cel.EnvOption{
		binary(operators.LogicalAnd, truth, truth), binary(operators.LogicalOr, truth, truth),
		cel.Function(operators.LogicalNot, cel.Overload("not", []*cel.Type{truth}, truth)),
		cel.Function(operators.Negate, cel.Overload("negate", []*cel.Type{number}, number)),
		cel.Function(operators.Conditional,
			cel.Overload("choose a number", []*cel.Type{truth, number, number}, number),
			cel.Overload("choose a truth", []*cel.Type{truth, truth, truth}, truth)),
	}
	for _, name := range []string{operators.Add, operators.Subtract, operators.Multiply, operators.Divide} {
		options = append(options, binary(name, number, number))
	}
	for _, name := range []string{
		operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals, operators.Equals, operators.NotEquals,
	} {
		options = append(options, binary(name, number, truth))
	}
	for _, name := range metricNames() {
		options = append(options, cel.Variable(name, number))
	}
	env, err := cel.NewCustomEnv(options...)
	if err != nil {
		return nil, fmt.Errorf("set up the language of conditions: %w", err)
	}
	return &Language{env}, nil
}

// Compile checks a condition and translates it to an expression. If it has faults, there
// is no condition.
func (l *Language) Compile(source string, scope Scope) (*Condition, []Fault) {
	if faults := findForeignSigns(source); len(faults) > 0 {
		return nil, faults
	}
	parsed, issues := l.env.Parse(source)
	if issues.Err() != nil {
		return nil, syntaxFaults(source, issues)
	}
	others, faults := rewrite(parsed.NativeRep(), scope.Level)
	if len(faults) > 0 {
		return nil, faults
	}
	env, err := l.env.Extend(others...)
	if err != nil {
		return nil, []Fault{{Line: 1, Message: err.Error(), Hint: "this is a bug in usher: report it"}}
	}
	checked, issues := env.Check(parsed)
	if issues.Err() != nil {
		return nil, typeFaults(issues)
	}
	if checked.OutputType() != cel.BoolType {
		return nil, []Fault{{Line: 1, Message: "it is a number, not a condition", Hint: "compare it with a number: " + source + " > 0"}}
	}
	t := translator{tree: checked.NativeRep(), lines: strings.Split(source, "\n"), binder: binder{Scope: scope}}
	c := &Condition{Source: strings.Join(strings.Fields(source), " "), Text: source, Root: t.translate(checked.NativeRep().Expr())}
	if len(c.Root.Metrics()) == 0 {
		return nil, []Fault{{Line: 1, Message: "it reads no metric, so its value never changes", Hint: "compare a metric: grossMediaSpend >= 0.95 * budget"}}
	}
	return c, nil
}

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
