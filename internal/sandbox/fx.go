package sandbox

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"usher/internal/rtb"
)

// rateTable is what currencies were worth on some days, a day without a row
// being as the last before it.
type rateTable struct {
	days  []string             // YYYY-MM-DD, in order
	usd   map[string][]float64 // by currency: USD per unit on each of days; 0: none
	names map[string]string
}

// rates is the committed table, read once: it never changes.
var rates = sync.OnceValue(func() *rateTable {
	t := &rateTable{usd: map[string][]float64{}, names: map[string]string{}}
	for line := range linesOf("rates.tsv") {
		for _, pair := range line[1:] {
			code, text, _ := strings.Cut(pair, "=")
			rate, _ := strconv.ParseFloat(text, 64) // a test reads them all
			t.set(code, rate)
		}
		t.set("USD", 1)
		t.days = append(t.days, line[0])
	}
	for currency := range currencies() {
		t.names[currency.Code] = currency.Name
	}
	return t
})

// set enters a rate of the day that is being read.
func (t *rateTable) set(code string, rate float64) {
	t.usd[code] = append(t.usd[code], make([]float64, len(t.days)-len(t.usd[code]))...)
	t.usd[code] = append(t.usd[code], rate)
}

// on is what a unit of the currency was worth in USD on a day: its last rate
// not after that.
func (t *rateTable) on(code, day string) (float64, bool) {
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

// usdPer is what a unit of a currency is worth in USD at a time.
func (w *world) usdPer(code string, at time.Time) (float64, bool) { return rates().on(code, dayOf(at)) }

// record is the rate of a currency on a day.
func (t *rateTable) record(code, day string) (rtb.FXRateAnswer, error) {
	rate, found := t.on(code, day)
	if !found {
		return rtb.FXRateAnswer{}, unknown("rate of", code)
	}
	return rtb.FXRateAnswer{FXRate: rtb.FXRate{
		CurrencyCode: code, CurrencyName: t.names[code], FXRateToUSD: rate, RateDate: day + "T00:00:00.000",
	}}, nil
}

func (w *world) fx(c *call, in rtb.CurrencyPath) (rtb.FXRateAnswer, error) {
	return rates().record(in.CurrencyCode, dayOf(c.now))
}

func (w *world) fxOn(c *call, in rtb.CurrencyDatePath) (rtb.FXRateAnswer, error) {
	if err := checkDate("date", in.Date); err != nil {
		return rtb.FXRateAnswer{}, err
	}
	if in.Date >= dayOf(c.now) {
		return rtb.FXRateAnswer{}, invalid("date", "must be in the past")
	}
	return rates().record(in.CurrencyCode, in.Date)
}

// dayOf is the day of a time, in UTC, as the platform writes dates.
func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// checkDate checks that a field of a path is a date.
func checkDate(field, text string) error {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return invalid(field, "must be a date, YYYY-MM-DD")
	}
	return nil
}
