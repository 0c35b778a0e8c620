package feeds_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/exports/places"
	"usher/internal/feeds"
	"usher/queues/audit"
)

// A version has one job. If its files come back after another version, the feed says what to
// do; if they were moved, they are moved again.
func TestComeback(t *testing.T) {
	t.Parallel()
	x := newBucketFixture(t, "a.csv", "segment.mirror", "    settle: 1s\n")
	w := x.worker()
	for _, rows := range []int{1, 2, 1} {
		x.put("in/a.csv", rows)
		x.look(w)
		x.look(w)
	}
	x.wantJobs("a.csv", "a.csv")
	if why := x.state().WhyNothing(); !strings.Contains(why, "a version gets one job: to load it again after feed-crm-") || !strings.Contains(why, "usher submit") {
		t.Errorf("the feed says %q", why)
	}
	x = newBucketFixture(t, "*.csv", "segment.add", "    settle: 1s\n    after: {move: s3://crm/done/}\n")
	w = x.worker()
	for range 2 {
		x.put("in/a.csv", 1)
		x.look(w)
		x.look(w)
		x.end(usher.Done)
		x.look(w)
		if got := x.keys(); got != "done/a.csv" {
			t.Errorf("after the job there are %s", got)
		}
	}
	x.wantJobs("a.csv")
}

// A mirror never takes an older export after the newest was moved away.
func TestOlderIsPassed(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.mirror", "    settle: 1s\n    after: {move: DIR/done/}\n")
	w := x.worker()
	x.write("2026-03-01.csv", 1)
	x.write("2026-03-02.csv", 2)
	x.look(w)
	x.look(w)
	if why := x.look(w).WhyNothing(); !strings.Contains(why, "2026-03-02.csv has job") || !strings.Contains(why, "takes only the newest by name, not 1 other file") {
		t.Errorf("beside an older export the feed says %q", why)
	}
	x.end(usher.Done)
	for range 3 {
		x.look(w)
	}
	if why := x.state().WhyNothing(); x.names(".") != "2026-03-01.csv" || !strings.Contains(why, "2026-03-01.csv is older by name than version") {
		t.Errorf("of an older export in %q the feed says %q", x.names("."), why)
	}
	x.wantJobs("2026-03-02.csv")
	x.write("2026-03-01.csv", 3) // another version
	x.look(w)
	x.look(w)
	x.wantJobs("2026-03-02.csv", "2026-03-01.csv")
}

// An export that is held and then removed is held no more, also if nothing else is there.
func TestHeldIsRemoved(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    expect: {min_rows: 10}\n")
	w := x.worker()
	x.write("a.csv", 9)
	x.look(w)
	if held := x.look(w).Held(); len(held) != 1 {
		t.Fatalf("the feed holds %v", held)
	}
	x.erase("a.csv")
	if s := x.look(w); len(s.Held()) > 0 || !strings.Contains(s.WhyNothing(), "no files") {
		t.Errorf("without files the feed holds %v, and says %q", s.Held(), s.WhyNothing())
	}
}

// full is a stream that takes no jobs.
type full struct{ *jobs }

func (full) Publish(context.Context, usher.Kind, usher.Job) error {
	return errors.New("nats: maximum bytes exceeded")
}

// A feed says that its job cannot be published, and publishes it later.
func TestPublishFails(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n")
	w := x.worker()
	x.write("a.csv", 1)
	x.look(w)
	w.Jobs = full{x.jobs}
	x.pass(time.Minute)
	if err := w.Look(t.Context(), x.feed); err == nil {
		t.Fatal("there is no error")
	}
	if why := x.state().WhyNothing(); !strings.Contains(why, "the job of a.csv cannot be published") || !strings.Contains(why, "maximum bytes exceeded") {
		t.Errorf("the feed says %q", why)
	}
	w.Jobs = x.jobs
	x.look(w)
	x.wantJobs("a.csv")
}

