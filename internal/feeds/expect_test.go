package feeds_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/feeds"
	"usher/queues/audit"
)

// An export with too few rows is held, and taken when it is approved, or never.
func TestMinRows(t *testing.T) {
	t.Parallel()
	for _, approve := range []bool{true, false} {
		x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    expect: {min_rows: 10}\n")
		w := x.worker()
		x.write("a.csv", 9)
		x.look(w)
		x.look(w)
		s := x.look(w)
		held := s.Held()
		if len(held) != 1 || held[0].Held != "min_rows" || !strings.Contains(held[0].Reason, "it has 9 rows, and at least 10 are expected") {
			t.Fatalf("the feed says %q, and holds %v", s.WhyNothing(), held)
		}
		x.wantJobs()
		states := feeds.NewStates(x.queue)
		if _, err := states.Decide(t.Context(), "crm", []string{"another"}, approve, audit.Act{Actor: "ann"}); !errors.Is(err, feeds.ErrOtherHeld) || !strings.Contains(err.Error(), s.HeldVersions()[0]) {
			t.Fatal(err)
		}
		if decided, err := states.Decide(t.Context(), "crm", s.HeldVersions(), approve, audit.Act{Actor: "ann"}); len(decided) != 1 || err != nil {
			t.Fatal(decided, err)
		}
		x.pass(20 * 365 * 24 * time.Hour) // the clock of the fixture is behind that of the queue
		if s = x.look(w); len(s.Held()) > 0 {
			t.Errorf("after the decision the feed holds %v", s.Held())
		}
		if approve {
			x.wantJobs("a.csv")
			continue
		}
		x.wantJobs()
		if !strings.Contains(s.WhyNothing(), "was rejected by ann") {
			t.Errorf("after the decision the feed says %q", s.WhyNothing())
		}
		x.write("b.csv", 10) // a newer one
		x.look(w)
		x.look(w)
		if s = x.look(w); !strings.Contains(s.WhyNothing(), "b.csv has job") {
			t.Errorf("after a newer export the feed says %q", s.WhyNothing())
		}
		x.write("a.csv", 10) // another version
		x.look(w)
		x.look(w)
		x.wantJobs("b.csv", "a.csv")
	}
}

// An export that differs too much from the last one is held; exactly max_change is allowed.
func TestMaxChange(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    expect: {max_change: 30%}\n")
	w := x.worker()
	for i, rows := range []int{100, 130, 91} {
		x.write(string(rune('a'+i))+".csv", rows)
		x.look(w)
		x.look(w)
	}
	x.wantJobs("a.csv", "b.csv", "c.csv")
	x.write("d.csv", 63)
	x.look(w)
	s := x.look(w)
	if held := s.Held(); len(held) != 1 || held[0].Held != "max_change" || !strings.Contains(held[0].Reason, "it has 63 rows, the last export had 91: a change of 30.8 %, and 30 % are allowed") {
		t.Errorf("the feed says %q, and holds %v", s.WhyNothing(), s.Held())
	}
	x.wantJobs("a.csv", "b.csv", "c.csv")
}

// After an export that somebody has approved, exports like it are taken, and those like the last
// one that nobody had to approve.
func TestMaxChangeAfterApproval(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    expect: {max_change: 30%}\n")
	w := x.worker()
	put := func(name string, rows int) *feeds.State {
		x.write(name, rows)
		x.look(w)
		return x.look(w)
	}
	put("a.csv", 100)
	held := put("b.csv", 10).HeldVersions()
	if _, err := feeds.NewStates(x.queue).Decide(t.Context(), "crm", held, true, audit.Act{Actor: "ann"}); err != nil {
		t.Fatal(err)
	}
	x.pass(20 * 365 * 24 * time.Hour) // the clock of the fixture is behind that of the queue
	x.look(w)
	x.wantJobs("a.csv", "b.csv")
	s := put("c.csv", 50)
	const why = "it has 50 rows, the last export had 10: a change of 400.0 %, and 30 % are allowed; ann has approved the last one, and the last that nobody had to approve had 100"
	if held := s.Held(); len(held) != 1 || held[0].Reason != why {
		t.Fatalf("held are %+v", held)
	}
	if err := os.Remove(filepath.Join(x.dir, "c.csv")); err != nil {
		t.Fatal(err)
	}
	put("d.csv", 12)
	put("e.csv", 15)
	x.wantJobs("a.csv", "b.csv", "d.csv", "e.csv")
	if s := put("f.csv", 100); len(s.Held()) != 1 {
		t.Error("after two exports of the new size, one of the old size is taken")
	}
}

