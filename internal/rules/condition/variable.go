package condition

import (
	"strings"
	"sync"

	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// Variable is a metric that conditions may use.
type Variable struct {
	Name    string
	Formula string // empty: a field of the report, summed
	About   string

	make func(b *binder) *expression.Expression
	// ratio is true if it divides by a count, so that it means little while that
	// is small.
	ratio bool
	// falls is true if it may fall in the course of a day, and does not take into
	// account how much of the day has passed.
	falls bool
}

// ratioOf returns the metric numerator / denominator * factor.
func ratioOf(name, formula, about string, numerator, denominator figures.Field, factor float64) Variable {
	isRatio := denominator.Counts()
	return Variable{Name: name, Formula: formula, About: about, ratio: isRatio, falls: isRatio, make: func(b *binder) *expression.Expression {
		x := expression.New(expression.Divide, b.column(numerator), b.column(denominator))
		if factor != 1 {
			x = expression.New(expression.Multiply, x, expression.Constant(factor))
		}
		return x
	}}
}

// boundOf returns a bound of ctr, which is meaningful without min_data.
func boundOf(name, side string, bound expression.Op) Variable {
	return Variable{
		Name: name, Formula: "Wilson interval of clicks in impressions, 95 %, " + side + " bound",
		About: "ctr is " + map[expression.Op]string{expression.UpperBound: "below", expression.LowerBound: "above"}[bound] + " it with a confidence of 97.5 %, however few impressions there are",
		make: func(b *binder) *expression.Expression {
			return expression.New(bound, b.column(figures.Clicks), b.column(figures.Impressions))
		},
	}
}

// field returns the metric of a field of the report.
func field(f figures.Field, about string) Variable {
	return Variable{Name: f.String(), About: about, make: func(b *binder) *expression.Expression { return b.column(f) }}
}

// Variables returns all metrics that conditions may use. Each is a number. With the
// prefix previous., a name means the metric of the window before; with campaign. and
// account., that of the creative's campaign and of the sum of all campaigns; with
// over("last 14 days")., that of another window.
func Variables() []Variable {
	return []Variable{
		field(figures.Auctions, "auctions the campaign could have bid in"),
		field(figures.BidsPlaced, "bids placed"),
		field(figures.Won, "auctions won"),
		field(figures.Impressions, "impressions"),
		field(figures.Clicks, "clicks"),
		field(figures.Engagements, "engagements"),
		field(figures.UniqueClicks, "unique clicks, summed by day"),
		field(figures.UniqueEngagements, "unique engagements, summed by day"),
		field(figures.NetMediaSpend, "net spend, in the account's currency"),
		field(figures.GrossMediaSpend, "gross spend, in the account's currency"),
		field(figures.Budget, "the daily budgets of the days"),
		field(figures.MediaMargin, "the media margin in percent, of the newest row"),
		field(figures.LifetimeBudget, "the lifetime budget, of the newest row"),

		ratioOf("ctr", "clicks / impressions", "click-through rate", figures.Clicks, figures.Impressions, 1),
		ratioOf("cpc", "grossMediaSpend / clicks", "cost of a click", figures.GrossMediaSpend, figures.Clicks, 1),
		ratioOf("ecpm", "grossMediaSpend / impressions * 1000", "cost of a thousand impressions", figures.GrossMediaSpend, figures.Impressions, 1000),
		boundOf("ctr_upper95", "upper", expression.UpperBound),
		boundOf("ctr_lower95", "lower", expression.LowerBound),
		ratioOf("engagementRate", "engagements / impressions", "engagements per impression", figures.Engagements, figures.Impressions, 1),
		ratioOf("winRate", "won / bidsPlaced", "auctions won per bid", figures.Won, figures.BidsPlaced, 1),
		ratioOf("displayRate", "impressions / won", "impressions an auction won", figures.Impressions, figures.Won, 1),
		ratioOf("budgetUsed", "grossMediaSpend / budget", "spend against the budgets of the same days", figures.GrossMediaSpend, figures.Budget, 1),
		{
			Name: "lifetimeUsed", Formula: "gross spend of all days / lifetimeBudget", About: "spend until now against the lifetime budget, whatever the window is",
			make: func(b *binder) *expression.Expression {
				all := binder{Scope: b.Scope, whose: b.whose}
				all.Window = figures.Window{Kind: figures.Lifetime}
				return expression.New(expression.Divide, all.column(figures.GrossMediaSpend), all.column(figures.LifetimeBudget))
			},
		},
		ratioOf("pacing", "grossMediaSpend / the part of budget that is due by now", "1 is on plan; of complete days the same as budgetUsed", figures.GrossMediaSpend, figures.BudgetDue, 1),
		ratioOf("spendRate", "grossMediaSpend / hours that have passed", "spend per hour; with min_days and over a lifetime, of the days that have a row", figures.GrossMediaSpend, figures.Hours, 1),
		{
			Name: "projectedSpend", Formula: "grossMediaSpend + spendRate * hours ahead",
			About: "spend by the time of the next evaluation; hours ahead: until the rule is due again, and its report_lag, but not beyond the end of today; 0 for windows of complete days",
			make: func(b *binder) *expression.Expression {
				rate := expression.New(expression.Divide, b.column(figures.GrossMediaSpend), b.column(figures.Hours))
				if b.previous || !b.Window.IsRunning() {
					return b.column(figures.GrossMediaSpend)
				}
				return expression.New(expression.Add, b.column(figures.GrossMediaSpend), expression.New(expression.Multiply, rate, &expression.Expression{Op: expression.HoursAhead, Name: "hoursAhead"}))
			},
		},
		{
			Name: "monthEndSpend", Formula: "gross spend of this month / hours of its complete days * all of its hours",
			About: "spend by the end of the month at the pace until now, whatever the window is, at least that of the days that have a row; UNKNOWN on the first of a month",
			make: func(b *binder) *expression.Expression {
				month := binder{Scope: b.Scope, whose: b.whose, other: figures.Window{Kind: figures.ThisMonth}}
				rate := expression.New(expression.Divide, month.column(figures.GrossMediaSpend), month.column(figures.Hours))
				return expression.New(expression.Multiply, rate, &expression.Expression{Op: expression.MonthHours, Name: "monthHours"})
			},
		},
	}
}

// vocabulary has the metrics by their names.
type vocabulary struct {
	variables map[string]Variable
	names     []string          // with all prefixes
	known     map[string]bool   // the same
	spelled   map[string]string // the names in lower case
}

var metricWords = sync.OnceValue(func() vocabulary {
	v := vocabulary{map[string]Variable{}, nil, map[string]bool{}, map[string]string{}}
	for _, prefix := range []string{"", "previous.", "campaign.", "account."} {
		for _, variable := range Variables() {
			v.variables[variable.Name] = variable
			if prefix == "account." && variable.Name == figures.MediaMargin.String() {
				continue // margins do not add up
			}
			name := prefix + variable.Name
			v.names, v.known[name], v.spelled[strings.ToLower(name)] = append(v.names, name), true, name
		}
	}
	return v
})

// variableNamed returns the variable with that name, or an empty one.
func variableNamed(name string) Variable {
	if outcome, is := strings.CutPrefix(name, figures.OutcomePrefix); is && IsName(outcome) {
		return Variable{Name: name, About: "a number from outside", make: func(b *binder) *expression.Expression { return b.outcome(outcome) }}
	}
	return metricWords().variables[name]
}

// MaxName is the length of the longest name of an outcome, or of a column of targets.
const MaxName = 64

// IsName reports whether a text may be the name of an outcome, or of a column of targets: a letter,
// and letters, digits and _.
func IsName(text string) bool {
	for i, c := range text {
		isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !isLetter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return text != "" && len(text) <= MaxName
}

// metricNames returns the names of all metrics, of the rule's window, of the one before
// it, of the campaign and of the account.
func metricNames() []string { return metricWords().names }

// isMetric reports whether a name is one of them, or of an outcome.
func isMetric(name string) bool {
	if metricWords().known[name] {
		return true
	}
	prefix, bare := expression.SplitName(name)
	return strings.HasPrefix(bare, figures.OutcomePrefix) && variableNamed(bare).Name != "" && (prefix == "" || isPrefixOfMetrics(strings.TrimSuffix(prefix, ".")))
}

// binder makes the expressions of the metrics in a condition.
type binder struct {
	Scope
	previous bool // of the window before the rule's
	whose    expression.Whose
	other    figures.Window // if not zero: instead of the rule's
}

// The number of a campaign's creatives, and the function of a metric of another window.
const (
	count = "count()"
	over  = "over"
)

// bind returns the expression of a metric.
func (b *binder) bind(name string) *expression.Expression {
	prefix, bare := expression.SplitName(name)
	if name == count {
		return metric(name, expression.New(expression.Count))
	}
	if prefix == expression.RankOf {
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
		if inner.other.Kind == figures.SameDay {
			inner.other, _ = figures.SameDayOf(b.Window)
		}
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

// outcome returns the column of an outcome.
func (b *binder) outcome(name string) *expression.Expression {
	x := b.column(b.Columns.Outcome(name))
	x.Source.Outcome = name
	return x
}

// column returns a column of the window.
func (b *binder) column(f figures.Field) *expression.Expression {
	source := expression.Source{Whose: b.whose, Level: b.Level, Window: b.Window, Previous: b.previous, Field: f}
	if b.Level == figures.AccountLevel && b.whose == expression.Own {
		source.Whose = expression.OfScope
	}
	switch {
	case source.Whose == expression.OfAccount, source.Whose == expression.OfScope:
		b.Columns.ReadAccount()
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
