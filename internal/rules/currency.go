package rules

import "math"

// currencyNumber is a currency of report rows, as an index in Figures.currencies.
type currencyNumber uint8

const (
	severalCurrencies currencyNumber = 254
	unknownCurrency   currencyNumber = 255
)

// currencyIndex returns the currency with a code.
func (f *Figures) currencyIndex(code string) currencyNumber {
	if code == "" {
		return unknownCurrency
	}
	for i, known := range f.currencies {
		if known == code {
			return currencyNumber(i)
		}
	}
	if len(f.currencies) == int(severalCurrencies) {
		return severalCurrencies
	}
	f.currencies = append(f.currencies, code)
	return currencyNumber(len(f.currencies) - 1)
}

// money says how an expression depends on currencies.
type money struct {
	powers map[int]int // of the currency of each window, by slot: 1 for an amount, -1 below a division; not 0
	// absolute is true if the value depends on the currency even if all amounts have
	// the same: an amount and a number that is none are added or compared.
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
func (x *expression) money() money {
	if x.op == opColumn && x.column.isAmount() {
		return money{powers: map[int]int{x.slot + int(x.of)<<16: 1}} // the slots of campaigns are others
	}
	m := money{powers: map[int]int{}}
	for n, arg := range x.args {
		of := arg.money()
		m.absolute, m.crosses = m.absolute || of.absolute, m.crosses || of.crosses
		switch {
		case x.op == opMultiply, x.op == opDivide && n == 0:
			m.add(of, 1)
		case x.op == opDivide:
			m.add(of, -1)
		case x.op == opChoose && n == 0: // a comparison
		case n == 0 || x.op == opChoose && n == 1:
			m.powers = of.powers
		default: // added, subtracted, compared, or chosen
			m.match(of)
		}
	}
	return m
}

func (m *money) add(of money, sign int) {
	for slot, p := range of.powers {
		if m.powers[slot] += sign * p; m.powers[slot] == 0 {
			delete(m.powers, slot)
		}
	}
}

// match notes whether an expression of the same kind as another is needed, and is not
// there.
func (m *money) match(of money) {
	m.absolute = m.absolute || m.power() != of.power()
	for slot, p := range of.powers {
		m.crosses = m.crosses || m.powers[slot] != p
	}
	m.crosses = m.crosses || len(m.powers) != len(of.powers)
}

// requireCurrencies makes comparisons of the block UNKNOWN whose result depends on
// several currencies.
func (e *evaluation) requireCurrencies(x *expression, out []float64) {
	if !x.absolute && !x.crosses {
		return
	}
	slots := x.amountSlots()
	for i := range out {
		if x.absolute && e.several || x.crosses && e.differ(slots, e.low+i) {
			out[i] = math.NaN()
		}
	}
}

// differ reports whether windows of an entity have different currencies.
func (e *evaluation) differ(slots []int, at int) bool {
	first := unknownCurrency
	for _, slot := range slots {
		switch c := e.windows[slot].currency[at]; {
		case c == unknownCurrency || c == first:
		case first == unknownCurrency:
			first = c
		default:
			return true
		}
	}
	return false
}

// amountSlots returns the slots of the windows from which the expression reads amounts.
func (x *expression) amountSlots() []int {
	if x.op == opColumn && x.column.isAmount() && x.of == own {
		return []int{x.slot}
	}
	var list []int
	for _, arg := range x.args {
		list = append(list, arg.amountSlots()...)
	}
	return list
}

// hasSeveralCurrencies reports whether the campaigns in a rule's scope have several
// currencies in the windows that its conditions read.
func (rule *Rule) hasSeveralCurrencies(f *Figures, level int, windows []windowSums) bool {
	var slots []int
	for _, c := range rule.conditions() {
		slots = append(slots, c.root.amountSlots()...)
	}
	found, campaign, covered := unknownCurrency, "", false
	for entity, at := range f.levels[level].index {
		if entity.campaign != campaign {
			campaign, covered = entity.campaign, rule.covers(entity.campaign)
		}
		for _, slot := range slots {
			switch c := windows[slot].currency[at]; {
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
