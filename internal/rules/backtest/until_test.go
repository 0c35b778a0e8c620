package backtest_test

import (
	"fmt"
	"slices"
	"testing"

	"usher/internal/rules"
	"usher/internal/rules/backtest"
)

// TestUntil checks when a backtest resumes what until ends: at the end of that day, which it says.
func TestUntil(t *testing.T) {
	t.Parallel()
	for until, want := range map[string]string{ // 2026-03-12 is a Thursday
		"tomorrow":   "[2026-03-12 pause 2026-03-13 resume 2026-03-26 pause 2026-03-27 resume]",
		"monday":     "[2026-03-12 pause 2026-03-16 resume 2026-03-26 pause 2026-03-30 resume]",
		"next_month": "[2026-03-12 pause 2026-04-01 resume]",
	} {
		set, problems := rules.Load("x.yaml", []byte(fmt.Sprintf("account: A\ntimezone: Europe/London\nrules:\n  - {name: r, scope: {campaigns: [\"A*\"]}, window: today, pause_when: grossMediaSpend > 20, until: %s}\n", until)))
		if set == nil {
			t.Fatal(problems)
		}
		input := backtest.Input{From: "2026-03-10", To: "2026-04-03", Creatives: []rules.Creative{{Campaign: "A", Code: "a-1"}}}
		for day := 10; day <= 34; day++ {
			row := spent(day, 10)
			if day > 31 {
				row.Date = fmt.Sprintf("2026-04-%02d", day-31)
			}
			if day == 12 || day == 26 {
				row = spent(day, 30)
			}
			row.Creative = ""
			input.Rows = append(input.Rows, row)
		}
		got, err := backtest.Run(t.Context(), set, input)
		if err != nil {
			t.Fatal(err)
		}
		var flips []string
		for _, d := range got.Decisions {
			if d.Action.Changes() {
				flips = append(flips, d.Date+" "+string(d.Action))
			}
		}
		if fmt.Sprint(flips) != want || !slices.Equal(got.Summary.Until, []string{"r"}) {
			t.Errorf("until %s: %v, with %v", until, flips, got.Summary.Until)
		}
	}
}
