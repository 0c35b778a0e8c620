package backtest_test

import (
	"fmt"
	"maps"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
)

// spent returns the row of creative A/a-1 on a day of March 2026.
func spent(day int, gross float64) figures.Row {
	row := figures.Row{Date: fmt.Sprintf("2026-03-%02d", day), Campaign: "A", Creative: "a-1", Currency: "USD"}
	row.Values[figures.GrossMediaSpend] = gross
	return row
}

// TestSaved checks what real pauses have saved, and of which it is not known.
func TestSaved(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	at := func(day, hour int) time.Time { return time.Date(2026, 3, day, hour, 0, 0, 0, zone) }
	pause := func(from, to time.Time) usher.PausedTime {
		return usher.PausedTime{Rule: "f/stop", Campaign: "A", Creative: "a-1", From: from, To: to}
	}
	byHand := func(from, to time.Time) usher.PausedTime {
		p := pause(from, to)
		p.Rule = ""
		return p
	}
	elsewhere := pause(at(10, 12), at(12, 12))
	elsewhere.Elsewhere = true
	unsure := pause(at(10, 12), at(12, 12))
	unsure.Unsure = true
	now := at(13, 6)
	never := time.Time{}
	const noRow, seldom = "the report has no spend of the creative on the 7 days before the pause", "the creative served for less than 6 hours on each of the 7 days before the pause"
	for name, c := range map[string]struct {
		pause  usher.PausedTime
		others []usher.PausedTime
		rows   []figures.Row
		unread string
		since  time.Time
		want   float64
		why    string
	}{
		"a pause of two days":                     {pause: pause(at(10, 7), at(12, 7)), rows: []figures.Row{spent(8, 99), spent(9, 24), spent(10, 7)}, want: 48},
		"a pause of six hours":                    {pause: pause(at(10, 18), at(11, 0)), rows: []figures.Row{spent(9, 24)}, want: 6},
		"one that lasts counts until now":         {pause: pause(at(12, 6), never), rows: []figures.Row{spent(11, 24)}, want: 24},
		"the day before may lack":                 {pause: pause(at(10, 0), at(11, 0)), rows: []figures.Row{spent(8, 12)}, want: 12},
		"what it spent was nothing":               {pause: pause(at(10, 0), at(11, 0)), rows: []figures.Row{spent(8, 12), spent(9, 0)}, want: 0},
		"only the day of the pause":               {pause: pause(at(10, 20), at(11, 0)), rows: []figures.Row{spent(10, 12)}, why: noRow},
		"no row":                                  {pause: pause(at(10, 20), at(11, 0)), why: noRow},
		"a row that is too old":                   {pause: pause(at(10, 20), at(11, 0)), rows: []figures.Row{spent(2, 12)}, why: noRow},
		"a number that lacks":                     {pause: pause(at(10, 20), at(11, 0)), rows: []figures.Row{spent(9, math.NaN())}, why: noRow},
		"a negative number":                       {pause: pause(at(10, 20), at(11, 0)), rows: []figures.Row{spent(9, -3)}, why: noRow},
		"another creative's row":                  {pause: pause(at(10, 20), at(11, 0)), rows: []figures.Row{{Date: "2026-03-09", Campaign: "A", Creative: "a-2"}}, why: noRow},
		"evenings off":                            {pause: pause(at(10, 16), at(11, 0)), others: []usher.PausedTime{pause(at(9, 16), at(10, 0))}, rows: []figures.Row{spent(9, 16)}, want: 8},
		"paused by hand on the day before":        {pause: pause(at(10, 12), at(11, 12)), others: []usher.PausedTime{byHand(at(8, 12), at(9, 12))}, rows: []figures.Row{spent(9, 10)}, want: 20},
		"paused since long on the day before":     {pause: pause(at(10, 12), at(11, 12)), others: []usher.PausedTime{byHand(never, at(9, 23))}, rows: []figures.Row{spent(9, 10)}, why: seldom},
		"before that it served":                   {pause: pause(at(10, 12), at(11, 12)), others: []usher.PausedTime{pause(at(9, 1), at(10, 0))}, rows: []figures.Row{spent(8, 5), spent(9, 100)}, want: 5},
		"spent all the same":                      {pause: pause(at(10, 0), at(13, 0)), rows: []figures.Row{spent(9, 10), spent(11, 4), spent(12, 1)}, want: 25},
		"spent all the same, and more":            {pause: pause(at(10, 0), at(12, 0)), rows: []figures.Row{spent(9, 10), spent(11, 50)}, want: 0},
		"began before the time":                   {pause: pause(at(1, 20), at(8, 0)), rows: []figures.Row{spent(1, 5), {Date: "2026-02-28", Campaign: "A", Creative: "a-1", Currency: "USD", Values: spent(1, 10).Values}, spent(5, 3), spent(7, 2)}, since: at(6, 0), want: 18},
		"somebody else has resumed it":            {pause: unsure, rows: []figures.Row{spent(9, 10)}, why: "somebody has resumed the creative, and it is not known whether the pause had lasted until then"},
		"resumed on the platform":                 {pause: elsewhere, rows: []figures.Row{spent(9, 10)}, why: "somebody has resumed the creative on the platform itself, and it is not known when"},
		"the campaign was not read":               {pause: pause(at(10, 0), at(11, 0)), rows: []figures.Row{spent(9, 10)}, unread: "too many", why: "too many"},
		"a day of 23 hours is a day":              {pause: pause(time.Date(2026, 3, 29, 0, 0, 0, 0, zone), time.Date(2026, 3, 30, 0, 0, 0, 0, zone)), rows: []figures.Row{spent(28, 24)}, want: 23},
		"after a day of 23 hours, an hour is one": {pause: pause(time.Date(2026, 3, 30, 0, 0, 0, 0, zone), time.Date(2026, 3, 30, 1, 0, 0, 0, zone)), rows: []figures.Row{spent(29, 23)}, want: 1},
	} {
		real := backtest.Real{Zone: zone, Since: c.since, Now: now, Paused: append(c.others, c.pause), Rows: c.rows, Unread: map[string]string{"A": c.unread}}
		got := backtest.Saved(real, []usher.PausedTime{c.pause})["f/stop"]
		switch {
		case c.why != "" && (got.Pauses != 0 || len(got.Gross) != 0 || len(got.NotKnown) != 1 || got.NotKnown[0] != backtest.NotKnown{Why: c.why, Pauses: 1}):
			t.Errorf("%s: %+v, want %q", name, got, c.why)
		case c.why == "" && (got.Pauses != 1 || len(got.NotKnown) != 0 || math.Abs(got.Gross["USD"]-c.want) > 1e-9 || len(got.Gross) != 1):
			t.Errorf("%s: %+v, want %g", name, got, c.want)
		}
	}
}

