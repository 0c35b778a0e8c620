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
	case "lifetime":
		return 0, day
	}
	return day, day
}

// sum is a window of an entity, summed up.
type sum struct {
	rows   int
	all    int // days of the window
	newest int // the last day with a row
	fields map[string]float64
	ahead  float64 // hours that projectedSpend looks ahead
}

// sumOf sums up an entity's rows. A field that a row lacks is UNKNOWN. Those fields that are
// no sum are of the newest row.
func (r *run) sumOf(rows report, from, to int) sum {
	s := sum{all: to - from + 1, fields: map[string]float64{}}
	for day, values := range rows {
		if day < from || day > to {
			continue
		}
		s.rows++
		s.newest = max(s.newest, day)
		for _, name := range fields {
			v, known := values[name]
			if !known {
				v = unknown
			}
			s.fields[name] += v
		}
		hours, share := r.passed(day)
		s.fields["hours"] += hours
		s.fields["budgetDue"] += divide(values["budget"]*share, flag(values, "budget"))
	}
	if s.rows > 0 {
		s.fields["lifetimeBudget"] += rows[s.newest]["lifetimeBudget"] - s.fields["lifetimeBudget"]
	}
	return s
}

// flag returns 1 if a row has a field, and otherwise 0.
func flag(values row, name string) float64 {
	if _, known := values[name]; known {
		return 1
	}
	return 0
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
	return s
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

// value returns a metric of a sum.
func (s sum) value(metric string) float64 {
	if s.rows == 0 {
		return unknown
	}
	f := s.fields
	budget := f["budget"]
	if budget == 0 {
		budget = unknown // no quotient has it
	}
	switch metric {
	case "ctr":
		return divide(f["clicks"], f["impressions"])
	case "cpc":
		return divide(f["grossMediaSpend"], f["clicks"])
	case "ecpm":
		return divide(f["grossMediaSpend"], f["impressions"]) * 1000
	case "pacing":
		return divide(f["grossMediaSpend"], f["budgetDue"])
	case "spendRate":
		return divide(f["grossMediaSpend"], f["hours"])
	case "projectedSpend":
		return f["grossMediaSpend"] + divide(f["grossMediaSpend"], f["hours"])*s.ahead
	case "lifetimeUsed":
		return divide(f["grossMediaSpend"], f["lifetimeBudget"])
	case "budgetUsed":
		return divide(f["grossMediaSpend"], budget)
	case "displayRate":
		return divide(f["impressions"], f["won"])
	case "ctr_upper95":
		return wilson(f["clicks"], f["impressions"], 1)
	case "ctr_lower95":
		return wilson(f["clicks"], f["impressions"], -1)
	}
	return f[metric]
}

// wilson returns a bound of the 95 % Wilson interval of k events in n trials: its centre
// and a half-width above (1) or below (-1) it.
func wilson(k, n, side float64) float64 {
	if n == 0 || k > n {
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

func divide(a, b float64) float64 {
	if b == 0 {
		return unknown
	}
	return a / b
}