// A state fits into its bucket, however many exports come and go, and remembers the newest.
func TestStateIsBounded(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)
	s := feeds.State{Versions: map[string]*feeds.Version{}}
	name := func(i int) string { return fmt.Sprintf("version-%016x", uint64(i)*0x9E3779B97F4A7C15) }
	const exports, files = 50_000, 10
	for i := range exports {
		published := at.Add(time.Duration(i) * time.Minute)
		v := &feeds.Version{Job: "feed-crm-" + name(i), At: &published, Gone: &published}
		for file := range files {
			v.Pieces = append(v.Pieces, name(i*files+file))
		}
		s.Versions[name(i)] = v
	}
	feeds.Forget(&s)
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	newest, moved := s.Versions[name(exports-1)], s.Versions[name(exports-2000)]
	if len(s.Versions) != 2000 || newest == nil || moved == nil || len(moved.Pieces) != files || len(data) > 2_000_000 {
		t.Errorf("%d versions remain, with %d bytes", len(s.Versions), len(data))
	}
}

// Outcomes that cannot be read are held, and do not delay others. Those that could not be stored are
// tried again.
func TestOutcomesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n")
	x.load(fmt.Sprintf("feeds:\n  - name: crm\n    watch: %s/*.csv\n    settle: 1s\n    job: {kind: outcomes}\n", x.dir))
	w := x.worker()
	stored := map[string]int{}
	problem := usher.Refuse(usher.SourceBroken, "write it again", "it ends in the middle of row 2")
	w.Outcomes = func(_ context.Context, _ *feeds.Feed, src *usher.Source) (string, error) {
		if name := filepath.Base(src.URL); name != "a.csv" || problem == nil {
			stored[name]++
			return "", nil
		}
		return "", problem
	}
	x.write("a.csv", 1)
	x.write("b.csv", 1)
	x.look(w)
	x.look(w)
	x.wantUnreadable(x.look(w), "it cannot be read: it ends in the middle of row 2; write it again")
	if stored["a.csv"] != 0 || stored["b.csv"] != 1 {
		t.Errorf("stored are %v", stored)
	}
	problem = nil
	x.look(w)
	if stored["a.csv"] != 0 {
		t.Error("it is read again, although nobody has asked")
	}
	if _, err := feeds.NewStates(x.queue).Ask(t.Context(), "crm", audit.Act{Actor: "ann"}); err != nil {
		t.Fatal(err)
	}
	x.pass(20 * 365 * 24 * time.Hour) // the clock of the fixture is behind that of the queue
	if s := x.look(w); stored["a.csv"] != 1 || len(s.Held()) != 0 {
		t.Errorf("after somebody has asked, stored are %v, and the feed says %q", stored, s.WhyNothing())
	}
}

// A feed takes each of many exports once, in looks that remember only a window of them, also those that
// come later. USHER_TEST_FILES sets their number.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n")
	x.load(fmt.Sprintf("feeds:\n  - name: crm\n    watch: %s/*.csv\n    settle: 1s\n    job: {kind: outcomes}\n", x.dir))
	w := x.worker()
	stored := map[string]int{}
	w.Outcomes = func(_ context.Context, _ *feeds.Feed, src *usher.Source) (string, error) {
		stored[filepath.Base(src.URL)]++
		return "", nil
	}
	files := 9000
	if text := os.Getenv("USHER_TEST_FILES"); text != "" {
		if _, err := fmt.Sscan(text, &files); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(x.dir, name), []byte("date,campaign,installs\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range files {
		write(fmt.Sprintf("%06d.csv", i))
	}
	all := func(want int) {
		t.Helper()
		for looks := 0; len(stored) < want; looks++ {
			s := x.look(w)
			if data, err := json.Marshal(s); err != nil || len(data) > 900_000 || looks > 2+files/1000 {
				t.Fatalf("look %d: %d of %d are stored, the state has %d bytes, %v: %s", looks, len(stored), want, len(data), err, s.WhyNothing())
			}
		}
		for range 2 {
			if why := x.look(w).WhyNothing(); !strings.Contains(why, "has its job") && !strings.Contains(why, "has job") {
				t.Errorf("the feed says %q", why)
			}
		}
		for name, times := range stored {
			if times != 1 {
				t.Errorf("%s was stored %d times", name, times)
			}
		}
		if len(stored) != want {
			t.Errorf("%d are stored, want %d", len(stored), want)
		}
	}
	all(files)
	write("000000-late.csv")
	write("later.csv")
	all(files + 2)

	// Those that stay are not new because there are fewer.
	for i := range files - 3000 {
		if err := os.Remove(filepath.Join(x.dir, fmt.Sprintf("%06d.csv", i))); err != nil {
			t.Fatal(err)
		}
	}
	write("last.csv")
	for range 3 {
		x.look(w)
	}
	for name, times := range stored {
		if times != 1 {
			t.Errorf("%s was stored %d times", name, times)
		}
	}
	if stored["last.csv"] != 1 {
		t.Error("last.csv was not stored")
	}
}

