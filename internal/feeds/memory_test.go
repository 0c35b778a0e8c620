package feeds_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/exports/memory/memorytest"
	"usher/internal/feeds"
	"usher/queues/audit"
)

// writeCustomers writes an export with a column of ids, of so many rows, some without an id.
func (x *fixture) writeCustomers(name, column string, rows, empty int) {
	x.t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "n,%s\n", column)
	for i := range rows {
		id := fmt.Sprintf("6D92078A-8246-4BA4-AE5B-%012X", i)
		if i < empty {
			id = ""
		}
		fmt.Fprintf(&text, "%d,%s\n", i, id)
	}
	if err := os.WriteFile(filepath.Join(x.dir, name), []byte(text.String()), 0o600); err != nil {
		x.t.Fatal(err)
	}
}

// export writes an export, and returns the feed after it was looked at.
func (x *fixture) export(w *feeds.Watcher, name, column string, rows, empty int) *feeds.State {
	x.t.Helper()
	x.writeCustomers(name, column, rows, empty)
	x.look(w)
	return x.look(w)
}

// endLast ends the job of the last export.
func (x *fixture) endLast(state usher.State) string {
	x.t.Helper()
	last := x.state().Last
	x.jobs.mu.Lock()
	defer x.jobs.mu.Unlock()
	x.jobs.states[last.Job] = state
	return last.Job
}

// approve approves what is held.
func (x *fixture) approve(w *feeds.Watcher, held []string) *feeds.State {
	x.t.Helper()
	if _, err := feeds.NewStates(x.queue).Decide(x.t.Context(), "crm", held, true, audit.Act{Actor: "ann"}); err != nil {
		x.t.Fatal(err)
	}
	x.pass(20 * 365 * 24 * time.Hour) // the clock of the fixture is behind that of the queue
	return x.look(w)
}

// wantHeld checks that one export is held by the memory, for a reason.
func wantHeld(t *testing.T, s *feeds.State, reason string) {
	t.Helper()
	if held := s.Held(); len(held) != 1 || held[0].Held != "memory" || !strings.Contains(held[0].Reason, reason) {
		t.Errorf("the feed says %q, and holds %v, not because %s", s.WhyNothing(), held, reason)
	}
}

// An export that is read in another way than the last good one is held. Approved, it is taken, and
// it is what the next one is compared with.
func TestMemoryHolds(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"segment.mirror", "segment.add"} {
		x := newFixture(t, "*.csv", kind, "    settle: 1s\n")
		w := x.worker()
		x.export(w, "1.csv", "idfa", 100, 1)
		first := x.endLast(usher.Done)
		x.look(w)
		if m := x.state().Memory; m == nil || m.Job != first || m.Understood.Column.Name != "idfa" || m.Rows != 100 || m.Dropped["junk.empty"] != 1 {
			t.Fatalf("the memory is %+v", m)
		}
		s := x.export(w, "2.csv", "apple_idfa", 100, 1)
		wantHeld(t, s, "it differs from the last good export, that of job "+first+`: column 2 is called "apple_idfa", and in the last export it was called "idfa"`)
		x.wantJobs("1.csv")
		s = x.approve(w, s.HeldVersions())
		x.wantJobs("1.csv", "2.csv")
		if m := s.Memory; m == nil || m.Job != first {
			t.Fatalf("before the approved export is uploaded, the memory is %+v", m)
		}
		x.export(w, "3.csv", "apple_idfa", 110, 2)
		x.wantJobs("1.csv", "2.csv", "3.csv")
		x.endLast(usher.Done)
		wantHeld(t, x.export(w, "4.csv", "idfa", 100, 1), `called "idfa"`)
		published, _ := x.published()
		for _, job := range published {
			if want := kind == "segment.mirror" && strings.HasSuffix(job.Source.URL, "2.csv"); job.AcceptChange != want || job.MaxShift != nil {
				t.Errorf("the job of %s accepts a change: %t, and a shift of %v", job.Source.URL, job.AcceptChange, job.MaxShift)
			}
		}
	}
}

