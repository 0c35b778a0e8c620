package rules

import (
	"slices"
	"strings"
	"testing"

	"usher"
)

// What a rule could not decide for the same reason is one block of a run, which names the campaigns.
func TestGapsOfARun(t *testing.T) {
	t.Parallel()
	const late, untold = "unknown: outcome.installs was not delivered for yesterday", "unknown: targets.csv has no row for the campaign"
	var all []usher.StoredDecision
	for _, c := range []struct{ campaign, creative, reason string }{{"A", "", late}, {"B", "", untold}, {"C", "c-1", late}, {"C", "c-2", late}} {
		all = append(all, usher.StoredDecision{Decision: usher.Decision{Campaign: c.campaign, Creative: c.creative, Rule: "cpa", Action: usher.Unknown, Reason: c.reason, Metrics: map[string]float64{"clicks": 1}}})
	}
	var b strings.Builder
	for i := range all {
		writeDecision(&b, &usher.Evaluation{State: usher.EvaluationDone}, all, i)
	}
	want := `
2 campaigns  cannot be decided by rule cpa
    outcome.installs was not delivered for yesterday
    A, C (c-1, c-2)

B  cannot be decided by rule cpa
    targets.csv has no row for the campaign
    clicks 1
`
	if b.String() != want {
		t.Errorf("printed\n%swant\n%s", b.String(), want)
	}
}

// A list says for each cause on how many campaigns a rule cannot decide.
func TestBlindLines(t *testing.T) {
	t.Parallel()
	b := usher.Blindness{File: "cpa", Rule: "dear", Count: 5, On: []usher.BlindSpot{
		{Campaign: "A", Missing: "no target", Spend: 1, Day: "2026-05-18"}, {Campaign: "B", Missing: "no installs", Spend: 2, Day: "2026-05-18"}, {Campaign: "C", Missing: "no installs", Spend: 3.5, Day: "2026-05-19"},
	}}
	want := []string{
		"rule dear of cpa cannot decide on B and 1 more: no installs; 5.5 spent on 2026-05-19",
		"rule dear of cpa cannot decide on A: no target; 1 spent on 2026-05-18",
		"rule dear of cpa cannot decide on 2 more",
	}
	if got := blindLines(&b); !slices.Equal(got, want) {
		t.Errorf("it says %q", got)
	}
}

// What a rule decided on the creatives of a campaign by the same figures is one block of a run.
func TestSameDecisionsOfACampaign(t *testing.T) {
	t.Parallel()
	var all []usher.StoredDecision
	for _, c := range []struct {
		creative string
		action   usher.Action
		clicks   float64
	}{{"c-1", usher.Pause, 1}, {"c-2", usher.Pause, 1}, {"c-3", usher.Pause, 2}, {"c-4", usher.Pause, 1}} {
		all = append(all, usher.StoredDecision{Decision: usher.Decision{Campaign: "A", Creative: c.creative, Rule: "cap", Action: c.action, Reason: "clicks >= 1", Metrics: map[string]float64{"clicks": c.clicks}}})
	}
	var b strings.Builder
	for i := range all {
		writeDecision(&b, &usher.Evaluation{State: usher.EvaluationDone}, all, i)
	}
	want := `
A c-1, c-2, c-4  pause by rule cap
    clicks >= 1
    clicks 1

A c-3  pause by rule cap
    clicks >= 1
    clicks 2
`
	if b.String() != want {
		t.Errorf("printed\n%swant\n%s", b.String(), want)
	}
	var many []usher.Decision
	for range 22 {
		many = append(many, usher.Decision{Creative: "c"})
	}
	if text := subjectsOf(many); !strings.HasSuffix(text, "c, c and 2 more, which --json lists") {
		t.Errorf("many are %s", text)
	}
}

// A decision on a budget or bid is a block of its own.
func TestNumbersOfARun(t *testing.T) {
	t.Parallel()
	all := []usher.StoredDecision{
		{Decision: usher.Decision{Campaign: "A", Rule: "dear", Action: usher.Decrease, Reason: "daily budget from 100 to 80 USD: cpc > 2 (3 > 2)", Bidding: &usher.BiddingChange{}}},
		{Decision: usher.Decision{Campaign: "B", Rule: "dear", Action: usher.Decrease, Reason: "daily budget from 50 to 40 USD: cpc > 2 (4 > 2)", Bidding: &usher.BiddingChange{}}},
	}
	var b strings.Builder
	for i := range all {
		writeDecision(&b, &usher.Evaluation{State: usher.EvaluationDone}, all, i)
	}
	want := `
A  decrease by rule dear
    daily budget from 100 to 80 USD: cpc > 2 (3 > 2)

B  decrease by rule dear
    daily budget from 50 to 40 USD: cpc > 2 (4 > 2)
`
	if b.String() != want {
		t.Errorf("printed\n%swant\n%s", b.String(), want)
	}
}
