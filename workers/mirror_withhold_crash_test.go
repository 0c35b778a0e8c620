package workers_test

import (
	"fmt"
	"slices"
	"testing"

	"usher"
)

// A mirror with an exception and a holdout is killed at each of its steps in turn, before and after
// the step has its effect, and goes on: it leaves out whom a mirror that was not killed leaves out.
func TestWithholdingMirrorKilledAtEachStepWithoutRace(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.SegmentMirror, usher.TargetMirror} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %t", kind, after), func(t *testing.T) {
				t.Parallel()
				b := newMirrored(t)
				name, customers := mirrorNames[kind], b.segment(t)
				b.mirror(customers, 100, 180, usher.Job{}).Want(t, "done")
				holdout := &usher.Holdout{Percent: 10, Key: "autumn"}
				s := b.job(kind, b.ids(0, 230))
				s.Piece.Job.Holdout = holdout
				b.Run(s).Want(t, "done")
				out := b.export(t, name, true)
				for step, died := 1, true; died; step++ {
					if step > 300 {
						t.Fatal("the job takes too many steps")
					}
					s := b.job(kind, b.ids(step%2, 230+step))
					s.Piece.Job.Except, s.Piece.Job.Holdout, s.Piece.Job.Force = []string{"segment/" + customers}, holdout, true
					died = b.crash(s, step, after)
					s.Want(t, "done")
					tally, held := s.Tally(), b.export(t, name, true)
					if tally.Check() != nil || tally.Withheld["except:segment/"+customers] != 80 || tally.Withheld["holdout:autumn"] != int64(len(held)) {
						t.Fatalf("killed at step %d: tally %+v, %d held out", step, tally, len(held))
					}
					b.wantEqual(t, name, int64(230+step-step%2-80-len(held)))
					for _, d := range held {
						if i := slices.Index(out, d); i < 0 && slices.Contains(digestsOf(0, 230), d) {
							t.Fatalf("killed at step %d: %s has changed its group", step, d)
						}
					}
				}
			})
		}
	}
}
