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

// oldData is a running usher dev that uses the data folder of an older version.
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
	const years = "876000h" // the jobs must not expire by age
	o.env = []string{
		asUsher + "=1", "GORACE=atexit_sleep_ms=0", "USHER_RETRY_AGE=" + years, "USHER_RETRY_CAMPAIGN_AGE=" + years,
		"USHER_UPLOAD_BATCH_IDS=250", "USHER_SOURCES_PART_BYTES=65536", "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret",
		"USHER_SOURCES_BUCKETS=s3://crm?region=eu-central-1&use_path_style=true&endpoint=" + url.QueryEscape(serveExports(t)),
	}
	ready := filepath.Join(o.dir, "ready.json")
	o.dev = startProcess(t, "dev", o.env, commandProgram(o.t), "dev", "--data", filepath.Join(o.dir, folder), "--allow", "s3://crm/",
		"--nats", "127.0.0.1:0", "--redis", "127.0.0.1:0", "--sandbox", "127.0.0.1:0", "--console", "127.0.0.1:0", "--ready-file", ready)
	var addresses struct {
		NATS     string `json:"nats"`
		Redis    string `json:"redis"`
		Platform string `json:"platform"`
	}
	eventually(t, "usher dev is ready", func() bool {
		data, err := os.ReadFile(ready)
		return err == nil && json.Unmarshal(data, &addresses) == nil
	})
	o.url = addresses.Platform
	o.env = append(o.env, "USHER_NATS_URL="+addresses.NATS, "USHER_REDIS_URL="+addresses.Redis, "USHER_PLATFORM_URL="+addresses.Platform)
	return o
}

func (o *oldData) unpack(archive string) {
	o.t.Helper()
	data, err := os.ReadFile(archive)
	if err != nil {
		o.t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		o.t.Fatal(err)
	}
	files := tar.NewReader(unzipped)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			o.t.Fatal(err)
		}
		path := filepath.Join(o.dir, filepath.FromSlash(header.Name))
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

// run runs a usher command, which must exit with 0, and returns its stdout.
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
	cmd := exec.CommandContext(ctx, commandProgram(o.t), args...)
	cmd.Dir = o.dir
	cmd.Env = append(os.Environ(), o.env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the caller checks the exit code
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// json runs a command with --json and decodes its output into v.
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

// ended waits until a job has ended and returns its record.
func (o *oldData) ended(id string) usher.Record {
	o.t.Helper()
	eventually(o.t, "job "+id+" has a record", func() bool { _, _, code := o.usher("jobs", "show", id); return code == 0 })
	o.usher("jobs", "watch", id)
	return o.record(id)
}

func (o *oldData) wantDone(r usher.Record, accepted int, dropped usher.Tally) {
	o.t.Helper()
	want := dropped
	want.Accepted = int64(accepted)
	want.Read = want.Accepted + want.Duplicate + want.Junk.Sum() + want.Invalid.Sum()
	if r.State != usher.Done || asJSON(r.Tally) != asJSON(want) {
		o.t.Errorf("job %s: record %s, want state done and tally %s", r.ID, recordText(r), asJSON(want))
	}
}

// wantRerun waits until the second run of a job has ended and checks its result.
func (o *oldData) wantRerun(id string, accepted int) {
	o.t.Helper()
	eventually(o.t, "run 2 of job "+id+" has ended", func() bool { r := o.record(id); return r.Run == 2 && r.State.Ended() })
	if r := o.record(id); r.State != usher.Done || r.Tally.Accepted != int64(accepted) {
		o.t.Errorf("job %s: record %s, want state done and %d ids accepted", id, recordText(r), accepted)
	}
}

// wantMembersOf checks that a segment or campaign has exactly the given device ids.
func (o *oldData) wantMembersOf(of string, lists ...[]string) {
	o.t.Helper()
	digests := map[[md5.Size]byte]bool{}
	for _, list := range lists {
		for _, raw := range list {
			digests[md5.Sum([]byte(raw))] = true
		}
	}
	if got, want := o.members(of), fingerprintOf(digests); got != want {
		o.t.Errorf("members of %s are %+v, want %+v", of, got, want)
	}
}

func (o *oldData) members(of string) (f footprint) {
	o.t.Helper()
	response, err := http.Get(o.url + "/sandbox/" + of + "/fingerprint")
	if err != nil {
		o.t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&f); err != nil || response.StatusCode != http.StatusOK {
		o.t.Fatalf("get members of %s: %s %v", of, response.Status, err)
	}
	return f
}

// wantStatus checks that all creatives of a campaign have a status.
func (o *oldData) wantStatus(campaign, want string) {
	o.t.Helper()
	other := map[string]string{"ACTIVE": `"INACTIVE"`, "INACTIVE": `"ACTIVE"`}[want]
	if out := o.run("api", "campaigns", "status", "SANDBOX1-"+campaign, "--json"); !strings.Contains(out, `"`+want+`"`) || strings.Contains(out, other) {
		o.t.Errorf("status of campaign %s, want all creatives %s: %s", campaign, want, out)
	}
}

// serveExports serves the exports of the jobs over S3, including those that were
// missing when jobs failed.
func serveExports(t *testing.T) (endpoint string) {
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

// deviceIDs returns n generated device ids, the same as testdata/olddata/make.go.
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
