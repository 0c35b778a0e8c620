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
	all      int     // days of the window that exist in the zone
	hours    float64 // of these days that have passed
	// columns have what is known: the sums of the numbers that the rows have. NaN is UNKNOWN;
	// nil: no condition reads the column.
	columns  [columns][]float64
	lacks    [columns][]lack // why the sum of a field may be larger; nil: no row lacks it
	newest   []calendar.Day  // the newest day with a row; 0: no row
	days     []uint16        // the number of days with a row
	oldest   []calendar.Day  // the oldest day with a row, of FirstRows only; 0: no row
	budget   []dayBudget     // the newest known budget, if a condition reads budgets
	present  map[int]float64 // budgets of campaigns as they are now, by place
	active   map[int]bool    // campaigns that are active now, by place
	outcomes []*outcome      // by field, from outcomeField on; nil: no condition reads it
	currency []currency
}

// lack says why a row has no number of a field.
type lack uint8

const (
	isMissing  lack = 1 << iota // the row does not have it, or two rows of a day differ
	isNegative                  // it is negative, which no count and no amount is
)

// dayBudget is a budget and its day.
type dayBudget struct {
	day   calendar.Day // 0: none is known
	value float64
}

// Known returns what is known of a field by place: for fields that add up, a lower bound. NaN
// is UNKNOWN. The caller must not write to them.
func (s *Sums) Known(f Field) []float64 {
	if f.IsOutcome() {
		return s.outcomeOf(f).sums
	}
	return s.columns[f]
}

// Range returns the bounds of a field. Both are NaN if it is UNKNOWN.
//
// If a day has no row, or a row lacks the field, its sum is at least that of the numbers that
// are known, because no count and no amount is negative. A budget of a missing day is the
// campaign's present one, or the newest that is known. With min_days, and over a lifetime, the days that have a row count
// as all days. isOld says that the newest row is older than the rule accepts: then its sums may
// have grown since.
func (s *Sums) Range(f Field, at, minDays int, isOld bool) (low, high float64) {
	if f.IsOutcome() {
		return s.outcomeRange(f, at, minDays)
	}
	low = s.columns[f][at]
	missing := s.Missing(at, minDays)
	switch {
	case s.IsEmpty() && s.days[at] == 0, s.countsRows(minDays) && int(s.days[at]) < s.Required(minDays), f == MediaMargin && isOld:
		return math.NaN(), math.NaN()
	case math.IsNaN(low), !f.AddsUp():
		return low, low
	case f == Hours && missing > 0:
		return s.hours, s.hours
	case f == Hours:
		return low, low
	case f == Budget || f == BudgetDue:
		isOld = false
		if filled := s.FilledBudget(at, minDays); filled > 0 {
			budget, _ := s.NewestBudget(at)
			low += float64(filled) * budget
			missing = 0
		}
	}
	if missing > 0 || isOld || s.lack(f, at) != 0 {
		return low, math.Inf(1)
	}
	return low, low
}

// IsExact reports whether a field is no range, from one place up to another.
func (s *Sums) IsExact(f Field, from, to, minDays int) bool {
	if f.IsOutcome() {
		for at := from; at < to; at++ {
			if low, high := s.outcomeRange(f, at, minDays); low != high { // true for NaN
				return false
			}
		}
		return true
	}
	need := max(s.all, 1) // of a window without days, only a test's figures have one
	if s.countsRows(minDays) {
		need = max(s.Required(minDays), 1)
	}
	for _, days := range s.days[from:to] {
		if int(days) < need {
			return false
		}
	}
	if s.lacks[f] == nil {
		return true
	}
	for _, why := range s.lacks[f][from:to] {
		if why != 0 {
			return false
		}
	}
	return true
}

// countsRows reports whether the days that have a row count as all days.
func (s *Sums) countsRows(minDays int) bool { return minDays > 0 || s.Window.Kind == Lifetime }

// Missing returns the number of days without a row that count.
func (s *Sums) Missing(at, minDays int) int {
	if s.countsRows(minDays) {
		return 0
	}
	return max(s.all-int(s.days[at]), 0)
}

