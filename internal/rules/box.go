package rules

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// box is a set of figures: those whose quantities lie in intervals, by the quantities'
// keys. Other quantities may have any value. As quantities are taken for independent of
// each other, a box may have figures that no report has. It lacks only figures of 0 by
// which a simplest form divides.
type box map[string]side

// side is the interval of a quantity.
type side struct {
	quantity comparison // its operator and number do not matter
	interval
}

// maxBoxes bounds the work on a condition.
const maxBoxes = 500

// figuresOf says which figures boxes are about.
type figuresOf struct {
	typical bool // only typical ones
	closed  bool // the ends of all intervals, too
}

// boxes returns the figures with which a condition holds, or does not hold, as a union
// of boxes that are not empty. It returns false if there are too many.
func (of figuresOf) boxes(x *expression, holds bool) ([]box, bool) {
	switch x.op {
	case opTruth:
		if (x.number == 1) == holds {
			return []box{{}}, true
		}
		return nil, true
	case opNot:
		return of.boxes(x.args[0], !holds)
	case opAnd, opOr:
		if (x.op == opAnd) == holds {
			return of.both(x.args[0], holds, x.args[1], holds)
		}
		return of.either(x.args[0], holds, x.args[1], holds)
	case opChoose:
		yes, ok := of.both(x.args[0], true, x.args[1], holds)
		no, also := of.both(x.args[0], false, x.args[2], holds)
		return append(yes, no...), ok && also
	}
	if !x.isComparison() {
		return nil, false
	}
	c := x.comparison()
	if !holds {
		c.op = c.op.negated()
	}
	return of.comparison(c), true
}

// comparison returns the figures with which a comparison holds.
func (of figuresOf) comparison(c comparison) []box {
	if c.op == opUnequal && !of.closed {
		below, above := c, c
		below.op, above.op = opLess, opGreater
		return append(of.comparison(below), of.comparison(above)...)
	}
	values, in := c.all(of.typical), satisfying(c.op, c.number)
	if of.closed {
		values, in = values.closed(), in.closed()
	}
	if in = in.and(values); in.empty() {
		return nil
	}
	return []box{{c.key: {c, in}}}
}

// either returns the figures with which one of two conditions holds or not.
func (of figuresOf) either(x *expression, xHolds bool, y *expression, yHolds bool) ([]box, bool) {
	a, ok := of.boxes(x, xHolds)
	b, also := of.boxes(y, yHolds)
	return append(a, b...), ok && also
}

// both returns the figures with which both of two conditions hold or not.
func (of figuresOf) both(x *expression, xHolds bool, y *expression, yHolds bool) ([]box, bool) {
	a, ok := of.boxes(x, xHolds)
	b, also := of.boxes(y, yHolds)
	if !ok || !also || len(a)*len(b) > maxBoxes {
		return nil, false
	}
	var list []box
	for _, first := range a {
		for _, second := range b {
			if common := first.and(second); common != nil {
				list = append(list, common)
			}
		}
	}
	return list, true
}

// and returns the figures that are in both boxes, or nil if there are none.
func (b box) and(other box) box {
	common := maps.Clone(b)
	for key, s := range other {
		if known, ok := common[key]; ok {
			s.interval = s.and(known.interval)
		}
		if s.empty() {
			return nil
		}
		common[key] = s
	}
	return common
}

// meets reports whether two boxes have figures in common.
func (b box) meets(other box) bool {
	for key, s := range other {
		if known, ok := b[key]; ok && s.and(known.interval).empty() {
			return false
		}
	}
	return true
}

// constant reports whether a condition always or never holds.
func (of figuresOf) constant(x *expression) (always, never bool) {
	not, ok := of.boxes(x, false)
	yes, also := of.boxes(x, true)
	return ok && len(not) == 0, also && len(yes) == 0
}

// example returns figures in the box with which all conditions hold, or nil if it finds
// none.
func (b box) example(conditions ...*expression) map[leaf]float64 {
	for _, share := range []float64{0, 0.5, 0.01, 0.99} {
		if values := b.pick(share); values != nil && !slices.ContainsFunc(conditions, func(x *expression) bool {
			e := evaluation{high: 1}
			return e.run(x.with(values), 0)[0] != 1
		}) {
			return values
		}
	}
	return nil
}

// pick returns figures in the box: the values of its products lie at a share of their
// intervals. It returns nil if a part of something would be greater than the whole.
func (b box) pick(share float64) map[leaf]float64 {
	values := map[leaf]float64{}
	sides := slices.SortedFunc(maps.Values(b), func(a, b side) int {
		if d := len(a.quantity.product) - len(b.quantity.product); d != 0 {
			return d
		}
		return strings.Compare(a.quantity.key, b.quantity.key)
	})
	for _, s := range sides {
		s.quantity.product.solve(s.at(share), values)
	}
	for part, v := range values {
		for whole, w := range values {
			if (product{{part, 1}, {whole, -1}}).isFraction() && v > w {
				return nil
			}
		}
	}
	return values
}

// at returns a number at a share of the interval.
func (a interval) at(share float64) float64 {
	switch {
	case math.IsInf(a.high, 1) && a.low > 0:
		return rounded(a.low * (1 + share/10))
	case math.IsInf(a.high, 1):
		return share
	}
	return rounded(max(a.low, 0) + share*(a.high-max(a.low, 0)))
}

// solve adds values of the product's leaves that have none, so that it has a value.
func (p product) solve(value float64, values map[leaf]float64) {
	free := p.free(values)
	for _, each := range p {
		if _, known := values[each.leaf]; !known && free != nil && each.leaf != free.leaf {
			values[each.leaf] = each.leaf.usual()
		}
	}
	if free == nil {
		return
	}
	for _, each := range p {
		if each.leaf != free.leaf {
			value /= math.Pow(values[each.leaf], float64(each.exponent))
		}
	}
	values[free.leaf] = rounded(math.Pow(value, 1/float64(free.exponent)))
}

// free returns the power whose leaf has no value, or nil. It prefers a dividend.
func (p product) free(values map[leaf]float64) *power {
	var free *power
	for i := range p {
		if _, known := values[p[i].leaf]; !known && (free == nil || free.exponent < 0) {
			free = &p[i]
		}
	}
	return free
}

// usual returns a value for a leaf of which nothing is known.
func (l leaf) usual() float64 {
	if l.field.counts() {
		return 10_000
	}
	return 100
}

// with returns the expression with values for its leaves. Other leaves are UNKNOWN.
func (x *expression) with(values map[leaf]float64) *expression {
	if of, ok := x.single(); ok {
		v, known := values[of]
		if !known {
			v = math.NaN()
		}
		return constant(v)
	}
	replaced := *x
	replaced.args = nil
	for _, arg := range x.args {
		replaced.args = append(replaced.args, arg.with(values))
	}
	return &replaced
}
