package rules_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// windowed returns a set of one rule on campaigns with a window and further keys.
func windowed(t testing.TB, window, pause, more string) *rules.Set {
	t.Helper()
	return oneRule(t, "campaign", pause, "min_data: {auctions: 1}, window: "+window+more)
}

// decide returns the decision of a set on the only creative of campaign A-x, which is
// ACTIVE, at the end of 2026-05-20.
func decide(t testing.TB, set *rules.Set, rows ...figures.Row) usher.Decision {
	t.Helper()
	at, err := set.EndOf("2026-05-20")
	if err != nil {
		t.Fatal(err)
	}
	rows = slices.Clone(rows)
	for i := range rows {
		row := &rows[i]
		row.Date = cmp.Or(row.Date, "2026-05-20")
		row.Values[figures.Auctions] = cmp.Or(row.Values[figures.Auctions], 1)
	}
	return decideAt(t, set, at, rows...)
}

// TestUndefinedNumbersAreUnknown checks that comparisons with 0/0, x/0 and overflows,
// and their negations, are neither true nor false.
func TestUndefinedNumbersAreUnknown(t *testing.T) {
	t.Parallel()
	for _, number := range []string{
		"clicks / impressions", "auctions / impressions", "-(clicks / impressions)", "clicks / impressions * 0.0", "ctr", "ecpm", "cpc", "previous.ctr", "previous.auctions",
		"(auctions + 1e308) * 1e308", "0 - (auctions + 1e308) * 1e308", "(auctions + 1e308) * 1e308 - (auctions + 1e308) * 1e308",
		"(impressions > clicks / impressions ? 1.0 : 2.0)", "1 / (impressions / impressions)",
	} {
		for _, comparison := range []string{"<", "<=", ">", ">=", "==", "!="} {
			for _, condition := range []string{
				fmt.Sprintf("%s %s 0.001", number, comparison),
				fmt.Sprintf("!(%s %s 0.001)", number, comparison),
				fmt.Sprintf("!!(0.001 %s %s)", comparison, number),
				fmt.Sprintf("%s %s 0.001 && auctions > 0", number, comparison),
				fmt.Sprintf("auctions < 0 || !(%s %s 0.001)", number, comparison),
				fmt.Sprintf("(%s %s 0.001 ? auctions > 0 : auctions > 0)", number, comparison),
			} {
				if d := decide(t, windowed(t, "today", condition, ""), figures.Row{}); d.Action != usher.Unknown {
					t.Errorf("%s decides %s: %s", condition, d.Action, d.Reason)
				}
			}
		}
	}
}

// TestOneSideDecides checks three-valued logic: if one side decides, the other may be
// UNKNOWN.
func TestOneSideDecides(t *testing.T) {
	t.Parallel()
	for condition, want := range map[string]usher.Action{
		"auctions > 0 || ctr > 1":              usher.Pause,
		"ctr > 1 || auctions > 0":              usher.Pause,
		"auctions < 0 && ctr > 1":              usher.None,
		"ctr > 1 && auctions < 0":              usher.None,
		"auctions > 0 && ctr > 1":              usher.Unknown,
		"auctions < 0 || ctr > 1":              usher.Unknown,
		"auctions > 0 ? clicks == 0 : ctr > 1": usher.Pause,
		"true && clicks == 0":                  usher.Pause,
		"clicks == 0 && !false":                usher.Pause,
		"1 + 2 * 3 - 4 / 2 == 5 + clicks":      usher.Pause,
		"-(2 - 3) == 1 + clicks":               usher.Pause,
	} {
		if d := decide(t, windowed(t, "today", condition, ""), figures.Row{}); d.Action != want {
			t.Errorf("%s decides %s, not %s: %s", condition, d.Action, want, d.Reason)
		}
	}
}

// TestUnknown checks the reason for each way in which figures can be missing.
func TestUnknown(t *testing.T) {
	t.Parallel()
	row := func(date string, impressions float64) figures.Row {
		r := figures.Row{Date: date}
		r.Values[figures.Impressions] = impressions
		return r
	}
	for name, c := range map[string]struct {
		set  *rules.Set
		rows []figures.Row
		want string
	}{
		"no row":           {windowed(t, "today", "impressions > 1", ""), []figures.Row{row("2026-05-19", 9)}, "unknown: the report has no row for today (2026-05-20)"},
		"none in a week":   {windowed(t, "last 7 days", "impressions > 1", ""), []figures.Row{row("2026-05-20", 9), row("2026-05-12", 9)}, "unknown: the report has no row for the last 7 days (2026-05-13 to 2026-05-19)"},
		"too old":          {windowed(t, "last 7 days", "impressions < 10", ", max_report_age: 36h"), []figures.Row{row("2026-05-18", 9)}, "unknown: the newest report is of 2026-05-18, which is older than 36h"},
		"too old, enough":  {windowed(t, "last 7 days", "impressions > 1", ", max_report_age: 36h, min_days: 1"), []figures.Row{row("2026-05-18", 9)}, "impressions > 1 (at least 9, on 1 of 7 days, by a report of 2026-05-18)"},
		"young enough":     {windowed(t, "last 7 days", "impressions > 1", ", max_report_age: 48h, min_days: 1"), []figures.Row{row("2026-05-18", 9)}, "impressions > 1 (9 > 1, on 1 of 7 days)"},
		"divides by zero":  {windowed(t, "today", "ctr > 1", ""), []figures.Row{row("2026-05-20", 0)}, "unknown: a division by zero in today: impressions is 0"},
		"no window before": {windowed(t, "yesterday", "previous.impressions > 1", ""), []figures.Row{row("2026-05-19", 9)}, "unknown: the window before yesterday (2026-05-18) has 0 of 1 days"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d := decide(t, c.set, c.rows...); d.Reason != c.want || (d.Action == usher.Pause) == strings.HasPrefix(d.Reason, "unknown") {
				t.Errorf("%s: %q, want %q", d.Action, d.Reason, c.want)
			}
		})
	}
	little := load(t, "account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: today, min_data: {impressions: 5000}, pause_when: ctr < 1}\n")
	if d := decide(t, little, row("2026-05-20", 120)); d.Action != usher.Unknown || d.Reason != "unknown: 120 impressions in today, and min_data requires 5000" {
		t.Errorf("on little data: %s %q", d.Action, d.Reason)
	}
	missing := row("2026-05-20", 9)
	missing.Values[figures.Impressions] = math.NaN()
	if d := decide(t, windowed(t, "today", "impressions > 0", ""), missing); d.Action != usher.Unknown {
		t.Errorf("a field that is missing: %s %q", d.Action, d.Reason)
	}
}
