package feeds_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"usher/internal/feeds"
	"usher/queues/audit"
)

// A file is taken when it was unchanged for settle, and never while it grows.
func TestSettle(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 150s\n")
	w := x.worker()
	if s := x.look(w); !strings.Contains(s.WhyNothing(), "no files") {
		t.Errorf("of an empty folder the feed says %q", s.WhyNothing())
	}
	for rows := range 5 { // a slow writer
		x.write("slow.csv", rows+1)
		if s := x.look(w); !strings.Contains(s.WhyNothing(), "waits until slow.csv is unchanged") {
			t.Errorf("of a file that grows the feed says %q", s.WhyNothing())
		}
		x.look(w)
	}
	x.wantJobs()
	x.look(w)
	x.look(w)
	x.wantJobs("slow.csv")
	if s := x.look(w); s.Last == nil || !strings.Contains(s.WhyNothing(), "has job "+s.Last.Job) {
		t.Errorf("after the job the state is %+v", s)
	}
	x.write("slow.csv", 9) // a new version
	for range 5 {
		x.look(w)
	}
	x.wantJobs("slow.csv", "slow.csv")
}

// A folder is one export of all its files, and one object that is overwritten is another.
func TestFolderAndFile(t *testing.T) {
	t.Parallel()
	for watch, want := range map[string]string{"": "", "../in": "", "a.csv": "a.csv"} {
		x := newFixture(t, watch, "segment.mirror", "    settle: 1s\n")
		x.write("a.csv", 1)
		x.write("b.csv", 2)
		w := x.worker()
		x.look(w)
		x.look(w)
		x.look(w)
		x.wantJobs(want)
		x.write("a.csv", 3)
		x.look(w)
		x.look(w)
		x.wantJobs(want, want)
	}
}

// With a marker, an export is taken at once when the marker is there; a file that was written
// after the marker must be unchanged for settle.
func TestMarker(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.mirror", "    settle: 3m\n    done_marker: _SUCCESS\n")
	w := x.worker()
	x.write("a.csv", 1)
	x.write("b.csv", 1)
	for range 5 {
		if s := x.look(w); !strings.Contains(s.WhyNothing(), `"_SUCCESS" does not exist`) {
			t.Errorf("without a marker the feed says %q", s.WhyNothing())
		}
	}
	x.wantJobs()
	x.write("_SUCCESS", 0)
	x.look(w)
	x.wantJobs("*.csv")
	future := time.Now().Add(time.Hour)
	x.write("a.csv", 2)
	if err := os.Chtimes(filepath.Join(x.dir, "a.csv"), future, future); err != nil {
		t.Fatal(err)
	}
	if s := x.look(w); !strings.Contains(s.WhyNothing(), "a.csv was written after _SUCCESS") {
		t.Errorf("of a file after the marker the feed says %q", s.WhyNothing())
	}
	x.wantJobs("*.csv")
	x.look(w)
	x.look(w)
	x.look(w)
	x.wantJobs("*.csv", "*.csv")
}

// A mirror takes only the newest file by name, other kinds take each.
func TestNewest(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string][]string{"segment.mirror": {"2026-03-02.csv"}, "segment.add": {"2026-03-01.csv", "2026-03-02.csv"}} {
		x := newFixture(t, "*.csv", kind, "    settle: 1s\n")
		x.write("2026-03-02.csv", 2)
		x.write("2026-03-01.csv", 1)
		w := x.worker()
		x.look(w)
		x.look(w)
		x.wantJobs(want...)
		x.write("2026-03-03.csv", 3)
		x.look(w)
		x.look(w)
		x.wantJobs(append(want, "2026-03-03.csv")...)
	}
}

// Workers that look at the same time, which only happens when one leads before the other has noticed
// that it does not any more, publish one job for each version.
func TestManyWorkers(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    every: 1s\n")
	var workers []*feeds.Watcher
	for range 4 {
		workers = append(workers, x.worker())
	}
	var want []string
	for i := range 10 {
		want = append(want, fmt.Sprintf("%d.csv", i))
		x.write(want[i], i+1)
	}
	for range 5 {
		x.pass(time.Second)
		var looking sync.WaitGroup
		for _, w := range workers {
			looking.Go(func() {
				if err := w.Look(t.Context(), x.feed); err != nil {
					t.Error(err)
				}
			})
		}
		looking.Wait()
	}
	x.wantJobs(want...)
}

// A worker that dies after the publication, before it is recorded, leaves no second job.
func TestCrashBeforeRecord(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "a.csv", "segment.add", "    settle: 1s\n")
	x.write("a.csv", 1)
	first := x.worker()
	x.look(first)
	ctx, die := context.WithCancel(t.Context())
	first.Jobs = dying{x.jobs, die}
	x.pass(time.Minute)
	if err := first.Look(ctx, x.feed); err == nil {
		t.Fatal("the worker did not die")
	}
	x.wantJobs("a.csv")
	if s := x.state(); s.Last != nil {
		t.Fatal("the publication was recorded")
	}
	x.pass(time.Hour)
	x.look(x.worker())
	x.wantJobs("a.csv")
	if s := x.state(); s.Last == nil {
		t.Error("the publication was not recorded")
	}
}

// A paused feed looks for nothing, also if its workers start anew, until it is resumed.
func TestPause(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n")
	w := x.worker()
	x.look(w)
	states := feeds.NewStates(x.queue)
	act := audit.Act{Actor: "ann", Reason: "a broken export"}
	if err := states.Pause(t.Context(), "crm", act); err != nil {
		t.Fatal(err)
	}
	x.write("a.csv", 1)
	w = x.worker()
	for range 5 {
		if s := x.look(w); !strings.Contains(s.WhyNothing(), "paused by ann") {
			t.Errorf("a paused feed says %q", s.WhyNothing())
		}
	}
	x.wantJobs()
	if err := states.Resume(t.Context(), "crm", act); err != nil {
		t.Fatal(err)
	}
	x.pass(24 * 365 * time.Hour) // the clock of the fixture is behind that of the queue
	x.look(w)
	x.look(w)
	x.wantJobs("a.csv")
}

// A feed whose place workers may not read is refused, until they may.
func TestWatchOutsideAllowedPlaces(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "")
	w := x.worker()
	if s := x.look(w); s.Refused {
		t.Errorf("a feed of an allowed place is refused: %s", s.Why)
	}
	w.Places = x.places(t.TempDir())
	if s := x.look(w); !s.Refused || !strings.Contains(s.WhyNothing(), "outside the allowed places") || !strings.Contains(s.Blind, "outside the allowed places") || s.BlindSince.IsZero() {
		t.Errorf("refused is %v, blind since %s, because %q", s.Refused, s.BlindSince, s.WhyNothing())
	}
	w.Places = x.places(x.dir)
	if s := x.look(w); s.Refused || s.Blind != "" || !s.BlindSince.IsZero() {
		t.Errorf("the feed stays refused: %s", s.Why)
	}
}
