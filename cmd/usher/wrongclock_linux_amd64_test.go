package main_test

import (
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"usher"
)

// A worker whose clock is an hour fast or slow moves no young job to the dead letters, and
// ends no lock or deadline early. doctor names the wrong clock.
func TestWorkerWithWrongClock(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ahead time.Duration
		says  string
	}{"fast": {time.Hour, "behind"}, "slow": {-time.Hour, "ahead of"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDeployment(t, "USHER_RETRY_FIRST=100ms", "USHER_RETRY_CAMPAIGN_AGE=30m", "USHER_RETRY_AGE=30m")
			e := newExport(t, d.exports, 500, 3)
			// All jobs fail once, so that their age is checked.
			d.control("POST", "faults", job{"op": "*", "kind": "status", "status": 503, "times": 4}, nil)
			d.publish(usher.CampaignPause, job{"id": "pause", "campaign": "SANDBOX1-spring", "deadline": time.Now().Add(20 * time.Minute).UTC()})
			d.publish(usher.SegmentAdd, d.addJob("add", e.path, job{"deadline": time.Now().Add(20 * time.Minute).UTC()}))
			d.publish(usher.CampaignResume, job{"id": "resume", "campaign": "SANDBOX1-summer"})
			d.publish(usher.CampaignPause, job{"id": "over", "campaign": "SANDBOX1-autumn", "deadline": time.Now().Add(-time.Second).UTC()})
			self := testProgram(t)
			address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
			startProcessBy(t, withClock(t, c.ahead), "worker", append(slices.Clone(d.env), "USHER_WORKER=worker", "USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+usersFile(t)), self, "run")
			for _, id := range []string{"pause", "add", "resume"} {
				if r := d.ended(id); r.State != usher.Done || time.Until(r.Submitted).Abs() > 10*time.Minute {
					t.Errorf("job %s: %s", id, recordText(r))
				}
			}
			if r := d.ended("over"); r.State != usher.Failed || r.Error.Class != usher.Deadline {
				t.Errorf("the job whose deadline has passed: %s", recordText(r))
			}
			d.wantConsoleTimes(address)
			at, log := clockInLog(t)
			if shift := time.Until(at); (shift - c.ahead).Abs() > 10*time.Minute {
				t.Errorf("the worker's clock is %s ahead, want %s: the test proves nothing", shift, c.ahead)
			}
			if !strings.Contains(log, "this machine's clock differs from NATS's") {
				t.Errorf("the worker does not say that its clock is wrong:\n%s", log)
			}
			doctor := startProcessBy(t, withClock(t, c.ahead), "doctor", d.env, self, "doctor")
			code := doctor.exit(t)
			out, err := os.ReadFile(filepath.Join(logDir(t), "doctor.log"))
			if err != nil || code != 1 || strings.Count(string(out), c.says+" this machine's: synchronize this machine's") != 3 {
				t.Errorf("doctor exited with %d, %v, and does not say that this machine's clock is wrong:\n%s", code, err, out)
			}
		})
	}
}

// wantConsoleTimes checks that the console of a worker counts and shows by NATS's time.
func (d *deployment) wantConsoleTimes(address string) {
	d.t.Helper()
	ask := d.visit("http://" + address)
	isNow := func(at time.Time) bool { return time.Until(at).Abs() < 10*time.Minute }
	eventually(d.t, "the console counts the jobs of the last day", func() bool {
		var overview struct {
			At    time.Time `json:"at"`
			Hours []struct {
				Done int `json:"done"`
			} `json:"hours"`
		}
		if err := json.Unmarshal([]byte(ask("GET", "/api/overview", "")), &overview); err != nil || !isNow(overview.At) {
			d.t.Fatalf("the overview is of %s, %v", overview.At, err)
		}
		done := 0
		for _, hour := range overview.Hours {
			done += hour.Done
		}
		return done >= 3
	})
	var list struct {
		Workers []struct {
			Since time.Time `json:"since"`
		} `json:"workers"`
	}
	if err := json.Unmarshal([]byte(ask("GET", "/api/workers", "")), &list); err != nil || len(list.Workers) != 1 || !isNow(list.Workers[0].Since) {
		d.t.Errorf("the workers are %+v, %v", list, err)
	}
}

// clockInLog returns the worker's log and the time of its last line.
func clockInLog(t *testing.T) (time.Time, string) {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(logDir(t), "worker.log"))
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^time=(\S+)`).FindAllStringSubmatch(string(log), -1)
	if len(lines) == 0 {
		t.Fatal("the worker's log is empty")
	}
	at, err := time.Parse(time.RFC3339, lines[len(lines)-1][1])
	if err != nil {
		t.Fatal(err)
	}
	return at, string(log)
}

// withClock returns how to start a process with a wall clock that is ahead of this
// machine's. Go asks the kernel for the time by a function that the kernel maps into each
// process: another is written over it before the process runs.
func withClock(t *testing.T, ahead time.Duration) func(*exec.Cmd) error {
	t.Helper()
	return func(cmd *exec.Cmd) error {
		runtime.LockOSThread() // a process is traced by one thread
		defer runtime.UnlockOSThread()
		cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
		if err := cmd.Start(); err != nil {
			return err
		}
		pid := cmd.Process.Pid
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
			return fmt.Errorf("wait for the process to begin: %w", err)
		}
		if err := shiftClock(pid, ahead); err != nil {
			_ = cmd.Process.Kill()
			return err
		}
		return syscall.PtraceDetach(pid)
	}
}

// shiftClock overwrites the function clock_gettime of a process that has not begun.
func shiftClock(pid int, ahead time.Duration) error {
	vector, err := os.ReadFile(fmt.Sprintf("/proc/%d/auxv", pid))
	if err != nil {
		return err
	}
	const atSysinfoEHDR = 33
	var base int64
	for ; len(vector) >= 16; vector = vector[16:] {
		if binary.LittleEndian.Uint64(vector) == atSysinfoEHDR {
			base = int64(binary.LittleEndian.Uint64(vector[8:]))
		}
	}
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = memory.Close() }() // what was written is in the process
	image := make([]byte, 8192)
	if _, err := memory.ReadAt(image, base); err != nil {
		return fmt.Errorf("read the kernel's functions: %w", err)
	}
	library, err := elf.NewFile(strings.NewReader(string(image)))
	if err != nil {
		return err
	}
	symbols, err := library.DynamicSymbols()
	if err != nil {
		return err
	}
	for _, s := range symbols {
		if s.Name == "__vdso_clock_gettime" {
			_, err := memory.WriteAt(clockGettime(ahead), base+int64(s.Value))
			return err
		}
	}
	return errors.New("the kernel has no clock_gettime for processes")
}

// clockGettime is a function that asks the kernel for the time and adds to the wall clock.
func clockGettime(ahead time.Duration) []byte {
	code := []byte{
		0xb8, 0xe4, 0x00, 0x00, 0x00, // mov eax, 228: clock_gettime
		0x0f, 0x05, // syscall
		0x85, 0xff, // test edi, edi: CLOCK_REALTIME is 0
		0x75, 0x07, // jnz to ret
		0x48, 0x81, 0x06, // add qword [rsi], seconds
	}
	code = binary.LittleEndian.AppendUint32(code, uint32(int32(ahead/time.Second)))
	return append(code, 0xc3) // ret
}
