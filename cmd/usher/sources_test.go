package main_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
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

// wantAllMembers checks that an upload in parts is done with all members of its
// export. It does not compare the whole tally: each part has its own de-duplication
// window, so repetitions across parts count as accepted.
func (d *deployment) wantAllMembers(r usher.Record, e export) {
	d.t.Helper()
	if r.State != usher.Done {
		d.t.Fatalf("job %s ended %s: %+v", r.ID, r.State, r.Error)
	}
	if r.Tally.Read != e.tally.Read || r.Tally.Accepted < e.tally.Accepted {
		d.t.Errorf("the tally is %s, want at least the ids of %s", asJSON(r.Tally), asJSON(e.tally))
	}
	if got, want := d.members("segments/1"), fingerprintOf(e.digests); got != want {
		d.t.Errorf("members are %+v, want %+v", got, want)
	}
}

// wantFailed checks that a job failed with a class of error and a hint.
func (d *deployment) wantFailed(r usher.Record, class usher.Class) {
	d.t.Helper()
	if r.State != usher.Failed || r.Error == nil || r.Error.Class != class || r.Error.Hint == "" {
		d.t.Errorf("job %s ended %s: %+v, want failed with %s", r.ID, r.State, r.Error, class)
	}
}

// addFrom returns a job that adds the ids at a URL.
func (d *deployment) addFrom(id, url string, more ...job) job {
	return d.addJob(id, "", append(more, job{"source": job{"url": url}})...)
}

// crm is an HTTPS server that serves an export at several addresses.
type crm struct {
	*httptest.Server

	data    atomic.Pointer[[]byte]
	outside atomic.Int64 // requests outside the allowed folder
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

// TestHTTPSource uploads exports from an HTTPS server. Incomplete and forbidden
// exports must fail.
func TestHTTPSource(t *testing.T) {
	t.Parallel()
	c := newCRM(t)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDeployment(t, "USHER_UPLOAD_BATCH_IDS=500", "USHER_SOURCES_PART_BYTES=65536",
		"USHER_SOURCES_HTTPS_CA="+ca, "USHER_SOURCES_ALLOW="+c.URL+"/in/")
	e := newExport(t, d.exports, 20_000, 31)
	data, err := os.ReadFile(e.path)
	if err != nil {
		t.Fatal(err)
	}
	c.data.Store(&data)
	d.worker("first")
	d.worker("second")
	d.publish(usher.SegmentAdd, d.addFrom("https", c.URL+"/in/moved?signature=hunter2"))
	r := d.ended("https")
	d.wantAllMembers(r, e)
	if r.Parts.Total < 10 || strings.Contains(asJSON(r), "hunter2") {
		t.Errorf("the record has fewer than 10 parts or contains a secret: %s", asJSON(r))
	}
	var report struct {
		File  string      `json:"file"`
		Tally usher.Tally `json:"tally"`
	}
	output := d.usherJSON(&report, "inspect", c.URL+"/in/export.txt?signature=hunter2")
	if report.File != c.URL+"/in/export.txt?…" || report.Tally.Read != e.tally.Read {
		t.Errorf("inspect printed %s", output)
	}
	if e.appearsIn(output) || strings.Contains(output, "hunter2") {
		t.Error("the output of inspect contains an id or a secret")
	}
	for id, class := range map[string]usher.Class{
		"short": usher.SourceBroken, "endless": usher.SourceBroken, "away": usher.SourceRefused, "../out/export.txt": usher.SourceRefused, "%2e%2e/out/export.txt": usher.SourceRefused,
	} {
		name := strings.NewReplacer("/", "-", ".", "", "%", "").Replace(id)
		d.publish(usher.SegmentAdd, d.addFrom(name, c.URL+"/in/"+id))
		d.wantFailed(d.ended(name), class)
	}
	if n := c.outside.Load(); n != 0 {
		t.Errorf("%d requests outside the allowed folder", n)
	}
	d.slow(50 * time.Millisecond)
	before := d.uploads()
	d.publish(usher.SegmentAdd, d.addFrom("changing", c.URL+"/in/export.txt"))
	eventually(t, "the upload is running", func() bool { return d.uploads() > before+2 })
	changed := append([]byte{}, data...)
	changed[0] = 'F'
	c.data.Store(&changed)
	d.wantFailed(d.ended("changing"), usher.SourceBroken)
}

// TestFolderSource uploads a folder of 200 compressed files, on disk and in a bucket,
// with two workers. It must not be uploaded before its done marker exists.
func TestFolderSource(t *testing.T) {
	t.Parallel()
	backend := s3mem.New()
	store := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(store.Close)
	if err := backend.CreateBucket("exports"); err != nil {
		t.Fatal(err)
	}
	const files, parts = 200, 50 // small files share parts
	d := newDeployment(t, "USHER_SOURCES_BUCKETS=s3://exports?region=eu-central-1&use_path_style=true&endpoint="+url.QueryEscape(store.URL),
		"AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret", "USHER_SOURCES_PART_BYTES=65536")
	d.env = append(d.env, "USHER_SOURCES_ALLOW="+d.exports+",s3://exports/daily/")
	e := newExport(t, d.exports, 40_000, 32)
	text, err := os.ReadFile(e.path)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(d.exports, "daily")
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
	d.worker("first")
	d.worker("second")
	source := job{"doneMarker": "_SUCCESS", "url": "file://" + dir + "/"}
	d.publish(usher.SegmentAdd, d.addJob("early", "", job{"source": source}))
	d.wantFailed(d.ended("early"), usher.SourceMissing)
	put("_SUCCESS", nil)
	d.publish(usher.SegmentAdd, d.addJob("here", "", job{"source": source}))
	r := d.ended("here")
	d.wantAllMembers(r, e)
	if r.Parts.Total != parts || r.Parts.Done != parts {
		t.Errorf("parts are %+v, want all %d done", r.Parts, parts)
	}
	firstRows := int64(0) // rows of the first ten files
	for _, line := range lines[:10*len(lines)/files] {
		if len(bytes.TrimSpace(line)) > 0 {
			firstRows++
		}
	}
	d.publish(usher.SegmentRemove, d.addFrom("away", "s3://exports/daily/part-0000*.txt.gz", job{"dryRun": true}))
	if r = d.ended("away"); r.State != usher.Done || r.Tally.Read != firstRows || r.Parts.Total != 1 {
		t.Errorf("job away ended %s: %+v, %+v, %+v", r.State, r.Error, r.Tally, r.Parts)
	}
	d.publish(usher.SegmentAdd, d.addFrom("s3", "s3://exports/daily/part-*"))
	d.wantAllMembers(d.ended("s3"), e)
	output, code := d.usher("inspect", "s3://exports/daily/", "--done-marker", "_SUCCESS")
	if code != 0 || !strings.Contains(output, "40,000") || e.appearsIn(output) ||
		!strings.Contains(output, "--done-marker _SUCCESS s3://exports/daily/ --wait") {
		t.Errorf("inspect exited with %d:\n%s", code, output)
	}
	d.publish(usher.SegmentAdd, d.addFrom("refused", "s3://exports/other/"))
	d.wantFailed(d.ended("refused"), usher.SourceRefused)
}
