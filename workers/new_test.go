package workers_test

import (
	"fmt"
	"testing"

	"usher"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// wantNew fails the test unless so many ids were new in a job; -1: it is not known.
func wantNew(t *testing.T, s *workertest.Lease, want int64) {
	t.Helper()
	got := int64(-1)
	if n := s.Piece.Progress.New; n != nil {
		got = *n
	}
	if got != want {
		t.Errorf("%s %s: %d ids were new, not %d", s.Piece.Kind, s.Piece.ID, got, want)
	}
}

// A job counts the ids that were no members before it, and nothing if no ledger says which were.
func TestNew(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	for _, c := range []struct {
		kind     usher.Kind
		from, to int
		want     int64
	}{
		{usher.SegmentAdd, 0, 10, -1}, // there is no ledger
		{usher.SegmentMirror, 0, 250, -1},
		{usher.SegmentAdd, 200, 450, 200},
		{usher.SegmentAdd, 200, 450, 0},
		{usher.SegmentRemove, 400, 450, -1},
		{usher.SegmentAdd, 390, 460, 60},
		{usher.SegmentMirror, 10, 500, 40},
		{usher.SegmentMirror, 10, 500, 0},
		{usher.TargetMirror, 0, 200, -1},
		{usher.TargetAdd, 150, 250, 50},
		{usher.TargetMirror, 20, 260, 10}, // clears the list
		{usher.TargetReplace, 10, 300, 50},
		{usher.TargetReplace, 10, 300, 0},
		{usher.TargetClear, 0, 1, -1},
		{usher.TargetAdd, 0, 120, 120},
	} {
		s := b.job(c.kind, b.ids(c.from, c.to))
		if c.kind == usher.TargetClear {
			s.Piece.Job.Source, s.Piece.Job.Profile = nil, nil
		}
		b.Run(s).Want(t, "done")
		wantNew(t, s, c.want)
	}
	dry := b.job(usher.SegmentMirror, b.ids(0, 510))
	dry.Piece.Job.DryRun = true
	b.Run(dry).Want(t, "done")
	wantNew(t, dry, 20)
}

// What the platform has refused is not new.
func TestNewAndRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind          usher.Kind
		refused, want int64
	}{{usher.SegmentAdd, 100, 50}, {usher.SegmentMirror, 50, 100}, {usher.TargetReplace, 100, 50}} {
		t.Run(string(c.kind), func(t *testing.T) {
			t.Parallel()
			b := newMirrored(t)
			b.Run(b.job(usher.Kind(c.kind.Family()+".mirror"), b.ids(0, 100))).Want(t, "done")
			operation := "segments.upload"
			if c.kind == usher.TargetReplace {
				operation = "campaigns.add-mobile-targets"
			}
			b.Fault(operation, "status", map[string]any{"status": 400, "after": 1, "times": 3}) // the second batch, also in halves
			s := b.job(c.kind, b.ids(50, 250))
			s.Piece.Job.Force = true
			b.Run(s).Want(t, "done")
			if n := s.Tally().Refused.Sum(); n != c.refused {
				t.Fatalf("%d ids were refused, not %d", n, c.refused)
			}
			wantNew(t, s, c.want)
		})
	}
}

// A job that is killed at any of its steps counts each id once.
func TestNewKilledAtEachStepWithoutRace(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.SegmentAdd, usher.TargetAdd, usher.TargetReplace} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %t", kind, after), func(t *testing.T) {
				t.Parallel()
				b := newMirrored(t)
				first := usher.SegmentMirror
				if kind.Family() == "target" {
					first = usher.TargetMirror
				}
				b.Run(b.job(first, b.ids(0, 230))).Want(t, "done")
				for step, died := 1, true; died; step++ {
					if step > 300 {
						t.Fatal("the job takes too many steps")
					}
					s := b.job(kind, b.ids(step*20, step*20+230))
					died = b.crash(s, step, after)
					s.Want(t, "done")
					if wantNew(t, s, 20); t.Failed() {
						t.Fatalf("killed at step %d", step)
					}
				}
			})
		}
	}
}

// The last part of a job that was cut counts for all of them.
func TestNewOfParts(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 300))).Want(t, "done")
	b.CutAt(4000)
	s := b.job(usher.SegmentAdd, b.ids(200, 700))
	b.Run(s).Want(t, "cut")
	var last *workertest.Lease
	for i, of := range s.Parts {
		piece := s.Piece
		piece.Part, piece.Parts, piece.Range = i, len(s.Parts), of
		piece.Progress = usher.Progress{Plan: s.Piece.Progress.Plan}
		last = b.Run(&workertest.Lease{Piece: piece})
		last.Want(t, "done")
	}
	if len(s.Parts) < 4 {
		t.Errorf("the job has only %d parts", len(s.Parts))
	}
	wantNew(t, last, 400)
	repeated := b.job(usher.SegmentAdd, b.File("twice.txt", "00000001-0000-4000-8000-000000000900\n00000001-0000-4000-8000-000000000001\n"))
	b.Run(repeated).Want(t, "done")
	wantNew(t, repeated, 1)
}

// A job that runs again after it has failed counts what its run has added.
func TestNewOfRuns(t *testing.T) {
	t.Parallel()
	b := &mirrored{Bench: workertest.NewBench(t, sandbox.Options{})}
	b.store = b.KeepLedger()
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 100))).Want(t, "done")
	b.Fault("segments.upload", "status", map[string]any{"status": 403, "after": 1})
	s := b.job(usher.SegmentAdd, b.ids(50, 350))
	b.Run(s).Want(t, "failed forbidden")
	wantNew(t, s, 50)
	s.Piece.Run, s.Piece.Progress.New = 2, nil
	b.Run(s).Want(t, "done")
	wantNew(t, s, 250)
	b.Run(b.job(usher.SegmentMirror, b.ids(50, 350))).Want(t, "done")
	b.wantEqual(t, "segment/1", 300)
}