// putPair gives the exports of a pair to a new feed, the second one after the first was uploaded, and returns its
// state.
func putPair(t *testing.T, p *memorytest.Pair) (*fixture, *feeds.State) {
	t.Helper()
	x := newFixture(t, "*", "segment.mirror", "    settle: 1s\n")
	w := x.worker()
	x.readAs(p.Job)
	x.putFile(w, "1", string(p.One), x.Now())
	x.endLast(usher.Done)
	x.look(w)
	return x, x.putFile(w, "2", string(p.Two), x.Now())
}

// A feed holds each export that changes what is uploaded, with what is different or why it cannot be read, and
// publishes no job.
func TestMemoryHoldsChangesWithoutRace(t *testing.T) {
	t.Parallel()
	for _, p := range memorytest.Changes(t) {
		if testing.Short() && !strings.HasSuffix(p.Name, "in csv") {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			x, s := putPair(t, &p)
			held := s.Held()
			x.wantJobs("1")
			switch {
			case len(held) != 1 || held[0].Held != "memory" && held[0].Held != "unreadable":
				t.Errorf("held are %+v", held)
			case held[0].Held == "memory" && p.Refused, held[0].Held != "memory" && !p.Refused && !p.Either:
				t.Errorf("held as %s: %s", held[0].Held, held[0].Reason)
			case !strings.Contains(held[0].Reason, p.Want) && (!p.Either || held[0].Held == "memory"):
				t.Errorf("held because %s, want %q", held[0].Reason, p.Want)
			}
		})
	}
}

// A feed takes each export that changes as those of a growing company do.
func TestMemoryTakesHonestWithoutRace(t *testing.T) {
	t.Parallel()
	n := 200
	if testing.Short() {
		n = 20
	}
	for _, p := range memorytest.Honest(t, n) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			x, _ := putPair(t, &p)
			x.wantJobs("1", "2")
		})
	}
}

// readAs has the feed read exports as a job does.
func (x *fixture) readAs(job usher.Job) {
	x.t.Helper()
	input, source := usher.InputRaw, usher.Source{}
	if job.Input != "" {
		input = job.Input
	}
	if job.Source != nil {
		source = *job.Source
	}
	text, err := json.Marshal(map[string]any{"kind": "segment.mirror", "segment": "17", "profile": job.Profile.Type, "input": input, "source": source})
	if err != nil {
		x.t.Fatal(err)
	}
	x.load(fmt.Sprintf("feeds:\n  - {name: crm, watch: '%s/*', settle: 1s, job: %s}\n", x.dir, text))
}

// An approved export becomes the memory when it is uploaded, which a replay of its job may do. If its job has
// failed, the last good export stays the one before, and the next one is compared with that.
func TestMemoryIsOfApprovedExportsThatAreUploaded(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.mirror", "    settle: 1s\n")
	w := x.worker()
	x.export(w, "1.csv", "idfa", 100, 1)
	first := x.endLast(usher.Done)
	s := x.export(w, "2.csv", "apple_idfa", 100, 1)
	x.approve(w, s.HeldVersions())
	second := x.endLast(usher.Failed)
	if s = x.look(w); s.Memory == nil || s.Memory.Job != first {
		t.Fatalf("after the approved export has failed, the memory is %+v", s.Memory)
	}
	wantHeld(t, x.export(w, "3.csv", "apple_idfa", 100, 1), "that of job "+first)
	x.endLast(usher.Done)
	s = x.look(w)
	if m := s.Memory; m == nil || m.Job != second || m.ApprovedBy != "ann" || m.Understood.Column.Name != "apple_idfa" {
		t.Fatalf("after a replay has uploaded the approved export, the memory is %+v", m)
	}
	x.look(w)
	x.wantJobs("1.csv", "2.csv", "3.csv")
}

// Only an export whose job is done becomes the memory. The first one is compared with before that,
// unless its job has failed.
func TestMemoryIsOfDoneJobs(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n")
	w := x.worker()
	x.export(w, "1.csv", "idfa", 100, 0)
	wantHeld(t, x.export(w, "2.csv", "apple_idfa", 100, 0), "apple_idfa")
	x.endLast(usher.Failed)
	x.look(w)
	x.wantJobs("1.csv", "2.csv")
	done := x.endLast(usher.Done)
	x.export(w, "3.csv", "apple_idfa", 100, 3)
	x.endLast(usher.Cancelled)
	if m := x.look(w).Memory; m == nil || m.Job != done || m.Dropped["junk.empty"] != 0 {
		t.Errorf("the memory is %+v, not of job %s", m, done)
	}
}