// The export after an exception is taken if it is like those before the exception.
func TestExceptionThatWasApproved(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    expect: {max_change: 30%}\n")
	w := x.worker()
	for i, rows := range []int{100, 10, 110} {
		x.write(string(rune('a'+i))+".csv", rows)
		x.look(w)
		if s := x.look(w); i == 1 {
			if _, err := feeds.NewStates(x.queue).Decide(t.Context(), "crm", s.HeldVersions(), true, audit.Act{Actor: "ann"}); err != nil {
				t.Fatal(err)
			}
			x.pass(20 * 365 * 24 * time.Hour) // the clock of the fixture is behind that of the queue
			x.look(w)
		}
	}
	x.wantJobs("a.csv", "b.csv", "c.csv")
}

// broken is an export of gzip that ends too soon.
const broken = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x33"

// putFile writes a file into the folder, which then has the given time, and returns the feed after it was
// looked at.
func (x *fixture) putFile(w *feeds.Watcher, name, text string, modified time.Time) *feeds.State {
	x.t.Helper()
	path := filepath.Join(x.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		x.t.Fatal(err)
	}
	if err := os.Chtimes(path, modified, modified); err != nil {
		x.t.Fatal(err)
	}
	x.look(w)
	return x.look(w)
}

// wantUnreadable checks that one export is held because it cannot be read, and that it cannot be approved.
func (x *fixture) wantUnreadable(s *feeds.State, reason string) {
	x.t.Helper()
	held := s.Held()
	if len(held) != 1 || held[0].Held != "unreadable" || !strings.Contains(held[0].Reason, reason) || !strings.Contains(s.WhyNothing(), "is held by unreadable, and its job would fail (usher feeds run crm") {
		x.t.Fatalf("the feed says %q, and holds %+v", s.WhyNothing(), held)
	}
	for _, versions := range [][]string{nil, s.HeldVersions()} {
		decided, err := feeds.NewStates(x.queue).Decide(x.t.Context(), "crm", versions, true, audit.Act{Actor: "ann"})
		if !errors.Is(err, feeds.ErrFails) || !strings.Contains(err.Error(), reason) || !strings.Contains(err.Error(), "usher feeds run crm reads it again, and usher feeds reject crm "+s.HeldVersions()[0]) {
			x.t.Fatalf("approved %v, %v", decided, err)
		}
	}
	if len(x.state().Approvable()) > 0 || len(x.state().Held()) != 1 {
		x.t.Errorf("after that the feed holds %+v", x.state().Held())
	}
}

// An export that cannot be read is held, and cannot be approved. When somebody asks to look, it is read
// again.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"segment.add", "segment.remove"} {
		x := newFixture(t, "*", kind, "    settle: 1s\n    expect: {max_change: 30%}\n")
		w, at := x.worker(), time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
		const good = "idfa\n6D92078A-8246-4BA4-AE5B-76104861E7DC\n"
		s := x.putFile(w, "a", broken+strings.Repeat(" ", len(good)-len(broken)), at)
		x.wantUnreadable(s, "it cannot be read: ")
		x.putFile(w, "a", good, at) // the same version
		x.wantJobs()
		if _, err := feeds.NewStates(x.queue).Ask(t.Context(), "crm", audit.Act{Actor: "ann"}); err != nil {
			t.Fatal(err)
		}
		x.pass(20 * 365 * 24 * time.Hour) // the clock of the fixture is behind that of the queue
		x.look(w)
		x.wantJobs("a")
	}
}

