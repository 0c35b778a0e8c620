package workers_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports/memory/memorytest"
	"usher/internal/ledger"
	"usher/workers/internal/workertest"
)

// customers writes an export of the ids from..to-1 in a column; empty rows have none. It returns
// its URL.
func (b *mirrored) customers(column string, from, to, empty int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "n,%s\n", column)
	for i := from; i < to; i++ {
		fmt.Fprintf(&text, "%d,00000001-0000-4000-8000-%012X\n", i, i)
	}
	for i := range empty {
		fmt.Fprintf(&text, "%d,\n", to+i)
	}
	return b.File(fmt.Sprintf("%s-%d-%d-%d.csv", column, from, to, empty), text.String())
}

// memory returns what the ledger remembers of the exports of a target.
func (b *mirrored) memory(t *testing.T, name string) *usher.Memory {
	t.Helper()
	head, _, err := b.store.Head(t.Context(), ledger.Target{Advertiser: "SANDBOX1", Name: name})
	if err != nil {
		t.Fatal(err)
	}
	m, err := b.store.Memory(t.Context(), &head)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// wantMemory fails the test unless the memory is that of a job and a column.
func (b *mirrored) wantMemory(t *testing.T, name, job, column string) {
	t.Helper()
	m := b.memory(t, name)
	if m == nil || m.Job != job || m.Understood.Column.Name != column {
		t.Errorf("the memory is %+v, not of job %s and column %s", m, job, column)
	}
}

// mirrorNames are the kinds of mirrors and the targets of their jobs.
var mirrorNames = map[usher.Kind]string{usher.SegmentMirror: "segment/1", usher.TargetMirror: "campaign/SANDBOX1-spring"}

// A mirror whose export differs from the last good one ends before it changes anything, unless it
// accepts that. Only then the difference becomes the memory.
func TestMirrorOfChangedExport(t *testing.T) {
	t.Parallel()
	for kind, name := range mirrorNames {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newMirrored(t)
			first := b.Run(b.job(kind, b.customers("idfa", 0, 200, 0)))
			first.Want(t, "done")
			b.wantMemory(t, name, first.Piece.ID, "idfa")
			calls := len(b.Calls(changingCalls...))
			for _, c := range []struct {
				url   string
				shift float64
				want  string
			}{
				{b.customers("apple_idfa", 0, 200, 0), 5, `column 2 is called "apple_idfa", and in the last export it was called "idfa"`},
				{b.customers("idfa", 0, 190, 10), 5, "10 of its 200 rows (5 %) have no id; the last export had no such rows"},
				{b.customers("idfa", 0, 180, 20), 50, "20 of its 200 rows (10 %) have no id; the last export had no such rows"}, // also with maxShift: it is new
			} {
				s := b.job(kind, c.url)
				s.Piece.Job.MaxShift = &c.shift
				s.Piece.Job.Force = true // which is about the number of removals
				b.Run(s).Want(t, "failed changed")
				if e := s.Ended.Error; !strings.Contains(e.Message, c.want) || !strings.Contains(e.Hint, `"acceptChange": true`) {
					t.Errorf("ended with %+v, want %s", e, c.want)
				}
				b.wantMemory(t, name, first.Piece.ID, "idfa")
			}
			dry := b.job(kind, b.customers("idfa", 0, 190, 10))
			dry.Piece.Job.DryRun = true
			b.Run(dry).Want(t, "failed changed")
			if now := len(b.Calls(changingCalls...)); now != calls {
				t.Errorf("%d calls changed something", now-calls)
			}
			accepted := b.job(kind, b.customers("idfa", 0, 190, 10))
			accepted.Piece.Job.AcceptChange = true
			b.Run(accepted).Want(t, "done")
			if w := accepted.Piece.Progress.Warnings; !slices.ContainsFunc(w, func(w usher.Warning) bool {
				return w.Code == "changed" && strings.Contains(w.Description, "have no id")
			}) {
				t.Errorf("warnings are %+v", w)
			}
			b.wantMemory(t, name, accepted.Piece.ID, "idfa")
			again := b.Run(b.job(kind, b.customers("idfa", 5, 195, 12)))
			again.Want(t, "done")
			b.wantMemory(t, name, again.Piece.ID, "idfa")
		})
	}
}

