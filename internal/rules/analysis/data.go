package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"usher/internal/readable"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// divisor is a field by which a condition divides, and the metric that does so; "" is
// the condition itself.
type divisor struct {
	field  figures.Field
	metric string
}

// divisorsIn returns the counts by which an expression divides, each once.
func divisorsIn(x *expression.Expression, metric string) []divisor {
	if x.Op == expression.Metric {
		_, metric = expression.SplitName(x.Name)
	}
	var list []divisor
	if x.Op == expression.Divide {
		for _, f := range countsIn(x.Args[1]) {
			list = append(list, divisor{f, metric})
		}
	}
	for _, arg := range x.Args {
		list = append(list, divisorsIn(arg, metric)...)
	}
	return list
}

// countsIn returns the fields in an expression that count events.
func countsIn(x *expression.Expression) []figures.Field {
	if x.Op == expression.Column && x.Source.Field.Counts() {
		return []figures.Field{x.Source.Field}
	}
	var list []figures.Field
	for _, arg := range x.Args {
		list = append(list, countsIn(arg)...)
	}
	return list
}

// DataMistake finds a ratio whose divisor the rule's min_data does not require, or of which
// it requires so little that one event decides.
func (r Rule) DataMistake(conditions []*expression.Expression) (mistake, hint string) {
	if len(r.MinData) == 0 {
		return "", ""
	}
	for _, x := range conditions {
		for _, d := range divisorsIn(x, "") {
			if mistake, hint = r.divisorMistake(x, d); mistake != "" {
				return mistake, hint
			}
		}
	}
	return "", ""
}

func (r Rule) divisorMistake(root *expression.Expression, d divisor) (mistake, hint string) {
	subject := cmp.Or(d.metric, "the condition")
	least := 0.0
	for _, minimum := range r.MinData {
		switch {
		case minimum.Field == d.field:
			least = max(least, minimum.Least)
		case isPartOf(minimum.Field, d.field):
			return "", "" // it requires more than the divisor
		}
	}
	needed, why := 500.0, ""
	if isPartOf(d.field, figures.Clicks) || isPartOf(d.field, figures.Engagements) {
		needed = 20
	}
	if threshold, numerator := thresholdOf(root, d.metric); threshold > 0 {
		needed = math.Ceil(figures.Round(1 / threshold))
		why = fmt.Sprintf(": where it is %s, they have %s %s", readable.Exact(threshold), readable.Short(least*threshold), numerator)
	}
	hint = fmt.Sprintf("write min_data: {%s: %s} or more", d.field, readable.Exact(needed))
	switch {
	case least == 0:
		first := r.MinData[0]
		return fmt.Sprintf("min_data has no %s, by which %s divides: %s %s may come with a handful of them", d.field, subject, readable.Exact(first.Least), first.Name()), hint
	case least < needed:
		return fmt.Sprintf("min_data: %s %s are too few for %s%s", readable.Exact(least), d.field, subject, why), hint
	}
	return "", ""
}

// thresholdOf returns the least number above 0 with which an expression compares a
// metric that divides two counts, and the dividend. It is 0 if there is none.
func thresholdOf(x *expression.Expression, metric string) (least float64, dividend figures.Field) {
	if x.IsComparison() {
		for i, arg := range x.Args {
			if other := x.Args[1-i]; other.Op == expression.Number && arg.Op == expression.Metric && strings.HasSuffix("."+arg.Name, "."+metric) && dividesCount(arg.Args[0]) {
				return other.Number, arg.Args[0].Args[0].Source.Field
			}
		}
	}
	for _, arg := range x.Args {
		if lower, of := thresholdOf(arg, metric); lower > 0 && (least <= 0 || lower < least) {
			least, dividend = lower, of
		}
	}
	return least, dividend
}

// dividesCount reports whether an expression is a field that counts events, divided.
func dividesCount(x *expression.Expression) bool {
	return x.Op == expression.Divide && x.Args[0].Op == expression.Column && x.Args[0].Source.Field.Counts()
}

// DividesByCount reports whether a condition itself divides by a field that counts
// events.
func DividesByCount(x *expression.Expression) bool {
	if x.Op == expression.Metric {
		return false // see condition.Ratio
	}
	if x.Op == expression.Divide && len(countsIn(x.Args[1])) > 0 {
		return true
	}
	return slices.ContainsFunc(x.Args, DividesByCount)
}
