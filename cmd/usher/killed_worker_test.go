package main_test

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"usher"
)

// A worker that was killed is named by another one's /readyz, which stays ready, by the overview and by an
// alert, with the job that it had, until another worker is started in its place. One that was stopped is not.
func TestKilledWorkerIsNamed(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	alerts, received := webhook(t)
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d.control("POST", "faults", job{"op": "segments.upload", "kind": "hang", "times": 1}, nil)
	killed := d.worker("killed")
	e := newExport(t, d.exports, 100, 1)
	d.publish(usher.SegmentAdd, d.addJob("upload", e.path))
	eventually(t, "the worker sends", func() bool { return len(d.journal("segments.upload")) > 0 })
	stopped := d.worker("stopped")
	d.worker("worker", "USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+usersFile(t), "USHER_ALERTS_WEBHOOK="+alerts, "USHER_ALERTS_FORMAT=json")
	eventually(t, "all are heard", func() bool {
		workers, err := d.queue.Presence().Workers(t.Context())
		return err == nil && len(workers) == 3
	})
	eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, address); return status == http.StatusOK })
	ask := d.visit("http://" + address)
	eventually(t, "the killed worker has said what it runs", func() bool {
		entry, err := d.queue.Store().State.Find(t.Context(), "workers")
		return err == nil && strings.Contains(string(entry.Value), `"jobs":["upload"]`)
	})

	stopped.signal(syscall.SIGTERM)
	if code := stopped.exit(t); code != 0 {
		t.Errorf("the worker that was stopped exited with %d", code)
	}
	killed.kill()
	const says, runs = "Worker killed is lost: it was last heard at ", "It ran upload then. Other workers take over jobs that have not ended, once nats.ack_wait has passed."
	eventually(t, "/readyz names it, and is ready", func() bool {
		status, body := readyz(t, address)
		return status == http.StatusOK && strings.Contains(body, `"workers":"`+says) && strings.Contains(body, runs)
	})
	eventually(t, "the overview names it", func() bool {
		text := ask("GET", "/api/overview", "")
		return strings.Contains(text, `"level":"warn","says":"`+says) && strings.Contains(text, `"about":"`+runs)
	})
	eventually(t, "an alert names it", func() bool {
		return strings.Contains(received(), `"kind":"worker_lost"`) && strings.Contains(received(), `"title":"`+says) && strings.Contains(received(), runs)
	})
	lost := func(n int) func() bool {
		return func() bool {
			return strings.Contains(ask("GET", "/metrics", ""), fmt.Sprintf("\nusher_workers_lost %d\n", n))
		}
	}
	eventually(t, "a metric counts it", lost(1))
	d.worker("another")
	eventually(t, "the alert ends when another worker is started", func() bool {
		return strings.Contains(received(), `"event":"solved"`) && strings.Contains(received(), "another worker was started in its place")
	})
	eventually(t, "no metric counts it", lost(0))
	if _, body := readyz(t, address); !strings.Contains(body, `"workers":"ok"`) {
		t.Errorf("/readyz says %s", body)
	}
	if strings.Contains(received(), "Worker stopped") {
		t.Errorf("the alerts are %s", received())
	}
	if r := d.ended("upload"); r.State != usher.Done || r.Crashes != 1 {
		t.Errorf("the job is %s", recordText(r))
	}
}
