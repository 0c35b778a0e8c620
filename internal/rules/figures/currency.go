package figures

// currency is a currency of report rows, as an index in Figures.currencies.
type currency uint8

const (
	severalCurrencies currency = 254
	unknownCurrency   currency = 255
)

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