// A share of rows may grow by max_shift, which the job of a mirror has, too.
func TestMaxShift(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.mirror", "    settle: 1s\n    expect: {max_shift: 7%}\n")
	w := x.worker()
	x.export(w, "1.csv", "idfa", 100, 1)
	x.endLast(usher.Done)
	x.export(w, "2.csv", "idfa", 100, 8)
	x.wantJobs("1.csv", "2.csv")
	x.endLast(usher.Done)
	wantHeld(t, x.export(w, "3.csv", "idfa", 100, 16), "16 of its 100 rows (16 %) have no id, and in the last export it was 8 %; if it is approved, its job still fails as shrink if it would remove more than 20 % of the members, unless the job gets force")
	published, _ := x.published()
	for _, job := range published {
		if job.MaxShift == nil || *job.MaxShift != 7 {
			t.Errorf("a job has the shift %v", job.MaxShift)
		}
	}
}

// A person who approves an export sees all that is different.
func TestMemoryBesideRows(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    expect: {max_change: 30%}\n")
	w := x.worker()
	x.export(w, "1.csv", "idfa", 100, 0)
	x.endLast(usher.Done)
	held := x.export(w, "2.csv", "apple_idfa", 10, 0).Held()
	if len(held) != 1 || held[0].Held != "max_change" || !strings.Contains(held[0].Reason, "a change of 90.0 %") || !strings.Contains(held[0].Reason, "; and it differs from the last good export") {
		t.Errorf("held are %+v", held)
	}
}

// An export that cannot be read is held if there is a last good one. Otherwise its job says why.
func TestMemoryOfBrokenExport(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*", "segment.add", "    settle: 1s\n")
	w := x.worker()
	x.putFile(w, "1.gz", broken, x.Now())
	x.wantJobs("1.gz")
	x.export(w, "2.csv", "idfa", 10, 0)
	x.endLast(usher.Done)
	x.wantUnreadable(x.putFile(w, "3.gz", broken, x.Now()), "it cannot be read: its gzip data")
	x.wantUnreadable(x.state(), "; the last good export, that of job "+x.state().Last.Job+`, was csv with IDFAs in column "idfa"`)
	x.wantJobs("1.gz", "2.csv")
}

// Nothing delays ids that must go: the feed only says what is different.
func TestMemoryHoldsNoRemoval(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.remove", "    settle: 1s\n")
	w := x.worker()
	x.export(w, "1.csv", "idfa", 100, 0)
	x.endLast(usher.Done)
	s := x.export(w, "2.csv", "apple_idfa", 100, 0)
	x.wantJobs("1.csv", "2.csv")
	if d := s.Last.Differences; len(d) != 1 || !strings.Contains(d[0], "apple_idfa") {
		t.Errorf("the differences are %q", d)
	}
}

// A feed whose job says anew how exports are read begins a new memory.
func TestMemoryOfOtherFields(t *testing.T) {
	t.Parallel()
	const text = "feeds:\n  - {name: crm, watch: %s/*.csv, settle: 1s, job: {kind: segment.add, segment: \"17\", profile: idfa%s}}\n"
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n")
	w := x.worker()
	x.export(w, "1.csv", "idfa", 100, 0)
	first := x.endLast(usher.Done)
	x.load(fmt.Sprintf(text, x.dir, ", source: {column: apple_idfa}"))
	x.export(w, "2.csv", "apple_idfa", 100, 0)
	x.wantJobs("1.csv", "2.csv")
	x.endLast(usher.Done)
	want := "the job reads its export by other fields (profile, input, source) than job " + first +
		`, so the two exports were not compared: that one was csv with IDFAs in column "idfa", and this one is csv with IDFAs in column "apple_idfa"; once this job is done, the next exports are compared with its export`
	if m := x.look(w).Memory; m == nil || m.Began != want {
		t.Errorf("the memory is %+v", m)
	}
	x.export(w, "3.csv", "apple_idfa", 100, 0)
	x.endLast(usher.Done)
	if m := x.look(w).Memory; m == nil || m.Began != "" {
		t.Errorf("the next memory is %+v", m)
	}
}

