package workers_test

import (
	"os"
	"path/filepath"
	"testing"

	"usher"
	"usher/internal/ledger"
	"usher/workers/internal/workertest"
)

// unreadable runs a job while the manifest of the segment's generation cannot be read from the given call of
// Ledger.Head on, and then again until it ends. It reports whether there was such a call.
func (b *mirrored) unreadable(t *testing.T, s *workertest.Lease, call int) (found bool) {
	t.Helper()
	head, _, err := b.store.Head(t.Context(), ledger.Target{Advertiser: "SANDBOX1", Name: "segment/1"})
	if err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(b.LedgerDir, head.Manifest.Name)
	away := manifest + ".away"
	b.RunAndCrash(s, &workertest.Crash{Before: func(name string) {
		switch {
		case found && (name == "Retry" || name == "End"):
			if err := os.Rename(away, manifest); err != nil {
				t.Error(err)
			}
		case name == "Head":
			if call--; call != 0 {
				return
			}
			found = true
			if err := os.Rename(manifest, away); err != nil {
				t.Error(err)
			}
			if err := os.Symlink(filepath.Base(manifest), manifest); err != nil { // a loop
				t.Error(err)
			}
		}
	}})
	b.RunToEnd(s)
	return found
}

// A mirror that cannot read the ledger at one of its steps is tried again and does its work: it has not removed
// its own files meanwhile.
func TestMirrorTriedAgainWithoutRace(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 230))).Want(t, "done")
	for call, found := 1, true; found; call++ {
		s := b.job(usher.SegmentMirror, b.ids(5*call, 5*call+230))
		found = b.unreadable(t, s, call)
		s.Want(t, "done")
		b.wantEqual(t, "segment/1", 230)
	}
}

// begun runs a job that is killed when the head of its target says that it is pending.
func (b *mirrored) begun(t *testing.T, s *workertest.Lease) {
	t.Helper()
	c, steps := &workertest.Crash{After: true}, 0
	c.Before = func(name string) {
		if steps++; name == "SetHead" && c.AtStep == 0 {
			c.AtStep = steps
		}
	}
	b.RunAndCrash(s, c)
	head, _, err := b.store.Head(t.Context(), ledger.Target{Advertiser: "SANDBOX1", Name: "segment/1"})
	if err != nil || head.Pending == nil || len(head.Pending.Lists) == 0 {
		t.Fatalf("%+v: %v", head, err)
	}
}

// A mirror that is pending keeps the lists that the head names, also if it is tried again or refused after a crash.
func TestPendingMirrorKeepsItsListsWithoutRace(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 230))).Want(t, "done")
	for call, found := 1, true; found; call++ {
		s := b.job(usher.SegmentMirror, b.ids(5*call, 5*call+230))
		b.begun(t, s)
		found = b.unreadable(t, s, call)
		s.Want(t, "done")
		b.wantEqual(t, "segment/1", 230)
	}
	s := b.job(usher.SegmentMirror, b.ids(1000, 1200))
	s.Piece.Job.Force = true
	b.begun(t, s)
	s.Piece.Job.Force = false
	b.RunToEnd(s)
	s.Want(t, "failed shrink")
	if _, damaged := b.state(t); damaged {
		t.Error("the ledger is damaged")
	}
	next := b.job(usher.SegmentMirror, b.ids(0, 230))
	next.Piece.Job.Force = true // it is not known what the pending one has changed
	b.Run(next).Want(t, "done")
	b.wantEqual(t, "segment/1", 230)
}