// Each export that changes what is uploaded ends its mirror before anything is changed: as changed, with what
// is different, or because a job cannot read it.
func TestMirrorOfChangesWithoutRace(t *testing.T) {
	t.Parallel()
	for _, p := range memorytest.Changes(t) {
		if testing.Short() && !strings.HasSuffix(p.Name, "in csv") {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			b, segment := newMirrored(t), "2"
			if p.Job.Profile.Type == usher.IDFA {
				segment = "1"
			}
			mirror := func(name string, data []byte) *workertest.Lease {
				s := b.job(usher.SegmentMirror, b.File(name, string(data)))
				url := s.Piece.Job.Source.URL
				s.Piece.Job.Profile, s.Piece.Job.Input = p.Job.Profile, p.Job.Input
				if p.Job.Source != nil {
					*s.Piece.Job.Source = *p.Job.Source
				}
				s.Piece.Job.Source.URL, s.Piece.Job.Segment = url, segment
				return b.Run(s)
			}
			first := mirror("one", p.One)
			first.Want(t, "done")
			members, calls := b.fingerprint("segments/"+segment), len(b.Calls(changingCalls...))
			second := mirror("two", p.Two)
			e := second.Ended.Error
			switch {
			case e == nil || e.Hint == "":
				t.Fatalf("ended with %+v", second.Ended)
			case e.Class == usher.Changed && p.Refused, e.Class != usher.Changed && !p.Refused && !p.Either:
				t.Errorf("ended as %s: %s", e.Class, e.Message)
			case !strings.Contains(e.Message, p.Want) && (!p.Either || e.Class == usher.Changed):
				t.Errorf("ended with %q, want %q", e.Message, p.Want)
			}
			if now := len(b.Calls(changingCalls...)); now != calls || b.fingerprint("segments/"+segment) != members {
				t.Errorf("%d calls changed something", now-calls)
			}
			if m := b.memory(t, "segment/"+segment); m == nil || m.Job != first.Piece.ID {
				t.Errorf("the memory is %+v, not of job %s", m, first.Piece.ID)
			}
		})
	}
}

// A mirror that would be refused by its memory and by its guard says both at once, with what answers both.
func TestMirrorChangedAndShrunk(t *testing.T) {
	t.Parallel()
	for kind, name := range mirrorNames {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newMirrored(t)
			b.Run(b.job(kind, b.customers("idfa", 0, 200, 0))).Want(t, "done")
			s := b.Run(b.job(kind, b.customers("apple_idfa", 0, 60, 0)))
			s.Want(t, "failed changed")
			for _, want := range []string{`column 2 is called "apple_idfa"`, "; besides, it would remove 140 of 200 members (70.0 %), more than maxRemovePercent 20"} {
				if e := s.Ended.Error; !strings.Contains(e.Message, want) || strings.Contains(e.Message, "submit again with force") {
					t.Errorf("ended with %q, want %q", e.Message, want)
				}
			}
			if e := s.Ended.Error; !strings.Contains(e.Hint, `"acceptChange": true and "force": true, which removes 140 of the members`) {
				t.Errorf("the hint is %q", e.Hint)
			}
			both := b.job(kind, s.Piece.Job.Source.URL)
			both.Piece.Job.AcceptChange, both.Piece.Job.Force = true, true
			b.Run(both).Want(t, "done")
			b.wantEqual(t, name, 60)
		})
	}
}

