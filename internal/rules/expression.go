package rules

import (
	"math"
	"strconv"
)

// op is what an expression does.
type op int

const (
	opNumber op = iota // its number
	opTruth            // its number, 0 or 1
	opColumn           // a column of a window
	opAhead            // hours that the rule looks ahead
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

// expression is a checked condition, or a part of one. What it comes to is a
// number; a truth is 0 or 1; NaN is UNKNOWN, of either.
type expression struct {
	op     op
	args   []*expression
	number float64
	slot   int   // opColumn: among the set's slots of the rule's level
	column Field // opColumn
	name   string
}

// blockSize is how many entities are evaluated at once: few enough that what
// lies between two operators stays in the processor's cache.
const blockSize = 1024

// evaluation evaluates expressions over figures, block by block.
type evaluation struct {
	windows   []windowSums
	low, high int     // the entities of this block
	ahead     float64 // see opAhead
	registers [][]float64
}

func (e *evaluation) register(n int) []float64 {
	for len(e.registers) <= n {
		e.registers = append(e.registers, make([]float64, max(e.high-e.low, 1)))
	}
	return e.registers[n][:e.high-e.low]
}

// run evaluates x over the block, which is never larger than the first one was. The result is good until the next run; it may
// be a column itself, so nobody writes to it. n is the first free register.
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
		one(x.op, out, e.run(x.args[0], n))
	case opChoose:
		a, b, c := e.run(x.args[0], n), e.run(x.args[1], n+1), e.run(x.args[2], n+2)
		for i, yes := range a {
			switch yes {
			case 1:
				out[i] = b[i]
			case 0:
				out[i] = c[i]
			default:
				out[i] = math.NaN()
			}
		}
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

func one(op op, out, a []float64) {
	for i, v := range a {
		if op == opNot {
			out[i] = 1 - v // NaN stays NaN
		} else {
			out[i] = -v
		}
	}
}

// arithmetic makes of whatever is no finite number UNKNOWN: of x/0, 0/0, and of
// what overflows.
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
		if v-v != 0 { // infinite, or NaN already
			out[i] = math.NaN()
		}
	}
}

// compare is UNKNOWN where either side is.
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

// logic is that of three values: one side decides alone where it can.
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

// truth reports whether the expression comes to true or false, not to a number.
func (x *expression) truth() bool {
	return x.op == opTruth || x.op >= opLess && x.op != opChoose || x.op == opChoose && x.args[1].truth()
}

// level is how tightly an operator binds, and how it is written.
func (o op) binding() (level int, sign string) {
	switch o {
	case opChoose:
		return 1, "?"
	case opOr:
		return 2, "||"
	case opAnd:
		return 3, "&&"
	case opLess:
		return 4, "<"
	case opLessOrEqual:
		return 4, "<="
	case opGreater:
		return 4, ">"
	case opGreaterOrEqual:
		return 4, ">="
	case opEqual:
		return 4, "=="
	case opUnequal:
		return 4, "!="
	case opAdd:
		return 5, "+"
	case opSubtract:
		return 5, "-"
	case opMultiply:
		return 6, "*"
	case opDivide:
		return 6, "/"
	case opNot:
		return 7, "!"
	case opNegate:
		return 7, "-"
	}
	return 8, ""
}

// String writes the expression as one would, with no more parentheses than it
// takes.
func (x *expression) String() string {
	level, sign := x.op.binding()
	// wrapped is an argument that binds at least so tightly.
	wrapped := func(n, least int) string {
		if inner, _ := x.args[n].op.binding(); inner < least {
			return "(" + x.args[n].String() + ")"
		}
		return x.args[n].String()
	}
	switch {
	case x.op == opTruth:
		return strconv.FormatBool(x.number == 1)
	case x.op == opNumber:
		return numberText(x.number)
	case x.name != "":
		return x.name
	case x.op == opChoose:
		return wrapped(0, level+1) + " ? " + wrapped(1, level+1) + " : " + wrapped(2, level)
	case len(x.args) == 1:
		return sign + wrapped(0, level)
	}
	return wrapped(0, level) + " " + sign + " " + wrapped(1, level+1)
}

// numberText is a number without needless digits.
func numberText(n float64) string {
	if magnitude := math.Abs(n); magnitude >= 1e15 || magnitude < 1e-6 && n != 0 {
		return strconv.FormatFloat(n, 'g', 6, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
