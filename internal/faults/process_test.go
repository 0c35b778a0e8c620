package faults_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program is a server or worker that can be restarted.
type program struct {
	name string
	path string
	args []string
	env  []string
	logs string // folder

	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
}

// start starts the program. Its output is appended to its log.
func (p *program) start(t testing.TB) {
	t.Helper()
	if p.running() {
		t.Fatalf("%s runs already", p.name)
	}
	log, err := os.OpenFile(filepath.Join(p.logs, p.name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(p.path, p.args...)
	cmd.Env = append(os.Environ(), p.env...)
	cmd.Dir = p.logs
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	first := p.cmd == nil
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait() // running reports whether it runs
		_ = log.Close()
		close(done)
	}()
	p.cmd, p.done = cmd, done
	if first {
		t.Cleanup(p.kill)
	}
}

func (p *program) running() bool {
	if p.done == nil {
		return false
	}
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

func (p *program) signal(s syscall.Signal) {
	if p.running() {
		_ = p.cmd.Process.Signal(s)
	}
}

// kill kills the process, even if it is stopped, and waits until it has ended.
func (p *program) kill() {
	if p.running() {
		p.signal(syscall.SIGKILL)
		<-p.done
	}
}

// terminate ends the process as a service manager does: it kills one that does not end. A NATS
// server may hang when it ends after its disk was full.
func (p *program) terminate() {
	if !p.running() {
		return
	}
	p.signal(syscall.SIGCONT) // another fault may have stopped it
	p.signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(30 * time.Second):
		p.kill()
	}
}

// usage is the memory and the descriptors of a process.
type usage struct{ anonymous, descriptors int64 } // anonymous memory in KiB

// usage reads the anonymous memory and the open descriptors of the process.
func (p *program) usage() (u usage, err error) {
	if !p.running() {
		return u, errors.New(p.name + " does not run")
	}
	proc := fmt.Sprintf("/proc/%d/", p.cmd.Process.Pid)
	status, err := os.ReadFile(proc + "status")
	if err != nil {
		return u, err
	}
	for line := range strings.Lines(string(status)) {
		if kib, found := strings.CutPrefix(line, "RssAnon:"); found {
			if u.anonymous, err = strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(kib), " kB"), 10, 64); err != nil {
				return u, err
			}
		}
	}
	open, err := os.ReadDir(proc + "fd")
	u.descriptors = int64(len(open))
	return u, err
}
