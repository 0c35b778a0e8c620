package differential_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// usher is the command, with a worker that runs.
type usher struct {
	t        *testing.T
	binary   string
	env      []string
	rules    string // the folder of rule files that the worker uses
	platform *platform
}

// patience limits how long the test waits for the worker.
const patience = 2 * time.Minute

// startUsher builds the command, unless make has, and starts a worker on a platform.
func startUsher(t *testing.T) *usher {
	t.Helper()
	dir := t.TempDir()
	u := &usher{t: t, binary: os.Getenv("USHER_TEST_PROGRAM"), rules: filepath.Join(dir, "rules"), platform: newPlatform()}
	if u.binary == "" {
		u.build(filepath.Join(dir, "usher"))
	}
	server := httptest.NewServer(u.platform)
	t.Cleanup(server.Close)
	if err := os.Mkdir(u.rules, 0o700); err != nil {
		t.Fatal(err)
	}
	u.write("idle", "account: IDLE\ntimezone: UTC\nrules: []\n")
	u.env = append(os.Environ(), "USHER_PLATFORM_URL="+server.URL, "USHER_PLATFORM_PASSWORD=secret", "USHER_PLATFORM_RATE=100000", "USHER_LANES_RULES=8", "USHER_LANES_CAMPAIGN=16")
	ready := filepath.Join(dir, "ready.json")
	dev := exec.Command(u.binary, "dev", "--data", filepath.Join(dir, "data"), "--rules", u.rules, "--platform", server.URL,
		"--nats", "127.0.0.1:0", "--redis", "127.0.0.1:0", "--console", "127.0.0.1:0", "--ready-file", ready, "--log-level", "error")
	var log bytes.Buffer
	dev.Env, dev.Dir, dev.Stdout, dev.Stderr = u.env, dir, &log, &log
	if err := dev.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- dev.Wait() }()
	t.Cleanup(func() {
		_ = dev.Process.Signal(os.Interrupt)
		<-ended
	})
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	late := time.After(patience)
	var at struct {
		NATS string `json:"nats"`
	}
	for data := []byte(nil); json.Unmarshal(data, &at) != nil; data, _ = os.ReadFile(ready) {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("usher dev ended: %v\n%s", err, &log)
		case <-late:
			t.Fatalf("usher dev is not ready:\n%s", &log)
		case <-poll.C:
		}
	}
	u.env = append(u.env, "USHER_NATS_URL="+at.NATS)
	return u
}

// pathOf returns the path of a rule file of the worker.
func (u *usher) pathOf(name string) string { return filepath.Join(u.rules, name+".yaml") }

// build builds the command at a path.
func (u *usher) build(path string) {
	u.t.Helper()
	u.binary = path
	build := exec.CommandContext(u.t.Context(), "go", "build", "-tags", "grpcnotrace,disable_grpc_modules", "-o", path, "usher/cmd/usher")
	if out, err := build.CombinedOutput(); err != nil {
		u.t.Fatalf("build usher: %v\n%s", err, out)
	}
}

// write writes a rule file of the worker.
func (u *usher) write(name, text string) string {
	path := u.pathOf(name)
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		u.t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		u.t.Fatal(err)
	}
	return path
}

// run runs the command and decodes its JSON. It returns what it printed to stderr and
// whether it exited 0.
func (u *usher) run(into any, args ...string) (stderr string, ok bool) {
	command := exec.CommandContext(u.t.Context(), u.binary, args...)
	var out, errs bytes.Buffer
	command.Env, command.Dir, command.Stdout, command.Stderr = u.env, u.rules, &out, &errs
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		u.t.Fatal(err)
	}
	if into != nil && (err == nil || out.Len() > 0) {
		if err := json.Unmarshal(out.Bytes(), into); err != nil {
			u.t.Fatalf("usher %v printed no JSON: %v\n%s\n%s", args, err, &out, &errs)
		}
	}
	return errs.String(), err == nil
}

// printed is a decision as the command prints it.
type printed struct {
	Date, Creative, Action, Wants, Guard, Rule string
}

// runReport is a run as the command prints it.
type runReport struct {
	Run struct {
		State, Why string
		Jobs       []string
	}
	Decisions []printed
	Jobs      []job
}

// job is a job of a run.
type job struct {
	ID, State string
	Warnings  []struct{ Code string }
}

func (j job) warns(code string) bool {
	for _, w := range j.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}

// evaluate submits a rules.evaluate job, and waits for it and for its jobs.
func (u *usher) evaluate(id string, args ...string) runReport {
	args = append([]string{"submit", "rules.evaluate", "--id", id, "--wait"}, args...)
	if stderr, ok := u.run(nil, args...); !ok {
		u.t.Fatalf("usher %v: %s", args, stderr)
	}
	return u.ended(id)
}

// ended waits for the jobs of a run.
func (u *usher) ended(id string) runReport {
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	late := time.After(patience)
	for {
		var report runReport
		if stderr, ok := u.run(&report, "rules", "run", id, "--json"); !ok {
			u.t.Fatalf("usher rules run %s: %s", id, stderr)
		}
		ended := 0
		for _, job := range report.Jobs {
			if job.State == "done" || job.State == "failed" {
				ended++
			}
		}
		if ended == len(report.Run.Jobs) {
			return report
		}
		select {
		case <-poll.C:
		case <-late:
			u.t.Errorf("the jobs of %s do not end: %+v", id, report)
			return report
		}
	}
}

// outcome is a decision in one line, without those that change nothing.
func (d printed) outcome() string {
	return fmt.Sprintf("%s %s %s by %s", d.Action, d.Wants, d.Guard, d.Rule)
}
