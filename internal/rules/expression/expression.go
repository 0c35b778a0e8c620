package expression

import (
	"slices"

	"usher/internal/rules/figures"
)

// Op is the operator of an expression.
type Op int

// The operators. Those from Less to Or have a truth as their value; Choose has what its
// arguments have.
const (
	Number     Op = iota // a constant
	Truth                // a constant, 0 or 1
	Column               // a column of a window
	HoursAhead           // the hours that projectedSpend looks ahead
	MonthHours           // the hours of the running day's month
	Target               // a number of the campaign in the table of targets
	Metric               // a derived metric: Args[0] is its formula
	Negate
	Add
	Subtract
	Multiply
	Divide
	UpperBound // of the Wilson interval of Args[0] events in Args[1] trials
	LowerBound
	Rank  // of Args[0] among the campaign's creatives, or the campaigns in scope
	Count // of these creatives or campaigns
	Less
	LessOrEqual
	Greater
	GreaterOrEqual
	Equal
	Unequal
	Not
	And
	Or
	Choose // Args[0] ? Args[1] : Args[2]
)

// Expression is a checked condition, or a part of one. Its value is a number; false
// and true are 0 and 1; NaN is UNKNOWN. Expressions are immutable once they are part of a
// rule.
type Expression struct {
	Op     Op
	Args   []*Expression
	Number float64
	Source Source // of a Column
	Name   string // of a metric or a target
	Text   string // a Number as it is written
	// Line and Start are its beginning in the condition, from 1 and from 0.
	Line, Start int

	// absolute and crosses are those of the money that a comparison compares.
	absolute, crosses bool
}

// Source says which figures a column has.
type Source struct {
	Whose    Whose
	Level    figures.Level
	Window   figures.Window
	Previous bool // of the window before it
	Field    figures.Field
	Place    int    // of the window among the columns of the rule file
	Other    bool   // of another window than the rule's, which must be complete
	Outcome  string // the name of an outcome
}

// FieldName returns the name of the column in conditions, without a prefix.
func (s Source) FieldName() string {
	if s.Field.IsOutcome() {
		return figures.OutcomePrefix + s.Outcome
	}
	return s.Field.String()
}

// ReadsTargets reports whether the expression reads a number of the table of targets.
func (x *Expression) ReadsTargets() bool {
	return x.Op == Target || slices.ContainsFunc(x.Args, (*Expression).ReadsTargets)
}

// ReadsOutcomes reports whether the expression reads an outcome.
func (x *Expression) ReadsOutcomes() bool {
	return slices.ContainsFunc(x.Columns(), func(column *Expression) bool { return column.Source.Field.IsOutcome() })
}

// Whose says whose figures a column has.
type Whose int

// The owners of figures.
const (
	Own        Whose = iota // the campaign or creative that is evaluated
	OfCampaign              // the creative's campaign
	OfAccount               // all campaigns, summed
	OfScope                 // the campaigns in the rule's scope, summed
)

// New returns the expression of an operator and its arguments.
func New(op Op, args ...*Expression) *Expression {
	x := &Expression{Op: op, Args: args}
	if op.IsComparison() {
		m := x.money()
		x.absolute, x.crosses = m.absolute, m.crosses
	}
	return x
}

// Constant returns the expression of a number.
func Constant(n float64) *Expression { return &Expression{Op: Number, Number: n} }

// IsComparison reports whether the operator compares two numbers.
func (o Op) IsComparison() bool { return o >= Less && o <= Unequal }

// IsComparison reports whether the expression compares two numbers.
func (x *Expression) IsComparison() bool { return x.Op.IsComparison() }

// IsTruth reports whether the value of the expression is true or false, not a
// number.
func (x *Expression) IsTruth() bool {
	return x.Op == Truth || x.Op >= Less && x.Op != Choose || x.Op == Choose && x.Args[1].IsTruth()
}

// Columns returns the columns that the expression reads.
func (x *Expression) Columns() []*Expression {
	if x.Op == Column {
		return []*Expression{x}
	}
	var list []*Expression
	for _, arg := range x.Args {
		list = append(list, arg.Columns()...)
	}
	return list
}

// Metrics returns the names of the metrics in the expression, each once, in their order.
func (x *Expression) Metrics() []string {
	if x.Name != "" {
		return []string{x.Name}
	}
	var list []string
	for _, arg := range x.Args {
		for _, name := range arg.Metrics() {
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// Over returns the expression over another window, which it adds to columns.
func (x *Expression) Over(w figures.Window, columns *figures.Columns) *Expression {
	over := *x
	if x.Op == Column {
		over.Source.Place, over.Source.Window = columns.Add(x.Source.Level, w, false, x.Source.Field), w
	}
	over.Args = nil
	for _, arg := range x.Args {
		over.Args = append(over.Args, arg.Over(w, columns))
	}
	return &over
}
