package analysis

import (
	"slices"
	"strings"

	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// leaf is a number that conditions read: a field summed over a window, or a metric that is
// no product of powers of fields.
type leaf struct {
	level    figures.Level
	window   figures.Window
	previous bool
	account  bool // the sum of all campaigns
	field    figures.Field
	metric   string // if not empty: instead of the field
}

// noField is the field of leaves that are metrics.
const noField = figures.BudgetDue + 1

// The metrics that are no products of powers of fields, apart from ranks.
const (
	projected     = "projectedSpend"
	monthEnd      = "monthEndSpend"
	upper95       = "ctr_upper95"
	lower95       = "ctr_lower95"
	campaignCount = "count()"
)

// leafOf returns the leaf of a column.
func leafOf(source expression.Source) leaf {
	return leaf{level: source.Level, window: source.Window, previous: source.Previous, account: source.Whose == expression.OfAccount, field: source.Field}
}

// single returns the leaf of an expression that is one, as a column or as a metric that is
// no product of powers of fields.
func single(x *expression.Expression) (leaf, bool) {
	if x.Op == expression.Column {
		return leafOf(x.Source), true
	}
	if x.Op != expression.Metric {
		return leaf{}, false
	}
	_, metric := expression.SplitName(x.Name)
	if x.Args[0].Op == expression.Rank {
		metric = x.Name
	} else if !slices.Contains([]string{projected, monthEnd, upper95, lower95, campaignCount}, metric) {
		return leaf{}, false
	}
	read := leaf{level: figures.CreativeLevel} // count() reads no column
	if columns := x.Columns(); len(columns) > 0 {
		read = leafOf(columns[0].Source)
	}
	read.field, read.metric = noField, metric
	return read, true
}

// String returns the leaf as conditions write it.
func (l leaf) String() string {
	name := l.metric
	if name == "" {
		name = l.field.String()
	}
	switch {
	case l.account:
		return "account." + name
	case l.previous:
		return "previous." + name
	case l.window.Kind == figures.Lifetime:
		return "lifetime." + name
	}
	return name
}

// isRate reports whether the leaf is a bound of ctr.
func (l leaf) isRate() bool { return l.metric == upper95 || l.metric == lower95 }

// isRank reports whether the leaf is a rank, or the number of creatives.
func (l leaf) isRank() bool { return l.metric == campaignCount || strings.HasPrefix(l.metric, "rank(") }

// isAmount reports whether the leaf is money that was spent.
func (l leaf) isAmount() bool {
	return l.field == figures.GrossMediaSpend || l.field == figures.NetMediaSpend || l.metric == projected || l.metric == monthEnd
}

// parents maps a field to the field of which it is usually a part. Whoever asks must know that there
// can be more engagements than impressions, see isPartOf.
var parents = map[figures.Field]figures.Field{
	figures.BidsPlaced: figures.Auctions, figures.Won: figures.BidsPlaced, figures.Impressions: figures.Won, figures.Clicks: figures.Impressions, figures.UniqueClicks: figures.Clicks,
	figures.Engagements: figures.Impressions, figures.UniqueEngagements: figures.Engagements, figures.NetMediaSpend: figures.GrossMediaSpend, figures.BudgetDue: figures.Budget,
}

// isPartOf reports whether a field is a part of another one, by parents. It is not greater then, except
// that there can be more engagements than impressions.
func isPartOf(f, whole figures.Field) bool {
	for f != whole {
		parent, known := parents[f]
		if !known {
			return false
		}
		f = parent
	}
	return true
}
