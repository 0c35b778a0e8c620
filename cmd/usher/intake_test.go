package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"usher"
)

// overHTTP is a worker's API for jobs over HTTP.
type overHTTP struct{ url, token string }

// token creates a token with `usher intake token`.
func (d *deployment) token(file string, args ...string) string {
	d.t.Helper()
	var stdout, stderr strings.Builder
	if code := d.run(&stdout, &stderr, append([]string{"intake", "token", "--file", file}, args...)...); code != 0 {
		d.t.Fatalf("usher intake token exited with %d: %s", code, stderr.String())
	}
	return strings.TrimSpace(stdout.String())
}

// serveHTTP starts a worker that takes jobs over HTTP.
func (d *deployment) serveHTTP(settings ...string) (*process, overHTTP) {
	d.t.Helper()
	address, file := fmt.Sprintf("127.0.0.1:%d", freePort(d.t)), filepath.Join(d.t.TempDir(), "tokens")
	o := overHTTP{"http://" + address, d.token(file, "crm")}
	worker := d.worker("intake", append([]string{"USHER_INTAKE_LISTEN=" + address, "USHER_INTAKE_TOKENS=" + file}, settings...)...)
	eventually(d.t, "jobs over HTTP are served", func() bool {
		status, _ := o.send(d.t, http.MethodGet, "/v1/schemas/segment.add", "")
		return status == http.StatusOK
	})
	return worker, o
}

// send returns the status of a request, or 0 without a response, and the body. It fails the
// test if there is no response within 15 seconds.
func (o overHTTP) send(t testing.TB, method, path, body string) (status int, answer string) {
	t.Helper()
	status, _, answer = o.sendHeader(t, method, path, body)
	return status, answer
}

func (o overHTTP) sendHeader(t testing.TB, method, path, body string) (status int, header http.Header, answer string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, o.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+o.token)
	response, err := http.DefaultClient.Do(r)
	if errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%s %s: no response within 15 s", method, path)
	}
	if err != nil {
		return 0, nil, ""
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	return response.StatusCode, response.Header, string(data)
}

