package calendar_test

import (
	"testing"
	"time"

	"usher/internal/rules/calendar"
)

// TestBegin checks the beginnings of days on which clocks change at midnight.
func TestBegin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ zone, date, want string }{
		"no change":              {"Europe/London", "2014-06-01", "2014-05-31T23:00:00Z"},
		"midnight comes twice":   {"Asia/Amman", "2014-10-31", "2014-10-30T21:00:00Z"}, // at 01:00 it is 00:00 again
		"… in the Azores":        {"Atlantic/Azores", "2026-10-25", "2026-10-25T00:00:00Z"},
		"midnight is skipped":    {"America/Sao_Paulo", "2014-10-19", "2014-10-19T03:00:00Z"},
		"23:00 comes twice":      {"America/Sao_Paulo", "2014-02-16", "2014-02-16T03:00:00Z"},
		"the date goes back":     {"America/St_Johns", "2010-11-07", "2010-11-07T03:30:00Z"}, // at 00:01 it is 23:01 again
		"a day that never was":   {"Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"},
		"the day after that one": {"Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zone, err := time.LoadLocation(c.zone)
			if err != nil {
				t.Fatal(err)
			}
			day, err := calendar.ParseDay(c.date)
			if err != nil {
				t.Fatal(err)
			}
			if got := day.Begin(zone).UTC().Format(time.RFC3339); got != c.want {
				t.Errorf("%s begins in %s at %s, not %s", c.date, c.zone, got, c.want)
			}
		})
	}
}

// TestDayAt checks times of the day on which clocks change.
func TestDayAt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ zone, date, clock, want string }{
		"before a change of half an hour": {"Australia/Lord_Howe", "2014-04-06", "01h00m", "2014-04-05T14:00:00Z"},
		"after it":                        {"Australia/Lord_Howe", "2014-04-06", "09h00m", "2014-04-05T22:30:00Z"},
		"after clocks go forward":         {"Europe/London", "2014-03-30", "09h00m", "2014-03-30T08:00:00Z"},
		"before they do":                  {"Europe/London", "2014-03-30", "00h30m", "2014-03-30T00:30:00Z"},
		"a time that they skip":           {"Europe/London", "2014-03-30", "01h30m", ""},
		"midnight is skipped":             {"America/Sao_Paulo", "2014-10-19", "00h00m", ""},
		"a day that never was":            {"Pacific/Apia", "2011-12-30", "12h00m", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zone, err := time.LoadLocation(c.zone)
			if err != nil {
				t.Fatal(err)
			}
			day, err := calendar.ParseDay(c.date)
			if err != nil {
				t.Fatal(err)
			}
			clock, err := time.ParseDuration(c.clock)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if at, shown := day.At(clock, zone); shown {
				got = at.UTC().Format(time.RFC3339)
			}
			if got != c.want {
				t.Errorf("the clocks show %s at %q, not %q", c.clock, got, c.want)
			}
		})
	}
}