// FilledBudget returns the number of missing days that have another budget.
func (s *Sums) FilledBudget(at, minDays int) int {
	if _, isKnown := s.present[at]; !isKnown && (s.budget == nil || s.budget[at].day == 0) {
		return 0
	}
	return s.Missing(at, minDays)
}

// NewestBudget returns the campaign's present budget, for which the day is 0, or the newest known
// budget and its day.
func (s *Sums) NewestBudget(at int) (float64, calendar.Day) {
	if budget, isKnown := s.present[at]; isKnown {
		return budget, 0
	}
	return s.budget[at].value, s.budget[at].day
}

// canLack reports whether a campaign may lack rows: it is active, or has had one of these days.
func (s *Sums) canLack(at int) bool { return s.days[at] > 0 || s.active[at] }

func (s *Sums) lack(f Field, at int) lack {
	if f.IsOutcome() || s.lacks[f] == nil {
		return 0
	}
	return s.lacks[f][at]
}

// HasNegative reports whether a row has a negative number of a field, which is left out.
func (s *Sums) HasNegative(f Field, at int) bool { return s.lack(f, at)&isNegative != 0 }

// Lacks reports whether a row does not have a field.
func (s *Sums) Lacks(f Field, at int) bool { return s.lack(f, at)&isMissing != 0 }

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
		if !(s.Known(least.Field)[at] >= least.Least) { // true for NaN
			return false
		}
	}
	return true
}

// Total returns the bounds of the sum of a field over all campaigns. It is UNKNOWN if one of
// them has rows of several currencies or lacks a number that does not add up, and with min_days
// or over a lifetime if no campaign has enough days.
//
// recent are the last days: only a campaign that has a row in them, or is active, can lack one. Rows older
// than a day are too old. The hours are those of the window, however many campaigns there are.
func (s *Sums) Total(f Field, minDays int, recent *Sums, oldest calendar.Day, scope Scope) (low, high float64) {
	if f.IsOutcome() {
		return s.outcomeTotal(f, minDays, recent, scope)
	}
	of := s.sumUp(f, minDays, recent, scope)
	isOpen := !of.isComplete || of.newest < oldest && !f.IsBudget() && f != BudgetDue
	switch {
	case s.IsEmpty() && of.newest == 0, of.found == severalCurrencies && f.IsAmount(), !of.isComplete && (s.countsRows(minDays) || !f.AddsUp()):
		return math.NaN(), math.NaN()
	case f == Hours && !s.countsRows(minDays):
		return s.hours, s.hours
	case isOpen && f.AddsUp() && f != Hours:
		return of.low, math.Inf(1)
	}
	return of.low, of.high
}

// summed is a field of several campaigns.
type summed struct {
	low, high  float64
	isComplete bool // one of them has enough days
	found      currency
	newest     calendar.Day
}

// sumUp sums a field over the campaigns that count for the total. Hours are those of the campaign that
// has most of them.
func (s *Sums) sumUp(f Field, minDays int, recent *Sums, scope Scope) summed {
	of := summed{found: unknownCurrency}
	for at, days := range s.days {
		canLack := recent.canLack(at) && !s.countsRows(minDays)
		if days == 0 && !canLack || !scope.has(at) {
			continue
		}
		of.isComplete = of.isComplete || int(days) >= s.Required(minDays)
		least, most := s.part(f, at, canLack)
		if f == Hours {
			least, most = max(least-of.low, 0), max(most-of.high, 0)
		}
		of.low, of.high, of.newest = of.low+least, of.high+most, max(of.newest, s.newest[at])
		of.found = of.found.and(s.currency[at])
	}
	return of
}

// Scope says by place which campaigns are summed; nil: all are.
type Scope []bool

func (s Scope) has(at int) bool { return s == nil || s[at] }

// part returns the bounds of a field of a campaign that counts for the total, and may lack rows.
func (s *Sums) part(f Field, at int, canLack bool) (low, high float64) {
	low = s.columns[f][at]
	switch {
	case canLack && (f.AddsUp() || s.days[at] > 0):
		return s.Range(f, at, 0, false)
	case s.lack(f, at) != 0:
		return low, math.Inf(1)
	}
	return low, low
}