// A job over HTTP runs, and its record is shown. While NATS is down or does not respond,
// jobs are refused in time. Afterwards they are accepted, and each runs once.
func TestJobsOverHTTP(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	export := filepath.Join(d.exports, "ids.txt")
	if err := os.WriteFile(export, []byte("6D92078A-8246-4BA4-AE5B-76104861E7DC\n5AAB8704-4D8C-4879-8993-C6DD8361F88F\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	worker, o := d.serveHTTP()
	submit := func(id string) (int, http.Header) {
		t.Helper()
		status, header, _ := o.sendHeader(t, http.MethodPost, "/v1/jobs/segment.add", asJSON(d.addJob(id, export)))
		return status, header
	}
	if status, _ := submit("first"); status != http.StatusAccepted {
		t.Fatalf("status %d", status)
	}
	if r := d.ended("first"); r.State != usher.Done || r.Tally.Accepted != 2 {
		t.Errorf("%s with the tally %+v", r.State, r.Tally)
	}
	var shown, printed usher.Record
	if _, answer := o.send(t, http.MethodGet, "/v1/jobs/first", ""); json.Unmarshal([]byte(answer), &shown) != nil || shown.State != usher.Done {
		t.Error(answer)
	}
	d.usherJSON(&printed, "jobs", "show", "first")
	if asJSON(shown) != asJSON(printed) {
		t.Errorf("over HTTP the record is\n%s\nand `usher jobs show` prints\n%s", asJSON(shown), asJSON(printed))
	}

	refused := func(id string) {
		t.Helper()
		status, header := submit(id)
		if after, err := strconv.Atoi(header.Get("Retry-After")); status != http.StatusServiceUnavailable || err != nil || after < 1 || after > 15 {
			t.Errorf("job %s: status %d, Retry-After %q", id, status, header.Get("Retry-After"))
		}
	}
	d.nats.signal(syscall.SIGSTOP)
	eventually(t, "NATS has stopped", func() bool { // it may answer until then
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.nats.cmd.Process.Pid))
		return err == nil && strings.Contains(string(status), "State:\tT")
	})
	refused("hanging")
	d.nats.signal(syscall.SIGCONT)
	d.nats.kill()
	eventually(t, "the worker knows that NATS is down", func() bool {
		status, _ := submit("down")
		return status == http.StatusServiceUnavailable
	})
	refused("down")
	d.nats.start(t)
	for _, id := range []string{"hanging", "down", "last"} {
		eventually(t, "jobs are accepted again", func() bool {
			status, _ := submit(id)
			return status == http.StatusAccepted
		})
		if r := d.ended(id); r.State != usher.Done || r.Run != 1 {
			t.Errorf("job %s is %s in run %d", id, r.State, r.Run)
		}
	}
	if letters := d.letters(); len(letters) != 0 {
		t.Errorf("dead letters %+v", letters)
	}

	// A worker that is terminated releases its address.
	worker.signal(syscall.SIGTERM)
	if code := worker.exit(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if status, _ := o.send(t, http.MethodGet, "/v1/jobs/first", ""); status != 0 {
		t.Errorf("status %d after the stop", status)
	}
}

// `usher intake token` prints only the token and appends its line. Within ten seconds a
// running worker accepts the token for the kinds and advertisers that it names, and no
// longer accepts one that was withdrawn.
func TestIntakeToken(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	file := filepath.Join(t.TempDir(), "tokens")
	all := d.token(file, "crm")
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d.worker("intake", "USHER_INTAKE_LISTEN="+address, "USHER_INTAKE_TOKENS="+file)
	status := func(token, kind, job string) int {
		t.Helper()
		status, _ := overHTTP{"http://" + address, token}.send(t, http.MethodPost, "/v1/jobs/"+kind, job)
		return status
	}
	const pause = `{"campaign":"SANDBOX1-x","deadline":"2020-01-01T00:00:00Z"}`
	eventually(t, "the token is accepted", func() bool { return status(all, "campaign.pause", pause) == http.StatusAccepted })
	some := d.token(file, "budgets", "--kind", "campaign.pause", "--kind", "campaign.resume", "--advertiser", "SANDBOX1", "--advertiser", "B")
	if !regexp.MustCompile(`^\S{40,}$`).MatchString(some) {
		t.Errorf("token %q", some)
	}
	text, err := os.ReadFile(file)
	if err != nil || !regexp.MustCompile(`(?m)^crm:::[^:\s]+\nbudgets:campaign\.pause,campaign\.resume:SANDBOX1,B:[^:\s]+\n$`).Match(text) || bytes.Contains(text, []byte(some)) {
		t.Errorf("the file has %q, %v", text, err)
	}
	eventually(t, "the new token is accepted", func() bool { return status(some, "campaign.pause", pause) == http.StatusAccepted })
	if s := status(some, "target.clear", pause); s != http.StatusForbidden {
		t.Errorf("another kind: %d", s)
	}
	if s := status(some, "campaign.pause", `{"campaign":"C-x","advertiser":"C"}`); s != http.StatusForbidden {
		t.Errorf("another advertiser: %d", s)
	}
	if err := os.WriteFile(file, text[:bytes.IndexByte(text, '\n')+1], 0o600); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the withdrawn token is refused", func() bool { return status(some, "campaign.pause", pause) == http.StatusUnauthorized })
	if s := status(all, "campaign.pause", pause); s != http.StatusAccepted {
		t.Errorf("the other token: %d", s)
	}
}

// usher dev serves jobs over HTTP on loopback, with a token in its data folder.
func TestDevServesJobsOverHTTP(t *testing.T) {
	t.Parallel()
	o := devOverHTTP(t, t.TempDir())
	status, answer := o.send(t, http.MethodPost, "/v1/jobs/segment.add", `{"id":"x","segment":"1","profile":"idfa","source":{"ids":["6D92078A-8246-4BA4-AE5B-76104861E7DC"]}}`)
	if status != http.StatusAccepted {
		t.Fatal(status, answer)
	}
	eventually(t, "the job is done", func() bool {
		_, answer := o.send(t, http.MethodGet, "/v1/jobs/x", "")
		return strings.Contains(answer, `"state":"done"`)
	})
}

// devOverHTTP starts usher dev on free ports. It may read exports from a folder.
func devOverHTTP(t *testing.T, exports string, settings ...string) overHTTP {
	t.Helper()
	program := racedProgram(t)
	data, ready := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "ready.json")
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	startProcess(t, "dev", append([]string{asUsher + "=1", "GORACE=atexit_sleep_ms=0"}, settings...), program, "dev", "--data", data, "--allow", exports, "--ready-file", ready,
		"--nats", "127.0.0.1:0", "--redis", "127.0.0.1:0", "--sandbox", "127.0.0.1:0", "--console", "127.0.0.1:0", "--intake", address)
	eventually(t, "usher dev is ready", func() bool {
		_, err := os.Stat(ready)
		return err == nil
	})
	token, err := os.ReadFile(filepath.Join(data, "intake", "token"))
	if err != nil {
		t.Fatal(err)
	}
	return overHTTP{"http://" + address, strings.TrimSpace(string(token))}
}

