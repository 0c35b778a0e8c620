package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"usher/internal/rules/figures"
)

// power is a leaf to the power of an exponent, which is not 0.
type power struct {
	leaf     leaf
	exponent int
}

// product is a product of powers of different leaves, sorted by key. All leaves are at
// least 0.
type product []power

// key returns a text that is the same for equal products only.
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
	if single, ok := p.single(); ok {
		return single.isRate()
	}
	part, whole, ok := p.ratio()
	return ok && part.level == whole.level && part.window == whole.window && part.previous == whole.previous && part.account == whole.account && part.metric == "" && isPartOf(part.field, whole.field)
}

// isBudgetUsed reports whether the product is spend divided by a budget.
func (p product) isBudgetUsed() bool {
	spend, budget, ok := p.ratio()
	return ok && spend.isAmount() && (budget.field == figures.Budget || budget.field == figures.LifetimeBudget || budget.field == figures.BudgetDue)
}

// Typical values are below these. Others hint at percents that were written for a fraction.
const (
	typicalPacing         = 50   // early in the day little of the budget is due
	typicalBudgetUsed     = 10   // 1 is the whole budget
	typicalClickRate      = 0.04 // clicks by impressions, or by what leads to them
	typicalEngagementRate = 1
)

// values returns the values that a product may have: all that are possible, or those
// that are typical.
func (p product) values(typical bool) interval {
	part, whole, isRatio := p.ratio()
	positive := interval{low: 0, high: math.Inf(1)}
	switch single, isSingle := p.single(); {
	case isSingle && single.field == figures.MediaMargin:
		return interval{low: 0, high: 100}
	case isSingle && single.isRank():
		return interval{low: 1, high: math.Inf(1)}
	case typical && p.isBudgetUsed() && whole.field == figures.BudgetDue:
		return below(typicalPacing)
	case typical && p.isBudgetUsed():
		return below(typicalBudgetUsed)
	case !p.isFraction():
		if isRatio && p.times(p, -2).isFraction() {
			return interval{low: 1, high: math.Inf(1)}
		}
		return positive
	case isSingle || isPartOf(part.field, figures.Clicks) && !isPartOf(whole.field, figures.Clicks):
		if typical {
			return below(typicalClickRate)
		}
		return below(1) // with min_data, not every impression is clicked
	case isPartOf(part.field, figures.Engagements) && !isPartOf(whole.field, figures.Engagements):
		if typical {
			return below(typicalEngagementRate)
		}
		return positive
	}
	return interval{low: 0, high: 1}
}

// dayOfLifetime returns the window whose spend is compared with the lifetime budget, if
// that window is not the lifetime.
func (p product) dayOfLifetime() string {
	if spend, budget, ok := p.ratio(); ok && budget.field == figures.LifetimeBudget && spend.isAmount() && spend.window.Kind != figures.Lifetime {
		return spend.window.String()
	}
	return ""
}

// isChange reports whether the product is a quantity divided by the same of the window
// before.
func (p product) isChange() bool {
	return len(p) > 0 && !slices.ContainsFunc(p, func(each power) bool {
		opposite := each
		opposite.leaf.previous, opposite.exponent = !each.leaf.previous, -each.exponent
		return !slices.Contains(p, opposite)
	})
}

// isOfRanks reports whether the product has only ranks and their number, which are whole numbers.
func (p product) isOfRanks() bool {
	return len(p) > 0 && !slices.ContainsFunc(p, func(each power) bool { return !each.leaf.isRank() })
}

// dividesByDelivery reports whether the product divides by impressions or clicks of a level.
func (p product) dividesByDelivery(level figures.Level) bool {
	return slices.ContainsFunc(p, func(each power) bool {
		return each.exponent < 0 && !each.leaf.previous && !each.leaf.account && each.leaf.level == level && (each.leaf.field == figures.Impressions || each.leaf.field == figures.Clicks)
	})
}
