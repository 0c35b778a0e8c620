package main_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"usher"
)

// slow delays each response of the platform, so that a kill hits a running upload.
func (d *deployment) slow(delay time.Duration) {
	d.t.Helper()
	d.control("PUT", "latency", job{"delayMs": delay.Milliseconds()}, nil)
}

// uploads returns the number of upload requests that the platform received.
func (d *deployment) uploads() int { d.t.Helper(); return len(d.journal("segments.upload")) }

func TestKillMidUpload(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_UPLOAD_BATCH_IDS=500")
	e := newExport(t, d.exports, 50_000, 1)
	d.slow(250 * time.Millisecond)
	d.publish(usher.SegmentAdd, d.addJob("killed", e.path))
	for i := range 3 {
		// The checkpoint must advance each time, because three crashes without progress
		// fail the job.
		before, checkpoint := d.uploads(), d.record("killed").Batches
		w := d.worker(fmt.Sprintf("worker-%d", i))
		eventually(t, "a checkpoint has advanced over some uploads", func() bool {
			return d.uploads() > before+8 && d.record("killed").Batches > checkpoint
		})
		w.kill()
		if r := d.record("killed"); r.State != usher.Running {
			t.Fatalf("the kill missed the upload: %s", r.State)
		}
	}
	eventually(t, "the record says that the last worker is gone", func() bool {
		why := d.record("killed").Why
		return why != nil && strings.HasPrefix(*why, "worker worker-2, which had it, is gone, ") && strings.HasSuffix(*why, "; waits for a worker: none is running")
	})
	d.slow(0)
	d.worker("last")
	r := d.ended("killed")
	d.wantExact(r, e, "segments/1")
	if r.Attempts != 1 || r.Crashes != 3 {
		t.Errorf("%d attempts, %d crashes, want 1 attempt and 3 crashes", r.Attempts, r.Crashes)
	}
	if again := d.uploads() - int(r.Batches); again > 3*40 {
		t.Errorf("%d batches were sent again, want at most %d: the checkpoints were not used", again, 3*40)
	}
}

// A worker that is stopped returns its job to the queue, without counting an attempt
// or a crash. A second signal stops it immediately.
func TestDeployMidUpload(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_UPLOAD_BATCH_IDS=500")
	d.raced = true
	e := newExport(t, d.exports, 50_000, 3)
	d.slow(200 * time.Millisecond)
	d.publish(usher.SegmentAdd, d.addJob("deployed", e.path))
	w := d.worker("old")
	eventually(t, "an upload is running", func() bool { return d.uploads() > 3 })
	w.signal(syscall.SIGTERM)
	eventually(t, "the worker takes no more jobs and still has its lease", func() bool {
		m, err := d.nc.Request("usher.workers", nil, time.Second)
		return err == nil && strings.HasPrefix(string(m.Data), `{"worker":"old","slots":null,"leases":["old/`)
	})
	w.signal(syscall.SIGINT)
	if code := w.exit(t); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if r := d.record("deployed"); r.State != usher.Queued || r.Why == nil {
		t.Errorf("after the stop: record %s, want state queued and a reason", recordText(r))
	}
	d.slow(0)
	d.worker("new")
	r := d.ended("deployed")
	d.wantExact(r, e, "segments/1")
	if r.Attempts != 1 || r.Crashes != 0 {
		t.Errorf("%d attempts, %d crashes, want 1 attempt and no crash", r.Attempts, r.Crashes)
	}
}

func TestNATSRestartedMidJob(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		downtime time.Duration
	}{{"shorter than AckWait", 0}, {"longer than AckWait", 2 * ackWait}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDeployment(t, "USHER_UPLOAD_BATCH_IDS=500")
			d.raced = true
			e := newExport(t, d.exports, 50_000, 4)
			d.slow(50 * time.Millisecond)
			d.publish(usher.SegmentAdd, d.addJob("restarted", e.path))
			d.worker("worker")
			eventually(t, "an upload is running", func() bool { return d.uploads() > 5 })
			d.nats.kill()
			if c.downtime > 0 {
				stopped := d.uploads()
				eventually(t, "the worker stops sending without its lease", func() bool {
					before := stopped
					stopped = d.uploads()
					return before == stopped && !becomesTrue(t, ackWait, func() bool { return d.uploads() > stopped })
				})
			}
			d.nats.start(t)
			d.slow(0)
			r := d.ended("restarted")
			d.wantExact(r, e, "segments/1")
			if found := d.letters(); len(found) != 0 {
				t.Errorf("dead letters %s, want none", asJSON(found))
			}
		})
	}
}

