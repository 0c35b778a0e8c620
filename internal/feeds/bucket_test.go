package feeds_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"usher"
)

// bucket is the bucket crm of an S3 store.
type bucket struct {
	*s3mem.Backend

	url   string
	clock gofakes3.TimeSourceAdvancer // each write takes a second
	down  atomic.Bool                 // it answers 503
}

func newBucket(t *testing.T) *bucket {
	t.Helper()
	b := &bucket{clock: gofakes3.FixedTimeSource(time.Now())}
	b.Backend = s3mem.New(s3mem.WithTimeSource(b.clock))
	if err := b.CreateBucket("crm"); err != nil {
		t.Fatal(err)
	}
	s3 := gofakes3.New(b.Backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		s3.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	b.url = "s3://crm?region=eu-central-1&use_path_style=true&endpoint=" + url.QueryEscape(server.URL)
	return b
}

// newBucketFixture returns a fixture whose feed watches names in s3://crm/in/.
func newBucketFixture(t *testing.T, watch, kind, text string) *fixture {
	t.Helper()
	x := newFixture(t, "", kind, text)
	x.bucket = newBucket(t)
	x.load(fmt.Sprintf("feeds:\n  - name: crm\n    watch: s3://crm/in/%s\n    job: {kind: %s, segment: \"17\", profile: idfa}\n%s", watch, kind, text))
	x.dir = "s3://crm/in"
	return x
}

// put writes an object of a number of rows.
func (x *fixture) put(key string, rows int) {
	x.t.Helper()
	var text strings.Builder
	for i := range rows {
		fmt.Fprintf(&text, "6D92078A-8246-4BA4-AE5B-%012X\n", i)
	}
	x.bucket.clock.Advance(time.Second)
	meta := map[string]string{"Last-Modified": x.bucket.clock.Now().UTC().Format(http.TimeFormat)}
	if _, err := x.bucket.PutObject("crm", key, meta, strings.NewReader(text.String()), int64(text.Len()), nil); err != nil {
		x.t.Fatal(err)
	}
}

// drop writes a file into the watched place.
func (x *fixture) drop(name string, rows int) {
	x.t.Helper()
	if x.bucket != nil {
		x.put("in/"+name, rows)
		return
	}
	x.write(name, rows)
}

// erase removes a file from the watched place.
func (x *fixture) erase(name string) {
	x.t.Helper()
	var err error
	if x.bucket != nil {
		_, err = x.bucket.DeleteObject("crm", "in/"+name)
	} else {
		err = os.Remove(filepath.Join(x.dir, name))
	}
	if err != nil {
		x.t.Fatal(err)
	}
}

// keys returns the names of all objects.
func (x *fixture) keys() string {
	x.t.Helper()
	list, err := x.bucket.ListBucket("crm", nil, gofakes3.ListBucketPage{})
	if err != nil {
		x.t.Fatal(err)
	}
	var keys []string
	for _, object := range list.Contents {
		keys = append(keys, object.Key)
	}
	slices.Sort(keys)
	return strings.Join(keys, " ")
}

// The objects of a bucket are exports as the files of a folder are, and are moved within it.
func TestBucket(t *testing.T) {
	t.Parallel()
	x := newBucketFixture(t, "*.csv", "segment.add", "    settle: 90s\n    after: {move: s3://crm/done/}\n    expect: {min_rows: 2}\n")
	w := x.worker()
	x.put("in/a.csv", 2)
	x.put("in/sub/b.csv", 2)
	x.put("in/c.csv.part", 2)
	x.look(w)
	x.put("in/a.csv", 3)
	x.look(w)
	x.wantJobs()
	x.look(w)
	x.look(w)
	x.wantJobs("a.csv")
	x.put("in/d.csv", 1)
	for range 3 {
		x.look(w)
	}
	if held := x.state().Held(); len(held) != 1 || held[0].Held != "min_rows" {
		t.Errorf("the feed holds %v and says %q", held, x.state().WhyNothing())
	}
	x.end(usher.Done)
	x.look(w)
	if got := x.keys(); got != "done/a.csv in/c.csv.part in/d.csv in/sub/b.csv" {
		t.Errorf("after the job there are %s", got)
	}
}

// A folder of a bucket is complete when its marker is there, and is moved with it, to a local
// folder.
func TestBucketMarker(t *testing.T) {
	t.Parallel()
	x := newBucketFixture(t, "", "segment.mirror", "    done_marker: _SUCCESS\n")
	local := newFixture(t, "", "segment.mirror", "    done_marker: _SUCCESS\n    after: {move: DIR/done/}\n")
	x.feed.Move = local.feed.Move
	w := x.worker()
	w.Places = x.places(local.feed.Move.URL())
	x.put("in/1.csv", 1)
	x.put("in/2.csv", 2)
	for range 4 {
		x.look(w)
	}
	x.wantJobs()
	x.put("in/_SUCCESS", 0)
	x.look(w)
	x.wantJobs("")
	x.end(usher.Done)
	x.look(w)
	if got := local.names("../done"); x.keys() != "" || got != "1.csv 2.csv _SUCCESS" {
		t.Errorf("after the job the bucket has %q and the folder %q", x.keys(), got)
	}
}

// A marker stands for one version: while the next export is prepared by removing the files of
// the last one, what is left of these must be unchanged for settle.
func TestStaleMarker(t *testing.T) {
	t.Parallel()
	for name, newOne := range map[string]func(t *testing.T, watch, kind, text string) *fixture{"bucket": newBucketFixture, "folder": newFixture} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testStaleMarker(newOne(t, "", "segment.mirror", "    done_marker: _SUCCESS\n    settle: 150s\n"))
		})
	}
}

func testStaleMarker(x *fixture) {
	t := x.t
	w := x.worker()
	for i, name := range []string{"1.csv", "2.csv", "3.csv", "_SUCCESS"} {
		x.drop(name, (i+1)%4)
	}
	x.look(w)
	x.wantJobs("")
	x.erase("1.csv")
	if s := x.look(w); !strings.Contains(s.WhyNothing(), "_SUCCESS") || !strings.Contains(s.WhyNothing(), "unchanged") {
		t.Errorf("of a part of the last export, the feed says %q", s.WhyNothing())
	}
	x.erase("2.csv")
	x.look(w)
	x.look(w)
	x.wantJobs("")
	x.erase("_SUCCESS")
	x.drop("1.csv", 9)
	x.look(w)
	x.look(w)
	x.wantJobs("")
	x.drop("_SUCCESS", 0)
	x.look(w)
	x.wantJobs("", "")
}

// A place that fails for a moment is looked at again soon, although the schedule is far away.
func TestPlaceFails(t *testing.T) {
	t.Parallel()
	x := newBucketFixture(t, "*.csv", "segment.add", "    settle: 1s\n    schedule: \"0 6 * * *\"\n")
	w := x.worker()
	x.put("in/a.csv", 1)
	x.bucket.down.Store(true)
	if s := x.look(w); s.Next.Sub(x.Now()) > 2*time.Minute || s.WhyNothing() == "" {
		t.Errorf("the next look is at %s, and the feed says %q", s.Next, s.WhyNothing())
	}
	x.bucket.down.Store(false)
	x.look(w)
	x.look(w)
	x.wantJobs("a.csv")
	if s := x.state(); s.Next.UTC().Format("15:04") != "06:00" {
		t.Errorf("the next look is at %s", s.Next)
	}
}
