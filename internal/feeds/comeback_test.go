package feeds_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/feeds"
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

// A feed whose folder has many other files finds its own, and one that has too many says what to
// do. USHER_TEST_FILES sets their number.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	x := newFixture(t, "*.csv", "segment.add", "    settle: 1s\n")
	w := x.worker()
	files := 6000
	if text := os.Getenv("USHER_TEST_FILES"); text != "" {
		if _, err := fmt.Sscan(text, &files); err != nil {
			t.Fatal(err)
		}
	}
	for i := range files {
		if err := os.WriteFile(filepath.Join(x.dir, fmt.Sprintf("%d.log", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x.write("a.csv", 1)
	x.look(w)
	x.look(w)
	x.wantJobs("a.csv")
	x.load(fmt.Sprintf("feeds:\n  - name: crm\n    watch: %s/*.log\n    job: {kind: segment.add, segment: \"17\", profile: idfa}\n", x.dir))
	if why := x.look(w).WhyNothing(); !strings.Contains(why, "at most 5000") || !strings.Contains(why, "after: {move: …}") {
		t.Errorf("of too many files the feed says %q", why)
	}
	x.wantJobs("a.csv")
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