// A watcher dies after it has published the job of an approved export. The next one records it, and
// what is remembered is the same.
func TestMemoryOutlivesWatcher(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.mirror", "    settle: 1s\n")
	w := x.worker()
	x.export(w, "1.csv", "idfa", 100, 0)
	x.endLast(usher.Done)
	s := x.export(w, "2.csv", "apple_idfa", 100, 0)
	if _, err := feeds.NewStates(x.queue).Decide(t.Context(), "crm", s.HeldVersions(), true, audit.Act{Actor: "ann"}); err != nil {
		t.Fatal(err)
	}
	x.pass(20 * 365 * 24 * time.Hour) // the clock of the fixture is behind that of the queue
	killed := x.worker()
	ctx, die := context.WithCancel(t.Context())
	killed.Jobs = dying{x.jobs, die}
	if err := killed.Look(ctx, x.feed); err == nil {
		t.Fatal("the watcher has not died")
	}
	if m := x.state().Memory; m == nil || m.Understood.Column.Name != "idfa" {
		t.Errorf("after the kill the memory is %+v", m)
	}
	x.look(x.worker())
	x.wantJobs("1.csv", "2.csv")
	x.endLast(usher.Done)
	s = x.look(x.worker())
	if m := s.Memory; m == nil || m.Understood.Column.Name != "apple_idfa" || m.Job != s.Last.Job {
		t.Errorf("the memory is %+v", m)
	}
}

// A feed may not accept changes by itself.
func TestFeedAcceptsNoChange(t *testing.T) {
	t.Parallel()
	all, problems := feeds.Load("crm.yaml", []byte("feeds:\n  - {name: crm, watch: /in/, job: {kind: segment.mirror, segment: \"17\", profile: idfa, acceptChange: true}}\n"))
	if len(all) != 0 || len(problems) != 1 || !strings.Contains(problems[0].Hint, "usher feeds approve") {
		t.Errorf("%v", problems)
	}
}

// An export of opt-outs says no in every row. A feed that takes them away counts it all the same.
func TestFeedOfOptOuts(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.remove", "    settle: 1s\n    expect: {min_rows: 1}\n")
	w := x.worker()
	if err := os.WriteFile(filepath.Join(x.dir, "1.csv"), []byte("n,idfa,opted_out\n1,6D92078A-8246-4BA4-AE5B-76104861E7DC,true\n2,5AAB8704-4D8C-4879-8993-C6DD8361F88F,true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x.look(w)
	s := x.look(w)
	if s.Last == nil || s.Last.Rows != 2 {
		t.Errorf("the feed says %q, and its last job is %+v", s.WhyNothing(), s.Last)
	}
}

// A line of the log says that an export is held, and one that it was not uploaded: once, with the feed, the
// reason and the next command.
func TestLogSaysWhatIsNotUploaded(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    expect: {min_rows: 10}\n")
	w := x.worker()
	var log bytes.Buffer
	w.Logger = slog.New(slog.NewTextHandler(&log, nil))
	warns := func(line string) {
		t.Helper()
		x.look(w)
		x.look(w)
		if found := regexp.MustCompile(`level=WARN msg=".*" `+line+"\n").FindAllString(log.String(), -1); len(found) != 1 || strings.Count(log.String(), "level=WARN") != 1 {
			t.Errorf("the log has %d lines %s:\n%s", len(found), line, &log)
		}
		log.Reset()
	}
	version := x.export(w, "1.csv", "idfa", 5, 0).HeldVersions()[0]
	warns(`feed=crm export=1.csv why="it has 5 rows, and at least 10 are expected" next="usher feeds approve crm ` + version + `, or usher feeds reject crm ` + version + `"`)
	x.export(w, "2.csv", "idfa", 20, 0)
	job := x.endLast(usher.Failed)
	warns(`feed=crm export=2.csv job=` + job + ` class=source_broken why="half of the file is missing" next="usher dead show --id ` + job + `"`)
	x.writeCustomers("3.csv", "person", 20, 0) // whose column has no known name
	warns(`feed=crm export=3.csv why=".*" next="mend the export, then usher feeds run crm; or usher feeds reject crm [g-v]{24}"`)
	if ended := x.state().Last.Ended; ended != usher.Failed {
		t.Errorf("the state says that the last job is %s", ended)
	}
}