// TestSavedByRule checks that pauses are added up by rule and currency.
func TestSavedByRule(t *testing.T) {
	t.Parallel()
	at := func(hour int) time.Time { return time.Date(2026, 3, 10, hour, 0, 0, 0, time.UTC) }
	pause := func(rule, creative string, hours int) usher.PausedTime {
		return usher.PausedTime{Rule: rule, Campaign: "A", Creative: creative, From: at(0), To: at(hours)}
	}
	row := func(creative, currency string) figures.Row {
		r := spent(9, 24)
		r.Creative, r.Currency = creative, currency
		return r
	}
	pauses := []usher.PausedTime{pause("f/a", "a-1", 2), pause("f/a", "a-2", 3), pause("f/a", "a-3", 4), pause("f/a", "a-4", 1), pause("f/a", "a-5", 1), pause("f/b", "a-1", 5)}
	got := backtest.Saved(backtest.Real{Zone: time.UTC, Now: at(12), Paused: pauses[:5], Rows: []figures.Row{row("a-1", "USD"), row("a-2", "USD"), row("a-3", "EUR")}}, pauses)
	if a := got["f/a"]; a.Pauses != 3 || !maps.Equal(a.Gross, map[string]float64{"USD": 5, "EUR": 4}) || len(a.NotKnown) != 1 || a.NotKnown[0].Pauses != 2 {
		t.Errorf("of a: %+v", a)
	}
	if b := got["f/b"]; b.Pauses != 1 || !maps.Equal(b.Gross, map[string]float64{"USD": 5}) {
		t.Errorf("of b: %+v", b)
	}
	need := backtest.SavedNeed(time.UTC, at(0), at(12))
	if need.From != "2026-03-03" || need.To != "2026-03-10" || need.Level != figures.CreativeLevel {
		t.Errorf("it reads %+v", need)
	}
}

// TestSavedAsTheBacktest checks that pauses at the times at which a backtest makes them save what it
// says, if each day has the same spend.
func TestSavedAsTheBacktest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		set, problems := rules.Load("f.yaml", []byte("account: A\ntimezone: Europe/London\nrules:\n  - {name: stop, scope: {campaigns: [\"A*\"], level: creative}, window: today, pause_when: clicks > 5, resume_when: clicks < 5}\n"))
		if set == nil {
			t.Fatal(problems)
		}
		const last = 31 // the 29th has 23 hours
		first := rapid.IntRange(10, last).Draw(t, "first day of many clicks")
		after := rapid.IntRange(first, last+1).Draw(t, "first day after them")
		input := backtest.Input{From: "2026-03-10", To: fmt.Sprintf("2026-03-%02d", last), Creatives: []rules.Creative{{Campaign: "A", Code: "a-1"}}}
		var before []figures.Row // what is spent before the pause: later days would have no rows
		for day := 3; day <= last; day++ {
			row := spent(day, 10)
			if first <= day && day < after {
				row.Values[figures.Clicks] = 9
			}
			input.Rows = append(input.Rows, row)
			if day < first {
				before = append(before, row)
			}
		}
		outcome, err := backtest.Run(t.Context(), set, input)
		if err != nil {
			t.Fatal(err)
		}
		now, err := set.EndOf(input.To)
		if err != nil {
			t.Fatal(err)
		}
		var pauses []usher.PausedTime
		for _, d := range outcome.Decisions {
			at, err := set.EndOf(d.Date)
			if err != nil {
				t.Fatal(err)
			}
			switch d.Action {
			case usher.Pause:
				pauses = append(pauses, usher.PausedTime{Rule: "f/stop", Campaign: "A", Creative: "a-1", From: at})
			case usher.Resume:
				pauses[len(pauses)-1].To = at
			}
		}
		saved := 0.0
		for _, s := range backtest.Saved(backtest.Real{Zone: set.Zone, Now: now, Paused: pauses, Rows: before}, pauses) {
			saved += s.Gross["USD"]
			if len(s.NotKnown) > 0 {
				t.Errorf("%+v", s)
			}
		}
		if math.Abs(saved-outcome.Summary.Saved) > 0.5 { // the spend of the hour that the 29th lacks
			t.Errorf("%g, and the backtest says %g, of %+v", saved, outcome.Summary.Saved, pauses)
		}
	})
}
