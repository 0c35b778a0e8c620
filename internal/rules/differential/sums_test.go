package differential_test

import (
	"math"
	"time"
)

// This evaluator follows docs/concepts/rules.md and docs/reference/rules.md, sentence by sentence. It is slow
// and plain on purpose.

var unknown = math.NaN()

func dateOf(day int) string {
	return time.Unix(int64(day)*86_400, 0).UTC().Format(time.DateOnly)
}

// daysOf returns the first and the last day of a window on a running day.
func (s span) daysOf(day int) (from, to int) {
	switch s.kind {
	case "yesterday":
		return day - 1, day - 1
	case "last":
		return day - s.days, day - 1
	case "month":
		date := time.Unix(int64(day)*86_400, 0).UTC()
		return day - date.Day() + 1, day - 1
	case "week":
		weekday := time.Unix(int64(day)*86_400, 0).UTC().Weekday()
		return day - int(weekday+6)%7, day - 1
	case "same":
		return day - s.days, day - s.days
	case "lifetime":
		return 0, day
	}
	return day, day
}

// bounds are what is known of a number: it is at least low and at most high. Both are UNKNOWN,
// or none.
type bounds struct{ low, high float64 }

func exactly(v float64) bounds { return bounds{v, v} }

func (b bounds) isExact() bool { return b.low == b.high }

// only returns the number if it is known exactly.
func (b bounds) only() float64 {
	if b.isExact() {
		return b.low
	}
	return unknown
}

var nothing = bounds{unknown, unknown}

// sum is a window of an entity, summed up.
type sum struct {
	rows     int
	all      int // days of the window
	newest   int // the last day with a row
	fields   map[string]float64
	open     map[string]bool // fields that a row lacks
	ahead    float64         // hours that projectedSpend looks ahead
	installs bounds

	// What scene.complete says.
	isUnknown bool
	isEmpty   bool // the window has no day
	isZero    bool // and is taken as 0
	missing   int  // days without a row
	isOld     bool // its newest row is too old
	hours     float64
	budget    float64 // the present one, or the newest that is known; UNKNOWN: none is
}

// sumOf sums up what an entity's rows have. Those fields that are no sum are of the newest row,
// and UNKNOWN if a row lacks them.
func (r *run) sumOf(rows report, from, to int) sum {
	s := sum{all: to - from + 1, fields: map[string]float64{}, open: map[string]bool{}, budget: unknown}
	budgetDay := from - 1
	for day, values := range rows {
		if day < from || day > to {
			continue
		}
		s.rows++
		s.newest = max(s.newest, day)
		for _, name := range fields {
			v, known := values[name]
			if known || name == "lifetimeBudget" {
				s.fields[name] += v
			}
			if !known {
				s.open[name] = true
			}
		}
		hours, share := r.passed(day)
		s.fields["hours"] += hours
		s.fields["budgetDue"] += values["budget"] * share
		if v, known := values["budget"]; known && day > budgetDay {
			s.budget, budgetDay = v, day
		}
	}
	s.open["budgetDue"] = s.open["budget"]
	if s.rows > 0 {
		s.fields["lifetimeBudget"] = rows[s.newest]["lifetimeBudget"]
	}
	return s
}

// field returns what is known of a field: the numbers of the rows are a lower bound if others
// are missing.
func (s sum) field(name string) bounds {
	v, missing := s.fields[name], s.missing
	switch {
	case s.isEmpty && s.isZero && name != "lifetimeBudget":
		return exactly(0)
	case s.isEmpty, s.isUnknown, name == "lifetimeBudget" && (s.rows == 0 || s.open[name]):
		return nothing
	case name == "lifetimeBudget":
		return exactly(v)
	case name == "hours" && missing > 0:
		return exactly(s.hours)
	case name == "hours":
		return exactly(v)
	}
	isBudget := name == "budget" || name == "budgetDue"
	if isBudget && missing > 0 && !math.IsNaN(s.budget) {
		v += float64(missing) * s.budget
		missing = 0
	}
	if missing > 0 || s.open[name] || s.isOld && !isBudget {
		return bounds{v, math.Inf(1)}
	}
	return exactly(v)
}

