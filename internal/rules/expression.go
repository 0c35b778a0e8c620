package rules

import "math"

// op is the operator of an expression.
type op int

const (
	opNumber op = iota // a constant
	opTruth            // a constant, 0 or 1
	opColumn           // a column of a window
	opAhead            // the hours that projectedSpend looks ahead
	opNamed            // a derived metric: args[0] is its formula
	opNegate
	opAdd
	opSubtract
	opMultiply
	opDivide
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
	name   string
}

// blockSize is the number of entities that are evaluated at once: few enough that
// the results of an operator stay in the processor's cache.
const blockSize = 1024

// evaluation evaluates expressions over figures, block by block.
type evaluation struct {
	windows   []windowSums
	low, high int     // the entities of the current block
	ahead     float64 // see opAhead
	registers [][]float64
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
	case opColumn:
		return e.windows[x.slot].columns[x.column][e.low:e.high]
	case opNamed:
		return e.run(x.args[0], n)
	case opNegate, opNot:
		unary(x.op, out, e.run(x.args[0], n))
	case opChoose:
		choose(out, e.run(x.args[0], n), e.run(x.args[1], n+1), e.run(x.args[2], n+2))
	case opAnd, opOr:
		a, b := e.run(x.args[0], n), e.run(x.args[1], n+1)
		logic(x.op, out, a, b)
	case opAdd, opSubtract, opMultiply, opDivide:
		a, b := e.run(x.args[0], n), e.run(x.args[1], n+1)
		arithmetic(x.op, out, a, b)
	default:
		a, b := e.run(x.args[0], n), e.run(x.args[1], n+1)
		compare(x.op, out, a, b)
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
