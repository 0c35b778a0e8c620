package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// leaf is a number that conditions read: a field summed over a window.
type leaf struct {
	level    Level
	window   Window
	previous bool
	account  bool  // the sum of all campaigns
	field    Field // or a metric that is no product of powers of fields
}

// The metrics that are no products of powers of fields.
const (
	projected = columns + iota
	monthEnd
	upper95
	lower95
	campaignCount // count()
	firstRank     // rank() of the first metric; those of the others follow
)

// leafFields has the fields of leaves of such metrics, by the metrics' names.
var leafFields = sync.OnceValue(func() map[string]Field {
	fields := map[string]Field{"projectedSpend": projected, "monthEndSpend": monthEnd, "ctr_upper95": upper95, "ctr_lower95": lower95, count: campaignCount}
	for n, v := range Variables() {
		fields[rankOf+v.Name+")"] = firstRank + Field(n)
	}
	return fields
})

// single returns the leaf of an expression that is one, as a column or as a metric that is
// no product of powers of fields.
func (x *expression) single() (leaf, bool) {
	if x.op == opColumn {
		return x.leaf, true
	}
	if x.op != opNamed {
		return leaf{}, false
	}
	prefix, name := splitMetric(x.name)
	if prefix == rankOf {
		name = x.name
	}
	field, known := leafFields()[name]
	if !known {
		return leaf{}, false
	}
	of := leaf{level: CreativeLevel} // of count(), which reads no column
	if columns := x.columns(); len(columns) > 0 {
		of = columns[0].leaf
	}
	of.field = field
	return of, true
}

// String returns the leaf as conditions write it.
func (l leaf) String() string {
	var name string
	if l.field < columns {
		name = l.field.String()
	} else {
		for metric, field := range leafFields() {
			if l.field == field {
				name = metric
			}
		}
	}
	switch {
	case l.account:
		return "account." + name
	case l.previous:
		return "previous." + name
	case l.window.kind == lifetime:
		return "lifetime." + name
	}
	return name
}

// isRate reports whether the leaf is a bound of ctr.
func (l leaf) isRate() bool { return l.field == upper95 || l.field == lower95 }

// isAmount reports whether the leaf is money that was spent.
func (l leaf) isAmount() bool {
	return l.field == GrossMediaSpend || l.field == NetMediaSpend || l.field == projected || l.field == monthEnd
}

// power is a leaf to the power of an exponent, which is not 0.
type power struct {
	leaf     leaf
	exponent int
}

// product is a product of powers of different leaves, sorted by key. All leaves are at
// least 0.
type product []power

// key returns a text that equal products have in common.
func (p product) key() string {
	var text strings.Builder
	for _, each := range p {
		fmt.Fprintf(&text, "%s %s %s^%d ", each.leaf.level, each.leaf.window, each.leaf, each.exponent)
	}
	return text.String()
}

// times returns the product of p and q to the power of an exponent.
func (p product) times(q product, exponent int) product {
	all := slices.Clone(p)
	for _, each := range q {
		at := slices.IndexFunc(all, func(known power) bool { return known.leaf == each.leaf })
		if at < 0 {
			all, at = append(all, power{leaf: each.leaf}), len(all)
		}
		all[at].exponent += exponent * each.exponent
	}
	all = slices.DeleteFunc(all, func(each power) bool { return each.exponent == 0 })
	slices.SortFunc(all, func(a, b power) int { return strings.Compare(product{a}.key(), product{b}.key()) })
	return all
}

// single returns the leaf of a product that is that leaf alone.
func (p product) single() (leaf, bool) {
	if len(p) == 1 && p[0].exponent == 1 {
		return p[0].leaf, true
	}
	return leaf{}, false
}

// ratio returns the leaves of a product that divides one by another.
func (p product) ratio() (dividend, divisor leaf, ok bool) {
	if len(p) != 2 || p[0].exponent*p[1].exponent != -1 {
		return leaf{}, leaf{}, false
	}
	if p[0].exponent < 0 {
		return p[1].leaf, p[0].leaf, true
	}
	return p[0].leaf, p[1].leaf, true
}

