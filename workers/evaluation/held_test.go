package evaluation

import (
	"testing"

	"usher"
)

// A run says why it is held: the reason of its decisions, or which rules ask if there are several reasons.
func TestWhyHeld(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		held []usher.Decision
		why  string
	}{
		{[]usher.Decision{{Rule: "a", Reason: "spent 5"}, {Rule: "a", Reason: "spent 5"}}, "spent 5"},
		{[]usher.Decision{{Rule: "a", Reason: "spent 5"}, {Rule: "a", Reason: "spent 7"}, {Rule: "a", Reason: "spent 5"}}, "rule a asks for approval of each change"},
		{[]usher.Decision{{Rule: "a", Reason: "spent 5"}, {Rule: "b", Reason: "spent 7"}, {Rule: "a", Reason: "spent 9"}}, "rules a, b ask for approval of each change"},
	} {
		var all collector
		for i := range c.held {
			all.hold(&c.held[i])
		}
		if all.result.Why != c.why || all.result.State != usher.EvaluationHeld {
			t.Errorf("it is %s because %q, want %q", all.result.State, all.result.Why, c.why)
		}
	}
}
