package workers_test

import (
	"crypto/md5"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/internal/rtb"
	"usher/workers/internal/workertest"
)

// segment creates a segment of IDFAs and returns its id.
func (b *mirrored) segment(t *testing.T) string {
	t.Helper()
	answer, _, err := rtb.SegmentsCreate.Do(t.Context(), b.Worker.Platform("", false), rtb.NewSegment{Segment: rtb.Segment{Name: "Customers", Type: rtb.TypeIDFA}})
	if err != nil {
		t.Fatal(err)
	}
	return answer.ID
}

// mirror runs a mirror of the ids from..to-1, which keeps out what the job says.
func (b *mirrored) mirror(segment string, from, to int, more usher.Job) *workertest.Lease {
	s := b.job(usher.SegmentMirror, b.ids(from, to))
	j := &s.Piece.Job
	j.Segment, j.Except, j.Holdout, j.Force, j.DryRun = segment, more.Except, more.Holdout, more.Force, more.DryRun
	if more.Source != nil {
		j.Source = more.Source
	}
	return b.Run(s)
}

// wantTally fails the test unless a job is done and has counted the ids.
func wantTally(t *testing.T, s *workertest.Lease, want usher.Tally) {
	t.Helper()
	s.Want(t, "done")
	got := s.Tally()
	maps.DeleteFunc(got.Withheld, func(_ string, n int64) bool { return n == 0 })
	if got.Check() != nil || got.Read != want.Read || got.Accepted != want.Accepted || got.Unchanged != want.Unchanged || got.Duplicate != want.Duplicate ||
		got.Suppressed != want.Suppressed || !maps.Equal(got.Withheld, want.Withheld) {
		t.Errorf("the tally is %+v, not %+v", got, want)
	}
}

// A mirror leaves out the members of other targets as they are when it compares, and says as of
// which generations.
func TestMirrorExcept(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	customers, staff := b.segment(t), b.segment(t)
	b.mirror(customers, 0, 100, usher.Job{}).Want(t, "done")
	b.mirror(staff, 90, 110, usher.Job{}).Want(t, "done")
	except := usher.Job{Except: []string{"segment/" + customers, "segment/" + staff}}
	one, two := "except:segment/"+customers, "except:segment/"+staff
	s := b.mirror("1", 50, 250, except)
	wantTally(t, s, usher.Tally{Read: 200, Accepted: 140, Withheld: usher.Counts{one: 50, two: 10}})
	if u := s.Piece.Progress.Understood; len(u.Withheld) != 2 || u.Withheld[0].Reason != one || u.Withheld[0].Count != 50 || u.Withheld[0].Generation != 1 || u.Withheld[0].At == nil {
		t.Errorf("understood is %+v", u.Withheld)
	}
	b.wantEqual(t, "segment/1", 140)
	b.mirror(customers, 0, 120, usher.Job{}).Want(t, "done")
	if s := b.mirror("1", 50, 250, usher.Job{Except: except.Except, DryRun: true}); s.Piece.Progress.Mirror.Remove != 10 {
		t.Errorf("a dry run would remove %d", s.Piece.Progress.Mirror.Remove)
	}
	b.wantEqual(t, "segment/1", 140)
	wantTally(t, b.mirror("1", 50, 250, except), usher.Tally{Read: 200, Unchanged: 130, Withheld: usher.Counts{one: 70}})
	b.wantEqual(t, "segment/1", 130)
	head := b.head(t, "segment/1")
	w, err := b.store.Withheld(t.Context(), &head)
	if err != nil || len(w.Except) != 2 || w.Except[0].Generation != 2 || w.Except[0].Count != 70 || w.Except[1].Generation != 1 {
		t.Errorf("the ledger has %+v: %v", w, err)
	}

	// What other jobs add to an excepted target counts, too, and so does a rollback.
	add := b.job(usher.SegmentAdd, b.ids(240, 250))
	add.Piece.Job.Segment = staff
	b.Run(add).Want(t, "done")
	wantTally(t, b.mirror("1", 50, 250, except), usher.Tally{Read: 200, Unchanged: 120, Withheld: usher.Counts{one: 70, two: 10}})
	s = b.mirror("1", 0, 0, usher.Job{Source: &usher.Source{URL: "ledger:1"}})
	wantTally(t, s, usher.Tally{Read: 140, Unchanged: 120, Withheld: usher.Counts{one: 10, two: 10}})
	b.wantEqual(t, "segment/1", 120)
}

