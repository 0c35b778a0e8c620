package rules

import (
	"fmt"
	"math"
	"strings"
)

// comparison is a comparison in its simplest form: a quantity on the left, a number on
// the right. ctr < 0.001, 1000 * clicks < impressions and impressions / clicks > 1000
// have the same one.
type comparison struct {
	key     string  // equal quantities have it in common
	product product // the quantity, if it is a product
	all     func(typical bool) interval
	op      op
	number  float64
}

// comparison returns the simplest form of x, which is a comparison.
func (x *expression) comparison() comparison {
	left, ok := x.args[0].sum()
	right, also := x.args[1].sum()
	if !ok || !also {
		difference := operate(opSubtract, x.args...)
		return comparison{key: difference.String(), all: difference.values, op: x.op}
	}
	s := left.plus(right, -1)
	if len(s.parts) == 0 {
		return comparison{all: s.values, op: x.op}
	}
	first := s.parts[0]
	c := comparison{op: x.op, number: -s.constant / first.coefficient}
	if first.coefficient < 0 {
		c.op = c.op.swapped()
	}
	if len(s.parts) == 1 {
		return c.of(first.product)
	}
	second := s.parts[1]
	if len(s.parts) == 2 && s.constant == 0 && first.coefficient*second.coefficient < 0 {
		c.number = -second.coefficient / first.coefficient
		return c.of(first.product.times(second.product, -1))
	}
	s.constant = 0
	s = s.times(part{coefficient: 1 / first.coefficient}, 1)
	var key strings.Builder
	for _, each := range s.parts {
		fmt.Fprintf(&key, "%g %s+ ", rounded(each.coefficient), each.product.key())
	}
	c.key, c.all = key.String(), s.values
	return c
}

// of returns the comparison with a product as its quantity, or with its inverse if that
// is the usual one.
func (c comparison) of(p product) comparison {
	inverse := p.times(p, -2)
	bounded := func(p product) bool { return !math.IsInf(p.values(true).high, 1) }
	if c.number > 0 && !bounded(p) && (bounded(inverse) || inverse.key() < p.key() && !isUsual(p)) {
		p, c.op, c.number = inverse, c.op.swapped(), 1/c.number
	}
	c.number = rounded(c.number)
	c.key, c.product, c.all = p.key(), p, p.values
	return c
}

// isUsual reports whether a product has a name in conditions, such as ecpm.
func isUsual(p product) bool {
	dividend, divisor, ok := p.ratio()
	_, single := p.single()
	return single || ok && dividend.isAmount() && divisor.field.counts()
}

// swapped returns the comparison with its sides swapped.
func (o op) swapped() op {
	switch o {
	case opLess:
		return opGreater
	case opLessOrEqual:
		return opGreaterOrEqual
	case opGreater:
		return opLess
	case opGreaterOrEqual:
		return opLessOrEqual
	}
	return o
}

// negated returns the comparison that holds if o does not.
func (o op) negated() op {
	switch o {
	case opLess:
		return opGreaterOrEqual
	case opLessOrEqual:
		return opGreater
	case opGreater:
		return opLessOrEqual
	case opGreaterOrEqual:
		return opLess
	case opEqual:
		return opUnequal
	}
	return opEqual
}

// isComparison reports whether the expression compares two numbers.
func (x *expression) isComparison() bool {
	level, _ := x.op.binding()
	return level == comparing
}

// comparisons returns the comparisons in an expression.
func (x *expression) comparisons() []*expression {
	if x.isComparison() {
		return []*expression{x}
	}
	var list []*expression
	for _, arg := range x.args {
		list = append(list, arg.comparisons()...)
	}
	return list
}
