package figures

import (
	"math"
	"time"

	"usher/internal/rules/calendar"
)

// Sums are the figures of all campaigns, or of all creatives, over one window. Each has a
// place, which is the same in all windows of the level; see Figures.Places.
type Sums struct {
	reading
	from, to calendar.Day
	all      int                // days of the window that exist in the zone
	columns  [columns][]float64 // NaN: UNKNOWN; nil: no condition reads the column
	newest   []calendar.Day     // the newest day with a row; 0: no row
	days     []uint16           // the number of days with a row
	oldest   []calendar.Day     // the oldest day with a row, of FirstRows only; 0: no row
	currency []currency
}

// Column returns the values of a field by place, NaN where it is UNKNOWN. The caller must
// not write to them.
func (s *Sums) Column(f Field) []float64 { return s.columns[f] }

// Days returns the number of days with a row.
func (s *Sums) Days(at int) int { return int(s.days[at]) }

// Newest returns the newest day with a row, or 0.
func (s *Sums) Newest(at int) calendar.Day { return s.newest[at] }

// Oldest returns the oldest day with a row, or 0. Only the window FirstRows has it.
func (s *Sums) Oldest(at int) calendar.Day { return s.oldest[at] }

// Required returns on how many days the window must have a row, by the min_days of a
// rule (0: all).
func (s *Sums) Required(minDays int) int {
	switch {
	case s.Window.Kind == Lifetime && s.Previous, s.Window.Kind == Lifetime && minDays == 0:
		return 1
	case s.Window.Kind == Lifetime:
		return minDays
	case minDays > 0:
		return min(minDays, s.all)
	}
	return s.all
}

// IsComplete reports whether enough days have a row.
func (s *Sums) IsComplete(at, minDays int) bool { return int(s.days[at]) >= s.Required(minDays) }

// Reaches reports whether the sums are at least the minima.
func (s *Sums) Reaches(at int, minima []Minimum) bool {
	for _, least := range minima {
		if !(s.columns[least.Field][at] >= least.Least) { // true for NaN
			return false
		}
	}
	return true
}

// Total returns the sum of all that have a row. It is UNKNOWN if one of them lacks the
// field, if none has enough days, or if an amount is of several currencies.
func (s *Sums) Total(f Field, minDays int) float64 {
	sum, isComplete, found := 0.0, false, unknownCurrency
	for at, days := range s.days {
		if days == 0 {
			continue
		}
		isComplete = isComplete || int(days) >= s.Required(minDays)
		sum += s.columns[f][at]
		switch c := s.currency[at]; {
		case found == unknownCurrency:
			found = c
		case c != unknownCurrency && c != found:
			found = severalCurrencies
		}
	}
	if !isComplete || found == severalCurrencies && f.IsAmount() {
		return math.NaN()
	}
	return sum
}

// IsEmpty reports whether the window has no day: this month, on its first.
func (s *Sums) IsEmpty() bool { return s.from > s.to }

// String names the window and its days.
func (s *Sums) String() string {
	name := s.Window.String()
	if s.Previous {
		name = "the window before " + name
	}
	if s.Window.Kind == Lifetime || s.Window.Kind == DaysAgo || s.IsEmpty() {
		return name
	}
	if s.from == s.to {
		return name + " (" + s.to.String() + ")"
	}
	return name + " (" + s.from.String() + " to " + s.to.String() + ")"
}

// grow makes room for one more place.
func (s *Sums) grow() {
	for c, read := range s.reads {
		if read {
			s.columns[c] = append(s.columns[c], math.NaN())
		}
	}
	if s.Window.Kind == FirstRows {
		s.oldest = append(s.oldest, 0)
	}
	s.newest, s.days, s.currency = append(s.newest, 0), append(s.days, 0), append(s.currency, unknownCurrency)
}

// add adds the values of a day to those of a place. A field that one row lacks is
// UNKNOWN, and so are all amounts if rows have several currencies.
func (s *Sums) add(at int, day calendar.Day, c currency, values *[columns]float64) {
	first, newer := s.days[at] == 0, day >= s.newest[at]
	known := s.currency[at]
	switch {
	case known == unknownCurrency:
		s.currency[at] = c
	case c != unknownCurrency && c != known:
		s.currency[at] = severalCurrencies
	}
	for f, column := range s.columns {
		switch v := values[f]; {
		case column == nil:
		case s.currency[at] == severalCurrencies && Field(f).IsAmount():
			column[at] = math.NaN()
		case first:
			column[at] = v
		case Field(f).AddsUp():
			column[at] += v
		case math.IsNaN(v) || newer && !math.IsNaN(column[at]):
			column[at] = v
		}
	}
	s.newest[at] = max(s.newest[at], day)
	if s.oldest != nil && (first || day < s.oldest[at]) {
		s.oldest[at] = day
	}
	s.days[at]++
}

// replace replaces the figures of a place by those of the running day that are not NaN.
func (s *Sums) replace(at int, today calendar.Day, zone *time.Location, values *[columns]float64) {
	for c, column := range s.columns {
		if column == nil || math.IsNaN(values[c]) {
			continue
		}
		column[at] = values[c]
		if Field(c) == Hours && !s.Window.IsRunning() {
			column[at] = max((s.to + 1).Begin(zone).Sub(s.from.Begin(zone)).Hours(), 0)
		}
	}
	s.newest[at], s.days[at] = today, uint16(max(s.all, 1))
	if s.Window.Kind == Lifetime {
		s.days[at] = math.MaxUint16 // as many as any min_days
	}
}
