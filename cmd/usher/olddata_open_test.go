package main_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"usher"
)

// oldData is usher dev on a data folder of an older version.
type oldData struct {
	t   *testing.T
	dir string
	dev *process
	env []string
	url string // the sandbox's
}

// openOldData unpacks a folder and starts usher dev on it.
func openOldData(t *testing.T, folder string) *oldData {
	t.Helper()
	o := &oldData{t: t, dir: t.TempDir()}
	o.unpack("testdata/olddata/data.tar.gz")
	redate(t, filepath.Join(o.dir, folder, "nats"))
	const years = "876000h" // the jobs are as old as the folder
	o.env = []string{
		asUsher + "=1", "GORACE=atexit_sleep_ms=0", "USHER_RETRY_AGE=" + years, "USHER_RETRY_CAMPAIGN_AGE=" + years,
		"USHER_UPLOAD_BATCH_IDS=250", "USHER_SOURCES_PART_BYTES=65536", "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret",
		"USHER_SOURCES_BUCKETS=s3://crm?region=eu-central-1&use_path_style=true&endpoint=" + url.QueryEscape(storeOfExports(t)),
	}
	ready := filepath.Join(o.dir, "ready.json")
	o.dev = startProcess(t, "dev", o.env, o.program(), "dev", "--data", filepath.Join(o.dir, folder), "--allow", "s3://crm/",
		"--nats", "127.0.0.1:0", "--redis", "127.0.0.1:0", "--sandbox", "127.0.0.1:0", "--console", "127.0.0.1:0", "--ready-file", ready)
	var where struct {
		NATS     string `json:"nats"`
		Redis    string `json:"redis"`
		Platform string `json:"platform"`
	}
	eventually(t, "usher dev is ready", func() bool {
		data, err := os.ReadFile(ready)
		return err == nil && json.Unmarshal(data, &where) == nil
	})
	o.url = where.Platform
	o.env = append(o.env, "USHER_NATS_URL="+where.NATS, "USHER_REDIS_URL="+where.Redis, "USHER_PLATFORM_URL="+where.Platform)
	return o
}

func (o *oldData) program() string {
	self, err := os.Executable()
	if err != nil {
		o.t.Fatal(err)
	}
	return self
}

