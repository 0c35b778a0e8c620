package workers_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/ledger"
	"usher/workers/internal/workertest"
)

// set is a set of the numbers of ids.
type set map[int]bool

// add adds from..to-1 but those of without.
func (s set) add(from, to int, without set) {
	for i := from; i < to; i++ {
		if !without[i] {
			s[i] = true
		}
	}
}

// crash lets a job run, killed at a step, and then again until it ends.
func (b *mirrored) crash(s *workertest.Lease, step int, after bool) (died bool) {
	c := &workertest.Crash{AtStep: step, After: after}
	b.RunAndCrash(s, c)
	b.RunToEnd(s)
	return c.Dead()
}

// A mirror is killed at each of its steps in turn, before and after the step has its effect,
// and goes on: the tally is that of a mirror that was not killed.
func TestMirrorKilledAtEachStepWithoutRace(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.SegmentMirror, usher.TargetMirror} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %t", kind, after), func(t *testing.T) {
				t.Parallel()
				b := newMirrored(t)
				b.Run(b.job(kind, b.ids(0, 230))).Want(t, "done")
				name := "segment/1"
				if kind == usher.TargetMirror {
					name = "campaign/SANDBOX1-spring"
				}
				from := 0
				for step, died := 1, true; died; step++ {
					if step > 300 {
						t.Fatal("the job takes too many steps")
					}
					from += 5
					s := b.job(kind, b.ids(from, from+240))
					died = b.crash(s, step, after)
					s.Want(t, "done")
					b.wantEqual(t, name, 240)
					tally, removed := s.Tally(), s.Piece.Progress.Mirror.Removed
					want := usher.Tally{Read: 240, Accepted: 5, Unchanged: 235}
					if step == 1 {
						want.Accepted, want.Unchanged = 15, 225
					}
					if kind == usher.TargetMirror {
						want.Accepted, want.Unchanged = 240, 0
					}
					if tally.Accepted != want.Accepted || tally.Unchanged != want.Unchanged || tally.Read != 240 || removed != 5 {
						t.Fatalf("killed at step %d: tally %+v, removed %d", step, tally, removed)
					}
				}
			})
		}
	}
}

// generation returns the number of the current generation of a target.
func (b *mirrored) generation(t *testing.T, name string) int64 {
	t.Helper()
	head, _, err := b.store.Head(t.Context(), ledger.Target{Advertiser: "SANDBOX1", Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return head.Generation
}

// Random successions of jobs on a segment and on a campaign's targeting, each killed at a
// random step: in the end platform, ledger and model agree. Now and then an id is forgotten; it
// leaves the segment at once, and no later job brings it back. Some mirrors of the segment leave out
// the ids of the campaign; rollbacks do as the newest mirror did.
func TestJobsAndKillsWithoutRace(t *testing.T) {
	t.Parallel()
	sequences, length := 6, 14
	if text := os.Getenv("USHER_TEST_SEQUENCES"); text != "" {
		if _, err := fmt.Sscan(text, &sequences); err != nil {
			t.Fatal(err)
		}
	}
	if testing.Short() {
		sequences = 2
	}
	for seed := range sequences {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(seed), 99))
			b := newMirrored(t)
			kinds := map[string][]usher.Kind{
				"segment/1":                {usher.SegmentMirror, usher.SegmentMirror, usher.SegmentAdd, usher.SegmentRemove},
				"campaign/SANDBOX1-spring": {usher.TargetMirror, usher.TargetMirror, usher.TargetAdd, usher.TargetReplace, usher.TargetClear},
			}
			model := map[string]set{"segment/1": {}, "campaign/SANDBOX1-spring": {}}
			generations := map[string]map[int64]set{"segment/1": {}, "campaign/SANDBOX1-spring": {}}
			forgotten, kills, rollbacks, exceptions := set{}, 0, 0, 0
			excepts := false // the newest mirror of the segment
			for round := range length {
				for name, choice := range kinds {
					kind := choice[random.IntN(len(choice))]
					if round == 0 {
						kind = choice[0]
					}
					from := random.IntN(200)
					to := from + 20 + random.IntN(381) // more than are forgotten
					url, former := b.ids(from, to), set(nil)
					if old := generations[name]; len(old) > 0 && random.IntN(6) == 0 {
						rollbacks++
						kind = choice[0]
						numbers := slices.Sorted(maps.Keys(old))
						number := numbers[random.IntN(len(numbers))]
						url, former = fmt.Sprintf("ledger:%d", number), old[number]
					}
					s := b.job(kind, url)
					s.Piece.Job.Force = true
					var out set // whom a mirror leaves out
					if kind == usher.SegmentMirror {
						if former == nil {
							excepts = round > 0 && random.IntN(2) == 0
						}
						if out = model["campaign/SANDBOX1-spring"]; !excepts || leavesNobody(from, to, former, out, forgotten) {
							excepts, out = excepts && former != nil, nil
						}
						if excepts && out == nil {
							continue // a rollback that would leave nobody
						}
						if excepts && former == nil {
							s.Piece.Job.Except = []string{"campaign/SANDBOX1-spring"}
							exceptions++
						}
					}
					if b.crash(s, 1+random.IntN(60), random.IntN(2) == 0) {
						kills++
					}
					s.Want(t, "done")
					held := maps.Clone(model[name])
					switch {
					case former != nil:
						model[name] = set{}
						for i := range former {
							if !out[i] {
								model[name].add(i, i+1, forgotten)
							}
						}
					case kind == usher.SegmentRemove:
						for i := from; i < to; i++ {
							delete(model[name], i)
						}
					case kind == usher.TargetClear:
						model[name] = set{}
					case kind.Mirrors(), kind == usher.TargetReplace:
						model[name] = set{}
						model[name].add(from, to, forgotten)
						maps.DeleteFunc(model[name], func(i int, _ bool) bool { return out[i] })
					default:
						model[name].add(from, to, forgotten)
					}
					if b.wantEqual(t, name, int64(len(model[name]))); t.Failed() {
						t.Fatalf("after %s of %s, whose progress is %+v", kind, url, s.Piece.Progress)
					}
					if kind != usher.SegmentRemove && kind != usher.TargetClear && round > 0 {
						added := maps.Clone(model[name])
						maps.DeleteFunc(added, func(i int, _ bool) bool { return held[i] })
						if wantNew(t, s, int64(len(added))); t.Failed() {
							t.Fatalf("after %s of %s", kind, url)
						}
					}
					if kind.Mirrors() {
						generations[name][b.generation(t, name)] = maps.Clone(model[name])
					}
				}
				if round == 0 || random.IntN(3) > 0 {
					continue
				}
				gone := random.IntN(600)
				s := b.forget(id(gone))
				if b.crash(s, 1+random.IntN(60), random.IntN(2) == 0) {
					kills++
				}
				s.Want(t, "done")
				forgotten[gone] = true
				delete(model["segment/1"], gone)
				if b.wantEqual(t, "segment/1", int64(len(model["segment/1"]))); t.Failed() {
					t.Fatalf("after %d was forgotten, with the progress %+v", gone, s.Piece.Progress.Forget)
				}
			}
			t.Logf("%d jobs, %d rollbacks, %d with exceptions, %d ids forgotten, %d kills", 2*length, rollbacks, exceptions, len(forgotten), kills)
		})
	}
}

