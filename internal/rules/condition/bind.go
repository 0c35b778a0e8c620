package condition

import (
	"strings"

	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// binder makes the expressions of the metrics in a condition.
type binder struct {
	Scope
	previous bool // of the window before the rule's
	whose    expression.Whose
	other    figures.Window // if not zero: instead of the rule's
}

// The beginning of a rank, such as rank(ctr), the number of a campaign's creatives, and the
// function of a metric of another window.
const (
	rankOf = "rank("
	count  = "count()"
	over   = "over"
)

// bind returns the expression of a metric.
func (b *binder) bind(name string) *expression.Expression {
	prefix, bare := expression.SplitName(name)
	if name == count {
		return metric(name, expression.New(expression.Count))
	}
	if prefix == rankOf {
		return metric(name, expression.New(expression.Rank, b.bind(bare)))
	}
	inner := &binder{Scope: b.Scope}
	switch prefix {
	case "":
	case "previous.":
		inner.previous = true
	case "campaign.":
		inner.whose = expression.OfCampaign
	case "account.":
		inner.whose = expression.OfAccount
	default: // over("last 14 days").
		inner.other, _ = figures.ParseWindow(strings.Split(prefix, `"`)[1]) // it has been checked
	}
	x := variableNamed(bare).make(inner)
	if x.Op == expression.Column {
		x.Name = name
		return x
	}
	return metric(name, x)
}

// metric returns a metric with a formula.
func metric(name string, formula *expression.Expression) *expression.Expression {
	return &expression.Expression{Op: expression.Metric, Args: []*expression.Expression{formula}, Name: name}
}

// column returns a column of the window.
func (b *binder) column(f figures.Field) *expression.Expression {
	source := expression.Source{Whose: b.whose, Level: b.Level, Window: b.Window, Previous: b.previous, Field: f}
	switch {
	case b.whose == expression.OfAccount:
		source.Level = figures.CampaignLevel
	case b.whose == expression.OfCampaign && b.Level == figures.CampaignLevel:
		source.Whose = expression.Own
	case b.whose == expression.OfCampaign:
		source.Level = figures.CampaignLevel
	}
	if b.other != (figures.Window{}) {
		source.Other = b.other != b.Window && b.other.Kind != figures.Lifetime
		source.Window = b.other
	}
	source.Place = b.Columns.Add(source.Level, source.Window, source.Previous, f)
	return &expression.Expression{Op: expression.Column, Source: source}
}
