package metadata

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// rateTable has the exchange rates of some days. On other days, the rates of the last day
// before them are valid.
type rateTable struct {
	days []string             // YYYY-MM-DD, in order
	usd  map[string][]float64 // by currency: USD per unit on each of days; 0: none
}

// rates is read once.
var rates = sync.OnceValue(func() *rateTable {
	t := &rateTable{usd: map[string][]float64{}}
	for line := range lines("rates.tsv.xz") {
		for _, pair := range line[1:] {
			code, text, _ := strings.Cut(pair, "=")
			rate, _ := strconv.ParseFloat(text, 64) // a test reads all rates
			t.set(code, rate)
		}
		t.set("USD", 1)
		t.days = append(t.days, line[0])
	}
	return t
})

// set adds a rate of the next day.
func (t *rateTable) set(code string, rate float64) {
	t.usd[code] = append(t.usd[code], make([]float64, len(t.days)-len(t.usd[code]))...)
	t.usd[code] = append(t.usd[code], rate)
}

// Rate returns the value of a unit of a currency in USD on a day (YYYY-MM-DD): the last rate
// of that day or an earlier one. found reports whether there is one.
func Rate(code, day string) (usd float64, found bool) {
	t := rates()
	at, found := slices.BinarySearch(t.days, day)
	if !found {
		at--
	}
	list := t.usd[code]
	for at = min(at, len(list)-1); at >= 0; at-- {
		if list[at] > 0 {
			return list[at], true
		}
	}
	return 0, false
}
