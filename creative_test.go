package usher_test

import (
	"testing"
	"time"

	"usher"
)

// TestMemoryOfApprovedChanges checks that what counts from a change counts from its approval if a person
// approved it, and otherwise from its evaluation.
func TestMemoryOfApprovedChanges(t *testing.T) {
	t.Parallel()
	evening := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	c := usher.Change{At: evening.Add(19 * time.Hour), AsOf: evening, File: "budgets", Rule: "stop", Pauses: true, After: "INACTIVE"}
	acted := usher.NewCreativeMemory([]usher.Change{c}, time.UTC).Rules["budgets/stop"]
	if want := (usher.RuleMemory{Changed: evening, Day: "2026-03-01", Flips: 1}); acted != want {
		t.Errorf("of a run that acts, it is %+v", acted)
	}
	approved := c
	approved.Approved = evening.Add(18 * time.Hour)
	got := usher.NewCreativeMemory([]usher.Change{approved}, time.UTC).Rules["budgets/stop"]
	if want := (usher.RuleMemory{Changed: approved.Approved, AsOf: evening, Day: "2026-03-02", Flips: 1}); got != want {
		t.Errorf("of an approved run, it is %+v", got)
	}
	later := c
	later.AsOf = evening.AddDate(0, 0, 2)
	got = usher.NewCreativeMemory([]usher.Change{approved, later}, time.UTC).Rules["budgets/stop"]
	if want := (usher.RuleMemory{Changed: later.AsOf, Day: "2026-03-03", Flips: 1}); got != want {
		t.Errorf("after a later change, it is %+v", got)
	}
}
