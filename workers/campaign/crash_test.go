package campaign_test

import (
	"fmt"
	"testing"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// A worker is killed before or after each step of a rule's pause, and another one
// continues: exactly the creative that the rule names is paused, and the audit
// and the rule's memory have the change once.
func TestKilledBetweenAnyTwoSteps(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after is %t", after), func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				b := newBench(t, sandbox.Options{})
				b.SetStatus("SANDBOX1-spring", "spring-2", rtb.Inactive) // by hand
				s := b.byRule(usher.Pause, "spring-1")
				d := &workertest.Crash{AtStep: n, After: after}
				b.RunAndCrash(s, d)
				if !d.Dead() {
					if n < 12 {
						t.Fatalf("the whole job takes only %d steps", n)
					}
					return
				}
				for s.Ended == nil {
					s.Piece.Crashes++
					b.RunAndCrash(s, &workertest.Crash{})
				}
				b.wantPaused(s, fmt.Sprintf("killed at step %d", n))
			}
		})
	}
}

// wantPaused fails unless the pause has changed spring-1 and nothing else.
func (b *bench) wantPaused(s *workertest.Lease, when string) {
	b.T.Helper()
	s.Want(b.T, "done")
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Inactive {
		b.T.Errorf("%s: statuses are %v", when, got)
	}
	for what, all := range map[string][]usher.Audit{"the audit": s.Audits, "memory": s.Remembered} {
		// Entries with the same message ID, or of the same job, count once.
		once := map[string]bool{}
		for _, a := range all {
			a.At = a.AsOf
			once[fmt.Sprintf("%+v", a)] = true
		}
		if len(once) != 1 || all[0].Before != rtb.Active || all[0].After != rtb.Inactive || all[0].Creative != "spring-1" {
			b.T.Errorf("%s: %s has %+v", when, what, all)
		}
	}
	if posted := b.Calls("creatives.set-status"); len(posted) > 3 { // one by hand, one of the job, and its repetition
		b.T.Errorf("%s: it was posted %d times", when, len(posted))
	}
}
