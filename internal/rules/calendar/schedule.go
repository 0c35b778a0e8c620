package calendar

import "time"

// Schedule says when a rule is due: five cron fields (minute, hour, day, month, and
// weekday, where 0 and 7 are Sunday; *, lists, ranges and steps) on the clock of the
// account's zone. As in cron, if both day fields are given, a day that matches either
// is due.
//
// If the clocks go forward, times in the gap are due once, right after it. If they go
// back, a schedule with given hours is due in the first of the two equal hours only;
// one with every hour is due in both.
type Schedule struct {
	text                   string
	minutes, hours, months []bool
	days, weekdays         []bool
	everyMinute, everyHour bool
	everyDay, everyWeekday bool
	zone                   *time.Location
}

// String returns the five fields as they were written.
func (s *Schedule) String() string { return s.text }

// Next returns the first time after another at which the schedule is due. It is zero
// if there is none within nine years.
func (s *Schedule) Next(after time.Time) time.Time {
	at := after.In(s.zone).Truncate(time.Second)
	// To the next full minute of the local clock: the offset of a zone may have seconds.
	at = at.Add(time.Minute - time.Duration(at.Second())*time.Second)
	if change, _ := at.ZoneBounds(); change.After(after) && s.skips(change) {
		return change
	}
	// The longest wait is for 29 February, if the turn of a century has none.
	for limit := at.AddDate(9, 0, 0); at.Before(limit); {
		_, change := at.ZoneBounds()
		if change.IsZero() || change.After(limit) {
			change = limit
		}
		if due := s.nextBefore(change, at); !due.IsZero() {
			return due
		}
		if s.skips(change) {
			return change
		}
		at = change
	}
	return time.Time{}
}

// nextBefore returns the first time from at, before the clocks change, at which the
// schedule is due.
func (s *Schedule) nextBefore(change, at time.Time) time.Time {
	for at.Before(change) {
		switch {
		case !s.isDueOn(at):
			next := (DayOf(at) + 1).Begin(s.zone)
			if !next.After(at) { // the clocks went back over midnight, so the rest of the day comes again
				next = at.Add(time.Hour - time.Duration(at.Minute())*time.Minute - time.Duration(at.Second())*time.Second)
			}
			at = next
		case !s.hours[at.Hour()]:
			at = at.Add(untilSet(s.hours, at.Hour(), time.Hour) - time.Duration(at.Minute())*time.Minute - time.Duration(at.Second())*time.Second)
		case !s.minutes[at.Minute()]:
			at = at.Add(untilSet(s.minutes, at.Minute(), time.Minute) - time.Duration(at.Second())*time.Second)
		case s.isRepeated(at):
			at = at.Add(time.Minute - time.Duration(at.Second())*time.Second)
		default:
			return at
		}
	}
	return time.Time{}
}

// untilSet returns the time from a number of a field to the next one that is set, or to
// the end of the field. The clocks do not change meanwhile, or the result lies after the
// change and is not used.
func untilSet(set []bool, number int, unit time.Duration) time.Duration {
	next := number + 1
	for next < len(set) && !set[next] {
		next++
	}
	return time.Duration(next-number) * unit
}

// isDueOn reports whether the schedule is due on the day of a time.
func (s *Schedule) isDueOn(at time.Time) bool {
	if !s.months[at.Month()] {
		return false
	}
	month, week := s.days[at.Day()], s.weekdays[at.Weekday()]
	if s.everyDay || s.everyWeekday {
		return month && week
	}
	return month || week
}

// isRepeated reports whether the clock showed this time before, and the schedule has
// given hours.
func (s *Schedule) isRepeated(at time.Time) bool {
	begin, _ := at.ZoneBounds()
	if s.everyHour || begin.IsZero() {
		return false
	}
	_, now := begin.Zone()
	_, before := begin.Add(-time.Second).In(s.zone).Zone()
	back := time.Duration(before-now) * time.Second
	return back > 0 && at.Before(begin.Add(back))
}

// skips reports whether a change of the clocks skips a time at which the schedule is
// due.
func (s *Schedule) skips(change time.Time) bool {
	_, after := change.Zone()
	_, before := change.Add(-time.Second).In(s.zone).Zone()
	if s.everyHour || after <= before {
		return false
	}
	// The clock without the change.
	clock := change.In(time.FixedZone("", before))
	for range (after - before) / 60 {
		if s.isDueOn(clock) && s.hours[clock.Hour()] && s.minutes[clock.Minute()] {
			return true
		}
		clock = clock.Add(time.Minute)
	}
	return false
}

// Last returns the last time at which the schedule was due, not after until. It is
// zero if there is none within nine years.
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

// isDueWithin reports whether the schedule, on a day on which it is due, is due within a
// number of minutes from a minute of the day.
func (s *Schedule) isDueWithin(from, minutes int) bool {
	for minute := from; minute < from+minutes; minute++ {
		if s.hours[minute/60%24] && s.minutes[minute%60] {
			return true
		}
	}
	return false
}

// IsDueAfterMidnight reports whether the schedule, on a day on which it is due, is due within an
// hour after midnight.
func (s *Schedule) IsDueAfterMidnight() bool { return s.isDueWithin(0, 60) }

// IsEveryMinute reports whether the schedule is due in every minute of given hours.
func (s *Schedule) IsEveryMinute() bool { return s.everyMinute && !s.everyHour }

// TimesOfDay returns the times of a day, from its beginning, at which the schedule is due
// on the days on which it is.
func (s *Schedule) TimesOfDay() []time.Duration {
	var list []time.Duration
	for _, hour := range numbersIn(s.hours) {
		for _, minute := range numbersIn(s.minutes) {
			list = append(list, time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute)
		}
	}
	return list
}

// numbersIn returns the numbers that are in a field of a schedule.
func numbersIn(set []bool) []int {
	var list []int
	for n, in := range set {
		if in {
			list = append(list, n)
		}
	}
	return list
}
