package calendar_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"usher/internal/rules/calendar"
)

// parse returns a schedule in a zone.
func parse(t interface {
	Helper()
	Fatal(args ...any)
}, zone, schedule string) *calendar.Schedule {
	t.Helper()
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	s, err := calendar.ParseSchedule(schedule, location)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSchedule(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ zone, schedule, after, want string }{
		"quarters":             {"UTC", "*/15 * * * *", "2026-01-01T00:07:30Z", "00:15 00:30 00:45 01:00"},
		"daily":                {"Europe/London", "0 7 * * *", "2026-01-01T07:00:00Z", "2T07:00 3T07:00"},
		"in summer":            {"Europe/London", "0 7 * * *", "2026-07-01T00:00:00Z", "1T06:00 2T06:00"},
		"weekdays":             {"UTC", "30 9 * * 1-5", "2026-05-22T09:30:00Z", "25T09:30 26T09:30"},
		"Sunday is 7":          {"UTC", "0 0 * * 7", "2026-05-20T00:00:00Z", "24T00:00 31T00:00"},
		"either day":           {"UTC", "0 0 3 * 1", "2026-05-29T00:00:00Z", "06-01 06-03 06-08"},
		"list, range and step": {"UTC", "5,10-20/5 3 * * *", "2026-05-20T03:05:00Z", "03:10 03:15 03:20 21T03:05"},
		"leap day":             {"UTC", "0 0 29 2 *", "2026-05-20T00:00:00Z", "2028-02-29 2032-02-29"},
		// 29 March 2026: 01:00 GMT becomes 02:00 BST.
		"gap, by hour":    {"Europe/London", "30 1 * * *", "2026-03-28T02:00:00Z", "29T01:00 30T00:30"},
		"gap, every hour": {"Europe/London", "30 * * * *", "2026-03-29T00:00:00Z", "00:30 01:30 02:30"},
		"after the gap":   {"Europe/London", "0 2 * * *", "2026-03-28T03:00:00Z", "29T01:00 30T01:00"},
		"quarters, gap":   {"Europe/London", "*/15 * * * *", "2026-03-29T00:30:00Z", "00:45 01:00 01:15"},
		// 25 October 2026: 02:00 BST becomes 01:00 GMT.
		"twice, by hour":    {"Europe/London", "30 1 * * *", "2026-10-24T12:00:00Z", "25T00:30 26T01:30"},
		"twice, every hour": {"Europe/London", "30 * * * *", "2026-10-25T00:00:00Z", "00:30 01:30 02:30"},
		"half an hour":      {"Australia/Lord_Howe", "15 2 * * *", "2026-10-03T00:00:00+11:00", "2T15:45 3T15:30"},
		"gap at midnight":   {"America/Santiago", "0 0 * * *", "2026-09-05T12:00:00Z", "6T04:00 7T03:00"},
		"just before it":    {"America/Santiago", "30 0 * * *", "2026-09-06T03:59:59.5Z", "6T04:00 7T03:30"},
		"on it":             {"America/Santiago", "0 0 * * *", "2026-09-06T04:00:00Z", "7T03:00 8T03:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := parse(t, c.zone, c.schedule)
			at, err := time.Parse(time.RFC3339, c.after)
			if err != nil {
				t.Fatal(err)
			}
			for want := range strings.SplitSeq(c.want, " ") {
				next := s.Next(at)
				if got := next.UTC().Format("2006-01-02T15:04:05"); !strings.Contains(got, want) {
					t.Errorf("after %s is %s, want %s", at, got, want)
				}
				if last := s.Last(next); !last.Equal(next) {
					t.Errorf("the last one until %s is %s", next, last)
				}
				at = next
			}
		})
	}
}

// TestScheduleAgainstTheClock compares Next with a search minute by minute, in a zone
// without clock changes.
func TestScheduleAgainstTheClock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		minute, hour, day, weekday := rapid.IntRange(0, 59).Draw(t, "minute"), rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(1, 28).Draw(t, "day"), rapid.IntRange(0, 6).Draw(t, "weekday")
		text := rapid.SampledFrom([]string{
			fmt.Sprintf("%d * * * *", minute), fmt.Sprintf("%d %d * * *", minute, hour), fmt.Sprintf("%d %d %d * *", minute, hour, day), fmt.Sprintf("%d %d * * %d", minute, hour, weekday),
		}).Draw(t, "schedule")
		at := time.Unix(rapid.Int64Range(1_700_000_000, 1_900_000_000).Draw(t, "at"), 0)
		next := parse(t, "Asia/Kolkata", text).Next(at)
		zone, _ := time.LoadLocation("Asia/Kolkata")
		for clock := at.Truncate(time.Minute).Add(time.Minute); ; clock = clock.Add(time.Minute) {
			local := clock.In(zone)
			f := strings.Fields(text)
			is := func(field string, n int) bool { return field == "*" || field == fmt.Sprint(n) }
			if is(f[0], local.Minute()) && is(f[1], local.Hour()) && is(f[2], local.Day()) && is(f[4], int(local.Weekday())) {
				if !clock.Equal(next) {
					t.Fatalf("%s after %s is %s, not %s", text, at, next, clock)
				}
				return
			}
		}
	})
}

// TestClocksBackOverMidnight checks a schedule in a zone that set its clocks back from
// 00:01 to 23:01 of the day before.
func TestClocksBackOverMidnight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schedule, after, want string }{
		{"0 7 1 * *", "2010-11-05T12:00:00-02:30", "2010-12-01T07:00:00-03:30"},
		{"0 7 * * *", "2010-11-06T12:00:00-02:30", "2010-11-07T07:00:00-03:30"},
		{"30 23 * * 6", "2010-11-06T12:00:00-02:30", "2010-11-06T23:30:00-02:30"},
		{"30 23 * * 6", "2010-11-06T23:45:00-02:30", "2010-11-13T23:30:00-03:30"},
	} {
		after, err := time.Parse(time.RFC3339, c.after)
		if err != nil {
			t.Fatal(err)
		}
		if got := parse(t, "America/St_Johns", c.schedule).Next(after).Format(time.RFC3339); got != c.want {
			t.Errorf("%s is due after %s at %s, not %s", c.schedule, c.after, got, c.want)
		}
	}
}