// isFraction reports whether the product is a part of a whole, or engagements an
// impression.
func (p product) isFraction() bool {
	if of, ok := p.single(); ok {
		return of.isRate()
	}
	part, whole, ok := p.ratio()
	return ok && part.level == whole.level && part.window == whole.window && part.previous == whole.previous && part.account == whole.account && part.field < columns && part.field.isPartOf(whole.field)
}

// isBudgetUsed reports whether the product is spend divided by a budget.
func (p product) isBudgetUsed() bool {
	spend, budget, ok := p.ratio()
	return ok && spend.isAmount() && (budget.field == Budget || budget.field == LifetimeBudget || budget.field == budgetDue)
}

// values returns the values that a product may have: all that are possible, or those
// that are typical. An upper bound of the typical ones is not part of them.
func (p product) values(typical bool) interval {
	part, whole, isRatio := p.ratio()
	positive := interval{low: 0, high: math.Inf(1)}
	switch single, isSingle := p.single(); {
	case isSingle && single.field == MediaMargin:
		return interval{low: 0, high: 100}
	case isSingle && single.field >= campaignCount:
		return interval{low: 1, high: math.Inf(1)}
	case typical && p.isBudgetUsed() && whole.field == budgetDue:
		return interval{low: 0, high: 50, highOpen: true} // early in the day little is due
	case typical && p.isBudgetUsed():
		return interval{low: 0, high: 10, highOpen: true}
	case !p.isFraction():
		if isRatio && p.times(p, -2).isFraction() {
			return interval{low: 1, high: math.Inf(1)}
		}
		return positive
	case isSingle || part.field.isPartOf(Clicks) && !whole.field.isPartOf(Clicks):
		if typical {
			return interval{low: 0, high: 0.1, highOpen: true}
		}
		return interval{low: 0, high: 1, highOpen: true} // min_data sees to it that not all are clicked
	case part.field.isPartOf(Engagements) && !whole.field.isPartOf(Engagements):
		if typical {
			return interval{low: 0, high: 1, highOpen: true}
		}
		return positive
	}
	return interval{low: 0, high: 1}
}

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

// times returns the sum, each part multiplied by another part to the power of an
// exponent.
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

// sum returns the expression as a sum of products, if it can be written as one.
func (x *expression) sum() (sum, bool) {
	if of, ok := x.single(); ok {
		return sum{parts: []part{{product{{of, 1}}, 1}}}, true
	}
	switch x.op {
	case opNumber:
		return sum{constant: x.number}, true
	case opNamed:
		return x.args[0].sum()
	case opNegate, opAdd, opSubtract, opMultiply, opDivide:
		return x.arithmetic()
	}
	return sum{}, false
}

// arithmetic is sum for operators.
func (x *expression) arithmetic() (sum, bool) {
	var args []sum
	for _, arg := range x.args {
		s, ok := arg.sum()
		if !ok {
			return sum{}, false
		}
		args = append(args, s)
	}
	switch x.op {
	case opNegate:
		return sum{}.plus(args[0], -1), true
	case opAdd:
		return args[0].plus(args[1], 1), true
	case opSubtract:
		return args[0].plus(args[1], -1), true
	}
	exponent := 1
	if x.op == opDivide {
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

// columns returns the columns that an expression reads.
func (x *expression) columns() []*expression {
	if x.op == opColumn {
		return []*expression{x}
	}
	var list []*expression
	for _, arg := range x.args {
		list = append(list, arg.columns()...)
	}
	return list
}

// values returns the values that a number may have.
func (x *expression) values(typical bool) interval {
	if s, ok := x.sum(); ok {
		return s.values(typical)
	}
	switch a, b := x.args[0], x.args[len(x.args)-1]; x.op {
	case opNamed:
		return a.values(typical)
	case opNegate:
		return a.values(typical).scaled(-1)
	case opAdd:
		return a.values(typical).plus(b.values(typical))
	case opSubtract:
		return a.values(typical).plus(b.values(typical).scaled(-1))
	case opMultiply:
		return a.values(typical).times(b.values(typical))
	case opDivide:
		return a.values(typical).over(b.values(typical))
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
