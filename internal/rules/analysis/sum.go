package analysis

import (
	"math"
	"slices"
	"strings"

	"usher/internal/rules/expression"
)

// part is a product with its coefficient in a sum.
type part struct {
	product     product
	coefficient float64
}

// sum is a sum of parts with different products, sorted by key, and a constant.
type sum struct {
	parts    []part
	constant float64
}

// plus returns a + b * factor.
func (s sum) plus(b sum, factor float64) sum {
	all := sum{slices.Clone(s.parts), s.constant + b.constant*factor}
	for _, each := range b.parts {
		at := slices.IndexFunc(all.parts, func(known part) bool { return slices.Equal(known.product, each.product) })
		if at < 0 {
			all.parts, at = append(all.parts, part{product: each.product}), len(all.parts)
		}
		all.parts[at].coefficient += each.coefficient * factor
	}
	all.parts = slices.DeleteFunc(all.parts, func(each part) bool { return each.coefficient == 0 })
	slices.SortFunc(all.parts, func(a, b part) int { return strings.Compare(a.product.key(), b.product.key()) })
	return all
}

// times returns the sum with each of its terms multiplied by a power of another term.
func (s sum) times(by part, exponent int) sum {
	factor := math.Pow(by.coefficient, float64(exponent))
	all := sum{}
	for _, each := range append(slices.Clone(s.parts), part{coefficient: s.constant}) {
		multiplied := part{each.product.times(by.product, exponent), each.coefficient * factor}
		if len(multiplied.product) == 0 {
			all.constant += multiplied.coefficient
		} else if multiplied.coefficient != 0 {
			all = all.plus(sum{parts: []part{multiplied}}, 1)
		}
	}
	return all
}

// one returns the only part of a sum that has one and no constant, or a constant as a
// part.
func (s sum) one() (part, bool) {
	switch {
	case len(s.parts) == 0:
		return part{coefficient: s.constant}, true
	case len(s.parts) == 1 && s.constant == 0:
		return s.parts[0], true
	}
	return part{}, false
}

// sumOf returns the expression as a sum of products, if it can be written as one.
func sumOf(x *expression.Expression) (sum, bool) {
	if isFromOutside(x) {
		return sum{}, false
	}
	if read, ok := single(x); ok {
		return sum{parts: []part{{product{{read, 1}}, 1}}}, true
	}
	switch x.Op {
	case expression.Number:
		return sum{constant: x.Number}, true
	case expression.Metric:
		return sumOf(x.Args[0])
	case expression.Negate, expression.Add, expression.Subtract, expression.Multiply, expression.Divide:
		return arithmeticOf(x)
	}
	return sum{}, false
}

// isFromOutside reports whether an expression is an outcome, which may be any number: revenue may
// be negative.
func isFromOutside(x *expression.Expression) bool {
	return x.Op == expression.Column && x.Source.Field.IsOutcome()
}

// arithmeticOf is sumOf for operators.
func arithmeticOf(x *expression.Expression) (sum, bool) {
	var args []sum
	for _, arg := range x.Args {
		s, ok := sumOf(arg)
		if !ok {
			return sum{}, false
		}
		args = append(args, s)
	}
	switch x.Op {
	case expression.Negate:
		return sum{}.plus(args[0], -1), true
	case expression.Add:
		return args[0].plus(args[1], 1), true
	case expression.Subtract:
		return args[0].plus(args[1], -1), true
	}
	exponent := 1
	if x.Op == expression.Divide {
		exponent = -1
	}
	if by, ok := args[1].one(); ok && (exponent > 0 || by.coefficient != 0) {
		return args[0].times(by, exponent), true
	}
	if by, ok := args[0].one(); ok && exponent > 0 {
		return args[1].times(by, exponent), true
	}
	return sum{}, false
}

// valuesOf returns the values that a number may have.
func valuesOf(x *expression.Expression, typical bool) interval {
	if s, ok := sumOf(x); ok {
		return s.values(typical)
	}
	if len(x.Args) == 0 {
		return anyNumber()
	}
	switch a, b := x.Args[0], x.Args[len(x.Args)-1]; x.Op {
	case expression.Metric:
		return valuesOf(a, typical)
	case expression.Negate:
		return valuesOf(a, typical).scaled(-1)
	case expression.Add:
		return valuesOf(a, typical).plus(valuesOf(b, typical))
	case expression.Subtract:
		return valuesOf(a, typical).plus(valuesOf(b, typical).scaled(-1))
	case expression.Multiply:
		return valuesOf(a, typical).times(valuesOf(b, typical))
	case expression.Divide:
		return valuesOf(a, typical).over(valuesOf(b, typical))
	}
	return anyNumber()
}

func (s sum) values(typical bool) interval {
	all := exactly(s.constant)
	for _, each := range s.parts {
		all = all.plus(each.product.values(typical).scaled(each.coefficient))
	}
	return all
}
