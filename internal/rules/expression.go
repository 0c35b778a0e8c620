package rules

import "math"

// op is the operator of an expression.
type op int

const (
	opNumber op = iota // a constant
	opTruth            // a constant, 0 or 1
	opColumn           // a column of a window
	opAhead            // the hours that projectedSpend looks ahead
	opMonth            // the hours of the running day's month
	opNamed            // a derived metric: args[0] is its formula
	opNegate
	opAdd
	opSubtract
	opMultiply
	opDivide
	opUpper95 // of the Wilson interval of args[0] events in args[1] trials
	opLower95
	opRank  // of args[0] among the campaign's creatives
	opCount // of the campaign's creatives
	opLess
	opLessOrEqual
	opGreater
	opGreaterOrEqual
	opEqual
	opUnequal
	opNot
	opAnd
	opOr
	opChoose // args[0] ? args[1] : args[2]
)

// expression is a checked condition, or a part of one. Its value is a number; false
// and true are 0 and 1; NaN is UNKNOWN.
type expression struct {
	op     op
	args   []*expression
	number float64
	slot   int   // opColumn: among the slots of the rule's level
	column Field // opColumn
	leaf   leaf  // opColumn: the same, whatever the rule
	of     whose // opColumn: whose figures they are
	over   bool  // opColumn: of another window than the rule's, which must be complete
	name   string
	// absolute and crosses are those of the money that a comparison compares.
	absolute, crosses bool
	// line and column of its beginning in the condition, from 1 and from 0.
	line, start int
}

// blockSize is the number of entities that are evaluated at once: few enough that
// the results of an operator stay in the processor's cache.
const blockSize = 1024

// evaluation evaluates expressions over figures, block by block.
type evaluation struct {
	windows   []windowSums
	low, high int     // the entities of the current block
	ahead     float64 // see opAhead
	month     float64 // see opMonth
	registers [][]float64

	currencies bool // there are several, of whatever campaigns
	several    bool // the campaigns in the rule's scope have several
	relations  *relations
	before     int    // the slot of the window before the rule's; -1: no condition reads it
	hidden     []bool // the entities of the block whose window before is UNKNOWN; nil: none
}

func (e *evaluation) register(n int) []float64 {
	for len(e.registers) <= n {
		e.registers = append(e.registers, make([]float64, max(e.high-e.low, 1)))
	}
	return e.registers[n][:e.high-e.low]
}

// run evaluates x over the block, which must not be larger than the first one. The
// result is valid until the next run. It may be a column, so the caller must not
// write to it. n is the first free register.
func (e *evaluation) run(x *expression, n int) []float64 {
	out := e.register(n)
	switch x.op {
	case opNumber, opTruth:
		return fill(out, x.number)
	case opAhead:
		return fill(out, e.ahead)
	case opMonth:
		return fill(out, e.month)
	case opColumn:
		if x.of != own || x.over {
			return e.relative(x, out)
		}
		column := e.windows[x.slot].columns[x.column][e.low:e.high]
		if e.hidden != nil && x.slot == e.before {
			return hide(out, column, e.hidden)
		}
		return column
	case opNamed:
		return e.run(x.args[0], n)
	case opRank, opCount:
		return e.ranked(x, out)
	case opNegate, opNot:
		unary(x.op, out, e.run(x.args[0], n))
	case opChoose:
		choose(out, e.run(x.args[0], n), e.run(x.args[1], n+1), e.run(x.args[2], n+2))
	case opAnd, opOr:
		a, b := e.run(x.args[0], n), e.run(x.args[1], n+1)
		logic(x.op, out, a, b)
	case opAdd, opSubtract, opMultiply, opDivide:
		a, b := e.factor(x, 0, n), e.factor(x, 1, n+1)
		arithmetic(x.op, out, a, b)
	case opUpper95, opLower95:
		wilson(x.op, out, e.run(x.args[0], n), e.run(x.args[1], n+1))
	default:
		a, b := e.run(x.args[0], n), e.run(x.args[1], n+1)
		compare(x.op, out, a, b)
		if e.currencies {
			e.requireCurrencies(x, out)
		}
	}
	return out
}

