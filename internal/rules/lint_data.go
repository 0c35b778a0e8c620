package rules

import (
	"fmt"
	"math"
	"strings"
)

// parents has for each field that is a part of another one that other field: no report
// has more clicks than impressions.
var parents = map[Field]Field{
	BidsPlaced: Auctions, Won: BidsPlaced, Impressions: Won, Clicks: Impressions, UniqueClicks: Clicks,
	Engagements: Impressions, UniqueEngagements: Engagements, NetMediaSpend: GrossMediaSpend, budgetDue: Budget,
}

// isPartOf reports whether a field is a part of another one, so that it is not greater.
// More engagements than impressions are possible.
func (f Field) isPartOf(whole Field) bool {
	for f != whole {
		parent, known := parents[f]
		if !known {
			return false
		}
		f = parent
	}
	return true
}

// divisor is a field by which a condition divides, and the metric that does so; "" is
// the condition itself.
type divisor struct {
	field  Field
	metric string
}

// divisors returns the counts by which an expression divides, each once.
func (x *expression) divisors(metric string) []divisor {
	if x.op == opNamed {
		_, metric = splitMetric(x.name)
	}
	var list []divisor
	if x.op == opDivide {
		for _, f := range x.args[1].counts() {
			list = append(list, divisor{f, metric})
		}
	}
	for _, arg := range x.args {
		list = append(list, arg.divisors(metric)...)
	}
	return list
}

// counts returns the fields in an expression that count events.
func (x *expression) counts() []Field {
	if x.op == opColumn && x.column.counts() {
		return []Field{x.column}
	}
	var list []Field
	for _, arg := range x.args {
		list = append(list, arg.counts()...)
	}
	return list
}

// lintMinData finds ratios whose divisor min_data does not require, or of which it
// requires so little that one event decides. It reports one of them.
func (r *reader) lintMinData(rule *Rule, at place) {
	if len(rule.MinData) == 0 {
		return // see lintRatios
	}
	for _, c := range rule.conditions() {
		for _, d := range c.root.divisors("") {
			if r.lintDivisor(rule, c, d, at) {
				return
			}
		}
	}
}

// lintDivisor reports whether it has added a warning.
func (r *reader) lintDivisor(rule *Rule, c *Condition, d divisor, at place) bool {
	subject := d.metric
	if subject == "" {
		subject = "the condition"
	}
	least := 0.0
	for _, minimum := range rule.MinData {
		switch {
		case minimum.Field == d.field:
			least = max(least, minimum.Least)
		case minimum.Field.isPartOf(d.field):
			return false // it requires more than the divisor
		}
	}
	needed, why := 500.0, ""
	if d.field.isPartOf(Clicks) || d.field.isPartOf(Engagements) {
		needed = 20
	}
	if threshold, numerator := c.root.threshold(d.metric); threshold > 0 {
		needed = math.Ceil(rounded(1 / threshold))
		why = fmt.Sprintf(": where it is %s, they have %s %s", numberText(threshold), short(least*threshold), numerator)
	}
	hint := fmt.Sprintf("write min_data: {%s: %s} or more", d.field, numberText(needed))
	switch {
	case least == 0:
		first := rule.MinData[0]
		r.warnf(at, hint, "min_data has no %s, by which %s divides: %s %s may come with a handful of them", d.field, subject, numberText(first.Least), first.Field)
	case least < needed:
		r.warnf(at, hint, "min_data: %s %s are too few for %s%s", numberText(least), d.field, subject, why)
	}
	return least < needed
}

// threshold returns the least number above 0 with which an expression compares a
// metric that divides two counts, and the dividend. It is 0 if there is none.
func (x *expression) threshold(metric string) (least float64, dividend Field) {
	if level, _ := x.op.binding(); level == comparing {
		for i, arg := range x.args {
			if other := x.args[1-i]; other.op == opNumber && arg.op == opNamed && strings.HasSuffix("."+arg.name, "."+metric) {
				ratio := arg.args[0]
				if ratio.op == opDivide && ratio.args[0].op == opColumn && ratio.args[0].column.counts() {
					return other.number, ratio.args[0].column
				}
			}
		}
	}
	for _, arg := range x.args {
		if number, of := arg.threshold(metric); number > 0 && (least <= 0 || number < least) {
			least, dividend = number, of
		}
	}
	return least, dividend
}
