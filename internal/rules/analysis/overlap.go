package analysis

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"usher/internal/readable"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// Overlap says whether two conditions can hold at once.
type Overlap struct {
	Example string // figures with which both hold; "": none was found
	Shared  bool   // the conditions of the example have a metric or a quantity in common
	HasGap  bool   // there is a gap between the conditions
}

// FindOverlap returns the overlap of two conditions.
//
// Of conditions on numbers from outside and on targets, it says nothing: they may be any numbers.
func FindOverlap(a, b *expression.Expression) Overlap {
	if a.ReadsOutcomes() || b.ReadsOutcomes() || a.ReadsTargets() || b.ReadsTargets() {
		return Overlap{HasGap: true}
	}
	first, ok := figuresOf{}.boxes(a, true)
	second, also := figuresOf{}.boxes(b, true)
	if !ok || !also || len(first)*len(second) > maxBoxes {
		return Overlap{HasGap: true}
	}
	var found Overlap
	metrics := b.Metrics()
	shareMetric := slices.ContainsFunc(a.Metrics(), func(name string) bool { return slices.Contains(metrics, name) })
	for _, x := range first {
		for _, y := range second {
			both := x.and(y)
			if both == nil || found.Shared {
				continue
			}
			if example := both.example(a, b); example != nil {
				found.Example = describe(example)
				found.Shared = shareMetric || len(both) < len(x)+len(y)
			}
		}
	}
	near, ok := figuresOf{closed: true}.both(a, true, b, true)
	found.HasGap = !ok || len(near) == 0
	return found
}

// describe returns the names and the values of leaves, such as "grossMediaSpend 12, budget 10". Spend is
// named before the budget that it is compared with, and clicks before impressions.
func describe(values map[leaf]float64) string {
	order := func(l leaf) int {
		if l.field == figures.Budget || l.field == figures.LifetimeBudget || l.previous {
			return -1
		}
		return int(l.field)
	}
	leaves := slices.SortedFunc(maps.Keys(values), func(a, b leaf) int {
		return cmp.Or(cmp.Compare(order(b), order(a)), strings.Compare(a.String(), b.String()), strings.Compare(string(a.level), string(b.level)))
	})
	var list []string
	isOfCreatives := slices.ContainsFunc(leaves, func(l leaf) bool { return l.level == figures.CreativeLevel })
	for _, each := range leaves {
		name := each.String()
		if isOfCreatives && each.level == figures.CampaignLevel && !each.account {
			name = "campaign." + name
		}
		list = append(list, name+" "+readable.Short(values[each]))
	}
	return strings.Join(list, ", ")
}

// Region is a set of figures. Nothing is known about the zero Region.
type Region struct{ boxes []box }

// Where returns the figures with which a condition holds, or does not hold.
func Where(x *expression.Expression, holds bool) Region {
	boxes, ok := figuresOf{}.boxes(x, holds)
	if !ok {
		return Region{} // the boxes are incomplete
	}
	return Region{boxes}
}

// IsDisjoint reports whether two regions have no figures in common. It is false if one of
// them is empty, or if nothing is known about it.
func (r Region) IsDisjoint(other Region) bool {
	if len(r.boxes) == 0 || len(other.boxes) == 0 || len(r.boxes)*len(other.boxes) > maxBoxes {
		return false
	}
	return !slices.ContainsFunc(r.boxes, func(first box) bool { return slices.ContainsFunc(other.boxes, first.overlaps) })
}

// IsConstant reports whether a condition always or never holds.
func IsConstant(x *expression.Expression) bool {
	always, never := figuresOf{}.constant(x)
	return always || never
}