// A mirror takes the newest of many exports by name.
func TestNewestOfMany(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.mirror", "    settle: 1s\n")
	w := x.worker()
	for i := range 4500 {
		if err := os.WriteFile(filepath.Join(x.dir, fmt.Sprintf("%06d.csv", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x.write("newest.csv", 1)
	x.look(w)
	x.look(w)
	x.wantJobs("newest.csv")
}

// A feed whose folder does not exist is blind, since it cannot know whether exports are missing.
func TestMissingFolder(t *testing.T) {
	t.Parallel()
	for _, watch := range []string{"gone/*.csv", "gone/", "gone/crm.csv"} {
		x := newFixture(t, watch, "segment.add", "    settle: 1s\n")
		w := x.worker()
		if s := x.look(w); !strings.Contains(s.Blind, "its folder does not exist") || s.BlindSince.IsZero() || s.Refused {
			t.Errorf("%s: blind is %q since %s", watch, s.Blind, s.BlindSince)
		}
		if err := os.Mkdir(filepath.Join(x.dir, "gone"), 0o700); err != nil {
			t.Fatal(err)
		}
		if s := x.look(w); s.Blind != "" || !s.BlindSince.IsZero() || s.Why == "" {
			t.Errorf("%s: blind is %q since %s, why %q", watch, s.Blind, s.BlindSince, s.Why)
		}
	}
}

// A file whose name differs only in case is not taken, and named.
func TestOtherCase(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "week*.csv", "segment.add", "    settle: 1s\n")
	w := x.worker()
	x.write("WEEK1.CSV", 1)
	if s := x.look(w); !strings.HasPrefix(s.OtherCase, "WEEK1.CSV: upper and lower case differ from ") || !strings.Contains(s.WhyNothing(), s.OtherCase) {
		t.Errorf("the feed says %q and %q", s.OtherCase, s.WhyNothing())
	}
	x.write("week2.csv", 1)
	x.write("month.csv", 1)
	x.look(w)
	if s := x.look(w); !strings.HasPrefix(s.OtherCase, "WEEK1.CSV: ") {
		t.Errorf("the feed says %q", s.OtherCase)
	}
	x.wantJobs("week2.csv")
	if err := os.Remove(filepath.Join(x.dir, "WEEK1.CSV")); err != nil {
		t.Fatal(err)
	}
	if s := x.look(w); s.OtherCase != "" {
		t.Errorf("the feed says %q", s.OtherCase)
	}
}

// The state of a feed says if an export has the content of the one before, under another name.
func TestEqualContent(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n")
	w := x.worker()
	for _, step := range []struct {
		name, same string
		rows       int
	}{{"week1.csv", "", 5}, {"week2.csv", "week2.csv has the content of week1.csv, which job feed-crm-", 5}, {"week3.csv", "", 6}} {
		x.write(step.name, step.rows)
		x.look(w)
		if s := x.look(w); s.Last == nil || s.Last.Name != step.name || !strings.HasPrefix(s.Last.Same, step.same) || (s.Last.Same == "") != (step.same == "") {
			t.Errorf("%s: %+v, %s", step.name, s.Last, s.WhyNothing())
		}
	}
	x.wantJobs("week1.csv", "week2.csv", "week3.csv")
}

// What is wrong with a feed in changed files is in its state at the next look, also if that is not due.
func TestProblemOfReload(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "crm.yaml")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	feed := func(name, segment string) string {
		return fmt.Sprintf("feeds:\n- {name: %s, watch: /in/, job: {kind: segment.add, segment: %q, profile: idfa}}\n", name, segment)
	}
	allowed, err := places.Allow([]string{"/in"})
	if err != nil {
		t.Fatal(err)
	}
	write("crm.yaml", feed("crm", "1"))
	var log strings.Builder
	files, err := feeds.Open([]string{dir}, allowed, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if len(files.All()) != 1 || files.Problem("crm") != "" || len(files.Invalid()) != 0 {
		t.Errorf("the problem is %q, invalid is %q", files.Problem("crm"), files.Invalid())
	}
	for _, step := range []struct{ name, text, feed, problem, invalid string }{
		{"b.yaml", feed("b", "1"), "crm", "feeds b and crm both change segment 1", ""},
		{"b.yaml", feed("b", "12"), "crm", "", ""},
		{"b.yaml", feed("crm", "123"), "crm", "is called crm, too", ""},
		{"b.yaml", strings.Replace(feed("b", "1234"), "/in/", "/elsewhere/", 1), "b", "watch /elsewhere/ is outside sources.allow", ""},
		{"b.yaml", "feeds: {}", "b", "b.yaml was changed and is invalid, so its last valid version is in use: ", "b.yaml:"},
		{"new.yaml", "feeds: nonsense", "new", "", "new.yaml:"},
		{"crm.yaml", strings.Replace(feed("crm", "1"), "watch", "wach", 1), "crm", path + " was changed and is invalid, so its last valid version is in use: " + path + `:2: a feed has no key "wach"`, "crm.yaml:2"},
	} {
		write(step.name, step.text)
		files.All()
		if got := files.Problem(step.feed); !strings.Contains(got, step.problem) || (got == "") != (step.problem == "") || !strings.Contains(strings.Join(files.Invalid(), " "), step.invalid) {
			t.Errorf("after %q in %s, the problem is %q, invalid is %q", step.text, step.name, got, files.Invalid())
		}
		if step.problem != "" && !strings.Contains(log.String(), "something is wrong with a feed, see 'usher feeds check'\" feed="+step.feed) {
			t.Errorf("the log has no problem of %s: %s", step.feed, log.String())
		}
		log.Reset()
	}

	x := newFixture(t, "*.csv", "segment.add", "    every: 24h\n")
	w := x.worker()
	x.look(w)
	for _, problem := range []string{"its file is invalid", ""} {
		x.problem = problem
		if s := x.look(w); s.Problem != problem {
			t.Errorf("the state has the problem %q", s.Problem)
		}
	}
}

// A feed with a schedule takes an export that comes after its look at the next one, and is late
// in between.
func TestSchedule(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n    schedule: \"0 6,9 * * *\"\n    expect: {by: \"08:00\", timezone: UTC}\n")
	w := x.worker()
	for _, step := range []struct{ at, next, why string }{
		{"2026-03-02T06:00:00Z", "09:00", "no files"}, {"2026-03-02T09:00:00Z", "09:00", "waits until a.csv"}, {"2026-03-02T09:00:02Z", "06:00", ""},
	} {
		x.mu.Lock()
		x.now, _ = time.Parse(time.RFC3339, step.at)
		x.mu.Unlock()
		if err := w.Look(t.Context(), x.feed); err != nil {
			t.Fatal(err)
		}
		s := x.state()
		if s.Next.UTC().Format("15:04") != step.next || !strings.Contains(s.WhyNothing(), step.why) {
			t.Errorf("at %s the next look is at %s, and the feed says %q", step.at, s.Next, s.WhyNothing())
		}
		if _, late := s.Late(x.Now()); late != (step.next == "09:00" && step.why != "no files") {
			t.Errorf("at %s late is %t", step.at, late)
		}
		x.write("a.csv", 1)
		keepTime(t, filepath.Join(x.dir, "a.csv"))
	}
	x.wantJobs("a.csv")
}

// keepTime makes a file look unchanged.
func keepTime(t *testing.T, path string) {
	t.Helper()
	at := time.Date(2026, 3, 2, 6, 30, 0, 0, time.UTC)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}
