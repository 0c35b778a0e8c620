package analysis

import (
	"fmt"
	"math"
	"strings"

	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// comparison is a comparison in its simplest form: a quantity on the left, a number on
// the right. ctr < 0.001, 1000 * clicks < impressions and impressions / clicks > 1000
// have the same one.
type comparison struct {
	key     string  // the same for equal quantities only
	product product // the quantity, if it is a product
	values  func(typical bool) interval
	op      expression.Op
	number  float64
}

// simplest returns the simplest form of x, which is a comparison.
func simplest(x *expression.Expression) comparison {
	left, ok := sumOf(x.Args[0])
	right, also := sumOf(x.Args[1])
	if !ok || !also {
		difference := expression.New(expression.Subtract, x.Args...)
		return comparison{key: difference.String(), values: func(typical bool) interval { return valuesOf(difference, typical) }, op: x.Op}
	}
	s := left.plus(right, -1)
	if len(s.parts) == 0 {
		return comparison{values: s.values, op: x.Op}
	}
	first := s.parts[0]
	c := comparison{op: x.Op, number: -s.constant / first.coefficient}
	if first.coefficient < 0 {
		c.op = swapped(c.op)
	}
	if len(s.parts) == 1 {
		return c.withQuantity(first.product)
	}
	second := s.parts[1]
	if len(s.parts) == 2 && s.constant == 0 && first.coefficient*second.coefficient < 0 {
		c.number = -second.coefficient / first.coefficient
		return c.withQuantity(first.product.times(second.product, -1))
	}
	s.constant = 0
	s = s.times(part{coefficient: 1 / first.coefficient}, 1)
	var key strings.Builder
	for _, each := range s.parts {
		fmt.Fprintf(&key, "%g %s+ ", figures.Round(each.coefficient), each.product.key())
	}
	c.key, c.values = key.String(), s.values
	return c
}

// withQuantity returns the comparison with a product as its quantity, or with its inverse
// if that is the usual one.
func (c comparison) withQuantity(p product) comparison {
	inverse := p.times(p, -2)
	bounded := func(p product) bool { return !math.IsInf(p.values(true).high, 1) }
	if c.number > 0 && !bounded(p) && (bounded(inverse) || inverse.key() < p.key() && !isUsual(p)) {
		p, c.op, c.number = inverse, swapped(c.op), 1/c.number
	}
	c.number = figures.Round(c.number)
	c.key, c.product, c.values = p.key(), p, p.values
	return c
}

// isUsual reports whether a product has a name in conditions, such as ecpm.
func isUsual(p product) bool {
	dividend, divisor, ok := p.ratio()
	_, single := p.single()
	return single || ok && dividend.isAmount() && divisor.field.Counts()
}

// swapped returns the comparison with its sides swapped.
func swapped(o expression.Op) expression.Op {
	switch o {
	case expression.Less:
		return expression.Greater
	case expression.LessOrEqual:
		return expression.GreaterOrEqual
	case expression.Greater:
		return expression.Less
	case expression.GreaterOrEqual:
		return expression.LessOrEqual
	}
	return o
}

// negated returns the comparison that holds if o does not.
func negated(o expression.Op) expression.Op {
	switch o {
	case expression.Less:
		return expression.GreaterOrEqual
	case expression.LessOrEqual:
		return expression.Greater
	case expression.Greater:
		return expression.LessOrEqual
	case expression.GreaterOrEqual:
		return expression.Less
	case expression.Equal:
		return expression.Unequal
	}
	return expression.Equal
}

// comparisonsIn returns the comparisons in an expression.
func comparisonsIn(x *expression.Expression) []*expression.Expression {
	if x.IsComparison() {
		return []*expression.Expression{x}
	}
	var list []*expression.Expression
	for _, arg := range x.Args {
		list = append(list, comparisonsIn(arg)...)
	}
	return list
}
