package backtest_test

import (
	"slices"
	"testing"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
)

// TestGaps checks that a backtest counts what the report lacks, and that an effect does.
func TestGaps(t *testing.T) {
	t.Parallel()
	set, problems := rules.Load("x.yaml", []byte("account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"*\"]}, window: today, pause_when: grossMediaSpend > 20}\n"))
	if set == nil {
		t.Fatal(problems)
	}
	input := backtest.Input{From: "2026-03-12", To: "2026-03-15", Creatives: []rules.Creative{{Campaign: "A", Code: "a-1"}, {Campaign: "B", Code: "b-1"}}}
	for day := 12; day <= 15; day++ {
		row := spent(day, 30)
		row.Creative = ""
		if day != 14 {
			input.Rows = append(input.Rows, row)
		}
		row.Campaign, row.Values[figures.GrossMediaSpend] = "B", 1
		input.Rows = append(input.Rows, row)
	}
	outcome, err := backtest.Run(t.Context(), set, input)
	if err != nil {
		t.Fatal(err)
	}
	if s := outcome.Summary; s.Lacking != 1 || s.SavedLacking != 1 || s.Rules[0].Lacking != 1 || !slices.Equal(s.Gaps, []backtest.Gap{{Campaign: "A", Days: 1}}) || s.OnlyNumbers() {
		t.Errorf("the summary is %+v", s)
	}
	input.From, input.To = "2026-03-14", "2026-03-14"
	if effects, err := backtest.Effects(t.Context(), set, input); err != nil || effects[0].Lacking != 1 || effects[0].Creatives != 2 {
		t.Errorf("the effects are %+v, %v", effects, err)
	}
	if s := (&backtest.Summary{Rules: []backtest.RuleSummary{{Field: usher.BidField}}}); !s.OnlyNumbers() {
		t.Error("the effect of a bid is known")
	}
}
