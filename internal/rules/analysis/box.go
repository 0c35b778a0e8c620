package analysis

import (
	"maps"
	"math"
	"slices"
	"strings"

	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// box is a set of figures: those whose quantities lie in intervals, by the quantities'
// keys. Other quantities may have any value. Quantities count as independent of each other,
// so a box may contain figures that no report has. It does not contain figures of 0 by
// which a simplest form divides.
type box map[string]side

// side is the interval of a quantity.
type side struct {
	quantity comparison // its operator and number do not matter
	interval
}

// maxBoxes bounds the work on a condition.
const maxBoxes = 500

// figuresOf selects the figures that boxes contain.
type figuresOf struct {
	typical bool // only typical ones
	closed  bool // the ends of all intervals, too
}

// boxes returns the figures with which a condition holds, or does not hold, as a union
// of boxes that are not empty. It returns false if there are too many.
func (f figuresOf) boxes(x *expression.Expression, holds bool) ([]box, bool) {
	switch x.Op {
	case expression.Truth:
		if (x.Number == 1) == holds {
			return []box{{}}, true
		}
		return nil, true
	case expression.Not:
		return f.boxes(x.Args[0], !holds)
	case expression.And, expression.Or:
		if (x.Op == expression.And) == holds {
			return f.both(x.Args[0], holds, x.Args[1], holds)
		}
		return f.either(x.Args[0], holds, x.Args[1], holds)
	case expression.Choose:
		yes, ok := f.both(x.Args[0], true, x.Args[1], holds)
		no, also := f.both(x.Args[0], false, x.Args[2], holds)
		return append(yes, no...), ok && also
	}
	if !x.IsComparison() {
		return nil, false
	}
	c := simplest(x)
	if !holds {
		c.op = negated(c.op)
	}
	return f.comparison(c), true
}

// comparison returns the figures with which a comparison holds.
func (f figuresOf) comparison(c comparison) []box {
	if c.op == expression.Unequal && !f.closed {
		below, above := c, c
		below.op, above.op = expression.Less, expression.Greater
		return append(f.comparison(below), f.comparison(above)...)
	}
	values, in := c.values(f.typical), satisfying(c.op, c.number)
	if f.closed {
		values, in = values.closed(), in.closed()
	}
	if in = in.and(values); in.empty() {
		return nil
	}
	return []box{{c.key: {c, in}}}
}

// either returns the figures with which one of two conditions holds or not.
func (f figuresOf) either(x *expression.Expression, xHolds bool, y *expression.Expression, yHolds bool) ([]box, bool) {
	a, ok := f.boxes(x, xHolds)
	b, also := f.boxes(y, yHolds)
	return append(a, b...), ok && also
}

// both returns the figures with which both of two conditions hold or not.
func (f figuresOf) both(x *expression.Expression, xHolds bool, y *expression.Expression, yHolds bool) ([]box, bool) {
	a, ok := f.boxes(x, xHolds)
	b, also := f.boxes(y, yHolds)
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

// overlaps reports whether two boxes have figures in common.
func (b box) overlaps(other box) bool {
	for key, s := range other {
		if known, ok := b[key]; ok && s.and(known.interval).empty() {
			return false
		}
	}
	return true
}

// constant reports whether a condition always or never holds.
func (f figuresOf) constant(x *expression.Expression) (always, never bool) {
	not, ok := f.boxes(x, false)
	yes, also := f.boxes(x, true)
	return ok && len(not) == 0, also && len(yes) == 0
}

// example returns figures in the box with which all conditions hold, or nil if it finds
// none.
func (b box) example(conditions ...*expression.Expression) map[leaf]float64 {
	for _, share := range []float64{0, 0.5, 0.01, 0.99} {
		if values := b.pick(share); values != nil && areFinite(values) && !slices.ContainsFunc(conditions, func(x *expression.Expression) bool {
			return expression.Value(with(x, values)) != 1
		}) {
			return values
		}
	}
	return nil
}

// areFinite reports whether all values are finite: there is no other figure.
func areFinite(values map[leaf]float64) bool {
	for _, v := range values {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return false
		}
	}
	return true
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
		return figures.Round(a.low * (1 + share/10))
	case math.IsInf(a.high, 1):
		return share
	}
	return figures.Round(max(a.low, 0) + share*(a.high-max(a.low, 0)))
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
	values[free.leaf] = figures.Round(math.Pow(value, 1/float64(free.exponent)))
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

// usual returns a value for a leaf that has none.
func (l leaf) usual() float64 {
	if l.field.Counts() {
		return 10_000
	}
	return 100
}

// with returns the expression with values for its leaves. Other leaves are UNKNOWN.
func with(x *expression.Expression, values map[leaf]float64) *expression.Expression {
	if read, ok := single(x); ok {
		v, known := values[read]
		if !known {
			v = math.NaN()
		}
		return expression.Constant(v)
	}
	replaced := *x
	replaced.Args = nil
	for _, arg := range x.Args {
		replaced.Args = append(replaced.Args, with(arg, values))
	}
	return &replaced
}
