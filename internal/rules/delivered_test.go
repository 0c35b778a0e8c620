package rules_test

import (
	"testing"

	"usher"
	"usher/internal/rules/figures"
)

// A rule that reads a number that nobody has ever delivered says so, with the names that were.
func TestNeverDelivered(t *testing.T) {
	t.Parallel()
	set := oneRule(t, "campaign", "clicks > 0 && outcome.instals < 5", "window: yesterday")
	for _, c := range []struct {
		delivered []string
		says      string // "": it was delivered, or that is not known
	}{
		{nil, ""},
		{[]string{"instals", "revenue"}, ""},
		{[]string{"installs", "revenue"}, "outcome.instals was never delivered: did you mean outcome.installs? Delivered were installs, revenue"},
		{[]string{"revenue"}, "outcome.instals was never delivered; delivered were revenue"},
		{[]string{}, "outcome.instals was never delivered, and neither was any other number"},
		{[]string{"a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b1", "b2"}, "outcome.instals was never delivered; delivered were a1, a2, a3, a4, a5, a6, a7, a8, a9, b1 and 1 more"},
	} {
		clicked := figures.Row{Date: "2026-05-19"}
		clicked.Values[figures.Clicks] = 1
		sums := reported(t, set, noon(), clicked)
		if err := sums.AddOutcomes(&figures.Outcomes{Delivered: c.delivered}); err != nil {
			t.Fatal(err)
		}
		want := "unknown: outcome.instals was not delivered for yesterday (2026-05-19)"
		if c.says != "" {
			want = "unknown: " + c.says
		}
		if d := onlyDecision(t, set, active("c", sums)); d.Action != usher.Unknown || d.Reason != want {
			t.Errorf("with %q: %s: %s", c.delivered, d.Action, d.Reason)
		}
		if c.delivered == nil {
			continue
		}
		switch problems := set.Undelivered(c.delivered); {
		case (c.says != "") != (len(problems) == 1):
			t.Errorf("with %q it warns of %+v", c.delivered, problems)
		case c.says != "" && (problems[0].Error || problems[0].Rule != "r" || problems[0].Message != "in rule r, "+c.says):
			t.Errorf("with %q it warns: %+v", c.delivered, problems)
		}
	}
}