// No field of a job answers that nobody would be left, which is said first.
func TestMirrorChangedAndEmptied(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.customers("idfa", 0, 200, 0))).Want(t, "done")
	s := b.job(usher.SegmentMirror, b.customers("apple_idfa", 0, 200, 0))
	s.Piece.Job.Holdout = &usher.Holdout{Percent: 99.9999999, Key: "all"}
	b.Run(s).Want(t, "failed source_broken")
	if e := s.Ended.Error; !strings.Contains(e.Message, "nothing would be left; besides, the export differs from the last good one") || !strings.Contains(e.Message, `"apple_idfa"`) {
		t.Errorf("ended with %+v", e)
	}
}

// A job whose own fields say anew how the export is read begins a new memory, and says so, also after it was
// killed at each of its steps.
func TestMirrorReadsOtherwise(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	first := b.Run(b.job(usher.SegmentMirror, b.customers("idfa", 0, 200, 0)))
	first.Want(t, "done")
	for step := 1; ; step++ {
		other := b.job(usher.SegmentMirror, b.customers("apple_idfa", 0, 200, 0))
		other.Piece.Job.Source.Column = "apple_idfa"
		died := b.crash(other, step, false)
		other.Want(t, "done")
		b.wantMemory(t, "segment/1", other.Piece.ID, "apple_idfa")
		want := "the job reads its export by other fields (profile, input, source) than job " + first.Piece.ID + `, so the two exports were not compared: that one was csv with IDFAs in column "idfa", and this one is csv with IDFAs in column "apple_idfa"; once this job is done, the next exports are compared with its export`
		w := slices.DeleteFunc(slices.Clone(other.Piece.Progress.Warnings), func(w usher.Warning) bool { return w.Code != "new_memory" })
		if m := b.memory(t, "segment/1"); len(w) != 1 || !strings.Contains(w[0].Description, want) || m.Began != w[0].Description {
			t.Fatalf("killed at step %d: warnings %+v, and the memory is %+v", step, w, m)
		}
		if !died {
			break
		}
		again := b.job(usher.SegmentMirror, b.customers("apple_idfa", 0, 200, 0))
		again.Piece.Job.Source.Column = "apple_idfa"
		b.Run(again).Want(t, "done")
		if m := b.memory(t, "segment/1"); m.Began != "" {
			t.Fatalf("the next mirror begins a memory: %+v", m)
		}
		first = b.Run(b.job(usher.SegmentMirror, b.customers("idfa", 0, 200, 0)))
		first.Want(t, "done")
	}
}

// A job without the condition of the one before uploads those whom that one left out, and says so; one that fails
// at the guard begins no memory.
func TestMirrorWithoutConditionBefore(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	text := "idfa,consent\n"
	for i := range 100 {
		text += id(i) + "," + map[bool]string{true: "no", false: "yes"}[i < 40] + "\n"
	}
	export := b.File("customers.csv", text)
	job := func(only, disregard []string) *workertest.Lease {
		s := b.job(usher.SegmentMirror, export)
		s.Piece.Job.Source.Only, s.Piece.Job.Source.Disregard = only, disregard
		return s
	}
	first := b.Run(job([]string{"consent=yes"}, nil))
	first.Want(t, "done")
	second := b.Run(job(nil, []string{"consent"}))
	second.Want(t, "done")
	want := "job " + first.Piece.ID + " left out 40 rows by source.only consent=yes, and this job has no such condition, so that it uploads rows like them"
	if w := second.Piece.Progress.Warnings; !slices.ContainsFunc(w, func(w usher.Warning) bool { return w.Code == "new_memory" && strings.Contains(w.Description, want) }) {
		t.Errorf("the warnings are %+v, want %s", w, want)
	}
	third := b.Run(job([]string{"consent=yes"}, nil))
	third.Want(t, "failed shrink")
	if e := third.Ended.Error; !strings.Contains(e.Message, "would remove 40 of 100 members (40.0 %)") || !strings.Contains(e.Message, "; source.only leaves out 40 rows (consent 40), which may be 40 of these members") {
		t.Errorf("ended with %+v", e)
	}
	if w := third.Piece.Progress.Warnings; slices.ContainsFunc(w, func(w usher.Warning) bool { return w.Code == "new_memory" }) {
		t.Errorf("a job that has failed begins a memory: %+v", w)
	}
}