// The programs in docs/examples submit a job, wait for its end, try again when usher says
// so, and explain what is wrong with a job.
func TestExamples(t *testing.T) {
	t.Parallel()
	exports := t.TempDir()
	if err := os.WriteFile(filepath.Join(exports, "ids.txt"), []byte("6D92078A-8246-4BA4-AE5B-76104861E7DC\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Four programs ask about once a second each, so that some requests are told to wait. With
	// a lower rate, one of them may be told so at all its attempts.
	o := devOverHTTP(t, exports, "USHER_INTAKE_RATE=3")
	folder, err := filepath.Abs("../../docs/examples")
	if err != nil {
		t.Fatal(err)
	}
	for name, program := range map[string][]string{
		"curl": {"sh", "publish.sh"}, "python": {"python3", "publish.py"}, "node": {"node", "publish.mjs"}, "go": {"go", "run", "publish.go"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, needed := range []string{program[0], map[string]string{"sh": "curl"}[program[0]]} {
				if _, err := exec.LookPath(needed); needed != "" && err != nil {
					t.Skip(err)
				}
			}
			run := func(job string) (stdout, stderr string, code int) {
				t.Helper()
				file := filepath.Join(t.TempDir(), "job.json")
				if err := os.WriteFile(file, []byte(job), 0o600); err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command(program[0], append(program[1:], "segment.add", file)...)
				cmd.Dir, cmd.Env = folder, append(os.Environ(), "USHER_URL="+o.url, "USHER_TOKEN="+o.token)
				var out, errs strings.Builder
				cmd.Stdout, cmd.Stderr = &out, &errs
				_ = cmd.Run() // the exit code says it
				return out.String(), errs.String(), cmd.ProcessState.ExitCode()
			}
			job := fmt.Sprintf(`{"id":"example-%s","segment":"1","profile":"idfa","source":{"url":"file://%s/ids.txt"}}`, name, exports)
			for range 2 { // the same job again has no effect
				if stdout, stderr, code := run(job); code != 0 || stdout != "example-"+name+" done: 1 of 1 rows accepted\n" {
					t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
				}
			}
			if _, stderr, code := run(`{"segment":"1","profile":"idfa"}`); code != 1 || !strings.Contains(stderr, "/source") || !strings.Contains(stderr, "is required") {
				t.Errorf("an invalid job: exit code %d, stderr %q", code, stderr)
			}
			if _, stderr, code := run(strings.Replace(job, "ids.txt", "none.txt", 1)); code != 1 || !strings.Contains(stderr, "409") && !strings.Contains(stderr, "on record") {
				t.Errorf("another job with this id: exit code %d, stderr %q", code, stderr)
			}
			missing := strings.NewReplacer("ids.txt", "none.txt", "example-", "missing-").Replace(job)
			if _, stderr, code := run(missing); code != 1 || !strings.Contains(stderr, "source_missing") {
				t.Errorf("a job that fails: exit code %d, stderr %q", code, stderr)
			}
		})
	}
}

// The publisher in Java is compiled once, because that takes longer than its runs.
func TestJavaExample(t *testing.T) {
	t.Parallel()
	for _, needed := range []string{"javac", "java"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip(err)
		}
	}
	classes := t.TempDir()
	if out, err := exec.Command("javac", "-d", classes, filepath.Join("..", "..", "docs", "examples", "Publish.java")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	o := devOverHTTP(t, t.TempDir())
	run := func(job string) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "job.json")
		if err := os.WriteFile(file, []byte(job), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("java", "-XX:TieredStopAtLevel=1", "-cp", classes, "Publish", "segment.add", file)
		cmd.Env = append(os.Environ(), "USHER_URL="+o.url, "USHER_TOKEN="+o.token)
		out, _ := cmd.CombinedOutput() // the exit code is in the text
		return fmt.Sprintf("%d %s", cmd.ProcessState.ExitCode(), out)
	}
	if got := run(`{"id":"java","segment":"1","profile":"idfa","source":{"ids":["6D92078A-8246-4BA4-AE5B-76104861E7DC"]}}`); got != "0 java done: 1 of 1 rows accepted\n" {
		t.Errorf("a job: %s", got)
	}
	if got := run(`{"segment":"1","profile":"idfa"}`); !strings.HasPrefix(got, "1 400 ") || !strings.Contains(got, "/source") {
		t.Errorf("an invalid job: %s", got)
	}
}

