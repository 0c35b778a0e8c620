package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"usher"
)

// benchmarked is an installation against which usher bench runs.
type benchmarked struct {
	*deployment
	config string        // with administrators' logins
	rdb    *redis.Client // as administrator
}

// newBenchmarked returns an installation with one job that waits. Its configuration names a
// platform, a ledger, rules and feeds that a measurement must not reach.
func newBenchmarked(t *testing.T) *benchmarked {
	t.Helper()
	b := &benchmarked{deployment: newGuardedDeployment(t), config: filepath.Join(t.TempDir(), "admin.yaml")}
	b.publish(usher.CampaignPause, job{"id": "waits", "campaign": "SANDBOX1-summer"})
	admin := fmt.Sprintf("redis://admin:admin@127.0.0.1:%d/0", b.redis.port)
	b.write(t, admin)
	options, err := redis.ParseURL(admin)
	if err != nil {
		t.Fatal(err)
	}
	b.rdb = redis.NewClient(options)
	t.Cleanup(func() { _ = b.rdb.Close() })
	return b
}

func (b *benchmarked) write(t *testing.T, redisURL string) {
	t.Helper()
	missing := filepath.Join(t.TempDir(), "missing.yaml")
	writeFile(t, b.config, fmt.Sprintf("nats: {url: %q}\nredis: {url: %q}\nplatform: {url: %q}\nledger: {url: %q}\nrules: {files: [%q]}\nfeeds: {files: [%q]}\n",
		b.nats.url, redisURL, b.server.URL, filepath.Join(t.TempDir(), "ledger"), missing, missing))
}

// bench runs usher bench. It reads no other setting than those of the configuration.
func (b *benchmarked) bench(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(commandProgram(t), append([]string{"bench", "--against", b.config}, args...)...)
	cmd.Env = []string{asUsher + "=1", "GORACE=atexit_sleep_ms=0", "PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir()}
	cmd.Dir = t.TempDir()
	return cmd
}

// left returns the streams and the keys of Redis of measurements.
func (b *benchmarked) left() []string {
	var found []string
	for name := range b.js.StreamNames(context.Background()).Name() {
		if strings.Contains(name, "bench-") {
			found = append(found, name)
		}
	}
	return append(found, b.rdb.Keys(context.Background(), "bench-*").Val()...)
}

// wantUntouched checks that nothing is left of a measurement, and that the installation is as it
// was.
func (b *benchmarked) wantUntouched(t *testing.T) {
	t.Helper()
	if left := b.left(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if calls := b.journal(""); len(calls) > 0 {
		t.Errorf("the installation's platform got %d calls, such as %+v", len(calls), calls[0])
	}
	stream, err := b.js.Stream(t.Context(), "USHER_CAMPAIGNS")
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().State.Msgs; n != 1 {
		t.Errorf("%d jobs wait, want the one that waited before", n)
	}
	if keys := b.rdb.Keys(t.Context(), "usher:*").Val(); len(keys) > 0 {
		t.Errorf("keys of the installation: %v", keys)
	}
}

func TestBench(t *testing.T) {
	t.Parallel()
	b := newBenchmarked(t)
	cmd := b.bench(t, "--jobs", "100", "--ids", "200000", "--pauses", "4", "--json")
	var progress strings.Builder
	cmd.Stderr = &progress
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s%s", err, out, &progress)
	}
	type latency struct {
		P50Ms float64 `json:"p50Ms"`
		Count int     `json:"count"`
	}
	var r struct {
		Publishes float64 `json:"publishesPerSecond"`
		Jobs      float64 `json:"jobsPerSecond"`
		IDs       float64 `json:"idsPerSecond"`
		Pause     latency `json:"pause"`
		Busy      latency `json:"pauseDuringUpload"`
	}
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if r.Publishes <= 0 || r.Jobs <= 0 || r.IDs <= 0 || r.Pause.P50Ms <= 0 || r.Pause.Count != 4 || r.Busy.Count < 2 {
		t.Errorf("measured %s", out)
	}
	if strings.Contains(string(out), "admin:admin") {
		t.Errorf("a password is printed: %s", out)
	}
	b.wantUntouched(t)
}

// A measurement that is interrupted removes what it made. One that was killed leaves it to
// --clean.
func TestBenchInterrupted(t *testing.T) {
	t.Parallel()
	b := newBenchmarked(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		cmd := b.bench(t, "--jobs", "1000000")
		var output strings.Builder
		cmd.Stdout, cmd.Stderr = &output, &output
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the measurement has streams and a key", func() bool {
			left := strings.Join(b.left(), " ")
			return len(b.left()) > 5 && strings.Contains(left, "usher_state") && strings.Contains(left, "usher_rules")
		})
		_ = cmd.Process.Signal(signal)
		if err := cmd.Wait(); err == nil {
			t.Errorf("%s: it succeeded", signal)
		}
		if signal == syscall.SIGINT {
			if !strings.Contains(output.String(), "the measurement was interrupted") {
				t.Errorf("it printed %s", &output)
			}
			b.wantUntouched(t)
		}
	}
	if len(b.left()) == 0 {
		t.Error("a killed measurement left nothing, so that --clean is not tested")
	}
	if out, err := b.bench(t, "--clean").CombinedOutput(); err != nil || !strings.Contains(string(out), "removed ") {
		t.Errorf("--clean: %v: %s", err, out)
	}
	b.wantUntouched(t)
	if out, err := b.bench(t, "--clean").CombinedOutput(); err != nil || string(out) != "there is nothing to remove\n" {
		t.Errorf("--clean again: %v: %s", err, out)
	}
}

// A login that is not an administrator's is refused before anything is declared.
func TestBenchNeedsAdministrators(t *testing.T) {
	t.Parallel()
	b := newBenchmarked(t)
	b.write(t, b.redis.url())
	out, err := b.bench(t).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "NOPERM") || !strings.Contains(string(out), "user admin of deploy/redis.acl") {
		t.Errorf("with the worker's login to Redis: %v: %s", err, out)
	}
	b.wantUntouched(t)
	b.nats.url = b.natsURL("worker")
	b.write(t, fmt.Sprintf("redis://admin:admin@127.0.0.1:%d/0", b.redis.port))
	out, err = b.bench(t).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "administrator's login") {
		t.Errorf("with the worker's login to NATS: %v: %s", err, out)
	}
	b.wantUntouched(t)
}