func (o *oldData) unpack(archive string) {
	o.t.Helper()
	data, err := os.ReadFile(archive)
	if err != nil {
		o.t.Fatal(err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		o.t.Fatal(err)
	}
	files := tar.NewReader(zip)
	for {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			o.t.Fatal(err)
		}
		path := filepath.Join(o.dir, filepath.FromSlash(head.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			o.t.Fatal(err)
		}
		if data, err = io.ReadAll(files); err != nil {
			o.t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			o.t.Fatal(err)
		}
	}
}

func (o *oldData) stop() int {
	o.dev.signal(syscall.SIGTERM)
	return o.dev.exit(o.t)
}

// run runs a command that must exit with 0, and returns what it prints.
func (o *oldData) run(args ...string) string {
	o.t.Helper()
	out, errs, code := o.usher(args...)
	if code != 0 {
		o.t.Fatalf("usher %s exits with %d:\n%s%s", strings.Join(args, " "), code, out, errs)
	}
	return out
}

func (o *oldData) usher(args ...string) (out, errs string, code int) {
	o.t.Helper()
	var stdout, stderr strings.Builder
	ctx, cancel := context.WithTimeout(o.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, o.program(), args...)
	cmd.Dir = o.dir
	cmd.Env = append(os.Environ(), o.env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // its exit code says the same
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// json decodes what a command prints with --json.
func (o *oldData) json(v any, args ...string) {
	o.t.Helper()
	out := o.run(append(slices.Clone(args), "--json")...)
	if err := json.Unmarshal([]byte(out), v); err != nil {
		o.t.Fatalf("usher %s: %v", strings.Join(args, " "), err)
	}
}

func (o *oldData) record(id string) (r usher.Record) {
	o.t.Helper()
	o.json(&r, "jobs", "show", id)
	return r
}

// ended waits until a job has ended.
func (o *oldData) ended(id string) usher.Record {
	o.t.Helper()
	eventually(o.t, "job "+id+" is on record", func() bool { _, _, code := o.usher("jobs", "show", id); return code == 0 })
	o.usher("jobs", "watch", id)
	return o.record(id)
}

func (o *oldData) isDone(r usher.Record, accepted int, dropped usher.Tally) {
	o.t.Helper()
	want := dropped
	want.Accepted = int64(accepted)
	want.Read = want.Accepted + want.Duplicate + want.Junk.Sum() + want.Invalid.Sum()
	if r.State != usher.Done || asJSON(r.Tally) != asJSON(want) {
		o.t.Errorf("job %s is %s, want the tally %s", r.ID, said(r), asJSON(want))
	}
}

// reruns waits until the second run of a job is done.
func (o *oldData) reruns(id string, accepted int) {
	o.t.Helper()
	eventually(o.t, "run 2 of job "+id+" has ended", func() bool { r := o.record(id); return r.Run == 2 && r.State.Ended() })
	if r := o.record(id); r.State != usher.Done || r.Tally.Accepted != int64(accepted) {
		o.t.Errorf("job %s is %s", id, said(r))
	}
}

// holds compares the members of a segment or campaign with device ids.
func (o *oldData) holds(of string, lists ...[]string) {
	o.t.Helper()
	digests := map[[md5.Size]byte]bool{}
	for _, list := range lists {
		for _, raw := range list {
			digests[md5.Sum([]byte(raw))] = true
		}
	}
	if got, want := o.members(of), fingerprintOf(digests); got != want {
		o.t.Errorf("%s has the members %+v, not %+v", of, got, want)
	}
}

func (o *oldData) members(of string) (f footprint) {
	o.t.Helper()
	answer, err := http.Get(o.url + "/sandbox/" + of + "/fingerprint")
	if err != nil {
		o.t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&f); err != nil || answer.StatusCode != http.StatusOK {
		o.t.Fatalf("members of %s: %s %v", of, answer.Status, err)
	}
	return f
}

// hasStatus compares the status of all creatives of a campaign.
func (o *oldData) hasStatus(campaign, want string) {
	o.t.Helper()
	other := map[string]string{"ACTIVE": `"INACTIVE"`, "INACTIVE": `"ACTIVE"`}[want]
	if out := o.run("api", "campaigns", "status", "SANDBOX1-"+campaign, "--json"); !strings.Contains(out, `"`+want+`"`) || strings.Contains(out, other) {
		o.t.Errorf("not all creatives of %s are %s: %s", campaign, want, out)
	}
}

// storeOfExports serves what the jobs read, and what their letters miss.
func storeOfExports(t *testing.T) (endpoint string) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("crm"); err != nil {
		t.Fatal(err)
	}
	junk := []string{deviceID("few", 0), "00000000-0000-0000-0000-000000000000", "neither"}
	for key, lines := range map[string][]string{
		"few.txt": append(deviceIDs("few", 700), junk...), "gone.txt": deviceIDs("large", 10), "parts.txt": deviceIDs("parts", 8_800),
		"retry.txt": deviceIDs("retry", 1_000), "halfway.txt": deviceIDs("halfway", 1_700), "again.txt": deviceIDs("again", 30),
		"missing.txt": deviceIDs("missing", 40), "behind.txt": deviceIDs("large", 20),
	} {
		text := strings.Join(lines, "\n") + "\n"
		if _, err := backend.PutObject("crm", key, map[string]string{}, strings.NewReader(text), int64(len(text)), nil); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(server.Close)
	return server.URL
}

// deviceIDs are made-up device ids, as testdata/olddata/make.go makes them.
func deviceIDs(name string, n int) (ids []string) {
	for i := range n {
		ids = append(ids, deviceID(name, i))
	}
	return ids
}

func deviceID(name string, i int) string {
	h := sha256.Sum256(fmt.Appendf(nil, "%s %d", name, i))
	h[6], h[8] = h[6]&0x0f|0x40, h[8]&0x3f|0x80
	return strings.ToUpper(fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16]))
}