// factor evaluates an argument of an arithmetic operation. A budget of 0 is UNKNOWN in
// a product or a quotient.
func (e *evaluation) factor(x *expression, arg, n int) []float64 {
	values := e.run(x.args[arg], n)
	if !x.isZeroUnknown(arg) {
		return values
	}
	out := e.register(n)
	for i, v := range values {
		if v == 0 {
			v = math.NaN()
		}
		out[i] = v
	}
	return out
}

// isZeroUnknown reports whether an argument of the expression is a budget in a product
// or a quotient.
func (x *expression) isZeroUnknown(arg int) bool {
	return (x.op == opMultiply || x.op == opDivide) && x.args[arg].op == opColumn && x.args[arg].column.isBudget()
}

// hide returns a column with UNKNOWN where hidden is set.
func hide(out, column []float64, hidden []bool) []float64 {
	for i, v := range column {
		if hidden[i] {
			v = math.NaN()
		}
		out[i] = v
	}
	return out
}

func fill(out []float64, number float64) []float64 {
	for i := range out {
		out[i] = number
	}
	return out
}

func unary(op op, out, a []float64) {
	for i, v := range a {
		if op == opNot {
			out[i] = 1 - v // NaN stays NaN
		} else {
			out[i] = -v
		}
	}
}

func choose(out, condition, yes, no []float64) {
	for i, holds := range condition {
		switch holds {
		case 1:
			out[i] = yes[i]
		case 0:
			out[i] = no[i]
		default:
			out[i] = math.NaN()
		}
	}
}

// arithmetic returns UNKNOWN for a result that is not finite: x/0, 0/0, and an
// overflow.
func arithmetic(op op, out, a, b []float64) {
	b = b[:len(a)]
	switch op {
	case opAdd:
		for i, v := range a {
			out[i] = v + b[i]
		}
	case opSubtract:
		for i, v := range a {
			out[i] = v - b[i]
		}
	case opMultiply:
		for i, v := range a {
			out[i] = v * b[i]
		}
	default:
		for i, v := range a {
			out[i] = v / b[i]
		}
	}
	for i, v := range out {
		if v-v != 0 { // infinite or NaN
			out[i] = math.NaN()
		}
	}
}

// wilson returns a bound of the two-sided 95 % confidence interval of a share, by events
// in trials: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical
// Inference, Journal of the American Statistical Association 22 (1927), 209-212. It is
// UNKNOWN without trials, and if there are more events than trials.
func wilson(op op, out, events, trials []float64) {
	const z = 1.959963984540054 // of 97.5 % of the normal distribution
	trials = trials[:len(events)]
	for i, k := range events {
		n := trials[i]
		if !(n > 0 && k >= 0 && k <= n) {
			out[i] = math.NaN()
			continue
		}
		margin := z * math.Sqrt(k*(1-k/n)+z*z/4)
		if op == opLower95 {
			margin = -margin
		}
		out[i] = min(max((k+z*z/2+margin)/(n+z*z), 0), 1)
	}
}

// compare returns UNKNOWN if either side is UNKNOWN.
func compare(op op, out, a, b []float64) {
	b = b[:len(a)]
	for i, v := range a {
		w := b[i]
		var yes bool
		switch op {
		case opLess:
			yes = v < w
		case opLessOrEqual:
			yes = v <= w
		case opGreater:
			yes = v > w
		case opGreaterOrEqual:
			yes = v >= w
		case opEqual:
			yes = v == w
		default:
			yes = v != w
		}
		switch {
		case math.IsNaN(v) || math.IsNaN(w):
			out[i] = math.NaN()
		case yes:
			out[i] = 1
		default:
			out[i] = 0
		}
	}
}

// logic is three-valued: one side decides alone if it can.
func logic(op op, out, a, b []float64) {
	b = b[:len(a)]
	decides := 0.0
	if op == opOr {
		decides = 1
	}
	for i, v := range a {
		switch w := b[i]; {
		case v == decides || w == decides:
			out[i] = decides
		case math.IsNaN(v) || math.IsNaN(w):
			out[i] = math.NaN()
		default:
			out[i] = 1 - decides
		}
	}
}

// isTruth reports whether the value of the expression is true or false, not a
// number.
func (x *expression) isTruth() bool {
	return x.op == opTruth || x.op >= opLess && x.op != opChoose || x.op == opChoose && x.args[1].isTruth()
}