// LackingDays returns how many campaigns count for the total, and how many of these lack days.
func (s *Sums) LackingDays(minDays int, recent *Sums, scope Scope) (lacking, all int) {
	for at, days := range s.days {
		isRecent := recent.canLack(at)
		if days == 0 && !isRecent || !scope.has(at) {
			continue
		}
		if all++; isRecent && s.Missing(at, minDays) > 0 {
			lacking++
		}
	}
	return lacking, all
}

// NewestOf returns the newest day on which one of the campaigns has a row, or 0.
func (s *Sums) NewestOf(scope Scope) calendar.Day {
	newest := calendar.Day(0)
	for at, day := range s.newest {
		if scope.has(at) {
			newest = max(newest, day)
		}
	}
	return newest
}

// IsEmpty reports whether the window has no day: this month on its first, this week on a Monday.
func (s *Sums) IsEmpty() bool { return s.from > s.to }

// String names the window and its days.
func (s *Sums) String() string {
	name := s.Window.InText()
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
		if !read {
			continue
		}
		value := 0.0
		if !Field(c).AddsUp() {
			value = math.NaN()
		}
		s.columns[c] = append(s.columns[c], value)
		if s.lacks[c] != nil {
			s.lacks[c] = append(s.lacks[c], 0)
		}
	}
	if s.reads[Budget] || s.reads[BudgetDue] {
		s.budget = append(s.budget, dayBudget{})
	}
	if s.Window.Kind == FirstRows {
		s.oldest = append(s.oldest, 0)
	}
	for _, o := range s.outcomes {
		if o != nil {
			o.grow()
		}
	}
	s.newest, s.days, s.currency = append(s.newest, 0), append(s.days, 0), append(s.currency, unknownCurrency)
}

// note notes that a row of a place has no number of a field.
func (s *Sums) note(f Field, at int, why lack) {
	if s.lacks[f] == nil {
		s.lacks[f] = make([]lack, len(s.days))
	}
	s.lacks[f][at] |= why
}

// add adds the values of a day to those of a place. All amounts are UNKNOWN if rows have
// several currencies, and so is a field that does not add up if one row lacks it.
func (s *Sums) add(at int, day calendar.Day, c currency, values *[columns]float64) {
	first, newer := s.days[at] == 0, day >= s.newest[at]
	s.currency[at] = s.currency[at].and(c)
	for f, column := range s.columns {
		switch v := values[f]; {
		case column == nil:
		case s.currency[at] == severalCurrencies && Field(f).IsAmount():
			column[at] = math.NaN()
		case !Field(f).AddsUp():
			if first || math.IsNaN(v) || newer && !math.IsNaN(column[at]) {
				column[at] = v
			}
		case math.IsNaN(v):
			s.note(Field(f), at, isMissing)
		case v < 0:
			s.note(Field(f), at, isNegative)
		default:
			column[at] += v
		}
	}
	if v := values[Budget]; s.budget != nil && v >= 0 && day >= s.budget[at].day {
		s.budget[at] = dayBudget{day, v}
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
		switch v := values[c]; {
		case column == nil:
		case v < 0 && Field(c).AddsUp():
			column[at] = 0
			s.note(Field(c), at, isNegative)
		case !math.IsNaN(v):
			column[at] = v
			if Field(c) == Hours && !s.Window.IsRunning() {
				column[at] = max((s.to + 1).Begin(zone).Sub(s.from.Begin(zone)).Hours(), 0)
			}
			if s.lacks[c] != nil {
				s.lacks[c][at] = 0
			}
		case s.days[at] == 0 && Field(c).AddsUp():
			s.note(Field(c), at, isMissing)
		}
	}
	s.newest[at], s.days[at] = today, uint16(max(s.all, 1))
	if s.Window.Kind == Lifetime {
		s.days[at] = math.MaxUint16 // as many as any min_days
	}
}
