package main_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"usher"
)

// whole holds an upload's members to its export, and its tally to itself: parts
// have windows of their own, so that repeats over their borders count otherwise.
func (p *plant) whole(r usher.Record, e export) {
	p.t.Helper()
	if r.State != usher.Done {
		p.t.Fatalf("job %s ended %s: %+v", r.ID, r.State, r.Error)
	}
	if r.Tally.Read != e.tally.Read || r.Tally.Accepted < e.tally.Accepted {
		p.t.Errorf("the tally is %s, of %s", asJSON(r.Tally), asJSON(e.tally))
	}
	if got, want := p.members("segments/1"), fingerprintOf(e.digests); got != want {
		p.t.Errorf("members are %+v, not %+v", got, want)
	}
}

// failedAs holds a job's end to a class.
func (p *plant) failedAs(r usher.Record, class usher.Class) {
	p.t.Helper()
	if r.State != usher.Failed || r.Error == nil || r.Error.Class != class || r.Error.Hint == "" {
		p.t.Errorf("job %s ended %s: %+v, not %s", r.ID, r.State, r.Error, class)
	}
}

func (p *plant) from(id, url string, more ...job) job {
	return p.addJob(id, "", append(more, job{"source": job{"url": url}})...)
}

// crm is an https server that has an export at several addresses.
type crm struct {
	*httptest.Server

	data    atomic.Pointer[[]byte]
	outside atomic.Int64 // requests for what nobody may read
}

func newCRM(t *testing.T) *crm {
	t.Helper()
	c := &crm{}
	c.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data := *c.data.Load()
		switch r.URL.Path {
		case "/in/moved":
			http.Redirect(w, r, "/in/export.txt", http.StatusFound)
		case "/in/away":
			http.Redirect(w, r, "/out/export.txt", http.StatusFound)
		case "/in/short":
			w.Header().Set("Content-Length", fmt.Sprint(len(data)+37))
			_, _ = w.Write(data)
		case "/in/endless":
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, _ = conn.Write(append([]byte("HTTP/1.0 200 OK\r\n\r\n"), data...))
				_ = conn.Close()
			}
		case "/in/export.txt":
			w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(data)))
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		default:
			c.outside.Add(1)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// TestHTTPSource: exports of an https server are uploaded whole, or not at all.
func TestHTTPSource(t *testing.T) {
	t.Parallel()
	c := newCRM(t)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPlant(t, "USHER_UPLOAD_BATCH_IDS=500", "USHER_SOURCES_PART_BYTES=65536",
		"USHER_SOURCES_HTTPS_CA="+ca, "USHER_SOURCES_ALLOW="+c.URL+"/in/")
	e := newExport(t, p.exports, 20_000, 31)
	data, err := os.ReadFile(e.path)
	if err != nil {
		t.Fatal(err)
	}
	c.data.Store(&data)
	p.worker("first")
	p.worker("second")
	p.publish(usher.SegmentAdd, p.from("https", c.URL+"/in/moved?signature=hunter2"))
	r := p.ended("https")
	p.whole(r, e)
	if r.Parts.Total < 10 || strings.Contains(asJSON(r), "hunter2") {
		t.Errorf("the record is %s", asJSON(r))
	}
	said, code := p.usher("inspect", c.URL+"/in/export.txt?signature=hunter2", "--json")
	var report struct {
		File  string      `json:"file"`
		Tally usher.Tally `json:"tally"`
	}
	if err := json.Unmarshal([]byte(said), &report); err != nil || code != 0 || report.File != c.URL+"/in/export.txt?…" || report.Tally.Read != e.tally.Read {
		t.Errorf("inspect exits %d: %v\n%s", code, err, said)
	}
	if e.appearsIn(said) || strings.Contains(said, "hunter2") {
		t.Error("inspect shows a secret")
	}
	for id, class := range map[string]usher.Class{
		"short": usher.SourceBroken, "endless": usher.SourceBroken, "away": usher.SourceRefused, "../out/export.txt": usher.SourceRefused, "%2e%2e/out/export.txt": usher.SourceRefused,
	} {
		name := strings.NewReplacer("/", "-", ".", "", "%", "").Replace(id)
		p.publish(usher.SegmentAdd, p.from(name, c.URL+"/in/"+id))
		p.failedAs(p.ended(name), class)
	}
	if n := c.outside.Load(); n != 0 {
		t.Errorf("%d requests for what lies outside", n)
	}
	p.slow(50 * time.Millisecond)
	before := p.uploads()
	p.publish(usher.SegmentAdd, p.from("changing", c.URL+"/in/export.txt"))
	eventually(t, "it is under way", func() bool { return p.uploads() > before+2 })
	other := append([]byte{}, data...)
	other[0] = 'F'
	c.data.Store(&other)
	p.failedAs(p.ended("changing"), usher.SourceBroken)
}