// An export without rows cannot be approved either: its job would fail.
func TestNoRows(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.mirror", "    settle: 1s\n    expect: {min_rows: 10}\n")
	s := x.export(x.worker(), "1.csv", "idfa", 0, 0)
	if held := s.Held(); len(held) != 1 || held[0].Held != "min_rows" || held[0].Reason != "it has 0 rows, and at least 10 are expected" {
		t.Fatalf("the feed says %q, and holds %+v", s.WhyNothing(), held)
	}
	if _, err := feeds.NewStates(x.queue).Decide(t.Context(), "crm", nil, true, audit.Act{Actor: "ann"}); !errors.Is(err, feeds.ErrFails) || !strings.Contains(err.Error(), "it has 0 rows") {
		t.Error(err)
	}
}

// An export that cannot be read is read again when the feed's job says how, and so is one that is held.
func TestReadAgainByOtherFields(t *testing.T) {
	t.Parallel()
	const text = "feeds:\n  - {name: crm, watch: %s/*.csv, settle: 1s, expect: {min_rows: 1}, job: {kind: segment.add, segment: \"17\", profile: idfa, source: {column: %s}}}\n"
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    expect: {min_rows: 1}\n")
	w := x.worker()
	x.wantUnreadable(x.export(w, "1.csv", "person", 100, 0), "set job.source.column to")
	x.load(fmt.Sprintf(text, x.dir, "person"))
	x.look(w)
	x.wantJobs("1.csv")
	x.endLast(usher.Done)
	x.export(w, "2.csv", "member", 100, 0)
	x.load(fmt.Sprintf(text, x.dir, "member"))
	x.look(w)
	x.wantJobs("1.csv", "2.csv")
	x.endLast(usher.Done)
	wantHeld(t, x.export(w, "3.csv", "member", 90, 50), "have no id")
	x.load(fmt.Sprintf(text, x.dir, "'2'"))
	x.look(w)
	x.wantJobs("1.csv", "2.csv", "3.csv")
}

// An export that has not come in time is late, until it comes.
func TestLate(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    expect: {by: \"07:00\", timezone: Europe/Berlin}\n") // 06:00 UTC
	w := x.worker()
	at := func(day, hour, minute int) {
		x.mu.Lock()
		x.now = time.Date(2026, 3, day, hour, minute, 0, 0, time.UTC)
		x.mu.Unlock()
	}
	want := func(late bool, next string) {
		t.Helper()
		s := x.look(w)
		if _, got := s.Late(x.Now()); got != late || s.NextExpected(x.Now()).UTC().Format("02 15:04") != next {
			t.Errorf("at %s late is %t, next expected %s", x.Now(), got, s.NextExpected(x.Now()).UTC())
		}
	}
	at(2, 5, 0)
	want(false, "02 06:00")
	x.write("1.csv", 1)
	at(2, 5, 10)
	want(false, "02 06:00")
	want(false, "03 06:00") // it has come
	at(2, 7, 0)
	want(false, "03 06:00")
	at(3, 5, 58)
	want(false, "03 06:00")
	at(3, 6, 1)
	want(true, "04 06:00")
	x.write("2.csv", 2)
	at(3, 9, 0)
	want(true, "04 06:00") // it is not whole yet
	want(false, "04 06:00")
	at(4, 6, 1)
	want(true, "05 06:00") // that of the day before does not count
}

// A feed that is new in the afternoon is late at once, if nothing is there.
func TestLateFeedIsNew(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    expect: {by: \"05:00\", timezone: UTC}\n")
	w := x.worker()
	if _, late := x.look(w).Late(x.Now()); !late {
		t.Error("it is not late")
	}
	x.write("a.csv", 1)
	if _, late := x.look(w).Late(x.Now()); late {
		t.Error("it is late although its first export waits until it is unchanged")
	}
	x.look(w)
	if _, late := x.look(w).Late(x.Now()); late {
		t.Error("it is late after its export")
	}
}
