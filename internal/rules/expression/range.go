package expression

import (
	"math"

	"usher/internal/readable"
)

// Range is what is known of a number: it is at least Low and at most High. Both are NaN if it
// is UNKNOWN.
type Range struct{ Low, High float64 }

// IsUnknown reports whether nothing is known of the number.
func (r Range) IsUnknown() bool { return math.IsNaN(r.Low) }

// IsExact reports whether the number is known.
func (r Range) IsExact() bool { return r.Low == r.High }

// String returns the number, or its bounds in words.
func (r Range) String() string { return r.Apart() }

// Apart returns the number, or its bounds in words, with as many digits as tell it apart from others
// that it is compared with.
func (r Range) Apart(others ...Range) string {
	numbers := []float64{r.Low, r.High}
	for _, other := range others {
		numbers = append(numbers, other.Low, other.High)
	}
	format := readable.Apart(numbers...)
	switch {
	case r.IsExact() || r.IsUnknown():
		return format(r.Low)
	case math.IsInf(r.High, 1):
		return "at least " + format(r.Low)
	case math.IsInf(r.Low, -1):
		return "at most " + format(r.High)
	}
	return format(r.Low) + " to " + format(r.High)
}

// Exactly returns the range of a number that is known.
func Exactly(v float64) Range { return Range{v, v} }

// combine returns the results of an operator for all numbers of two ranges. A quotient is UNKNOWN unless
// its divisor is one number, which is not 0.
func combine(op Op, a, b Range) Range {
	var r Range
	switch op {
	case Add:
		r = Range{a.Low + b.Low, a.High + b.High}
	case Subtract:
		r = Range{a.Low - b.High, a.High - b.Low}
	case Multiply:
		p, q, s, t := times(a.Low, b.Low), times(a.Low, b.High), times(a.High, b.Low), times(a.High, b.High)
		r = Range{min(p, q, s, t), max(p, q, s, t)}
	case Divide:
		if !b.IsExact() || b.Low == 0 {
			return Range{math.NaN(), math.NaN()}
		}
		p, q := a.Low/b.Low, a.High/b.Low
		r = Range{min(p, q), max(p, q)}
	}
	isAny := math.IsInf(r.Low, -1) && math.IsInf(r.High, 1)
	if math.IsNaN(r.Low) || math.IsNaN(r.High) || math.IsInf(r.Low, 1) || math.IsInf(r.High, -1) || isAny {
		return Range{math.NaN(), math.NaN()}
	}
	return r
}

// times returns a * b, or 0 if one of them is 0 and the other infinite.
func times(a, b float64) float64 {
	if (a == 0 || b == 0) && !math.IsNaN(a) && !math.IsNaN(b) {
		return 0
	}
	return a * b
}

// compare returns 1 if a comparison holds for all numbers of two ranges, 0 if it holds for
// none, and otherwise NaN.
func (r Range) compare(op Op, other Range) float64 {
	switch op {
	case LessOrEqual:
		return r.truth(r.High <= other.Low, r.Low > other.High, other)
	case Greater:
		return r.truth(r.Low > other.High, r.High <= other.Low, other)
	case GreaterOrEqual:
		return r.truth(r.Low >= other.High, r.High < other.Low, other)
	case Equal, Unequal:
		isEqual := r.IsExact() && other.IsExact() && r.Low == other.Low
		isDisjoint := r.High < other.Low || r.Low > other.High
		if op == Equal {
			return r.truth(isEqual, isDisjoint, other)
		}
		return r.truth(isDisjoint, isEqual, other)
	}
	return r.truth(r.High < other.Low, r.Low >= other.High, other)
}

// truth returns 1 for always, 0 for never, and NaN if neither is true or a range is UNKNOWN.
func (r Range) truth(always, never bool, other Range) float64 {
	switch {
	case r.IsUnknown() || other.IsUnknown():
	case always:
		return 1
	case never:
		return 0
	}
	return math.NaN()
}
