package bidding_test

import (
	"fmt"
	"testing"

	"usher/workers/internal/workertest"
)

// A worker is killed before or after each step of a change, and another one continues: the
// budget is set once, nothing else of the campaign changes, and audit and memory have it.
func TestKilledBetweenAnyTwoSteps(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after is %t", after), func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				b := newBench(t)
				l := lower()
				crash := &workertest.Crash{AtStep: n, After: after}
				b.RunAndCrash(l, crash)
				if !crash.Dead() {
					if n < 15 {
						t.Fatalf("the whole job takes only %d steps", n)
					}
					return
				}
				for l.Ended == nil {
					l.Piece.Crashes++
					if sent := l.Piece.Progress.Bidding; sent != nil {
						sent.Sent = sent.Sent.Add(-patience)
					}
					b.RunAndCrash(l, &workertest.Crash{})
				}
				b.wantLowered(l, fmt.Sprintf("killed at step %d", n))
				if got := len(b.Calls(puts)) - b.earlier; got > 2 {
					t.Errorf("killed at step %d: the campaign was replaced %d times", n, got)
				}
			}
		})
	}
}
