package operations

import (
	"time"
)

// formatTime returns a date-time in the platform's format.
func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000") }

// dayOf returns the day of a time in UTC, YYYY-MM-DD.
func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// dayAfter returns the day n days after another.
func dayAfter(day string, n int) string {
	t, _ := time.Parse(time.DateOnly, day) // already checked
	return dayOf(t.AddDate(0, 0, n))
}

// daysBetween returns the number of days from first to last, both included.
func daysBetween(first, last string) int {
	a, _ := time.Parse(time.DateOnly, first) // already checked
	b, _ := time.Parse(time.DateOnly, last)
	return int(b.Sub(a).Hours()/24) + 1
}

// checkDate checks that a field is a date.
func checkDate(field, text string) error {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return Invalid(field, "must be a date, YYYY-MM-DD")
	}
	return nil
}

// checkPeriod checks the dates of a report.
func checkPeriod(start, end string) error {
	if err := checkDate("startDate", start); err != nil {
		return err
	}
	if err := checkDate("endDate", end); err != nil {
		return err
	}
	if end < start {
		return Invalid("endDate", "must not be before startDate")
	}
	return nil
}