// leavesNobody reports whether nobody is left of the ids from..to-1, or of a former generation, without
// those of two sets.
func leavesNobody(from, to int, former, out, forgotten set) bool {
	if former == nil {
		former = set{}
		former.add(from, to, nil)
	}
	for i := range former {
		if !out[i] && !forgotten[i] {
			return false
		}
	}
	return true
}

// A mirror that fails after it has begun to change the target leaves a ledger that does not
// know everything. The next mirror makes the target equal to its export all the same.
func TestMirrorAfterFailedMirror(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.SegmentMirror, usher.TargetMirror} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newMirrored(t)
			name, operation := "segment/1", "segments.remove-user"
			if kind == usher.TargetMirror {
				name, operation = "campaign/SANDBOX1-spring", "campaigns.add-mobile-targets"
			}
			b.Run(b.job(kind, b.ids(0, 300))).Want(t, "done")
			b.Fault(operation, "status", map[string]any{"status": 403, "after": 1})
			b.Run(b.job(kind, b.ids(30, 520))).Want(t, "failed forbidden")
			last := b.job(kind, b.ids(10, 310))
			last.Piece.Job.Force = true
			b.Run(last).Want(t, "done")
			b.wantEqual(t, name, 300)
		})
	}
}

// A ledger with a damaged or missing file ends each job on the target, before it changes
// anything.
func TestDamagedLedger(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 250))).Want(t, "done")
	b.Run(b.job(usher.SegmentAdd, b.ids(250, 260))).Want(t, "done")
	for _, path := range files(t, b.LedgerDir) {
		if strings.Contains(path, "/s/") {
			continue // what the add has noted for itself
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := append([]byte{}, whole...)
		changed[len(changed)/3] ^= 4
		for _, damaged := range [][]byte{nil, whole[:len(whole)-1], changed} {
			err := os.WriteFile(path, damaged, 0o600)
			if damaged == nil {
				err = os.Remove(path)
			}
			if err != nil {
				t.Fatal(err)
			}
			s := b.Run(b.job(usher.SegmentMirror, b.ids(0, 260)))
			s.Want(t, "failed ledger_broken")
			if s.Ended != nil && s.Ended.Error != nil && !strings.Contains(s.Ended.Error.Message, filepath.Base(path)) {
				t.Errorf("message is %q, without %s", s.Ended.Error.Message, path)
			}
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 260))).Want(t, "done")
	b.wantEqual(t, "segment/1", 260)
}

// files returns the files in a folder and below.
func files(t *testing.T, folder string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}