// passed returns the hours of a day that have passed, and their share of the day.
func (r *run) passed(day int) (hours, share float64) {
	if r.flat != nil {
		return 24, 1
	}
	begin, end := r.account.begin(day), r.account.begin(day+1)
	passed := min(max(r.at.Sub(begin), 0), end.Sub(begin))
	return passed.Hours(), passed.Hours() / end.Sub(begin).Hours()
}

// flatSum returns the sum of a window, all of whose days are known.
func (r *run) flatSum(values row) sum {
	s := r.sumOf(report{0: values}, 0, 0)
	s.rows, s.all = 400, 400
	if s.installs = nothing; hasInstalls(values) {
		s.installs = exactly(values[installs])
	}
	return s
}

func hasInstalls(values row) bool {
	_, has := values[installs]
	return has
}

// isComplete reports whether enough days have a row.
func (s sum) isComplete(minDays int, lifetime bool) bool {
	need := s.all
	if lifetime && minDays == 0 {
		need = 1
	}
	if minDays > 0 {
		need = min(minDays, s.all)
	}
	return s.rows > 0 && s.rows >= need
}

// value returns what is known of a metric of a sum.
func (s sum) value(metric string) bounds {
	spend := s.field("grossMediaSpend")
	budget := s.field("budget")
	if budget == exactly(0) {
		budget = nothing // no quotient has it
	}
	switch metric {
	case installs:
		return s.installs
	case "ctr":
		return divide(s.field("clicks"), s.field("impressions"))
	case "cpc":
		return divide(spend, s.field("clicks"))
	case "ecpm":
		return times(divide(spend, s.field("impressions")), exactly(1000))
	case "pacing":
		return divide(spend, s.field("budgetDue"))
	case "spendRate":
		return divide(spend, s.field("hours"))
	case "projectedSpend":
		if s.ahead == none {
			return spend
		}
		return plus(spend, times(divide(spend, s.field("hours")), exactly(s.ahead)))
	case "lifetimeUsed":
		of := s.field("lifetimeBudget")
		return divide(spend, of)
	case "budgetUsed":
		return divide(spend, budget)
	case "displayRate":
		return divide(s.field("impressions"), s.field("won"))
	case "ctr_upper95":
		return exactly(wilson(s.field("clicks").only(), s.field("impressions").only(), 1))
	case "ctr_lower95":
		return exactly(wilson(s.field("clicks").only(), s.field("impressions").only(), -1))
	}
	return s.field(metric)
}

// none is how far projectedSpend looks ahead over a window of complete days.
const none = -1

// wilson returns a bound of the 95 % Wilson interval of k events in n trials: its centre
// and a half-width above (1) or below (-1) it.
func wilson(k, n, side float64) float64 {
	if math.IsNaN(k+n) || n == 0 || k > n {
		return unknown
	}
	const z = 1.95996398454
	p := k / n
	if p == 0 && side < 0 || p == 1 && side > 0 {
		return p // which the formula misses by a rounding error
	}
	centre := (p + z*z/(2*n)) / (1 + z*z/n)
	width := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return centre + side*width
}

// divide returns a quotient. It is UNKNOWN if the divisor is not known, or 0.
func divide(a, b bounds) bounds {
	if !b.isExact() || b.low == 0 {
		return nothing
	}
	return ordered(a.low/b.low, a.high/b.low)
}

func plus(a, b bounds) bounds { return ordered(a.low+b.low, a.high+b.high) }

func minus(a, b bounds) bounds { return ordered(a.low-b.high, a.high-b.low) }

// times returns a product. Nothing is at least 0 times what has no bound.
func times(a, b bounds) bounds {
	if math.IsNaN(a.low) || math.IsNaN(b.low) {
		return nothing
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, x := range []float64{a.low, a.high} {
		for _, y := range []float64{b.low, b.high} {
			p := x * y
			if x == 0 || y == 0 {
				p = 0
			}
			least, most = min(least, p), max(most, p)
		}
	}
	return ordered(least, most)
}

// ordered returns bounds, or nothing if they say nothing.
func ordered(a, b float64) bounds {
	low, high := min(a, b), max(a, b)
	if math.IsNaN(low) || math.IsInf(low, -1) && math.IsInf(high, 1) {
		return nothing
	}
	return bounds{low, high}
}
