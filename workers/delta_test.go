package workers_test

import (
	"testing"

	"usher"
)

// A batch whose response was lost, of a job that then ends, is not forgotten: the platform may
// have carried it out. The next mirror finds out what is true.
func TestDeltaOfLostBatch(t *testing.T) {
	t.Parallel()
	for kind, operation := range map[usher.Kind]string{usher.SegmentAdd: "segments.upload", usher.SegmentRemove: "segments.remove-user"} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newMirrored(t)
			b.Run(b.job(usher.SegmentMirror, b.ids(0, 50))).Want(t, "done")
			b.Fault(operation, "reset_after", nil)
			b.Fault(operation, "status", map[string]any{"status": 403, "times": 1000})
			export := b.ids(20, 21)
			if kind == usher.SegmentAdd {
				export = b.ids(100, 150)
			}
			b.Run(b.job(kind, export)).Want(t, "failed forbidden")
			b.Control("DELETE", "faults", nil, nil)
			if n := b.fingerprint("segments/1").Count; n != 49 && n != 100 {
				t.Fatalf("the platform has %d ids, so no response was lost", n)
			}
			last := b.job(usher.SegmentMirror, b.ids(0, 50))
			last.Piece.Job.Force = true
			b.Run(last).Want(t, "done")
			b.wantEqual(t, "segment/1", 50)
		})
	}
}