// TestFolderSource: a folder of 200 compressed files, here and in a bucket, is
// shared by two workers and uploaded whole, and not before it is whole.
func TestFolderSource(t *testing.T) {
	t.Parallel()
	backend := s3mem.New()
	store := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(store.Close)
	if err := backend.CreateBucket("exports"); err != nil {
		t.Fatal(err)
	}
	const files = 200
	p := newPlant(t, "USHER_SOURCES_BUCKETS=s3://exports?region=eu-central-1&use_path_style=true&endpoint="+url.QueryEscape(store.URL),
		"AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret")
	p.env = append(p.env, "USHER_SOURCES_ALLOW="+p.exports+",s3://exports/daily/")
	e := newExport(t, p.exports, 40_000, 32)
	text, err := os.ReadFile(e.path)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(p.exports, "daily")
	put := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := backend.PutObject("exports", "daily/"+name, map[string]string{}, bytes.NewReader(data), int64(len(data)), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i := range files {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write(bytes.Join(lines[i*len(lines)/files:(i+1)*len(lines)/files], nil))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		put(fmt.Sprintf("part-%05d.txt.gz", i), packed.Bytes())
	}
	p.worker("first")
	p.worker("second")
	whole := job{"doneMarker": "_SUCCESS", "url": "file://" + dir + "/"}
	p.publish(usher.SegmentAdd, p.addJob("early", "", job{"source": whole}))
	p.failedAs(p.ended("early"), usher.SourceMissing)
	put("_SUCCESS", nil)
	p.publish(usher.SegmentAdd, p.addJob("here", "", job{"source": whole}))
	r := p.ended("here")
	p.whole(r, e)
	if r.Parts.Total != files || r.Parts.Done != files {
		t.Errorf("parts are %+v", r.Parts)
	}
	few := int64(0) // rows of the first ten files
	for _, line := range lines[:10*len(lines)/files] {
		if len(bytes.TrimSpace(line)) > 0 {
			few++
		}
	}
	p.publish(usher.SegmentRemove, p.from("away", "s3://exports/daily/part-0000*.txt.gz", job{"dryRun": true}))
	if r = p.ended("away"); r.State != usher.Done || r.Tally.Read != few || r.Parts.Total != 10 {
		t.Errorf("job away ended %s: %+v, %+v", r.State, r.Error, r.Tally)
	}
	p.publish(usher.SegmentAdd, p.from("s3", "s3://exports/daily/part-*"))
	p.whole(p.ended("s3"), e)
	said, code := p.usher("inspect", "s3://exports/daily/", "--done-marker", "_SUCCESS")
	if code != 0 || !strings.Contains(said, "40,000") || e.appearsIn(said) ||
		!strings.Contains(said, "--done-marker _SUCCESS s3://exports/daily/ --wait") {
		t.Errorf("inspect exits %d:\n%s", code, said)
	}
	p.publish(usher.SegmentAdd, p.from("refused", "s3://exports/other/"))
	p.failedAs(p.ended("refused"), usher.SourceRefused)
}
