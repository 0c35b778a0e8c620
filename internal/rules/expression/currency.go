package expression

import (
	"math"
	"slices"

	"usher/internal/rules/figures"
)

// money says how an expression depends on currencies.
type money struct {
	powers map[int]int // of the currency of each window, by place: 1 for an amount, -1 below a division; not 0
	// absolute is true if the value depends on the currency even if all amounts have the
	// same one: an amount is added to a plain number, or compared with one.
	absolute bool
	// crosses is true if the value depends on the currencies of several windows being
	// the same.
	crosses bool
}

// power returns the power of the currency, if all windows have the same.
func (m money) power() int {
	sum := 0
	for _, p := range m.powers {
		sum += p
	}
	return sum
}

// money returns how the expression depends on currencies.
func (x *Expression) money() money {
	if x.Op == Column && x.Source.Field.IsAmount() {
		return money{powers: map[int]int{x.Source.Place + int(x.Source.Whose)<<16: 1}} // the places of campaigns are others
	}
	m := money{powers: map[int]int{}}
	if x.Op == Rank { // among creatives of one campaign, or campaigns of one currency
		return m
	}
	for n, arg := range x.Args {
		other := arg.money()
		m.absolute, m.crosses = m.absolute || other.absolute, m.crosses || other.crosses
		switch {
		case x.Op == Multiply, x.Op == Divide && n == 0:
			m.add(other, 1)
		case x.Op == Divide:
			m.add(other, -1)
		case x.Op == Choose && n == 0: // a comparison
		case n == 0 || x.Op == Choose && n == 1:
			m.powers = other.powers
		default: // added, subtracted, compared, or chosen
			m.match(other)
		}
	}
	return m
}

func (m *money) add(other money, sign int) {
	for place, p := range other.powers {
		if m.powers[place] += sign * p; m.powers[place] == 0 {
			delete(m.powers, place)
		}
	}
}

// match notes how an expression and another one, which are added or compared, differ in
// their currencies.
func (m *money) match(other money) {
	m.absolute = m.absolute || m.power() != other.power()
	for place, p := range other.powers {
		m.crosses = m.crosses || m.powers[place] != p
	}
	m.crosses = m.crosses || len(m.powers) != len(other.powers)
}

// requireCurrencies makes a comparison UNKNOWN at the places of the block where its result
// depends on several currencies.
func (e *Evaluation) requireCurrencies(x *Expression, out []float64) {
	if !x.absolute && !x.crosses || !e.hasSeveralCurrencies() {
		return
	}
	places := x.amountPlaces(Own)
	for i := range out {
		if e.mixesCurrencies(x, places, e.low+i) {
			out[i] = math.NaN()
		}
	}
}

// mixesCurrencies reports whether the result of a comparison depends on several currencies at a
// place. own are the places of the windows from which it reads its own amounts.
func (e *Evaluation) mixesCurrencies(x *Expression, own []int, at int) bool {
	return (x.absolute || x.crosses && e.Level == figures.AccountLevel) && e.several || x.crosses && figures.CurrenciesDiffer(e.windows, own, at)
}

// ranksNone reports whether campaigns are not ranked because a rank compares amounts, and those in
// scope have several currencies.
func (e *Evaluation) ranksNone(x *Expression) bool {
	return x.Op == Rank && e.Level == figures.CampaignLevel && x.Args[0].money().power() != 0 && e.hasSeveralCurrencies() &&
		e.data.figures.HaveSeveralCurrencies(e.File, e.Level, x.Args[0].amountPlaces(Own), e.InScope)
}

// NeedsOneCurrency reports whether the expression compares an amount with a plain number, so
// that it is UNKNOWN if the campaigns in the rule's scope have several currencies.
func (x *Expression) NeedsOneCurrency() bool {
	return x.absolute || slices.ContainsFunc(x.Args, (*Expression).NeedsOneCurrency)
}

// hasSeveralCurrencies reports whether the rows of all campaigns together have several currencies.
func (e *Evaluation) hasSeveralCurrencies() bool {
	return e.data.figures != nil && e.data.figures.HasSeveralCurrencies()
}

// amountPlaces returns the places of the windows from which the expression reads the amounts
// of an owner. It leaves out amounts that are ranked.
func (x *Expression) amountPlaces(whose Whose) []int {
	if x.Op == Column && x.Source.Field.IsAmount() && x.Source.Whose == whose {
		return []int{x.Source.Place}
	}
	var list []int
	for _, arg := range x.Args {
		if x.Op != Rank {
			list = append(list, arg.amountPlaces(whose)...)
		}
	}
	return list
}

// scopeHasSeveral reports whether the campaigns in the rule's scope have several currencies
// in the windows that its conditions read.
func (e *Evaluation) scopeHasSeveral() bool {
	var own, campaigns []int
	for _, x := range e.Conditions {
		own, campaigns = append(own, x.amountPlaces(Own)...), append(campaigns, x.amountPlaces(OfCampaign)...)
	}
	f := e.data.figures
	if e.Level == figures.AccountLevel {
		for _, x := range e.Conditions {
			campaigns = append(campaigns, x.amountPlaces(OfScope)...)
		}
	}
	return f.HaveSeveralCurrencies(e.File, e.Level, own, e.Covers) || f.HaveSeveralCurrencies(e.File, figures.CampaignLevel, campaigns, e.Covers)
}
