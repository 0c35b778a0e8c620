package rules

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Window selects the days over which a rule's metrics are summed, in the
// account's zone. The zero Window is invalid.
type Window struct {
	kind windowKind
	days int // of lastDays and daysAgo
}

type windowKind int

const (
	today     windowKind = iota + 1 // the running day
	yesterday                       // the complete day before it
	lastDays                        // a number of complete days before it
	thisMonth                       // the complete days of its month before it: on the first, none
	lifetime                        // all days until now, including the running one
	ages                            // the days in which a first row is looked for; not in rule files
	daysAgo                         // the complete day a number of days before it; not in rule files
)

// maxWindowDays is the length of the longest window.
const maxWindowDays = 366

// firstDay is the first day of a lifetime.
var firstDay = dayNumber(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))

// parseWindow reads today, yesterday, last N days, this month, or lifetime.
func parseWindow(text string) (Window, error) {
	switch text {
	case "today":
		return Window{kind: today}, nil
	case "yesterday":
		return Window{kind: yesterday}, nil
	case "this month":
		return Window{kind: thisMonth}, nil
	case "lifetime":
		return Window{kind: lifetime}, nil
	}
	words := strings.Fields(text)
	if len(words) == 3 && words[0] == "last" && (words[2] == "days" || words[2] == "day") {
		if n, err := strconv.Atoi(words[1]); err == nil && n >= 1 && n <= maxWindowDays {
			return Window{kind: lastDays, days: n}, nil
		}
		return Window{}, fmt.Errorf("window %q: N is a whole number from 1 to %d", text, maxWindowDays)
	}
	return Window{}, fmt.Errorf("unknown window %q", text)
}

func (w Window) String() string {
	switch w.kind {
	case yesterday:
		return "yesterday"
	case lifetime:
		return "lifetime"
	case lastDays:
		return "last " + daysText(w.days)
	case thisMonth:
		return "this month"
	case daysAgo:
		return "the day"
	}
	return "today"
}

// span returns the first and the last day of the window on a running day, or of
// the window before it.
func (w Window) span(day int, previous bool) (from, to int) {
	length := 1
	switch w.kind {
	case today:
		from, to = day, day
	case yesterday:
		from, to = day-1, day-1
	case lastDays:
		length = w.days
		from, to = day-length, day-1
	case thisMonth:
		return dayNumber(monthOf(day, 0)), day - 1
	case lifetime:
		return firstDay, day
	case ages:
		return day - ageDays, day
	case daysAgo:
		return day - w.days, day - w.days
	}
	if previous {
		return from - length, to - length
	}
	return from, to
}

// length returns the number of days of the window; 0: no fixed number.
func (w Window) length() int {
	switch w.kind {
	case today, yesterday, daysAgo:
		return 1
	case lastDays:
		return w.days
	}
	return 0
}

// monthOf returns the first day of the month of a day, or of a number of months after it,
// in UTC.
func monthOf(day, later int) time.Time {
	year, month, _ := time.Unix(int64(day)*86_400, 0).UTC().Date()
	return time.Date(year, month+time.Month(later), 1, 0, 0, 0, 0, time.UTC)
}

// monthHours returns the hours of the month of a day in a zone.
func monthHours(day int, zone *time.Location) float64 {
	return midnight(dayNumber(monthOf(day, 1)), zone).Sub(midnight(dayNumber(monthOf(day, 0)), zone)).Hours()
}

// hasPrevious reports whether there is a window of the same length before the window.
func (w Window) hasPrevious() bool { return w.kind != lifetime && w.kind != thisMonth }

// existingDays returns how many days of a span exist in a zone: a zone that crosses the
// date line has none of the day that it skips.
func existingDays(from, to int, zone *time.Location) int {
	n := 0
	for day := from; day <= to; day++ {
		if midnight(day, zone).Before(midnight(day+1, zone)) {
			n++
		}
	}
	return n
}

// running reports whether the window contains the running day.
func (w Window) running() bool { return w.kind == today || w.kind == lifetime }

// dayNumber returns the number of a time's date in its zone, in days since 1970.
func dayNumber(at time.Time) int {
	year, month, day := at.Date()
	return int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / 86_400)
}

// parseDay reads YYYY-MM-DD.
func parseDay(date string) (int, error) {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return 0, fmt.Errorf("%q is not a date: write YYYY-MM-DD", date)
	}
	return dayNumber(t), nil
}

// dayText writes YYYY-MM-DD.
func dayText(day int) string {
	return time.Unix(int64(day)*86_400, 0).UTC().Format(time.DateOnly)
}

// midnight returns the beginning of a day in a zone. If the clocks skip midnight,
// it is the time after the gap.
func midnight(day int, zone *time.Location) time.Time {
	year, month, date := time.Unix(int64(day)*86_400, 0).UTC().Date()
	at := time.Date(year, month, date, 0, 0, 0, 0, zone)
	if dayNumber(at) < day { // in the gap: time.Date returned a time before it
		_, at = at.ZoneBounds()
	}
	return at
}

// EndOf returns the last moment of a day (YYYY-MM-DD) in the set's zone. A run at
// that time has the complete day as its running day.
func (s *Set) EndOf(date string) (time.Time, error) {
	day, err := parseDay(date)
	if err != nil {
		return time.Time{}, err
	}
	return midnight(day+1, s.Zone).Add(-time.Nanosecond), nil
}
