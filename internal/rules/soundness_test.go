package rules_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// TestDecisionsWithHolesAreSound checks that a decision that is made although rows or numbers
// are missing is the decision with them, whatever they are: a pause, and that the
// condition does not hold. Excepted are min_days, lifetime and ranks, for which the days that are there
// count as all days.
func TestDecisionsWithHolesAreSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		level := rapid.SampledFrom([]string{"campaign", "creative"}).Draw(t, "level")
		window := rapid.SampledFrom([]string{"yesterday", "last 3 days", "this month", "today"}).Draw(t, "window")
		text := fmt.Sprintf("account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-x\"], level: %s}, window: %s, min_data: {auctions: 1, impressions: 1}, pause_when: '%s'}\n", level, window, drawHoleCondition(t, 2))
		set, problems := rules.Load("x.yaml", []byte(text))
		if set == nil {
			t.Fatalf("%s\n%v", text, problems)
		}
		known, all := drawHoles(t)
		before, after := decideHoles(t, set, known), decideHoles(t, set, all)
		if before.Action != usher.Unknown && before.Action != after.Action {
			t.Fatalf("with holes: %s: %s\nwithout: %s: %s\n%s", before.Action, before.Reason, after.Action, after.Reason, text)
		}
	})
}

// drawHoleCondition draws a condition on sums, ratios and differences of all owners and windows.
func drawHoleCondition(t *rapid.T, depth int) string {
	number := func(list ...string) string { return rapid.SampledFrom(list).Draw(t, "number") }
	if depth > 0 && rapid.Bool().Draw(t, "joined") {
		join := number(" && ", " || ")
		return "(" + drawHoleCondition(t, depth-1) + ")" + join + number("", "!") + "(" + drawHoleCondition(t, depth-1) + ")"
	}
	metric := func() string {
		prefix := number("", "", "", "campaign.", "account.", `over("last 3 days").`, `over("yesterday").`)
		return prefix + number("grossMediaSpend", "impressions", "clicks", "budget", "ctr", "cpc", "budgetUsed", "pacing", "spendRate", "monthEndSpend", "ctr_upper95")
	}
	left := metric()
	switch number("one", "two", "difference", "product", "choice") {
	case "two":
		left += number(" + ", " - ", " * ", " / ") + metric()
	case "difference":
		left = "20 - " + left
	case "product":
		left = number("0.5", "-2", "0") + " * " + left
	case "choice":
		left = "(" + metric() + " > 9 ? " + left + " : -" + metric() + ")"
	}
	right := number("0", "0.5", "5", "20", "40", "200")
	if rapid.Bool().Draw(t, "right") {
		right = number("0.5", "2") + " * " + metric()
	}
	return left + number(" < ", " <= ", " > ", " >= ", " == ", " != ") + right
}

// drawHoles returns rows of two campaigns and their creatives, and the same rows with those
// and those numbers that are missing. The budget of a missing row is the newest that is known,
// and a campaign without a row in the last 7 days has none.
func drawHoles(t *rapid.T) (known, all []figures.Row) {
	for _, of := range []figures.Row{{Campaign: "A-x"}, {Campaign: "A-x", Creative: "c"}, {Campaign: "A-y"}} {
		budget := float64(rapid.IntRange(0, 30).Draw(t, "budget"))
		holes := rapid.SampledFrom([]int{2, 4, 9}).Draw(t, "holes")
		for day := 12; day <= 20; day++ {
			row := of
			row.Date = fmt.Sprintf("2026-05-%02d", day)
			for f := range row.Values {
				row.Values[f] = float64(rapid.IntRange(0, 12).Draw(t, "value"))
			}
			row.Values[figures.Budget] = budget
			row.Values[figures.Impressions] = 20 * row.Values[figures.Impressions]
			all = append(all, row)
			if day < 19 && day != 13 && rapid.IntRange(0, holes).Draw(t, "missing") == 0 {
				continue
			}
			if rapid.IntRange(0, 20).Draw(t, "null") == 0 {
				row.Values[rapid.SampledFrom([]figures.Field{figures.GrossMediaSpend, figures.Clicks, figures.Impressions}).Draw(t, "field")] = rapid.SampledFrom([]float64{math.NaN(), -5}).Draw(t, "instead")
			}
			known = append(known, row)
		}
	}
	return known, all
}

// decideHoles returns the decision on creative c of campaign A-x.
func decideHoles(t *rapid.T, set *rules.Set, rows []figures.Row) usher.Decision {
	sums := rules.NewFigures(set, noon())
	for _, row := range rows {
		if err := sums.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	run, err := set.Decide(t.Context(), rules.Snapshot{Figures: sums, Creatives: []rules.Creative{{Campaign: "A-x", Code: "c", Status: rules.Active}}})
	if err != nil {
		t.Fatal(err)
	}
	for d := range run.Decisions(nil) {
		return d
	}
	t.Fatal("there is no decision")
	return usher.Decision{}
}
