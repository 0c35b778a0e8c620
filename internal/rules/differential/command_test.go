package differential_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// pathOf returns the path of a rule file of the worker.
func (u *usher) pathOf(name string) string { return filepath.Join(u.rules, name+".yaml") }

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

// writeIfValid writes a file, unless the command finds that it is not valid: then it returns
// nil and leaves the one before in place.
func (u *usher) writeIfValid(f *file) *file {
	draft := filepath.Join(u.dir, f.name+".yaml")
	defer os.Remove(draft)
	if err := os.WriteFile(draft, []byte(f.String()), 0o600); err != nil {
		u.t.Error(err)
		return nil
	}
	if _, ok := u.run(nil, "rules", "check", draft); !ok {
		return nil
	}
	u.write(f.name, f.String())
	return f
}

// run runs the command and decodes its JSON. It returns what it printed to stderr and
// whether it exited 0. It tries again while NATS does not respond, which may be because the
// machine is busy.
func (u *usher) run(into any, args ...string) (stderr string, ok bool) {
	poll := time.NewTicker(100 * time.Millisecond)
	defer poll.Stop()
	late := time.After(patience)
	for {
		stderr, ok = u.runOnce(into, args)
		noResponse := strings.Contains(stderr, "connect to NATS at") || strings.Contains(stderr, "context deadline exceeded")
		if ok || !noResponse {
			return stderr, ok
		}
		select {
		case <-poll.C:
		case <-late:
			return stderr, ok
		}
	}
}

func (u *usher) runOnce(into any, args []string) (stderr string, ok bool) {
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
	Date, Campaign, Creative, Action, Wants, Guard, Rule, Reason, Report string

	Metrics map[string]float64
	Bidding *struct {
		Field    string
		From, To float64
	}
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
	poll := time.NewTicker(100 * time.Millisecond)
	defer poll.Stop()
	late := time.After(patience)
	for {
		var report runReport
		if stderr, ok := u.run(&report, "rules", "runs", "show", id, "--json"); !ok {
			u.t.Fatalf("usher rules runs show %s: %s", id, stderr)
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
