package backtest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
)

// TestBacktestAgainstAnOracle compares a backtest on random days with a simple
// calculation: two campaigns with one creative each, and one rule on the spend.
func TestBacktestAgainstAnOracle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		window := rapid.IntRange(0, 3).Draw(t, "window")
		name := "today"
		if window > 0 {
			name = fmt.Sprintf("last %d days", window)
		}
		mode := rapid.SampledFrom([]string{"act", "approve", "notify", "observe"}).Draw(t, "mode")
		set, problems := rules.Load("x.yaml", []byte(fmt.Sprintf("account: A\ntimezone: Europe/London\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: %s, pause_when: grossMediaSpend > 20, resume_when: grossMediaSpend < 10, mode: %s}\n", name, mode)))
		if set == nil {
			t.Fatal(problems)
		}
		const first, days = 20, 10 // from 2014-03-20; rows begin five days before
		spend := map[string]float64{}
		input := backtest.Input{From: "2014-03-20", To: "2014-03-29"}
		for _, campaign := range []string{"A-a", "A-b"} {
			input.Creatives = append(input.Creatives, rules.Creative{Campaign: campaign, Code: campaign + "-1", Status: "INACTIVE"})
			for day := first - 5; day < first+days; day++ {
				if rapid.IntRange(0, 4).Draw(t, "missing") == 0 {
					continue
				}
				row := figures.Row{Date: fmt.Sprintf("2014-03-%02d", day), Campaign: campaign}
				row.Values[figures.GrossMediaSpend] = float64(rapid.IntRange(0, 15).Draw(t, "spend"))
				spend[campaign+row.Date] = row.Values[figures.GrossMediaSpend]
				input.Rows = append(input.Rows, row)
			}
		}
		outcome, err := backtest.Run(t.Context(), set, input)
		if err != nil {
			t.Fatal(err)
		}
		paused, saved, at := map[string]bool{}, 0.0, 0
		for day := first; day < first+days; day++ {
			for _, campaign := range []string{"A-a", "A-b"} {
				today := fmt.Sprintf("2014-03-%02d", day)
				if paused[campaign] {
					saved += spend[campaign+today]
				}
				sum, found := 0.0, 0
				from, to := day-window, day-1
				if window == 0 {
					from, to = day, day
				}
				for of := from; of <= to; of++ {
					if v, known := spend[fmt.Sprintf("%s2014-03-%02d", campaign, of)]; known {
						sum, found = sum+v, found+1
					}
				}
				want := usher.None
				switch { // the sum of the days that have a row is a lower bound
				case sum > 20 && !paused[campaign]:
					want = usher.Pause
				case sum > 20:
				case found < max(window, 1):
					want = usher.Unknown
				case sum < 10 && paused[campaign]:
					want = usher.Resume
				}
				if want == usher.Pause || want == usher.Resume {
					paused[campaign] = want == usher.Pause
				}
				d := outcome.Decisions[at]
				at++
				if d.Date != today || d.Campaign != campaign || d.Action != want {
					t.Fatalf("%s %s: %s, not %s: %s", today, campaign, d.Action, want, d.Reason)
				}
			}
		}
		if at != len(outcome.Decisions) || math.Abs(outcome.Summary.Saved-saved) > 1e-9 {
			t.Fatalf("%d decisions, %v saved; want %d and %v", len(outcome.Decisions), outcome.Summary.Saved, at, saved)
		}
	})
}

const budgets = `account: SANDBOX1
timezone: Europe/London
rules:
  - name: stop-at-daily-budget
    scope: {campaigns: ["SANDBOX1-*"]}
    window: today
    pause_when: grossMediaSpend >= 0.95 * budget
    resume_when: grossMediaSpend < 0.80 * budget
    cooldown: 1h
    priority: 10
    limits: {max_creatives: 50, max_share: 20%, max_flips_per_day: 4}
  - name: weak-creative
    scope: {campaigns: ["*"], level: creative, keep_active: 1}
    window: last 7 days
    min_data: {impressions: 5000}
    pause_when: ctr < 0.0005
`

// TestBacktestAddsUp checks that the parts of the summary add up.
func TestBacktestAddsUp(t *testing.T) {
	t.Parallel()
	set, problems := rules.Load("budgets.yaml", []byte(budgets))
	if set == nil {
		t.Fatal(problems)
	}
	input := backtest.Input{From: "2014-03-20", To: "2014-03-29"}
	for n := range 6 {
		campaign, code := fmt.Sprintf("SANDBOX1-%d", n/2), fmt.Sprintf("c%d", n)
		input.Creatives = append(input.Creatives, rules.Creative{Campaign: campaign, Code: code})
		for day := 10; day < 30; day++ {
			row := figures.Row{Date: fmt.Sprintf("2014-03-%d", day), Campaign: campaign, Creative: code}
			row.Values[figures.Impressions], row.Values[figures.Clicks] = 1000, float64(n%3)
			row.Values[figures.GrossMediaSpend], row.Values[figures.Budget] = float64((day*7+n*3)%25), 20
			input.Rows = append(input.Rows, row)
			row.Creative = ""
			if n%2 == 0 {
				input.Rows = append(input.Rows, row)
			}
		}
	}
	outcome, err := backtest.Run(t.Context(), set, input)
	if err != nil {
		t.Fatal(err)
	}
	s := outcome.Summary
	var saved, spend, byDay float64
	pauses := 0
	for _, r := range s.Rules {
		saved += r.Saved
		pauses += r.Pauses
	}
	for _, d := range s.ByDay {
		spend += d.Spend
		byDay += d.Saved
	}
	if math.Abs(saved-s.Saved) > 1e-6 || math.Abs(byDay-s.Saved) > 1e-6 || math.Abs(spend-s.Spend) > 1e-6 || pauses != s.Pauses || s.Flips != s.Pauses+s.Resumes || s.Saved <= 0 || s.Saved >= s.Spend {
		t.Errorf("it does not add up: %+v", s)
	}
	if len(outcome.Decisions) != s.Days*s.Creatives {
		t.Errorf("%d decisions of %d days and %d creatives", len(outcome.Decisions), s.Days, s.Creatives)
	}
}

// TestEffectsNameTheirReason checks that the effect of a rule that is UNKNOWN says why.
func TestEffectsNameTheirReason(t *testing.T) {
	t.Parallel()
	set, problems := rules.Load("budgets.yaml", []byte(budgets))
	if set == nil {
		t.Fatal(problems)
	}
	input := backtest.Input{From: "2014-03-20", To: "2014-03-20", Creatives: []rules.Creative{{Campaign: "SANDBOX1-1", Code: "c"}}}
	effects, err := backtest.Effects(t.Context(), set, input)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range effects {
		if e.Unknown != 1 || !strings.HasPrefix(e.Note, "c: unknown: the report has no row") {
			t.Errorf("the effect is %+v", e)
		}
	}
}
