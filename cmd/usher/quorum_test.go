package main_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/internal/sandbox"
)

// Two of three NATS nodes are down. The connection stays open, but nothing can be stored:
// every screen shows this, and all work continues when a node is up again.
func TestLostQuorumIsShown(t *testing.T) {
	t.Parallel()
	nodes := startNATSCluster(t)
	console := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d := newDeploymentWithServers(t, nodes[0], startRedisProcess(t), sandbox.Options{ApprovalDelay: time.Hour}, "USHER_NATS_REPLICAS=3")
	e := newExport(t, d.exports, 500, 3)
	d.worker("worker", "USHER_CONSOLE_LISTEN="+console, "USHER_CONSOLE_USERS="+usersFile(t))
	eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, console); return status == http.StatusOK })
	ask := d.visit("http://" + console)

	nodes[1].kill()
	nodes[2].kill()
	eventually(t, "the worker is not ready because of NATS alone", func() bool {
		status, body := readyz(t, console)
		return status == http.StatusServiceUnavailable && strings.Contains(body, "NATS has taken no write for") && strings.Contains(body, `"redis":"ok","platform":"ok"`)
	})
	eventually(t, "the console says that figures are old", func() bool {
		health := ask("GET", "/api/health", "")
		return strings.Contains(health, `"name":"NATS","ok":false,"since":`) && strings.Contains(health, "quorum") && !strings.Contains(health, "What is shown is current")
	})
	if out, code := d.usher("doctor"); code != 1 || !strings.Contains(out, "lost its quorum") {
		t.Errorf("doctor exited with %d and does not say what is wrong:\n%s", code, out)
	}
	var listing sync.WaitGroup
	listing.Go(func() { // which waits as long as submit
		if out, code := d.usher("jobs", "ls"); code != 1 || !strings.Contains(out, "waiting for NATS") {
			t.Errorf("jobs ls exited with %d and does not say what it waits for:\n%s", code, out)
		}
	})
	if out, code := d.usher("submit", "segment.add", "--segment", "1", "--profile", "idfa", "--id", "late", e.path); code == 0 || !strings.Contains(out, "quorum") {
		t.Errorf("submit exited with %d and does not say what it waits for:\n%s", code, out)
	}
	for _, command := range []string{"jobs show late", "dead ls", "stop-switch on --yes --reason test", "lanes ls"} {
		if out, code := d.usher(strings.Fields(command)...); code != 1 || !strings.Contains(out, "usher doctor") {
			t.Errorf("%s exited with %d and does not say where to look:\n%s", command, code, out)
		}
	}
	listing.Wait()
	second := d.worker("second") // waits for JetStream

	nodes[1].start(t)
	eventually(t, "the worker is ready again", func() bool { status, _ := readyz(t, console); return status == http.StatusOK })
	eventually(t, "a job is accepted", func() bool {
		_, code := d.usher("submit", "segment.add", "--segment", "1", "--profile", "idfa", "--id", "late", e.path)
		return code == 0
	})
	if r := d.ended("late"); r.State != usher.Done {
		t.Errorf("the job after the outage: %s", recordText(r))
	}
	select {
	case <-second.done:
		t.Error("the worker that started during the outage has exited")
	default:
	}
}

// NATS responds to reads but accepts no writes, as with a full disk. The console
// shows this until NATS accepts writes again.
func TestConsoleShowsRefusedWrites(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	users, address := usersFile(t), fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d.worker("worker", "USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+users)
	eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, address); return status == http.StatusOK })
	ask := d.visit("http://" + address)
	shown := func() bool {
		return strings.Contains(ask("GET", "/api/health", ""), `NATS has taken no write for`)
	}
	if shown() {
		t.Error("the console shows that NATS accepts no writes although it accepts them")
	}
	limit := func(bytes int32) {
		stream, err := d.js.Stream(t.Context(), "KV_usher_state")
		if err != nil {
			t.Fatal(err)
		}
		config := stream.CachedInfo().Config
		config.MaxMsgSize = bytes
		if _, err := d.js.UpdateStream(t.Context(), config); err != nil {
			t.Fatal(err)
		}
	}
	limit(1)
	eventually(t, "the console says that NATS takes no writes", shown)
	limit(-1)
	eventually(t, "the console no longer says that", func() bool { return !shown() })
}

// A worker that starts before NATS waits for it.
func TestWorkerStartsBeforeNATS(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	e := newExport(t, d.exports, 500, 3)
	d.nats.kill()
	d.worker("early")
	d.nats.start(t)
	eventually(t, "a job is accepted", func() bool {
		_, code := d.usher("submit", "segment.add", "--segment", "1", "--profile", "idfa", "--id", "first", e.path)
		return code == 0
	})
	if r := d.ended("first"); r.State != usher.Done {
		t.Errorf("the job: %s", recordText(r))
	}
}

// A stream that is full refuses jobs. submit says that the job was not published, and why.
func TestSubmitToAFullStream(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	stream, err := d.js.Stream(t.Context(), "USHER_CAMPAIGNS")
	if err != nil {
		t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	config.MaxBytes = 100
	if _, err := d.js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	out, code := d.usher("submit", "campaign.pause", "--campaign", "SANDBOX1-spring")
	if code != 1 || !strings.Contains(out, "the job was not published") || !strings.Contains(out, "nats.max_bytes") || strings.Contains(out, "not known") {
		t.Errorf("submit exited with %d and does not say that the stream is full:\n%s", code, out)
	}
}

// readyz returns the response of a worker's /readyz. status is 0 if it does not respond.
func readyz(t *testing.T, console string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+console+"/readyz", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = response.Body.Close() }()
	text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<16)) // a short answer fails the caller's check
	return response.StatusCode, string(text)
}
