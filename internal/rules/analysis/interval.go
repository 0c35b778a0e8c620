package analysis

import (
	"math"

	"usher/internal/rules/expression"
)

// interval is a range of numbers. An open end is not part of it. An infinite end is
// open.
type interval struct {
	low, high         float64
	lowOpen, highOpen bool
}

// anyNumber is every number.
func anyNumber() interval { return interval{low: math.Inf(-1), high: math.Inf(1)} }

// below returns the numbers from 0 to v, without v.
func below(v float64) interval { return interval{low: 0, high: v, highOpen: true} }

func exactly(v float64) interval { return interval{low: v, high: v} }

// satisfying returns the numbers for which a comparison with v holds. For Unequal, which
// has two such ranges, it returns every number.
func satisfying(comparison expression.Op, v float64) interval {
	in := anyNumber()
	switch comparison {
	case expression.Less, expression.LessOrEqual:
		in.high, in.highOpen = v, comparison == expression.Less
	case expression.Greater, expression.GreaterOrEqual:
		in.low, in.lowOpen = v, comparison == expression.Greater
	case expression.Equal:
		return exactly(v)
	}
	return in
}

// and returns the numbers that are in both.
func (a interval) and(b interval) interval {
	if b.low > a.low || b.low == a.low && b.lowOpen {
		a.low, a.lowOpen = b.low, b.lowOpen
	}
	if b.high < a.high || b.high == a.high && b.highOpen {
		a.high, a.highOpen = b.high, b.highOpen
	}
	return a
}

func (a interval) empty() bool {
	return a.low > a.high || a.low == a.high && (a.lowOpen || a.highOpen)
}

// closed returns the interval with its ends.
func (a interval) closed() interval { return interval{low: a.low, high: a.high} }

// plus returns the sums of a number in a and one in b.
func (a interval) plus(b interval) interval {
	return interval{a.low + b.low, a.high + b.high, a.lowOpen || b.lowOpen, a.highOpen || b.highOpen}
}

// scaled returns the products of v and a number in a.
func (a interval) scaled(v float64) interval {
	if v < 0 {
		a = interval{a.high, a.low, a.highOpen, a.lowOpen}
	}
	a.low, a.high = multiply(a.low, v), multiply(a.high, v)
	return a
}

// times returns a closed interval with the products of a number in a and one in b.
func (a interval) times(b interval) interval {
	p, q, r, s := multiply(a.low, b.low), multiply(a.low, b.high), multiply(a.high, b.low), multiply(a.high, b.high)
	return interval{low: min(p, q, r, s), high: max(p, q, r, s)}
}

// over returns a closed interval with the quotients of a number in a and one in b,
// which is not 0.
func (a interval) over(b interval) interval {
	switch {
	case b.low > 0 || b.high < 0:
		return a.times(interval{low: 1 / b.high, high: 1 / b.low})
	case a.low >= 0 && b.low >= 0:
		return interval{low: 0, high: math.Inf(1)}
	}
	return anyNumber()
}

// multiply returns a * b, or 0 if one of them is 0 and the other infinite.
func multiply(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a * b
}
