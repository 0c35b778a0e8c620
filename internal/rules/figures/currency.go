package figures

import (
	"math/big"
	"slices"
	"strconv"
)

// currency is a currency of report rows, as an index in Figures.currencies.
type currency uint8

const (
	severalCurrencies currency = 254
	unknownCurrency   currency = 255
)

// and returns the currency of rows in two currencies together.
func (c currency) and(other currency) currency {
	switch {
	case c == unknownCurrency:
		return other
	case other == unknownCurrency || other == c:
		return c
	}
	return severalCurrencies
}

// currencyOf returns the currency with a code.
func (f *Figures) currencyOf(code string) currency {
	if code == "" {
		return unknownCurrency
	}
	for i, known := range f.currencies {
		if known == code {
			return currency(i)
		}
	}
	if len(f.currencies) == int(severalCurrencies) {
		return severalCurrencies
	}
	f.currencies = append(f.currencies, code)
	return currency(len(f.currencies) - 1)
}

// HasSeveralCurrencies reports whether the rows of all campaigns together have several
// currencies.
func (f *Figures) HasSeveralCurrencies() bool { return len(f.currencies) > 1 }

// HasSeveralCurrencies reports whether the rows of a place have several currencies.
func (s *Sums) HasSeveralCurrencies(at int) bool { return s.currency[at] == severalCurrencies }

// CurrenciesDiffer reports whether a place has different currencies in the windows with
// some indices.
func CurrenciesDiffer(windows []Sums, indices []int, at int) bool {
	first := unknownCurrency
	for _, n := range indices {
		switch c := windows[n].currency[at]; {
		case c == unknownCurrency || c == first:
		case first == unknownCurrency:
			first = c
		default:
			return true
		}
	}
	return false
}

// HaveSeveralCurrencies reports whether the campaigns for which covers returns true have
// several currencies in the windows of a file with some indices.
func (f *Figures) HaveSeveralCurrencies(file int, l Level, indices []int, covers func(campaign string) bool) bool {
	windows := f.Windows(file, l)
	found, campaign, covered := unknownCurrency, "", false
	for entity, at := range f.levels[l.Index()].index {
		if entity.campaign != campaign {
			campaign, covered = entity.campaign, covers(entity.campaign)
		}
		for _, n := range indices {
			switch c := windows[n].currency[at]; {
			case !covered || c == unknownCurrency || c == found:
			case found == unknownCurrency && c != severalCurrencies:
				found = c
			default:
				return true
			}
		}
	}
	return false
}

// Round rounds v to 12 digits, which removes the errors of summing decimal fractions.
func Round(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Scale returns an amount that is larger by a part of it, or smaller if part is below 0,
// rounded to a number of decimal digits, halves away from zero. It computes with decimal
// fractions, so that 20 % of 99.95 is what it is on paper.
func Scale(amount, part float64, digits int) float64 {
	factor := new(big.Rat).Add(big.NewRat(1, 1), decimal(part))
	scaled, err := strconv.ParseFloat(factor.Mul(factor, decimal(amount)).FloatString(digits), 64)
	if err != nil {
		return amount
	}
	return scaled
}

// decimal returns the decimal fraction that is meant by v.
func decimal(v float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(Round(v), 'f', -1, 64))
	if r == nil { // not finite
		return new(big.Rat)
	}
	return r
}

// MinorDigits returns the number of decimal digits of amounts in a currency, by ISO 4217.
func MinorDigits(currency string) int {
	switch {
	case slices.Contains([]string{"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"}, currency):
		return 0
	case slices.Contains([]string{"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}, currency):
		return 3
	}
	return 2
}
