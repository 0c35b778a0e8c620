package rules_test

import (
	"math"
	"strings"
	"testing"

	"usher"
	"usher/internal/rules/figures"
)

// With min_days, an outcome of the account is the sum over the campaigns of which it is known on enough days,
// wherever they stand among the others.
func TestOutcomeOfTheAccountWithMinDays(t *testing.T) {
	t.Parallel()
	for name, campaigns := range map[string][]string{
		"the first one lacks days": {"A-x", "A-y", "A-z"},
		"the last one lacks days":  {"A-y", "A-z", "A-x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := oneRule(t, "campaign", "account.outcome.installs >= 20", "window: last 3 days, min_days: 2")
			var rows []figures.Row
			var known figures.Outcomes
			for _, campaign := range campaigns {
				for _, date := range []string{"2026-05-17", "2026-05-18", "2026-05-19"} {
					rows = append(rows, relativeRow(date, campaign, "", 100, 10))
					if date == "2026-05-17" || date == "2026-05-18" && campaign != "A-x" {
						known.Rows = append(known.Rows, figures.OutcomeRow{Date: date, Campaign: campaign, Name: "installs", Value: 5})
					}
				}
			}
			sums := reported(t, set, noon(), rows...)
			if err := sums.AddOutcomes(&known); err != nil {
				t.Fatal(err)
			}
			if d := onlyDecision(t, set, active("c", sums)); d.Action != usher.Pause || !strings.Contains(d.Reason, "(20 >= 20, outcome.installs of 1 of 3 campaigns is not known on some days") {
				t.Errorf("%s: %s", d.Action, d.Reason)
			}
		})
	}
}

// The sum of a campaign whose creatives have rows is a lower bound if the number of one of them is missing on a
// complete day, and exact if none is.
func TestOutcomeOfACampaignWithAHoleInItsCreatives(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		numbers map[string]float64 // by creative; "" is the campaign
		action  usher.Action
		says    string
	}{
		{"no hole", map[string]float64{"c": 10, "d": 0}, usher.Pause, "(10 < 20)"},
		{"one hole", map[string]float64{"c": 10, "d": math.NaN()}, usher.Unknown, "outcome.installs"},
		{"two holes", map[string]float64{"c": 10, "d": math.NaN(), "e": math.NaN()}, usher.Unknown, "outcome.installs"},
		{"a hole, and enough without it", map[string]float64{"c": 30, "d": math.NaN()}, usher.None, "at least 30"},
		{"the campaign has a number", map[string]float64{"c": 10, "d": math.NaN(), "": 12}, usher.Pause, "(12 < 20)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			set := oneRule(t, "campaign", "outcome.installs < 20", "window: yesterday")
			sums := reported(t, set, noon(), relativeRow("2026-05-19", "A-x", "", 100, 10))
			known := figures.Outcomes{Complete: []figures.OutcomeDay{{Date: "2026-05-19", Name: "installs", Creatives: c.numbers[""] == 0}}}
			for creative, number := range c.numbers {
				known.Rows = append(known.Rows, figures.OutcomeRow{Date: "2026-05-19", Campaign: "A-x", Creative: creative, Name: "installs", Value: number})
			}
			if err := sums.AddOutcomes(&known); err != nil {
				t.Fatal(err)
			}
			if d := onlyDecision(t, set, active("c", sums)); d.Action != c.action || !strings.Contains(d.Reason, c.says) {
				t.Errorf("%s: %s", d.Action, d.Reason)
			}
		})
	}
}