// Inline ids have no memory, and do not change that of the target's exports. A rollback brings back
// the memory of what it restores. What other jobs do to the target does not matter.
func TestMirrorMemoryStays(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	first := b.Run(b.job(usher.SegmentMirror, b.customers("idfa", 0, 200, 0)))
	first.Want(t, "done")
	inline := b.job(usher.SegmentMirror, "")
	inline.Piece.Job.Source = &usher.Source{IDs: []string{id(1), id(2)}}
	inline.Piece.Job.Force = true
	b.Run(inline).Want(t, "done")
	b.wantMemory(t, "segment/1", first.Piece.ID, "idfa")

	second := b.job(usher.SegmentMirror, b.customers("apple_idfa", 0, 200, 0))
	second.Piece.Job.AcceptChange = true
	b.Run(second).Want(t, "done")
	b.wantMemory(t, "segment/1", second.Piece.ID, "apple_idfa")
	b.Run(b.job(usher.SegmentMirror, "ledger:1")).Want(t, "done")
	b.wantMemory(t, "segment/1", first.Piece.ID, "idfa")
	b.Run(b.job(usher.SegmentAdd, b.ids(500, 510))).Want(t, "done")
	b.Run(b.job(usher.SegmentMirror, "ledger:current")).Want(t, "done")
	b.wantMemory(t, "segment/1", first.Piece.ID, "idfa")

	b.Run(b.job(usher.TargetMirror, b.customers("idfa", 0, 200, 0))).Want(t, "done")
	was := b.memory(t, "campaign/SANDBOX1-spring")
	b.Run(b.job(usher.TargetClear, "")).Want(t, "done")
	b.wantMemory(t, "campaign/SANDBOX1-spring", was.Job, "idfa")
}

// A mirror that fails after it has begun to change the target leaves the memory as it was.
func TestMemoryOfFailedMirror(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	first := b.Run(b.job(usher.SegmentMirror, b.customers("idfa", 0, 200, 0)))
	first.Want(t, "done")
	b.Fault("segments.remove-user", "status", map[string]any{"status": http.StatusForbidden, "after": 1})
	failing := b.job(usher.SegmentMirror, b.customers("apple_idfa", 10, 220, 0))
	failing.Piece.Job.AcceptChange = true
	b.Run(failing).Want(t, "failed forbidden")
	b.wantMemory(t, "segment/1", first.Piece.ID, "idfa")
}

// A mirror is killed at each of its steps. The memory is that of the export before until the new
// one is uploaded whole, which the ledger says at the same moment.
func TestMemoryOfKilledMirrorWithoutRace(t *testing.T) {
	t.Parallel()
	for kind, name := range mirrorNames {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %t", kind, after), func(t *testing.T) {
				t.Parallel()
				b := newMirrored(t)
				columns := []string{"idfa", "apple_idfa"}
				last := b.Run(b.job(kind, b.customers(columns[0], 0, 230, 0)))
				last.Want(t, "done")
				for step, died := 1, true; died; step++ {
					if step > 300 {
						t.Fatal("the job takes too many steps")
					}
					column := columns[step%2]
					s := b.job(kind, b.customers(column, 5*step, 5*step+240, 0))
					s.Piece.Job.AcceptChange = true
					c := &workertest.Crash{AtStep: step, After: after}
					b.RunAndCrash(s, c)
					died = c.Dead()
					generation, m := b.generation(t, name), b.memory(t, name)
					if uploaded := generation > int64(step); uploaded != (m.Job == s.Piece.ID) || !uploaded && m.Job != last.Piece.ID {
						t.Fatalf("killed at step %d: generation %d, and the memory is of job %s", step, generation, m.Job)
					}
					b.RunToEnd(s)
					s.Want(t, "done")
					b.wantMemory(t, name, s.Piece.ID, column)
					b.wantEqual(t, name, 240)
					last = s
				}
			})
		}
	}
}
