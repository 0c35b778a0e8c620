package campaign_test

import (
	"fmt"
	"testing"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/workertest"
)

// A worker is killed before and after each step of a rule's pause, and another
// one goes on: what is to be paused is, once, nothing else is touched, and the
// audit and what rules remember have each change once.
func TestKilledBetweenAnyTwoSteps(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after is %t", after), func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				b := newBench(t, sandbox.Options{})
				b.SetStatus("SANDBOX1-spring", "spring-2", rtb.Inactive) // by hand
				s := b.ruled(usher.Pause, "spring-1")
				d := &workertest.Crash{At: n, After: after}
				b.RunAndCrash(s, d)
				if !d.Dead() {
					if n < 12 {
						t.Fatalf("the whole job takes %d steps only", n)
					}
					return
				}
				for s.Ended == nil {
					s.Piece.Crashes++
					b.RunAndCrash(s, &workertest.Crash{})
				}
				b.paused(s, n)
			}
		})
	}
}

// paused holds a pause of spring-1 to what it should have come to.
func (b *bench) paused(s *workertest.Lease, n int) {
	b.T.Helper()
	s.Want(b.T, "done")
	if got := b.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Inactive {
		b.T.Errorf("killed at step %d: statuses are %v", n, got)
	}
	for what, all := range map[string][]usher.Audit{"the audit": s.Audits, "memory": s.Remembered} {
		// What a message id, or a job's id, tells apart counts once.
		once := map[string]bool{}
		for _, a := range all {
			a.At = a.AsOf
			once[fmt.Sprintf("%+v", a)] = true
		}
		if len(once) != 1 || all[0].Before != rtb.Active || all[0].After != rtb.Inactive || all[0].Creative != "spring-1" {
			b.T.Errorf("killed at step %d: %s has %+v", n, what, all)
		}
	}
	if posted := b.Calls("creatives.set-status"); len(posted) > 3 { // one by hand, one, and its repetition
		b.T.Errorf("killed at step %d: it was posted %d times", n, len(posted))
	}
}