func (b *mirrored) head(t *testing.T, name string) ledger.Head {
	t.Helper()
	head, _, err := b.store.Head(t.Context(), ledger.Target{Advertiser: "SANDBOX1", Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return head
}

// A mirror is refused, by name, if it cannot know whom to leave out, or if nobody would be left.
func TestMirrorExceptIsRefused(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	customers, third := b.segment(t), b.segment(t)
	to := func(ids ...string) usher.Job {
		var job usher.Job
		for _, id := range ids {
			job.Except = append(job.Except, "segment/"+id)
		}
		return job
	}
	refused := func(segment string, job usher.Job, class, message string) {
		t.Helper()
		s := b.mirror(segment, 0, 100, job)
		s.Want(t, "failed "+class)
		if err := s.Ended.Error; err == nil || !strings.Contains(err.Message, message) || err.Hint == "" {
			t.Errorf("the error is %+v", err)
		}
	}
	refused("1", to(customers), "ledger_broken", "segment/"+customers+": it has no ledger")
	refused("1", to("1"), "invalid_job", "segment/1 excepts segment/1")
	b.mirror(customers, 0, 100, usher.Job{}).Want(t, "done")
	refused("1", to(customers), "source_broken", "all 100 ids of the export are withheld")
	forced := to(customers)
	forced.Force = true
	refused("1", forced, "source_broken", "nothing would be left")
	b.mirror("1", 50, 150, to(customers)).Want(t, "done")
	b.mirror(third, 100, 200, to("1")).Want(t, "done")
	refused(customers, to(third), "invalid_job", fmt.Sprintf("segment/%s excepts segment/%s excepts segment/1 excepts segment/%s", customers, third, customers))
	head := b.head(t, "segment/"+customers)
	if err := os.Remove(filepath.Join(b.LedgerDir, filepath.FromSlash(head.Manifest.Name))); err != nil {
		t.Fatal(err)
	}
	refused("1", to(customers), "ledger_broken", "read the members of segment/"+customers)
	b.wantEqual(t, "segment/1", 50)
}

// A mirror of an export all of whose ids are on the suppression list is refused, also with force. But ids that are
// forgotten leave, even if nobody is left.
func TestMirrorOfSuppressedIDs(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.mirror("1", 0, 50, usher.Job{}).Want(t, "done")
	b.Run(b.forget(id(100), id(101))).Want(t, "done")
	s := b.mirror("1", 100, 102, usher.Job{Force: true})
	s.Want(t, "failed too_many_rejects")
	if err := s.Ended.Error; !strings.Contains(err.Hint, "suppression list") {
		t.Errorf("the error is %+v", err)
	}
	b.wantEqual(t, "segment/1", 50)
	b.Run(b.job(usher.TargetMirror, b.ids(200, 201))).Want(t, "done")
	b.Worker.Jobs = &jobs{b, map[string]*workertest.Lease{}}
	now := b.forget(id(200))
	now.Piece.Job.Targets = "now"
	b.Run(now).Want(t, "done")
	b.wantEqual(t, "campaign/SANDBOX1-spring", 0)
}

// export returns the digests that usher ledger export prints.
func (b *mirrored) export(t *testing.T, name string, heldOut bool) (all []hashing.Digest) {
	t.Helper()
	err := b.store.Export(t.Context(), ledger.Target{Advertiser: "SANDBOX1", Name: name}, heldOut, func(d hashing.Digest) error {
		all = append(all, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func digestOf(id string) hashing.Digest { return md5.Sum([]byte(id)) }

// digestsOf returns the digests of the ids from..to-1.
func digestsOf(from, to int) (all []hashing.Digest) {
	for i := from; i < to; i++ {
		all = append(all, digestOf(id(i)))
	}
	return all
}

// A holdout keeps out the same ids in every target, generation and rollback, and a forgotten id is in
// no export.
func TestMirrorHoldout(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	other := b.segment(t)
	holdout := usher.Job{Holdout: &usher.Holdout{Percent: 10, Key: "autumn"}, Force: true}
	s := b.mirror("1", 0, 1000, holdout)
	held := s.Tally().Withheld["holdout:autumn"]
	wantTally(t, s, usher.Tally{Read: 1000, Accepted: 1000 - held, Withheld: usher.Counts{"holdout:autumn": held}})
	if held < 60 || held > 140 {
		t.Errorf("%d of 1000 are held out", held)
	}
	out := b.export(t, "segment/1", true)
	if members := b.export(t, "segment/1", false); int64(len(out)) != held || int64(len(members)) != 1000-held || slices.ContainsFunc(out, func(d hashing.Digest) bool { return slices.Contains(members, d) }) {
		t.Errorf("%d are exported as held out and %d as members", len(out), len(members))
	}
	b.mirror(other, 500, 2000, holdout).Want(t, "done")
	elsewhere := b.export(t, "segment/"+other, true)
	b.mirror("1", 300, 1000, holdout).Want(t, "done")
	later := b.export(t, "segment/1", true)
	for _, d := range later {
		if !slices.Contains(out, d) {
			t.Errorf("%s has changed its group", d)
		}
	}
	both := 0
	for _, d := range elsewhere {
		if slices.Contains(out, d) {
			both++
		}
	}
	contradicts := slices.ContainsFunc(b.export(t, "segment/1", false), func(d hashing.Digest) bool { return slices.Contains(elsewhere, d) })
	if both == 0 || contradicts {
		t.Errorf("%d are held out in both targets, and some only in one: %t", both, contradicts)
	}

	// A rollback holds out the same ids again, and a mirror of the members loses none of them.
	b.mirror("1", 0, 0, usher.Job{Source: &usher.Source{URL: "ledger:1"}, Force: true}).Want(t, "done")
	if again := b.export(t, "segment/1", true); !slices.Equal(again, out) {
		t.Errorf("after the rollback %d ids are held out, not %d", len(again), len(out))
	}
	b.wantEqual(t, "segment/1", 1000-held)
	clear := b.job(usher.SegmentMirror, "ledger:current")
	b.Run(clear).Want(t, "done")
	if again := b.export(t, "segment/1", true); !slices.Equal(again, out) {
		t.Errorf("after a mirror of its members %d ids are held out, not %d", len(again), len(out))
	}

	// A person who is held out is forgotten.
	gone := ""
	for i := range 1000 {
		if d := digestOf(id(i)); slices.Contains(out, d) {
			gone = id(i)
			break
		}
	}
	b.Run(b.forget(gone)).Want(t, "done")
	if left := b.export(t, "segment/1", true); len(left) != len(out)-1 || slices.Contains(left, digestOf(gone)) {
		t.Errorf("%d of %d are left after an erasure", len(left), len(out))
	}
	head := b.head(t, "segment/1")
	state, err := b.store.Load(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	err = state.EachHeldOut(t.Context(), func(d hashing.Digest) error {
		if d == digestOf(gone) {
			t.Error("the ledger still has the forgotten id")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	s = b.mirror("1", 0, 1000, holdout)
	if s.Tally().Suppressed != 1 || s.Tally().Withheld["holdout:autumn"] != held-1 {
		t.Errorf("the tally is %+v", s.Tally())
	}

	// Without a holdout all are wanted.
	s = b.mirror("1", 0, 1000, usher.Job{})
	wantTally(t, s, usher.Tally{Read: 1000, Accepted: held - 1, Unchanged: 1000 - held, Suppressed: 1})
	if w := s.Piece.Progress.Warnings; len(w) != 1 || w[0].Code != "not_withheld" || !strings.Contains(w[0].Description, "has left out holdout:autumn, and this one does not") {
		t.Errorf("the warnings are %+v", w)
	}
}