// becomesTrue reports whether check returns true within a time.
func becomesTrue(t *testing.T, within time.Duration, check func() bool) bool {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(within)
	for {
		select {
		case <-tick.C:
			if check() {
				return true
			}
		case <-timeout:
			return false
		}
	}
}

// Without Redis, uploads continue, and campaign actions wait with a reason until
// Redis is back.
func TestRedisOutage(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	d.raced = true
	e := newExport(t, d.exports, 2_000, 5)
	d.worker("worker")
	d.publish(usher.SegmentAdd, d.addJob("before", newExport(t, d.exports, 10, 6).path))
	d.ended("before")
	d.redis.kill()
	d.control("POST", "reset", nil, nil)
	d.publish(usher.CampaignPause, job{"id": "pause", "campaign": "SANDBOX1-spring"})
	d.publish(usher.SegmentAdd, d.addJob("add", e.path))
	d.wantExact(d.ended("add"), e, "segments/1")
	eventually(t, "the pause has a reason to wait", func() bool {
		r := d.record("pause")
		return r.State == usher.Retrying && r.Why != nil && *r.Why != ""
	})
	if posts := d.journal("campaigns.set-status"); len(posts) != 0 {
		t.Errorf("the pause was posted without Redis: %s", asJSON(posts))
	}
	d.redis.start(t)
	if r := d.ended("pause"); r.State != usher.Done {
		t.Errorf("the pause: record %s, want state done", recordText(r))
	}
	if posts := d.journal("campaigns.set-status"); len(posts) != 1 {
		t.Errorf("the pause was posted %d times, want once", len(posts))
	}
}

// Raw ids must not appear in NATS's files, logs, or the output of commands.
func TestCanaries(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_UPLOAD_BATCH_IDS=500", "USHER_LOG_LEVEL=debug")
	e := newExport(t, d.exports, 5_000, 7)
	inline := []string{"6D92078A-8246-4BA4-AE5B-76104861E7DC", "not-an-id-but-secret@example.org"}
	d.worker("worker")
	d.publish(usher.SegmentAdd, d.addJob("add", e.path))
	d.publish(usher.SegmentAdd, d.addJob("dies", e.path, job{"segment": "nobody"}))
	response, err := d.queue.Submit(t.Context(), usher.SegmentAdd, []byte(asJSON(job{"id": "inline", "segment": "1", "profile": "idfa", "source": job{"ids": inline}})))
	if err != nil || response.Errors != nil {
		t.Fatal(response, err)
	}
	for _, id := range []string{"add", "dies", "inline"} {
		d.ended(id)
	}
	output := ""
	for _, args := range [][]string{{"jobs", "ls"}, {"jobs", "show", "add"}, {"jobs", "show", "dies", "--json"}, {"jobs", "show", "inline"},
		{"dead", "ls"}, {"dead", "ls", "--json"}, {"dead", "groups"}, {"inspect", e.path}} {
		out, _ := d.usher(args...)
		output += out
	}
	canaries := append(append([]string{}, e.raw...), inline...)
	for _, raw := range append([]string{}, canaries...) {
		canaries = append(canaries, strings.ToLower(raw), strings.ReplaceAll(raw, "-", ""), strings.ToLower(strings.ReplaceAll(raw, "-", "")))
	}
	places := map[string]string{"output": output}
	for _, root := range []string{filepath.Dir(d.nats.config), logDir(t)} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			places[path] = string(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for place, data := range places {
		for _, canary := range canaries {
			if strings.Contains(data, canary) {
				t.Errorf("%s contains a raw id", place)
				break
			}
		}
	}
	if !strings.Contains(output, "add") || len(places) < 4 {
		t.Errorf("the test searched only %d places, or the output of jobs is missing", len(places))
	}
}
