package workers_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/workers/internal/workertest"
)

// lying runs a job whose ledger loses a file: the newest of the job's files is gone at a step,
// although the write of it was confirmed. It reports whether there was one.
func (b *mirrored) lying(t *testing.T, s *workertest.Lease, step int) (lied bool) {
	t.Helper()
	before := map[string]bool{}
	for _, path := range files(t, b.LedgerDir) {
		before[path] = true
	}
	b.RunAndCrash(s, &workertest.Crash{Before: func(string) {
		if step--; lied || step > 0 {
			return
		}
		newest, path := int64(0), ""
		for _, each := range files(t, b.LedgerDir) {
			if info, err := os.Stat(each); err == nil && !before[each] && !strings.HasSuffix(each, ".tmp") && info.ModTime().UnixNano() > newest {
				newest, path = info.ModTime().UnixNano(), each
			}
		}
		lied = path != "" && os.Remove(path) == nil
	}})
	return lied
}

// state compares the ledger of the segment with the platform. It returns the number of members,
// or reports that the ledger is damaged. A ledger that is wrong fails the test.
func (b *mirrored) state(t *testing.T) (members int64, damaged bool) {
	t.Helper()
	ctx := t.Context()
	platform := b.fingerprint("segments/1")
	head, _, err := b.store.Head(ctx, ledger.Target{Advertiser: "SANDBOX1", Name: "segment/1"})
	if err != nil {
		t.Fatal(err)
	}
	var known hashing.Fingerprint
	uncertain := 0
	state, err := b.store.Load(ctx, head)
	if err == nil {
		err = state.EachMember(ctx, func(d hashing.Digest, is bool) error {
			if is {
				known.Add(d)
			} else {
				uncertain++
			}
			return nil
		})
		err = errors.Join(err, state.Close(ctx))
	}
	if errors.As(err, new(*ledger.DamagedError)) {
		return 0, true
	}
	if err != nil || uncertain == 0 && known != platform {
		t.Errorf("the ledger has %+v and %d uncertain, the platform %+v: %v", known, uncertain, platform, err)
	}
	return platform.Count, false
}

// adopt takes what the platform holds of ids 0..n-1 as the ledger of the segment.
func (b *mirrored) adopt(t *testing.T, n int) {
	t.Helper()
	hasher, err := hashing.New(usher.Profile{Type: usher.IDFA}, usher.InputRaw)
	if err != nil {
		t.Fatal(err)
	}
	var held []hashing.Digest
	for i := range n {
		d, _ := hasher.Hash([]byte(id(i)))
		has, err := b.Worker.Platform("", false).Segments.Contains(t.Context(), "1", "IDFA", d.String())
		if err != nil {
			t.Fatal(err)
		}
		if has {
			held = append(held, d)
		}
	}
	b.jobs++
	target, job := ledger.Target{Advertiser: "SANDBOX1", Name: "segment/1"}, fmt.Sprintf("adopt-%d", b.jobs)
	runs := b.store.Staging(target, job, 1).Runs(ledger.ReadStep, 0, 0)
	defer runs.Release()
	added := runs.Add(t.Context(), held)
	written, err := runs.Flush(t.Context())
	if err = errors.Join(added, err); err != nil {
		t.Fatal(err)
	}
	c := &ledger.Comparison{Job: job, Run: 1, Head: ledger.Head{V: 1, Target: target}, Runs: []int{written}}
	if _, revision, err := b.store.Head(t.Context(), target); err == nil {
		c.Revision = revision
	}
	if _, err := b.store.Adopt(t.Context(), c, int64(len(held)), usher.Profile{Type: usher.IDFA}); err != nil {
		t.Fatal(err)
	}
}

// A store that confirms a write and loses the file leaves no ledger that is wrong: a job that
// misses the file, or the next one, ends as ledger_broken, and adopt mends it.
func TestLostWritesWithoutRace(t *testing.T) {
	t.Parallel()
	sequences := 3
	for seed := range sequences {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(seed), 7))
			b := newMirrored(t)
			b.Run(b.job(usher.SegmentMirror, b.ids(0, 150))).Want(t, "done")
			lies, noticed := 0, map[string]int{}
			for range 12 {
				kind := []usher.Kind{usher.SegmentMirror, usher.SegmentMirror, usher.SegmentAdd, usher.SegmentRemove}[random.IntN(4)]
				from := random.IntN(100)
				s := b.job(kind, b.ids(from, from+20+random.IntN(180)))
				s.Piece.Job.Force = true
				if !b.lying(t, s, 1+random.IntN(25)) {
					s.Want(t, "done")
					continue
				}
				lies++
				failed := s.Ended == nil || s.Ended.State != usher.Done
				if failed {
					s.Want(t, "failed ledger_broken")
				}
				_, damaged := b.state(t)
				if !failed && damaged {
					next := b.job(usher.SegmentMirror, b.ids(0, 250))
					next.Piece.Job.Force = true
					b.Run(next).Want(t, "failed ledger_broken")
				}
				noticed[fmt.Sprintf("failed %t, damaged %t", failed, damaged)]++
				if failed || damaged {
					b.adopt(t, 320)
				}
				if _, damaged = b.state(t); damaged || t.Failed() {
					t.Fatalf("after %s of %d: %+v", kind, from, s.Piece.Progress)
				}
			}
			last := b.job(usher.SegmentMirror, b.ids(10, 200))
			last.Piece.Job.Force = true
			b.Run(last).Want(t, "done")
			b.wantEqual(t, "segment/1", 190)
			t.Log(lies, "writes were lost:", slices.Sorted(maps.Keys(noticed)), noticed)
		})
	}
}

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
