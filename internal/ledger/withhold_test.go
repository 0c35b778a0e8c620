package ledger_test

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
)

var idfa = usher.Profile{Type: usher.IDFA}

// without compares an export with a target, without the members of others and a holdout, and commits
// the result.
func without(t testing.TB, s *ledger.Store, target ledger.Target, job string, export set, except []string, holdout *usher.Holdout) *ledger.Differences {
	t.Helper()
	head, revision, err := s.Head(t.Context(), target)
	if err != nil {
		head = ledger.Head{V: 1, Target: target}
	}
	c := &ledger.Comparison{Job: job, Run: 1, Head: head, Revision: revision, Today: ledger.DayOf(s.Now()), Holdout: holdout}
	if c.Except, err = s.Except(t.Context(), target, idfa, except); err != nil {
		t.Fatal(err)
	}
	w := s.Staging(target, job, 1).Runs(ledger.ReadStep, 0, 0)
	defer w.Release()
	for d := range export {
		if err := w.Add(t.Context(), []hashing.Digest{d}); err != nil {
			t.Fatal(err)
		}
	}
	n, err := w.Flush(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.Runs = []int{n}
	c.Cut(int64(len(export)))
	if err := s.Staging(target, job, 1).WriteComparison(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for group := range c.Groups {
		if err := s.Compare(t.Context(), c, group, nil); err != nil {
			t.Fatal(err)
		}
	}
	found, err := s.Differences(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if head, revision, err = s.BeginMirror(t.Context(), c, nil); err != nil {
		t.Fatal(err)
	}
	w2 := &ledger.Withheld{Holdout: holdout, HeldOut: found.HeldOut}
	if head, err = s.Commit(t.Context(), &ledger.Commit{Head: head, Revision: revision, Job: job, Run: 1, Profile: idfa, Shards: found.Shards, Withheld: w2}); err != nil {
		t.Fatal(err)
	}
	if err := s.Collect(t.Context(), &head); err != nil {
		t.Fatal(err)
	}
	return found
}

// exported returns what usher ledger export prints.
func exported(t testing.TB, s *ledger.Store, target ledger.Target, heldOut bool) set {
	t.Helper()
	found := set{}
	if err := s.Export(t.Context(), target, heldOut, func(d hashing.Digest) error {
		found[d] = true
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// isHeldOut is the definition of a holdout, by other means.
func isHeldOut(h *usher.Holdout, d hashing.Digest) bool {
	mac := hmac.New(sha256.New, []byte(h.Key))
	mac.Write([]byte(hex.EncodeToString(d[:])))
	return float64(binary.BigEndian.Uint64(mac.Sum(nil)))/math.Exp2(64) < h.Percent/100
}

// Random exports without the members of random targets, which other jobs have changed, and without a
// holdout, are what sets say. What is left, what is excepted and what is held out are the export, and
// share nobody.
func TestWithhold(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(44, 4))
	for round := range 15 {
		s := openStore(t)
		pool := digests(random, 200+random.IntN(2000))
		target := ledger.Target{Advertiser: "A", Name: "segment/1"}
		holdout := &usher.Holdout{Percent: float64(1 + random.IntN(60)), Key: fmt.Sprint("key", random.IntN(3))}
		members := set{}
		for day := range 3 {
			var names []string
			var sets []set
			for i := range 1 + random.IntN(3) {
				other := ledger.Target{Advertiser: "A", Name: fmt.Sprintf("segment/%d", i+2)}
				others := pick(random, pool, random.IntN(60))
				adopt(t, s, other, others, ledger.Comparison{Job: fmt.Sprintf("adopt-%d", day)}, idfa)
				for j := range random.IntN(3) {
					change(t, s, other, fmt.Sprintf("change-%d-%d", day, j), others, pick(random, pool, 10), random.IntN(2) == 0)
				}
				names, sets = append(names, other.Name), append(sets, others)
			}
			export := pick(random, pool, 90)
			wanted, held, counts := set{}, set{}, usher.Counts{}
			var leaving int64
		next:
			for d := range export {
				out := false
				for i, others := range sets {
					if out = others[d]; out {
						counts["except:"+names[i]]++
						break
					}
				}
				if !out && isHeldOut(holdout, d) {
					out, held[d] = true, true
					counts["holdout:"+holdout.Key]++
				}
				if !out {
					wanted[d] = true
					continue next
				}
				if members[d] {
					leaving++
				}
			}
			found := without(t, s, target, fmt.Sprintf("mirror-%d", day), export, names, holdout)
			maps.DeleteFunc(found.Withheld, func(_ string, n int64) bool { return n == 0 })
			if !maps.Equal(found.Withheld, counts) || found.Leaving != leaving || found.Wanted != int64(len(wanted)) || found.Wanted+found.Withheld.Sum() != int64(len(export)) {
				t.Fatalf("round %d: %+v, not %v and %d wanted", round, found, counts, len(wanted))
			}
			if got := exported(t, s, target, false); !maps.Equal(got, wanted) {
				t.Fatalf("round %d: %d members, not %d", round, len(got), len(wanted))
			}
			if got := exported(t, s, target, true); !maps.Equal(got, held) {
				t.Fatalf("round %d: %d held out, not %d", round, len(got), len(held))
			}
			// An exception and then the union with who was excepted is the union of both.
			all := append([]ledger.Target{target}, make([]ledger.Target, 0)...)
			for _, name := range names {
				all = append(all, ledger.Target{Advertiser: "A", Name: name})
			}
			o, err := s.Overlap(t.Context(), all)
			if err != nil || o.Only(0) != found.Wanted || o.Union() != found.Wanted+o.Union()-o.Only(0) {
				t.Fatalf("round %d: the rest of the target is %d, not %d: %v", round, o.Only(0), found.Wanted, err)
			}
			members = wanted
		}
	}
}

// A holdout of a million ids has the share that it names within 0.1 points, and one of another key has
// other ids. Of those whom both keys hold out there are as many as chance has it.
func TestHoldoutShare(t *testing.T) {
	t.Parallel()
	n := 1_000_000
	if testing.Short() {
		n = 200_000
	}
	both := 0
	counts := map[float64]int{}
	for i := range n {
		d := hashing.Digest(md5.Sum(strconv.AppendInt(nil, int64(i), 10)))
		a := ledger.HeldOut(&usher.Holdout{Percent: 10, Key: "autumn"}, d)
		if a && ledger.HeldOut(&usher.Holdout{Percent: 10, Key: "winter"}, d) {
			both++
		}
		for _, percent := range []float64{10, 50} {
			if ledger.HeldOut(&usher.Holdout{Percent: percent, Key: "autumn"}, d) {
				counts[percent]++
			} else if a && percent > 10 {
				t.Fatal("a larger share has lost an id")
			}
		}
	}
	for percent, count := range counts {
		if share := 100 * float64(count) / float64(n); math.Abs(share-percent) > 0.1*math.Sqrt(1_000_000/float64(n)) {
			t.Errorf("%.3f %% are held out, not %v %%", share, percent)
		}
	}
	if share := 100 * float64(both) / float64(n); math.Abs(share-1) > 0.1 {
		t.Errorf("%.3f %% are held out by both keys, not 1 %%", share)
	}
}

// Overlaps, exceptions and a holdout are what Python's sets say, of USHER_TEST_SETS ids, which are
// 20,000 unless that is set. Python hashes the ids itself.
func TestAgainstPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	n := 20_000
	if text := os.Getenv("USHER_TEST_SETS"); text != "" {
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	want, err := exec.CommandContext(t.Context(), python, "testdata/sets.py", strconv.Itoa(n)).Output()
	if err != nil {
		t.Fatalf("python3 testdata/sets.py: %v", err)
	}
	s := openStore(t)
	runs := func(target ledger.Target, from, to, step int) *ledger.Comparison {
		w := s.Staging(target, "adopt", 1).Runs(ledger.ReadStep, 0, 0)
		defer w.Release()
		chunk := make([]hashing.Digest, 0, 4096)
		for i := from; i < to; i += step {
			chunk = append(chunk, md5.Sum(fmt.Appendf(nil, "%08X-8246-4BA4-AE5B-76104861E7DC", i)))
			if len(chunk) == cap(chunk) || i+step >= to {
				if err := w.Add(t.Context(), chunk); err != nil {
					t.Fatal(err)
				}
				chunk = chunk[:0]
			}
		}
		written, err := w.Flush(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return &ledger.Comparison{Job: "adopt", Run: 1, Head: ledger.Head{V: 1, Target: target}, Runs: []int{written}, Today: ledger.DayOf(s.Now())}
	}
	var targets []ledger.Target
	for i, r := range [][3]int{{0, n, 1}, {n / 2, n/2 + n, 1}, {0, 2 * n, 3}} {
		target := ledger.Target{Advertiser: "A", Name: fmt.Sprintf("segment/%d", i+1)}
		if _, err := s.Adopt(t.Context(), runs(target, r[0], r[1], r[2]), int64(n), idfa); err != nil {
			t.Fatal(err)
		}
		targets = append(targets, target)
	}
	o, err := s.Overlap(t.Context(), targets)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	fmt.Fprintln(&got, o.Members(0), o.Members(1), o.Members(2), o.Both(0, 1), o.Both(0, 2), o.Both(1, 2), o.Union(), o.All(), o.Only(0))
	left := ledger.Target{Advertiser: "A", Name: "segment/9"}
	c := runs(left, 0, n, 1)
	c.Holdout = &usher.Holdout{Percent: 10, Key: "autumn"}
	if c.Except, err = s.Except(t.Context(), left, idfa, []string{"segment/2", "segment/3"}); err != nil {
		t.Fatal(err)
	}
	c.Cut(int64(n))
	if err := s.Staging(left, c.Job, 1).WriteComparison(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for group := range c.Groups {
		if err := s.Compare(t.Context(), c, group, nil); err != nil {
			t.Fatal(err)
		}
	}
	found, err := s.Differences(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(&got, found.Withheld["except:segment/2"], found.Withheld["except:segment/3"], found.Withheld["holdout:autumn"], found.Wanted)
	for _, files := range [][]ledger.File{found.Shards, found.HeldOut} {
		sum := sha256.New()
		list, err := s.OpenList(t.Context(), files, 0, ledger.Digests(files))
		if err != nil {
			t.Fatal(err)
		}
		for {
			some, err := list.Next(make([]hashing.Digest, 0, 4096))
			if err != nil {
				break
			}
			for _, d := range some {
				sum.Write(d[:])
			}
		}
		list.Close()
		fmt.Fprintf(&got, "%x\n", sum.Sum(nil))
	}
	if got.String() != string(want) {
		t.Errorf("usher says\n%s\nPython says\n%s", got.String(), want)
	}
}

// exceptMembers stages a comparison of 300 digests with a target, without the members of another one: 100 of its
// generation, and 50 of the changes since.
func exceptMembers(t *testing.T, s *ledger.Store, other ledger.Target) (c *ledger.Comparison, all []hashing.Digest) {
	t.Helper()
	all = slices.Collect(maps.Keys(pick(rand.New(rand.NewPCG(44, 5)), digests(rand.New(rand.NewPCG(44, 6)), 300), 100)))
	target := ledger.Target{Advertiser: "A", Name: "segment/1"}
	adopt(t, s, other, setOf(all[:100]), ledger.Comparison{}, idfa)
	change(t, s, other, "add", set{}, setOf(all[100:150]), false)
	c = &ledger.Comparison{Job: "job", Run: 1, Head: ledger.Head{V: 1, Target: target}, Today: ledger.DayOf(s.Now())}
	var err error
	if c.Except, err = s.Except(t.Context(), target, idfa, []string{other.Name}); err != nil {
		t.Fatal(err)
	}
	w := s.Staging(target, "job", 1).Runs(ledger.ReadStep, 0, 0)
	defer w.Release()
	if err := w.Add(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	n, err := w.Flush(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c.Runs = []int{n}
	c.Cut(300)
	if err := s.Staging(target, "job", 1).WriteComparison(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return c, all
}

func setOf(digests []hashing.Digest) set {
	members := set{}
	for _, d := range digests {
		members[d] = true
	}
	return members
}

// The next mirror of an excepted target does not disturb one that reads its members.
func TestExceptedTargetChangesMeanwhile(t *testing.T) {
	t.Parallel()
	s, other := openStore(t), ledger.Target{Advertiser: "A", Name: "segment/2"}
	c, all := exceptMembers(t, s, other)
	without(t, s, other, "next", setOf(all[:10]), nil, nil) // and collects what it does not need
	if err := s.Compare(t.Context(), c, 0, nil); err != nil {
		t.Fatal(err)
	}
	found, err := s.Differences(t.Context(), c)
	if err != nil || found.Withheld["except:segment/2"] != 150 || found.Wanted != 150 {
		t.Errorf("%+v: %v", found, err)
	}
}

// Without a file of an excepted target nobody is known to be left out, and the comparison fails.
func TestExceptedTargetIsDamaged(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"/manifest.json", "/shard-", "/except-"} { // of its generation, and the changes since
		s, other := openStore(t), ledger.Target{Advertiser: "A", Name: "segment/2"}
		c, _ := exceptMembers(t, s, other)
		names, err := s.Names(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		removed := slices.IndexFunc(names, func(name string) bool { return strings.Contains(name, part) })
		if err := s.Remove(t.Context(), names[removed]); err != nil {
			t.Fatal(err)
		}
		var damaged *ledger.DamagedError
		if err := s.Compare(t.Context(), c, 0, nil); !errors.As(err, &damaged) || damaged.Name != names[removed] || !strings.Contains(err.Error(), "segment/2") {
			t.Errorf("without %s: %v", names[removed], err)
		}
	}
}

// Nobody changes group in 30 generations of an export that changes every day, nor by an adoption.
func TestHoldoutStays(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	random := rand.New(rand.NewPCG(44, 7))
	pool := digests(random, 1000)
	target := ledger.Target{Advertiser: "A", Name: "segment/1"}
	holdout := &usher.Holdout{Percent: 10, Key: "autumn"}
	group := map[hashing.Digest]bool{} // whether it is held out
	for day := range 30 {
		export := pick(random, pool, 90)
		without(t, s, target, fmt.Sprintf("mirror-%d", day), export, nil, holdout)
		for _, held := range []bool{false, true} {
			for d := range exported(t, s, target, held) {
				if was, known := group[d]; known && was != held {
					t.Fatalf("day %d: %s has changed its group", day, d)
				}
				group[d] = held
			}
		}
		if day == 15 {
			before := exported(t, s, target, true)
			adopt(t, s, target, exported(t, s, target, false), ledger.Comparison{}, idfa)
			if after := exported(t, s, target, true); !maps.Equal(after, before) {
				t.Errorf("after an adoption %d are held out, not %d", len(after), len(before))
			}
		}
	}
	if len(group) != len(pool) {
		t.Errorf("%d of %d have a group", len(group), len(pool))
	}
}
