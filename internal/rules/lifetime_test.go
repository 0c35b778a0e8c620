package rules_test

import (
	"strings"
	"testing"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// TestMinDaysOfLifetime checks that min_days counts the days of a lifetime, too.
func TestMinDaysOfLifetime(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
rules:
  - {name: r, scope: {campaigns: ["A-*"]}, window: lifetime, min_days: 3, pause_when: won > 5}
`)
	sums := rules.NewFigures(set, noon())
	for _, c := range []struct {
		date string
		want usher.Action
	}{{"2026-05-01", usher.Unknown}, {"2026-05-07", usher.Unknown}, {"2026-05-09", usher.Pause}} {
		row := figures.Row{Date: c.date, Campaign: "A-x"}
		row.Values[figures.Won] = 9
		if err := sums.Add(row); err != nil {
			t.Fatal(err)
		}
		d := onlyDecision(t, set, active("c", sums))
		if d.Action != c.want || c.want == usher.Unknown && !strings.Contains(d.Reason, "min_days requires 3") {
			t.Errorf("%s: %s: %s", c.date, d.Action, d.Reason)
		}
	}
}
