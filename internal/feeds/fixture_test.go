package feeds_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/internal/exports/places/cloud"
	"usher/internal/feeds"
	"usher/queues"
	"usher/queues/queuetest"
)

// fixture is a folder that is watched by workers, with a clock that the test sets.
type fixture struct {
	t      *testing.T
	broker *queuetest.Broker
	queue  *queues.Queue
	dir    string // the folder
	feed   *feeds.Feed
	jobs   *jobs
	bucket *bucket // nil: the folder is local

	problem string // of the feed

	mu  sync.Mutex
	now time.Time
}

// newFixture returns a fixture with one feed; text is its keys except name, watch and job. DIR
// in it stands for the folder that has the watched folder.
func newFixture(t *testing.T, watch, kind, text string) *fixture {
	t.Helper()
	root := t.TempDir()
	x := &fixture{t: t, broker: queuetest.New(t), dir: filepath.Join(root, "in"), now: time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)}
	for _, dir := range []string{"in", "done"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	x.queue = x.broker.Queue(t)
	x.jobs = &jobs{queue: x.queue, states: map[string]usher.State{}}
	file := fmt.Sprintf("feeds:\n  - name: crm\n    watch: %s\n    job: {kind: %s, segment: \"17\", profile: idfa}\n%s", filepath.Join(root, "in")+"/"+watch, kind, strings.ReplaceAll(text, "DIR", root))
	x.load(file)
	return x
}

func (x *fixture) load(text string) {
	x.t.Helper()
	all, problems := feeds.Load("crm.yaml", []byte(text))
	if len(all) != 1 {
		x.t.Fatalf("%s%v", text, problems)
	}
	x.feed = all[0]
}

// Now is the clock of the workers.
func (x *fixture) Now() time.Time {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.now
}

// pass sets the clock forward.
func (x *fixture) pass(d time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.now = x.now.Add(d)
}

// worker returns the watcher of another worker.
func (x *fixture) worker() *feeds.Watcher {
	x.t.Helper()
	dir := filepath.Dir(x.dir)
	if x.bucket != nil {
		dir = x.t.TempDir()
	}
	access := x.places(dir)
	return &feeds.Watcher{
		Feeds: x, States: feeds.NewStates(x.queue), Jobs: x.jobs, Places: access, Exports: exports.New(access, exports.Options{}),
		Logger: slog.New(slog.NewTextHandler(x.t.Output(), nil)), Now: x.Now,
	}
}

// places returns access to some places and the bucket.
func (x *fixture) places(list ...string) *places.Access {
	x.t.Helper()
	var urls []string
	if x.bucket != nil {
		list, urls = append(list, "s3://crm/"), append(urls, x.bucket.url)
	}
	allowed, err := places.Allow(list)
	if err != nil {
		x.t.Fatal(err)
	}
	buckets, err := places.NewBuckets(urls, cloud.Versions{})
	if err != nil {
		x.t.Fatal(err)
	}
	access := places.New(places.Options{Allowed: allowed, Buckets: buckets})
	x.t.Cleanup(access.Close)
	return access
}

// All implements feeds.Feeds.
func (x *fixture) All() []*feeds.Feed { return []*feeds.Feed{x.feed} }

// Problem implements feeds.Feeds.
func (x *fixture) Problem(string) string { return x.problem }

// look has a worker look once, after the interval of the feed.
func (x *fixture) look(w *feeds.Watcher) *feeds.State {
	x.t.Helper()
	x.pass(time.Minute)
	if err := w.Look(x.t.Context(), x.feed); err != nil {
		x.t.Fatal(err)
	}
	return x.state()
}

func (x *fixture) state() *feeds.State {
	x.t.Helper()
	s, err := feeds.NewStates(x.queue).Get(x.t.Context(), "crm")
	if err != nil {
		x.t.Fatal(err)
	}
	return s
}

// write writes a file of a number of rows into the folder.
func (x *fixture) write(name string, rows int) {
	x.t.Helper()
	var text strings.Builder
	for i := range rows {
		fmt.Fprintf(&text, "6D92078A-8246-4BA4-AE5B-%012X\n", i)
	}
	if err := os.WriteFile(filepath.Join(x.dir, name), []byte(text.String()), 0o600); err != nil {
		x.t.Fatal(err)
	}
}

// published returns the jobs on the stream, by id, and how often each was published.
func (x *fixture) published() (byID map[string]usher.Job, times map[string]int) {
	x.t.Helper()
	byID, times = map[string]usher.Job{}, map[string]int{}
	stream, err := x.broker.JS.Stream(x.t.Context(), "USHER_JOBS")
	if err != nil {
		x.t.Fatal(err)
	}
	info, err := stream.Info(x.t.Context())
	if err != nil {
		x.t.Fatal(err)
	}
	for seq := info.State.FirstSeq; seq <= info.State.LastSeq && info.State.Msgs > 0; seq++ {
		msg, err := stream.GetMsg(x.t.Context(), seq)
		if err != nil {
			x.t.Fatal(err)
		}
		var job usher.Job
		if err := json.Unmarshal(msg.Data, &job); err != nil {
			x.t.Fatal(err)
		}
		byID[job.ID] = job
		times[job.ID]++
	}
	return byID, times
}

// wantJobs checks that one job was published for each of some files, or exports.
func (x *fixture) wantJobs(urls ...string) {
	x.t.Helper()
	byID, times := x.published()
	var got []string
	for id, job := range byID {
		if times[id] != 1 || !strings.HasPrefix(id, "feed-crm-") || id != "feed-crm-"+job.Source.Version {
			x.t.Errorf("job %s was published %d times", id, times[id])
		}
		got = append(got, strings.TrimPrefix(job.Source.URL, x.dir+"/"))
	}
	for _, url := range urls {
		i := 0
		for i < len(got) && got[i] != url {
			i++
		}
		if i == len(got) {
			x.t.Errorf("no job reads %q; jobs read %q, and the feed says: %s", url, got, x.state().WhyNothing())
			return
		}
		got = append(got[:i], got[i+1:]...)
	}
	if len(got) > 0 {
		x.t.Errorf("jobs also read %q", got)
	}
}

// jobs publishes jobs as a worker does, and has states that a test sets.
type jobs struct {
	queue *queues.Queue

	mu     sync.Mutex
	states map[string]usher.State
}

func (j *jobs) Publish(ctx context.Context, k usher.Kind, job usher.Job) error {
	return j.queue.PublishJobs(ctx, []queues.NewJob{{Kind: k, Job: job}})
}

func (j *jobs) Ending(_ context.Context, id string) (usher.State, *usher.JobError, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.states[id] == usher.Failed {
		return usher.Failed, &usher.JobError{Class: usher.SourceBroken, Message: "half of the file is missing"}, nil
	}
	if !j.states[id].Ended() {
		return "", nil, nil
	}
	return j.states[id], nil, nil
}

// dying dies after a publication.
type dying struct {
	*jobs

	die context.CancelFunc
}

func (d dying) Publish(ctx context.Context, k usher.Kind, job usher.Job) error {
	defer d.die()
	return d.jobs.Publish(ctx, k, job)
}
