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

// TestDecisionsWithHolesAreSound checks that a decision that is made although rows, numbers, outcomes
// or targets are missing is the decision with them, whatever they are: a pause, and that the
// condition does not hold. Excepted are min_days, lifetime and ranks, for which the days that are there
// count as all days.
func TestDecisionsWithHolesAreSound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		level := rapid.SampledFrom([]string{"campaign", "creative", "account"}).Draw(t, "level")
		scope := map[string]string{"account": "A-*"}[level]
		if scope == "" {
			scope = "A-x"
		}
		window := rapid.SampledFrom([]string{"yesterday", "last 3 days", "this month", "today"}).Draw(t, "window")
		text := fmt.Sprintf("account: A\ntimezone: UTC\ntargets: targets.csv\nrules:\n  - {name: r, scope: {campaigns: [%q], level: %s}, window: %s, min_data: {auctions: 1, impressions: 1}, pause_when: '%s'}\n", scope, level, window, drawHoleCondition(t, level, 2))
		known, all := drawHoles(t)
		before, after := decideHoles(t, text, known), decideHoles(t, text, all)
		if before.Action != usher.Unknown && before.Action != after.Action {
			t.Fatalf("with holes: %s: %s\nwithout: %s: %s\n%s", before.Action, before.Reason, after.Action, after.Reason, text)
		}
	})
}

// drawHoleCondition draws a condition on sums, ratios and differences of all owners and windows.
func drawHoleCondition(t *rapid.T, level string, depth int) string {
	number := func(list ...string) string { return rapid.SampledFrom(list).Draw(t, "number") }
	if depth > 0 && rapid.Bool().Draw(t, "joined") {
		join := number(" && ", " || ")
		return "(" + drawHoleCondition(t, level, depth-1) + ")" + join + number("", "!") + "(" + drawHoleCondition(t, level, depth-1) + ")"
	}
	metric := func() string {
		prefix := number("", "", "", "campaign.", "account.", `over("last 3 days").`, `over("yesterday").`)
		if level == "account" && prefix == "campaign." {
			prefix = ""
		}
		if level != "account" && rapid.IntRange(0, 9).Draw(t, "target") == 0 {
			return "target.near"
		}
		return prefix + number("outcome.installs", "outcome.revenue", "grossMediaSpend", "impressions", "clicks", "budget", "ctr", "cpc", "budgetUsed", "pacing", "spendRate", "monthEndSpend", "ctr_upper95")
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

// holes is what is known at a time.
type holes struct {
	rows     []figures.Row
	outcomes figures.Outcomes
	target   string
}

// drawHoles returns rows, outcomes and a target of two campaigns and their creatives, and the same rows with those
// and those numbers that are missing. The budget of a missing row is the newest that is known,
// and a campaign without a row in the last 7 days has none.
func drawHoles(t *rapid.T) (known, all holes) {
	all.target = rapid.SampledFrom([]string{"5", "20", "40.00"}).Draw(t, "target")
	if rapid.Bool().Draw(t, "has a target") {
		known.target = all.target
	}
	drawOutcomeHoles(t, &known, &all)
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
			all.rows = append(all.rows, row)
			if day < 19 && day != 13 && rapid.IntRange(0, holes).Draw(t, "missing") == 0 {
				continue
			}
			if rapid.IntRange(0, 20).Draw(t, "null") == 0 {
				row.Values[rapid.SampledFrom([]figures.Field{figures.GrossMediaSpend, figures.Clicks, figures.Impressions}).Draw(t, "field")] = rapid.SampledFrom([]float64{math.NaN(), -5}).Draw(t, "instead")
			}
			known.rows = append(known.rows, row)
		}
	}
	return known, all
}

// drawOutcomeHoles draws installs and revenue, which may be negative. On a complete day, what has no row
// is 0.
func drawOutcomeHoles(t *rapid.T, known, all *holes) {
	for _, name := range []string{"installs", "revenue"} {
		least := 0
		if name == "revenue" {
			least = -9
			known.outcomes.Signed, all.outcomes.Signed = map[string]bool{name: true}, map[string]bool{name: true}
		}
		for day := 12; day <= 20; day++ {
			date := fmt.Sprintf("2026-05-%02d", day)
			isComplete := rapid.Bool().Draw(t, "complete")
			if isComplete {
				known.outcomes.Complete = append(known.outcomes.Complete, figures.OutcomeDay{Date: date, Name: name, Creatives: true})
			}
			all.outcomes.Complete = append(all.outcomes.Complete, figures.OutcomeDay{Date: date, Name: name, Creatives: true})
			ofCreative := 0 // a campaign has as many as its creative, or more
			for _, of := range []figures.OutcomeRow{{Campaign: "A-x", Creative: "c"}, {Campaign: "A-x"}, {Campaign: "A-y"}} {
				if rapid.IntRange(0, 3).Draw(t, "no row") == 0 && isComplete {
					continue
				}
				number := rapid.IntRange(least, 12).Draw(t, "number")
				switch {
				case of.Creative != "":
					ofCreative = number
				case of.Campaign == "A-x":
					number += ofCreative
				}
				of.Date, of.Name, of.Value = date, name, float64(number)
				all.outcomes.Rows = append(all.outcomes.Rows, of)
				if isComplete || rapid.IntRange(0, 4).Draw(t, "missing") > 0 {
					known.outcomes.Rows = append(known.outcomes.Rows, of)
				}
			}
		}
	}
}

// decideHoles returns the decision on creative c of campaign A-x.
func decideHoles(t *rapid.T, text string, known holes) usher.Decision {
	set, problems := rules.LoadWith("x.yaml", []byte(text), func(string) ([]byte, error) { return []byte("campaign,near\nA-x," + known.target + "\n"), nil })
	if set == nil {
		t.Fatalf("%s\n%v", text, problems)
	}
	sums := rules.NewFigures(set, noon())
	if err := sums.AddOutcomes(&known.outcomes); err != nil {
		t.Fatal(err)
	}
	for _, row := range known.rows {
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
