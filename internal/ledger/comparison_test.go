package ledger_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
)

// read returns the digests of files, in order.
func read(t *testing.T, s *ledger.Store, files []ledger.File) (all []hashing.Digest) {
	t.Helper()
	list, err := s.OpenList(t.Context(), files, 0, ledger.Digests(files))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	for {
		some, err := list.Next(make([]hashing.Digest, 0, 7))
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
}

// Random runs with repeated digests are compared with random members, in files of each
// number, and give the same as sets. Then deltas change the members.
func TestCompare(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	random := rand.New(rand.NewPCG(21, 22))
	for round := range 60 {
		s := openStore(t)
		target := ledger.Target{Advertiser: "A", Name: "segment/1"}
		pool := digests(random, 1+random.IntN(300))
		pick := func(share int) map[hashing.Digest]bool {
			set := map[hashing.Digest]bool{}
			for _, d := range pool {
				if random.IntN(100) < share {
					set[d] = true
				}
			}
			return set
		}
		members := pick(random.IntN(101))
		runs := func(job string, set map[hashing.Digest]bool) []int {
			var counts []int
			for part := range 1 + random.IntN(3) {
				w := s.Staging(target, job, 1).Runs(ledger.ReadStep, part, 0)
				for range 1 + random.IntN(3) {
					for d := range set { // all are in the first part, and many come again
						if part > 0 && random.IntN(3) > 0 {
							continue
						}
						if err := w.Add(t.Context(), []hashing.Digest{d, d}[:1+random.IntN(2)]); err != nil {
							t.Fatal(err)
						}
					}
					if _, err := w.Flush(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				n, err := w.Flush(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				counts = append(counts, n)
			}
			return counts
		}
		adopted := &ledger.Comparison{Job: "adopt", Run: 1, Head: ledger.Head{V: 1, Target: target}, Runs: runs("adopt", members)}
		head, err := s.Adopt(t.Context(), adopted, int64(1)<<(20+random.IntN(6)), usher.Profile{Type: usher.IDFA})
		if err != nil || head.Fingerprint.Count != int64(len(members)) {
			t.Fatalf("adopted %d of %d: %v", head.Fingerprint.Count, len(members), err)
		}
		for i := range random.IntN(4) { // deltas, each newer than the one before
			removes := random.IntN(2) == 0
			if head, _, err = s.Begin(t.Context(), target, "delta", i, nil); err != nil {
				t.Fatal(err)
			}
			delta, err := s.NewDelta(t.Context(), &head, removes, "delta", i, 0, ledger.Written{})
			if err != nil {
				t.Fatal(err)
			}
			for d := range pick(20) {
				if err := delta.Add(t.Context(), []hashing.Digest{d}); err != nil {
					t.Fatal(err)
				}
				if members[d] = true; removes {
					delete(members, d)
				}
			}
			if _, err := delta.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		wanted := pick(random.IntN(101))
		c := &ledger.Comparison{Job: "job", Run: 1, Head: head, Runs: runs("job", wanted)}
		c.Cut(int64(1) << (20 + random.IntN(6)))
		for group := range c.Groups {
			if err := s.Compare(t.Context(), c, group, nil); err != nil {
				t.Fatal(err)
			}
		}
		found, err := s.Differences(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		added, removed := map[hashing.Digest]bool{}, map[hashing.Digest]bool{}
		for d := range wanted {
			if !members[d] {
				added[d] = true
			}
		}
		for d := range members {
			if !wanted[d] {
				removed[d] = true
			}
		}
		counts := ledger.Counts{
			Wanted: int64(len(wanted)), Members: int64(len(members)), Added: int64(len(added)), Removed: int64(len(removed)),
			Unchanged: int64(len(wanted) - len(added)),
		}
		if found.Counts != counts {
			t.Fatalf("round %d: %+v, not %+v", round, found.Counts, counts)
		}
		for what, want := range map[string][2][]hashing.Digest{
			"added":   {read(t, s, found.Adds), sorted(added)},
			"removed": {read(t, s, found.Removes), sorted(removed)},
			"shards":  {read(t, s, found.Shards), sorted(wanted)},
		} {
			if !slices.Equal(want[0], want[1]) {
				t.Fatalf("round %d, %s: %d digests, not %d", round, what, len(want[0]), len(want[1]))
			}
		}
	}
}

// A job that goes on after others have begun epochs writes its delta there, and what it wrote
// before counts, too.
func TestDeltaOfSeveralEpochs(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	target := ledger.Target{Advertiser: "A", Name: "segment/1"}
	all := digests(rand.New(rand.NewPCG(33, 34)), 100)
	adopted := &ledger.Comparison{Job: "adopt", Run: 1, Head: ledger.Head{V: 1, Target: target}}
	if _, err := s.Adopt(t.Context(), adopted, 0, usher.Profile{Type: usher.IDFA}); err != nil {
		t.Fatal(err)
	}
	var earlier ledger.Written
	for attempt, added := range [][]hashing.Digest{all[:50], all[50:], nil} {
		head, _, err := s.Begin(t.Context(), target, "other", attempt, nil)
		if err != nil {
			t.Fatal(err)
		}
		delta, err := s.NewDelta(t.Context(), &head, false, "add", 1, 0, earlier)
		if err != nil {
			t.Fatal(err)
		}
		err = delta.Add(t.Context(), added)
		written, flushed := delta.Complete(t.Context())
		if err := errors.Join(err, flushed); err != nil {
			t.Fatal(err)
		}
		earlier = ledger.Written{Epoch: delta.Epoch(), Files: written}
		delta.Release()
	}
	head, _, err := s.Head(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	state, err := s.Load(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	if found, _, err := s.Fingerprint(t.Context(), state); err != nil || found.Count != 100 {
		t.Errorf("the ledger has %d members: %v", found.Count, err)
	}
}
