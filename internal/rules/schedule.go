package rules

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Schedule is when a rule is due: five cron fields (minute, hour, day, month
// and weekday, where 0 and 7 are Sunday; *, lists, ranges and
// steps), on the clock of the account's zone. As cron does, it takes a day that
// fits either day field where both are given.
//
// Where the clocks go forward, what falls into the gap is due once, right after
// it. Where they go back, what names its hours is due in the first of the two
// hours only; what is due every hour is due in both.
type Schedule struct {
	text                            string
	minutes, hours, months          []bool
	days, weekdays                  []bool
	everyHour, everyDay, everyWeday bool
	zone                            *time.Location
}

// parseSchedule reads a schedule. It is by hand because the one well-known
// library is not maintained and is silent about clocks that change.
func parseSchedule(text string, zone *time.Location) (*Schedule, error) {
	fields := strings.Fields(text)
	if len(fields) != 5 {
		return nil, fmt.Errorf("schedule %q has %d fields: write five (minute hour day month weekday), such as \"*/15 * * * *\" or \"0 7 * * *\"", text, len(fields))
	}
	s := &Schedule{text: text, zone: zone}
	for i, f := range []struct {
		name      string
		low, high int
		into      *[]bool
	}{
		{"minute", 0, 59, &s.minutes}, {"hour", 0, 23, &s.hours}, {"day", 1, 31, &s.days}, {"month", 1, 12, &s.months}, {"weekday", 0, 7, &s.weekdays},
	} {
		set, err := parseCronField(fields[i], f.low, f.high)
		if err != nil {
			return nil, fmt.Errorf("schedule %q: %s %q: %w", text, f.name, fields[i], err)
		}
		*f.into = set
	}
	s.weekdays[0] = s.weekdays[0] || s.weekdays[7]
	s.everyHour = strings.HasPrefix(fields[1], "*")
	s.everyDay, s.everyWeday = strings.HasPrefix(fields[2], "*"), strings.HasPrefix(fields[4], "*")
	if s.Next(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return nil, fmt.Errorf("schedule %q is never due: no such day comes", text)
	}
	return s, nil
}

// parseCronField reads a list of *, n, n-m, each with an optional /step.
func parseCronField(text string, low, high int) ([]bool, error) {
	set := make([]bool, high+1)
	for part := range strings.SplitSeq(text, ",") {
		span, stepText, stepped := strings.Cut(part, "/")
		step := 1
		if stepped {
			n, err := strconv.Atoi(stepText)
			if err != nil || n < 1 || n > high {
				return nil, fmt.Errorf("step %q is no whole number from 1 to %d", stepText, high)
			}
			step = n
		}
		from, to := low, high
		if span != "*" {
			first, last, ranged := strings.Cut(span, "-")
			var err1, err2 error
			if from, err1 = strconv.Atoi(first); !ranged {
				if to = from; stepped {
					to = high
				}
			} else {
				to, err2 = strconv.Atoi(last)
			}
			if err1 != nil || err2 != nil || from < low || to > high || from > to {
				return nil, fmt.Errorf("write *, a number from %d to %d, a range such as %d-%d, or a step such as */%d", low, high, low, high, max(2, high/4))
			}
		}
		for n := from; n <= to; n += step {
			set[n] = true
		}
	}
	return set, nil
}

func (s *Schedule) String() string { return s.text }

// Next is the first moment after another at which the schedule is due.
func (s *Schedule) Next(after time.Time) time.Time {
	at := after.In(s.zone).Truncate(time.Second)
	// To the next full minute of the local clock: zones may be off by seconds.
	at = at.Add(time.Minute - time.Duration(at.Second())*time.Second)
	// The longest wait is for 29 February over the turn of a century.
	for limit := at.AddDate(9, 0, 0); at.Before(limit); {
		_, change := at.ZoneBounds()
		if change.IsZero() || change.After(limit) {
			change = limit
		}
		if due := s.within(at, change); !due.IsZero() {
			return due
		}
		if s.skipped(change) {
			return change
		}
		at = change
	}
	return time.Time{}
}

// within is the first moment from at on, before the clocks change, that is due.
func (s *Schedule) within(at, change time.Time) time.Time {
	for at.Before(change) {
		switch {
		case !s.day(at):
			year, month, day := at.Date()
			next := midnight(dayNumber(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))+1, s.zone)
			if !next.After(at) {
				return time.Time{}
			}
			at = next
		case !s.hours[at.Hour()]:
			at = at.Add(time.Hour - time.Duration(at.Minute())*time.Minute - time.Duration(at.Second())*time.Second)
		case !s.minutes[at.Minute()] || s.repeated(at):
			at = at.Add(time.Minute - time.Duration(at.Second())*time.Second)
		default:
			return at
		}
	}
	return time.Time{}
}

// day reports whether a moment's day is due.
func (s *Schedule) day(at time.Time) bool {
	if !s.months[at.Month()] {
		return false
	}
	month, week := s.days[at.Day()], s.weekdays[at.Weekday()]
	switch {
	case s.everyDay || s.everyWeday:
		return month && week
	default:
		return month || week
	}
}

// repeated reports whether the clock showed this moment before, and the
// schedule names its hours.
func (s *Schedule) repeated(at time.Time) bool {
	begin, _ := at.ZoneBounds()
	if s.everyHour || begin.IsZero() {
		return false
	}
	_, now := begin.Zone()
	_, before := begin.Add(-time.Second).In(s.zone).Zone()
	back := time.Duration(before-now) * time.Second
	return back > 0 && at.Before(begin.Add(back))
}

// skipped reports whether the clocks, changing at a moment, jump over one that
// is due.
func (s *Schedule) skipped(change time.Time) bool {
	_, after := change.Zone()
	_, before := change.Add(-time.Second).In(s.zone).Zone()
	if s.everyHour || after <= before {
		return false
	}
	// The clock as it would have gone on.
	clock := change.In(time.FixedZone("", before))
	for range (after - before) / 60 {
		if s.day(clock) && s.hours[clock.Hour()] && s.minutes[clock.Minute()] {
			return true
		}
		clock = clock.Add(time.Minute)
	}
	return false
}

// Last is the newest moment until another, itself included, at which the
// schedule was due; zero: not within nine years.
func (s *Schedule) Last(until time.Time) time.Time {
	for _, back := range []time.Duration{time.Hour, 25 * time.Hour, 32 * 24 * time.Hour, 367 * 24 * time.Hour, 9 * 366 * 24 * time.Hour} {
		var last time.Time
		for at := s.Next(until.Add(-back)); !at.IsZero() && !at.After(until); at = s.Next(at) {
			last = at
		}
		if !last.IsZero() {
			return last
		}
	}
	return time.Time{}
}