// limitPayload has NATS reload its configuration with another max_payload.
func (d *deployment) limitPayload(bytes int64) {
	d.t.Helper()
	config, err := os.ReadFile(d.nats.config)
	if err != nil {
		d.t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(config), "max_payload")
	writeFile(d.t, d.nats.config, fmt.Sprintf("%smax_payload: %d\n", text, bytes))
	d.nats.signal(syscall.SIGHUP)
	eventually(d.t, "NATS has the limit", func() bool {
		nc, err := nats.Connect(d.nats.url)
		if err != nil {
			return false
		}
		defer nc.Close()
		return nc.MaxPayload() == bytes
	})
}

// A max_payload that a reload of NATS lowers ends no worker. The job that is too large now gets a
// 413, and jobs that fit are taken on the new connection. When it is raised again, so is the large one.
func TestLoweredMaxPayload(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	worker, o := d.serveHTTP()
	d.limitPayload(32 << 10)
	ids := make([]string, 2000)
	for i := range ids {
		ids[i] = fmt.Sprintf("6D92078A-8246-4BA4-AE5B-%012X", i)
	}
	body := asJSON(job{"id": "large", "segment": "1", "profile": "idfa", "source": job{"ids": ids}})
	for range 2 { // by the server, and by the client of the new connection
		if status, answer := o.send(t, http.MethodPost, "/v1/jobs/segment.add", body); status != http.StatusRequestEntityTooLarge {
			t.Errorf("status %d: %s", status, answer)
		}
	}
	small := asJSON(job{"id": "small", "segment": "1", "profile": "idfa", "source": job{"ids": ids[:2]}})
	if status, answer := o.send(t, http.MethodPost, "/v1/jobs/segment.add", small); status != http.StatusAccepted {
		t.Errorf("status %d: %s", status, answer)
	}
	if r := d.ended("small"); r.State != usher.Done {
		t.Error(recordText(r))
	}
	d.limitPayload(1 << 20)
	eventually(t, "the large job is taken once the limit is raised again", func() bool {
		status, _ := o.send(t, http.MethodPost, "/v1/jobs/segment.add", body)
		return status == http.StatusAccepted
	})
	worker.signal(syscall.SIGTERM)
	if code := worker.exit(t); code != 0 {
		t.Errorf("the worker exited with %d", code)
	}
	if log := d.log("intake"); !strings.Contains(log, "NATS has refused a request and closed the connection: Maximum Payload Violation") {
		t.Errorf("the log does not say why it has connected again:\n%s", log)
	}
}

// A max_payload that is lowered below the size of a stored value is named by /readyz, which stays 200,
// and by the overview. When it is raised again, workers notice, and all is well.
func TestMaxPayloadBelowRecord(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_UPLOAD_BATCH_IDS=1000")
	path := filepath.Join(d.exports, "large.txt")
	var rows strings.Builder
	for i := range 200_000 { // the record has a sketch of as many distinct ids
		fmt.Fprintf(&rows, "6D92078A-8246-4BA4-AE5B-%012X\n", i)
	}
	writeFile(t, path, rows.String())
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	d.worker("worker", "USHER_CONSOLE_LISTEN="+address, "USHER_CONSOLE_USERS="+usersFile(t))
	eventually(t, "the worker is ready", func() bool { status, _ := readyz(t, address); return status == http.StatusOK })
	ask := d.visit("http://" + address)
	d.slow(50 * time.Millisecond)
	d.publish(usher.SegmentAdd, d.addJob("large", path))
	eventually(t, "it runs", func() bool { return d.record("large").Batches > 100 })
	d.limitPayload(8 << 10)
	eventually(t, "/readyz names the value", func() bool {
		status, body := readyz(t, address)
		return status == http.StatusOK && strings.Contains(body, "cannot be written since") && strings.Contains(body, "max_payload")
	})
	eventually(t, "the overview names it", func() bool {
		text := ask("GET", "/api/overview", "")
		return strings.Contains(text, "NATS does not take a record because of its size")
	})
	d.limitPayload(1 << 20)
	if r := d.ended("large"); r.State != usher.Done || r.Tally.Accepted != 200_000 {
		t.Error(recordText(r))
	}
	eventually(t, "/readyz is well", func() bool { _, body := readyz(t, address); return strings.Contains(body, `"streams":"ok"`) })
}
