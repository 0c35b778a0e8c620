package ledger_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
)

// A set of digests.
type set map[hashing.Digest]bool

// pick returns a random share of digests, in percent.
func pick(random *rand.Rand, pool []hashing.Digest, share int) set {
	picked := set{}
	for _, d := range pool {
		if random.IntN(100) < share {
			picked[d] = true
		}
	}
	return picked
}

// adopt makes digests the generation of a target.
func adopt(t testing.TB, s *ledger.Store, target ledger.Target, members set, c ledger.Comparison, profile usher.Profile) ledger.Head {
	t.Helper()
	if c.Job == "" {
		c.Job = "adopt"
	}
	c.Run, c.Head = 1, ledger.Head{V: 1, Target: target}
	w := s.Staging(target, c.Job, 1).Runs(ledger.ReadStep, 0, 0)
	defer w.Release()
	for d := range members {
		if err := w.Add(t.Context(), []hashing.Digest{d}); err != nil {
			t.Fatal(err)
		}
	}
	n, err := w.Flush(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, c.Revision, err = s.Head(t.Context(), target); err != nil && !errors.Is(err, ledger.ErrNone) {
		t.Fatal(err)
	}
	c.Runs = []int{n}
	head, err := s.Adopt(t.Context(), &c, int64(len(members)), profile)
	if err != nil {
		t.Fatal(err)
	}
	return head
}

// change adds digests to a target, or removes them, and changes the set alike.
func change(t testing.TB, s *ledger.Store, target ledger.Target, job string, members, digests set, removes bool) {
	t.Helper()
	head, _, err := s.Begin(t.Context(), target, job, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	delta, err := s.NewDelta(t.Context(), &head, removes, job, 1, 0, ledger.Written{})
	if err != nil {
		t.Fatal(err)
	}
	defer delta.Release()
	for d := range digests {
		if err := delta.Add(t.Context(), []hashing.Digest{d}); err != nil {
			t.Fatal(err)
		}
		if members[d] = true; removes {
			delete(members, d)
		}
	}
	if _, err := delta.Complete(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Random targets, which other jobs have changed since their mirrors, overlap as sets do, and the
// numbers add up: |A ∪ B| = |A| + |B| − |A ∩ B|, and |A| = |A ∩ B| + |A without B|.
func TestOverlap(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(44, 1))
	for round := range 20 {
		s := openStore(t)
		pool := digests(random, 1+random.IntN(2000))
		var targets []ledger.Target
		var sets []set
		for i := range 2 + random.IntN(4) {
			target := ledger.Target{Advertiser: "A", Name: fmt.Sprintf("segment/%d", i)}
			members := pick(random, pool, random.IntN(101))
			adopt(t, s, target, members, ledger.Comparison{}, usher.Profile{Type: usher.IDFA})
			for j := range random.IntN(3) {
				change(t, s, target, fmt.Sprintf("change-%d", j), members, pick(random, pool, 10), random.IntN(2) == 0)
			}
			targets, sets = append(targets, target), append(sets, members)
		}
		o, err := s.Overlap(t.Context(), targets)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string, got int64, in func(d hashing.Digest) bool) {
			t.Helper()
			var want int64
			for _, d := range pool {
				if in(d) {
					want++
				}
			}
			if got != want {
				t.Fatalf("round %d: %s is %d, not %d", round, what, got, want)
			}
		}
		number := func(d hashing.Digest) (n int) {
			for _, members := range sets {
				if members[d] {
					n++
				}
			}
			return n
		}
		check("the union", o.Union(), func(d hashing.Digest) bool { return number(d) > 0 })
		check("the intersection of all", o.All(), func(d hashing.Digest) bool { return number(d) == len(sets) })
		for i := range sets {
			check("a size", o.Members(i), func(d hashing.Digest) bool { return sets[i][d] })
			check("the rest of one", o.Only(i), func(d hashing.Digest) bool { return sets[i][d] && number(d) == 1 })
			for j := range sets {
				check("a pair", o.Both(i, j), func(d hashing.Digest) bool { return sets[i][d] && sets[j][d] })
			}
		}
		if len(sets) == 2 && (o.Union() != o.Members(0)+o.Members(1)-o.All() || o.Members(0) != o.All()+o.Only(0)) {
			t.Errorf("round %d: the numbers do not add up", round)
		}
	}
}

// Members that have lapsed are no members, and neither are those of which it is not certain.
func TestOverlapOfLapsedMembers(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	all := digests(rand.New(rand.NewPCG(44, 2)), 90)
	stays, leaves := ledger.Target{Advertiser: "A", Name: "segment/1"}, ledger.Target{Advertiser: "A", Name: "segment/2"}
	today := ledger.DayOf(s.Now())
	members := func(digests []hashing.Digest) set {
		members := set{}
		for _, d := range digests {
			members[d] = true
		}
		return members
	}
	adopt(t, s, stays, members(all), ledger.Comparison{}, usher.Profile{Type: usher.IDFA})
	adopt(t, s, leaves, members(all[:60]), ledger.Comparison{Today: today - 8, Duration: 7}, usher.Profile{Type: usher.IDFA})
	change(t, s, leaves, "add", set{}, members(all[:20]), false) // again, today
	o, err := s.Overlap(t.Context(), []ledger.Target{stays, leaves})
	if err != nil || o.Members(0) != 90 || o.Members(1) != 20 || o.Targets[1].Lapsed != 40 || o.Only(0) != 70 {
		t.Errorf("%d and %d members, %d lapsed, %d only in the first: %v", o.Members(0), o.Members(1), o.Targets[1].Lapsed, o.Only(0), err)
	}
	head, revision, err := s.Head(t.Context(), stays)
	if err != nil {
		t.Fatal(err)
	}
	files := write(t, s, all[:10])
	if _, _, err := s.BeginMirror(t.Context(), &ledger.Comparison{Job: "mirror", Run: 1, Head: head, Revision: revision}, &ledger.Pending{Lists: files}); err != nil {
		t.Fatal(err)
	}
	if o, err = s.Overlap(t.Context(), []ledger.Target{stays, leaves}); err != nil || o.Members(0) != 80 || o.Targets[0].Uncertain != 10 {
		t.Errorf("%d members, of %d it is not certain: %v", o.Members(0), o.Targets[0].Uncertain, err)
	}
}

// write writes digests as a file.
func write(t *testing.T, s *ledger.Store, digests []hashing.Digest) []ledger.File {
	t.Helper()
	var records []ledger.Record
	sorted := append([]hashing.Digest{}, digests...)
	ledger.SortDigests(sorted)
	for _, d := range sorted {
		records = append(records, ledger.Record{Digest: d})
	}
	f, err := s.WriteFile(t.Context(), "list", records, false)
	if err != nil {
		t.Fatal(err)
	}
	return []ledger.File{f}
}

// A target that cannot be compared is refused by name.
func TestOverlapIsRefused(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	all := digests(rand.New(rand.NewPCG(44, 3)), 10)
	members := set{all[0]: true}
	of := func(id string) ledger.Target { return ledger.Target{Advertiser: "A", Name: "segment/" + id} }
	adopt(t, s, of("1"), members, ledger.Comparison{}, usher.Profile{Type: usher.IDFA})
	adopt(t, s, of("2"), members, ledger.Comparison{}, usher.Profile{Type: usher.AAID})
	adopt(t, s, of("3"), members, ledger.Comparison{}, usher.Profile{})
	broken := adopt(t, s, of("4"), members, ledger.Comparison{}, usher.Profile{Type: usher.IDFA})
	if err := s.Remove(t.Context(), broken.Manifest.Name); err != nil {
		t.Fatal(err)
	}
	upper := usher.Profile{Type: usher.IDFA, Case: usher.Upper}
	adopt(t, s, of("5"), members, ledger.Comparison{}, upper)
	for id, want := range map[string]string{
		"2": "the ids of segment/1 are hashed as idfa, and those of segment/2 as aaid",
		"3": "the profile of segment/3 is not known",
		"4": "read the members of segment/4",
		"5": "",
		"6": "segment/6: it has no ledger",
	} {
		_, err := s.Overlap(t.Context(), []ledger.Target{of("1"), of(id)})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("segment/1 with segment/%s: %v", id, err)
		}
		if id == "4" && !errors.As(err, new(*ledger.DamagedError)) {
			t.Errorf("a broken ledger is no damage: %v", err)
		}
	}
}
