package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/status"
)

// feedPlaces are a folder and a bucket that feeds watch.
type feedPlaces struct {
	*deployment

	folder  string // with the folders in and done
	bucket  *s3mem.Backend
	workers map[string]*process
}

// feedFile has a feed of files in a folder, which are counted before they are taken and moved
// to the bucket, and one of a folder in the bucket, which is moved to a local folder.
const feedFile = `feeds:
  - name: files
    watch: DIR/in/*.txt
    every: 1s
    settle: 1s
    job: {kind: segment.add, segment: "1", profile: idfa}
    expect: {min_rows: 10}
    after: {move: s3://exports/done/}
  - name: objects
    watch: s3://exports/in/
    every: 1s
    done_marker: _SUCCESS
    job: {kind: segment.mirror, segment: "4", profile: idfa, maxRemovePercent: 100}
    after: {move: DIR/done/}
`

func newFeedPlaces(t *testing.T) *feedPlaces {
	t.Helper()
	x := &feedPlaces{folder: t.TempDir(), bucket: s3mem.New(), workers: map[string]*process{}}
	store := httptest.NewServer(gofakes3.New(x.bucket, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(store.Close)
	if err := x.bucket.CreateBucket("exports"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(x.folder, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "feeds.yaml")
	writeFile(t, file, strings.ReplaceAll(feedFile, "DIR", x.folder))
	x.deployment = newDeployment(t, "USHER_FEEDS_FILES="+file, "USHER_LEDGER_URL="+t.TempDir(), "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret",
		"USHER_SOURCES_BUCKETS=s3://exports?region=eu-central-1&use_path_style=true&endpoint="+url.QueryEscape(store.URL))
	x.env = append(x.env, "USHER_SOURCES_ALLOW="+x.folder+",s3://exports/")
	return x
}

// put writes an object.
func (x *feedPlaces) put(key string, data []byte) {
	x.t.Helper()
	meta := map[string]string{"Last-Modified": time.Now().UTC().Format(http.TimeFormat)}
	if _, err := x.bucket.PutObject("exports", key, meta, bytes.NewReader(data), int64(len(data)), nil); err != nil {
		x.t.Fatal(err)
	}
}

// keys returns the names of the objects under a prefix.
func (x *feedPlaces) keys(prefix string) (names []string) {
	x.t.Helper()
	list, err := x.bucket.ListBucket("exports", &gofakes3.Prefix{HasPrefix: true, Prefix: prefix}, gofakes3.ListBucketPage{})
	if err != nil {
		x.t.Fatal(err)
	}
	for _, object := range list.Contents {
		names = append(names, strings.TrimPrefix(object.Key, prefix))
	}
	return names
}

// files returns the names of the files in a folder.
func (x *feedPlaces) files(dir string) (names []string) {
	x.t.Helper()
	found, err := filepath.Glob(filepath.Join(x.folder, dir, "*"))
	if err != nil {
		x.t.Fatal(err)
	}
	for _, path := range found {
		names = append(names, filepath.Base(path))
	}
	return names
}

// start starts a worker.
func (x *feedPlaces) start(name string) {
	x.t.Helper()
	x.workers[name] = x.worker(name)
}

// killLooker kills the worker that leads the feeds when it writes to the state of one for the nth
// time: it begins to look, has counted rows, or has published a job. The worker starts again.
func (x *feedPlaces) killLooker(n int) {
	x.t.Helper()
	bucket, err := x.js.KeyValue(x.t.Context(), "usher_rules")
	if err != nil {
		x.t.Fatal(err)
	}
	watch, err := bucket.Watch(x.t.Context(), "feeds.*", jetstream.UpdatesOnly())
	if err != nil {
		x.t.Fatal(err)
	}
	defer func() { _ = watch.Stop() }() // the connection ends with the test
	timeout := time.After(patience)
	for seen := 0; seen < n; {
		select {
		case entry := <-watch.Updates():
			if entry != nil && bytes.Contains(entry.Value(), []byte(`"looking"`)) {
				seen++
			}
		case <-timeout:
			x.t.Fatal("timed out")
		}
	}
	leader := x.leader("feeds")
	x.workers[leader].kill()
	x.start(leader)
}

// leader returns the name of the worker that leads a task.
func (x *feedPlaces) leader(task string) string {
	x.t.Helper()
	bucket, err := x.js.KeyValue(x.t.Context(), "usher_state")
	if err != nil {
		x.t.Fatal(err)
	}
	entry, err := bucket.Get(x.t.Context(), "workers")
	if err != nil {
		x.t.Fatal(err)
	}
	var members struct {
		Workers map[string]struct {
			Worker string `json:"worker"`
		} `json:"workers"`
		Leaders map[string]string `json:"leaders"`
	}
	if err := json.Unmarshal(entry.Value(), &members); err != nil {
		x.t.Fatal(err)
	}
	return members.Workers[members.Leaders[task]].Worker
}

// jobsOf returns the records of a feed's jobs.
func (x *feedPlaces) jobsOf(feed string) (jobs []usher.Record) {
	x.t.Helper()
	all, err := x.queue.Status().Records(x.t.Context(), status.Filter{})
	if err != nil {
		x.t.Fatal(err)
	}
	for _, r := range all {
		if strings.HasPrefix(r.ID, "feed-"+feed+"-") {
			jobs = append(jobs, r)
		}
	}
	return jobs
}

// Workers that are killed while they look for exports publish one job for each version, and
// each export is moved when its job is done, to another kind of place.
func TestFeedsSurviveKills(t *testing.T) {
	t.Parallel()
	x := newFeedPlaces(t)
	for i := range 3 {
		x.start(fmt.Sprint("worker-", i))
	}
	const versions = 3
	all, seed := map[[16]byte]bool{}, uint64(0)
	var last export
	for i := range versions {
		for range 2 {
			seed++
			e := newExport(t, t.TempDir(), 2000, seed)
			maps.Copy(all, e.digests)
			if err := os.Rename(e.path, filepath.Join(x.folder, "in", filepath.Base(e.path))); err != nil {
				t.Fatal(err)
			}
		}
		last = newExport(t, t.TempDir(), 2000, 100+seed)
		data, err := os.ReadFile(last.path)
		if err != nil {
			t.Fatal(err)
		}
		half := len(data)/2 + bytes.IndexByte(data[len(data)/2:], '\n') + 1
		x.put("in/a.txt", data[:half])
		x.put("in/b.txt", data[half:])
		x.put("in/_SUCCESS", nil)
		x.killLooker(1 + i)
		eventually(t, "the folder of the bucket is moved", func() bool { return len(x.keys("in/")) == 0 && len(x.jobsOf("objects")) == i+1 })
	}
	eventually(t, "all files are moved", func() bool { return len(x.files("in")) == 0 && len(x.keys("done/")) == 2*versions })
	if got := x.files("done"); len(got) != 2*versions+1 || !slices.Contains(got, "_SUCCESS") {
		t.Errorf("the objects and the marker, which is the same each time, were moved to %v", got)
	}
	for feed, want := range map[string]int{"files": 2 * versions, "objects": versions} {
		jobs := x.jobsOf(feed)
		for _, r := range jobs {
			if r.State != usher.Done || r.Attempts > 1 {
				t.Errorf("job %s is %s after %d attempts: %+v", r.ID, r.State, r.Attempts, r.Error)
			}
		}
		if len(jobs) != want {
			t.Errorf("feed %s has %d jobs, want %d", feed, len(jobs), want)
		}
	}
	if got, want := x.members("segments/1"), fingerprintOf(all); got != want {
		t.Errorf("the files' segment is %+v, want %+v", got, want)
	}
	if got, want := x.members("segments/4"), fingerprintOf(last.digests); got != want {
		t.Errorf("the objects' segment is %+v, want %+v", got, want)
	}
}

// A feed file that is changed to a target that the platform does not have makes the feed wrong, as
// feeds check says; when the target is right again, so is the feed.
func TestFeedTargetIsChecked(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	feed := filepath.Join(t.TempDir(), "feeds.yaml")
	change := func(target string) {
		writeFile(t, feed, strings.NewReplacer("DIR", folder, "TARGET", target).Replace(`feeds:
  - name: crm
    watch: DIR/*.csv
    job: {TARGET}
`))
	}
	change(`kind: segment.add, segment: "1", profile: idfa`)
	d := newDeployment(t, "USHER_FEEDS_FILES="+feed)
	d.env = append(d.env, "USHER_SOURCES_ALLOW="+folder)
	d.worker("worker")
	shows := func(what string) {
		t.Helper()
		eventually(t, "feeds show says "+what, func() bool {
			out, _ := d.usher("feeds", "show", "crm")
			return strings.Contains(out, what)
		})
	}
	shows("watching")
	for target, problem := range map[string]string{
		`kind: segment.add, segment: "17", profile: idfa`:       `segment "17" does not exist for advertiser SANDBOX1`,
		`kind: segment.add, segment: "2", profile: idfa`:        `segment "2" is of type ANDROID_ID and takes no idfa`,
		`kind: target.add, campaign: SANDBOX1-x, profile: idfa`: `campaign "SANDBOX1-x" does not exist for advertiser SANDBOX1`,
	} {
		change(target)
		shows(problem)
		if log := d.log("worker"); !strings.Contains(log, "something is wrong with a feed") {
			t.Errorf("the log does not say that %s", problem)
		}
	}
	change(`kind: segment.add, segment: "1", profile: idfa`)
	shows("watching")
}

// A raw id in the name of a watched folder, of a file, or in what people write is neither stored
// nor shown by a feed, and the audit has what people do. A job has the name of its file, which it
// cannot read otherwise.
func TestCanariesInFeeds(t *testing.T) {
	t.Parallel()
	const inFolder, inFile, inText = "A1D92078-8246-4BA4-AE5B-761048610001", "B2D92078-8246-4BA4-AE5B-761048610002", "C3D92078-8246-4BA4-AE5B-761048610003"
	folder := filepath.Join(t.TempDir(), inFolder)
	for _, dir := range []string{"in", "done"} {
		if err := os.MkdirAll(filepath.Join(folder, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	feed := filepath.Join(t.TempDir(), "feeds.yaml")
	writeFile(t, feed, strings.ReplaceAll(`feeds:
  - name: crm
    watch: DIR/in/*.csv
    every: 1s
    settle: 1s
    job: {kind: segment.add, segment: "1", profile: idfa}
    expect: {min_rows: 2}
    after: {move: DIR/done/}
`, "DIR", folder))
	d := newDeployment(t, "USHER_LOG_LEVEL=debug", "USHER_FEEDS_FILES="+feed)
	d.env = append(d.env, "USHER_SOURCES_ALLOW="+filepath.Dir(folder))
	d.worker("worker")
	shown := map[string]string{}
	run := func(args ...string) string {
		t.Helper()
		out, _ := d.usher(args...) // each is tried until it has the right result
		shown[strings.Join(args, " ")] += out
		return out
	}
	writeFile(t, filepath.Join(folder, "in", inFile+".csv"), rawID+"\n")
	eventually(t, "an export is held", func() bool { return strings.Contains(run("feeds", "show", "crm"), "held: min_rows") })
	for _, action := range []string{"pause", "resume", "reject"} {
		run("feeds", action, "crm", "--actor", "ann", "--reason", "for "+inText)
	}
	writeFile(t, filepath.Join(folder, "in", inFile+".csv"), rawID+"\n"+strings.Replace(rawID, "8246", "8247", 1)+"\n")
	eventually(t, "the export is moved", func() bool {
		_, err := os.Stat(filepath.Join(folder, "done", inFile+".csv"))
		return err == nil
	})
	for _, args := range [][]string{{"feeds", "ls"}, {"feeds", "show", "crm", "--json"}, {"jobs", "ls", "--json"}, {"feeds", "check", feed}} {
		run(args...)
	}
	for _, stream := range []string{"KV_usher_rules", "KV_usher_state", "USHER_EVENTS", "USHER_DEAD"} {
		shown["stream "+stream] = d.messages(stream)
	}
	log, err := os.ReadFile(filepath.Join(logDir(t), "worker.log"))
	if err != nil {
		t.Fatal(err)
	}
	shown["log"] = string(log)
	for name, text := range shown {
		for _, id := range []string{inFolder, inFile, inText, rawID} {
			if names := strings.Contains(name, "jobs") || strings.Contains(name, "state"); names && (id == inFolder || id == inFile) {
				continue
			}
			if strings.Contains(digitsAndLetters(text), digitsAndLetters(id)) {
				t.Errorf("%s has %s: %.600s", name, id, text)
			}
		}
	}
	for _, want := range []string{"feed crm paused", "feed crm runs", "feed crm rejected", `"actor":"ann"`} {
		if !strings.Contains(shown["stream USHER_EVENTS"]+shown["stream KV_usher_rules"], want) {
			t.Errorf("the audit has no %s", want)
		}
	}
}
