package jobs_test

import (
	"testing"

	"usher"
	"usher/cmd/usher/internal/jobs"
)

// The summary of a run says how many of its held decisions wait for approval, or were approved.
func TestSummary(t *testing.T) {
	t.Parallel()
	held := map[usher.Action]int{usher.Held: 3, usher.None: 4}
	all := map[usher.Guard]int{usher.GuardApproval: 2, usher.GuardCap: 1}
	some := map[usher.Guard]int{usher.GuardApproval: 2, usher.GuardKeepActive: 1}
	for want, e := range map[string]usher.Evaluation{
		"3 held":                                   {State: usher.EvaluationDone, Counts: held, Guards: map[usher.Guard]int{usher.GuardObserve: 3}},
		"3 held, waits for approval":               {State: usher.EvaluationHeld, Counts: held, Guards: all},
		"3 held, approved":                         {State: usher.EvaluationApproved, Counts: held, Guards: all},
		"3 held, rejected":                         {State: usher.EvaluationRejected, Counts: held, Guards: all},
		"3 held (2 wait for approval)":             {State: usher.EvaluationHeld, Counts: held, Guards: some},
		"3 held (2 approved)":                      {State: usher.EvaluationApproved, Counts: held, Guards: some},
		"3 held (1 approved, 1 dropped)":           {State: usher.EvaluationApproved, Counts: held, Guards: some, LeftOut: []string{"A/a-1"}},
		"3 held (2 rejected)":                      {State: usher.EvaluationRejected, Counts: held, Guards: some},
		"1 pause, waits for approval":              {State: usher.EvaluationHeld, Counts: map[usher.Action]int{usher.Pause: 1}},
		"2 held (1 waits for approval), 3 unknown": {State: usher.EvaluationHeld, Counts: map[usher.Action]int{usher.Held: 2, usher.Unknown: 3}, Guards: map[usher.Guard]int{usher.GuardApproval: 1, usher.GuardCooldown: 1}},
		"4 pause, 2 held (2 wait for approval)":    {State: usher.EvaluationHeld, Counts: map[usher.Action]int{usher.Pause: 4, usher.Held: 2}, Guards: map[usher.Guard]int{usher.GuardApproval: 2}},
		"nothing to do":                            {State: usher.EvaluationDone},
	} {
		if got := jobs.Summary(&e); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
