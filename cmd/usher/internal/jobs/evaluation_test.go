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
		"3 held by mode: observe":                                          {State: usher.EvaluationDone, Counts: held, Guards: map[usher.Guard]int{usher.GuardObserve: 3}},
		"3 held, waits for approval":                                       {State: usher.EvaluationHeld, Counts: held, Guards: all},
		"3 held, approved":                                                 {State: usher.EvaluationApproved, Counts: held, Guards: all},
		"3 held, rejected":                                                 {State: usher.EvaluationRejected, Counts: held, Guards: all},
		"3 held (2 wait for approval, 1 by keep_active)":                   {State: usher.EvaluationHeld, Counts: held, Guards: some},
		"3 held (2 approved, 1 by keep_active)":                            {State: usher.EvaluationApproved, Counts: held, Guards: some},
		"3 held (1 approved, 1 dropped, 1 by keep_active)":                 {State: usher.EvaluationApproved, Counts: held, Guards: some, LeftOut: []string{"A/a-1"}},
		"3 held (2 rejected, 1 by keep_active)":                            {State: usher.EvaluationRejected, Counts: held, Guards: some},
		"1 pause, waits for approval":                                      {State: usher.EvaluationHeld, Counts: map[usher.Action]int{usher.Pause: 1}},
		"2 held (1 waits for approval, 1 by cooldown), cannot decide on 3": {State: usher.EvaluationHeld, Counts: map[usher.Action]int{usher.Held: 2, usher.Unknown: 3}, Guards: map[usher.Guard]int{usher.GuardApproval: 1, usher.GuardCooldown: 1}},
		"4 pause, 2 held (2 wait for approval)":                            {State: usher.EvaluationHeld, Counts: map[usher.Action]int{usher.Pause: 4, usher.Held: 2}, Guards: map[usher.Guard]int{usher.GuardApproval: 2}},
		"3 held":                                                           {State: usher.EvaluationDone, Counts: held},
		"3 held by the stop switch":                                        {State: usher.EvaluationDone, Counts: held, Guards: map[usher.Guard]int{usher.GuardStop: 3}, Warnings: []usher.Warning{{Code: usher.WarnStopped}}},
		"3 held (1 by cooldown, 2 by max_flips_per_day), 4 kept by people": {State: usher.EvaluationDone, Counts: held, Guards: map[usher.Guard]int{usher.GuardFlips: 2, usher.GuardCooldown: 1, usher.GuardKept: 4}},
		"4 kept by people, 1 not resumed because of another rule":          {State: usher.EvaluationDone, Counts: map[usher.Action]int{usher.None: 5}, Guards: map[usher.Guard]int{usher.GuardPauseWanted: 1, usher.GuardKept: 4}},
		"2 pause, held back by the stop switch":                            {State: usher.EvaluationDone, Counts: map[usher.Action]int{usher.Pause: 2}, Warnings: []usher.Warning{{Code: usher.WarnStopped}}},
		"nothing to do":                                                    {State: usher.EvaluationDone},
	} {
		if got := jobs.Summary(&e); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
