package calendar

import (
	"fmt"
	"time"
)

// Day is a date, in days since 1970-01-01.
type Day int

// secondsPerDay are those of a day in UTC.
const secondsPerDay = 86_400

// DayOf returns the date of a time in its zone.
func DayOf(at time.Time) Day {
	year, month, day := at.Date()
	return Day(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsPerDay)
}

// ParseDay reads YYYY-MM-DD.
func ParseDay(date string) (Day, error) {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return 0, fmt.Errorf("%q is not a date: write YYYY-MM-DD", date)
	}
	return DayOf(t), nil
}

// String returns the day as YYYY-MM-DD.
func (d Day) String() string { return d.utc().Format(time.DateOnly) }

func (d Day) utc() time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() }

// Begin returns the beginning of the day in a zone. If the clocks skip midnight, it is
// the time after the gap. If they show midnight twice, it is the first one, unless the date
// of the day before comes again after it.
func (d Day) Begin(zone *time.Location) time.Time {
	year, month, date := d.utc().Date()
	at := time.Date(year, month, date, 0, 0, 0, 0, zone)
	if DayOf(at) < d { // in the gap: time.Date returned a time before it
		_, at = at.ZoneBounds()
	}
	start, end := at.ZoneBounds()
	if !end.IsZero() && DayOf(end) < d {
		return at.Add(offset(at) - offset(end))
	}
	first := at
	if !start.IsZero() {
		first = at.Add(offset(at) - offset(start.Add(-1)))
	}
	if first.Before(start) && DayOf(start) >= d {
		return first
	}
	return at
}

// At returns the time at which the clocks of a zone show a time of the day, since midnight.
// If they show it twice, it is one of the two. It is false if the clocks skip it.
func (d Day) At(clock time.Duration, zone *time.Location) (at time.Time, shown bool) {
	year, month, date := d.utc().Date()
	at = time.Date(year, month, date, 0, 0, int(clock/time.Second), 0, zone)
	return at, at.Add(offset(at)).Equal(d.utc().Add(clock))
}

// offset returns how far the clocks are ahead of UTC at a time.
func offset(at time.Time) time.Duration {
	_, seconds := at.Zone()
	return time.Duration(seconds) * time.Second
}

// Week returns the Monday of the day's week.
func (d Day) Week() Day { return d - Day(d.weekday()) }

// weekday returns the number of days since Monday.
func (d Day) weekday() int { return (int(d.utc().Weekday()) + 6) % 7 }

// Month returns the first day of the day's month.
func (d Day) Month() Day { return d.month(0) }

// NextMonth returns the first day of the month after the day's.
func (d Day) NextMonth() Day { return d.month(1) }

// month returns the first day of the month that is a number of months after the day's.
func (d Day) month(later time.Month) Day {
	year, month, _ := d.utc().Date()
	return DayOf(time.Date(year, month+later, 1, 0, 0, 0, 0, time.UTC))
}

// MonthHours returns the hours of the day's month in a zone.
func (d Day) MonthHours(zone *time.Location) float64 {
	return d.month(1).Begin(zone).Sub(d.month(0).Begin(zone)).Hours()
}

// Count returns how many of the days from one to another, both included, exist in a
// zone: a zone that crosses the date line has none of the day that it skips.
func Count(from, to Day, zone *time.Location) int {
	n := 0
	for day := from; day <= to; day++ {
		if day.Begin(zone).Before((day + 1).Begin(zone)) {
			n++
		}
	}
	return n
}
