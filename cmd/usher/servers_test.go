package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/redis/go-redis/v9"

	"usher"
	"usher/internal/natstest"
	"usher/internal/sandbox"
	"usher/pipeline"
	"usher/queues"
	"usher/queues/letters"
)

// patience is how long a test waits for a condition. It is much longer than
// necessary, so that tests do not fail on a slow machine.
const patience = 5 * time.Minute

// eventually waits until check returns true.
func eventually(t testing.TB, what string, check func() bool) {
	t.Helper()
	waitUntil(t, what, nil, check)
}

// waitUntil is eventually for a condition whose changes are announced by messages. It also
// checks at growing intervals, because the wait is long if a worker was killed, and each
// check takes time of the processes that the test waits for.
func waitUntil(t testing.TB, what string, announced <-chan *nats.Msg, check func() bool) {
	t.Helper()
	const longest = 200 * time.Millisecond
	timeout := time.After(patience)
	for interval := 10 * time.Millisecond; !check(); interval = min(interval*3/2, longest) {
		select {
		case <-announced:
		case <-time.After(interval):
		case <-timeout:
			t.Fatal("timed out waiting until ", what)
		}
	}
}

// process is a server or worker that a test started.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
}

// startProcess starts a program. Its output goes to a file in the test's log folder.
// The program is killed when the test ends.
func startProcess(t testing.TB, name string, env []string, program string, args ...string) *process {
	t.Helper()
	return startProcessBy(t, (*exec.Cmd).Start, name, env, program, args...)
}

// startProcessBy is startProcess with the function that starts the command.
func startProcessBy(t testing.TB, start func(*exec.Cmd) error, name string, env []string, program string, args ...string) *process {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes: run without -short")
	}
	path := filepath.Join(logDir(t), name+".log")
	log, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Dir = t.TempDir()
	cmd.Stdout, cmd.Stderr = log, log
	if err := start(cmd); err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // the test checks the exit code
		_ = log.Close()
		close(p.done)
	}()
	t.Cleanup(func() {
		p.kill()
		checkRaces(t, path)
	})
	return p
}

// checkRaces fails the test if the race detector has reported a race in a process's log. The
// exit code does not tell, because most processes are killed.
func checkRaces(t testing.TB, log string) {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Error(err)
	}
	if _, report, found := bytes.Cut(data, []byte("WARNING: DATA RACE")); found {
		t.Errorf("a data race in %s:%s", filepath.Base(log), report[:min(len(report), 5000)])
	}
}

var logDirs sync.Map // log folder by name of the test

// logDir returns the test's log folder. If the test fails, it prints the end of each
// log.
func logDir(t testing.TB) string {
	t.Helper()
	created := t.TempDir()
	dir, exists := logDirs.LoadOrStore(t.Name(), created)
	if !exists {
		t.Cleanup(func() {
			logDirs.Delete(t.Name())
			if t.Failed() {
				showLogs(t, created)
			}
		})
	}
	return dir.(string)
}

func showLogs(t testing.TB, dir string) {
	logs, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil {
		t.Error(err)
	}
	for _, path := range logs {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		t.Logf("%s:\n%s", filepath.Base(path), data[max(0, len(data)-3000):])
	}
}

func (p *process) kill() { p.signal(syscall.SIGKILL); <-p.done }

func (p *process) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }

// exit waits until the process exits and returns the exit code.
func (p *process) exit(t testing.TB) int {
	t.Helper()
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		t.Fatal("the process did not exit")
		return 0
	}
}

// freePort returns a port that nothing listens on. It lies below the ports that the
// system gives to connections, so that none of them takes it before a server does.
func freePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := 12_000 + rand.IntN(20_000)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// natsProgram returns the path of a nats-server of the version in go.mod.
var natsProgram = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("USHER_TEST_NATS_SERVER"); path != "" {
		return path, nil
	}
	dir, err := os.MkdirTemp("", "usher-nats-server-*")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "nats-server")
	out, err := exec.Command("go", "build", "-o", path, "github.com/nats-io/nats-server/v2").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build nats-server: %w\n%s", err, out)
	}
	return path, nil
})

// natsProcess is a nats-server that can be killed and restarted with the same
// address and data.
type natsProcess struct {
	*process
	url, config string
	args, env   []string // in addition to the configuration
	replicas    int      // of streams in a cluster; 0 means 1
}

func startNATSProcess(t testing.TB) *natsProcess {
	t.Helper()
	dir := natstest.Dir(t)
	port := freePort(t)
	n := &natsProcess{url: fmt.Sprintf("nats://127.0.0.1:%d", port), config: filepath.Join(dir, "nats.conf")}
	config := fmt.Sprintf("host: 127.0.0.1\nport: %d\njetstream { store_dir: %q, sync_interval: always }\n", port, filepath.Join(dir, "store"))
	if err := os.WriteFile(n.config, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	n.start(t)
	return n
}

func (n *natsProcess) start(t testing.TB) {
	t.Helper()
	program, err := natsProgram()
	if err != nil {
		t.Fatal(err)
	}
	n.process = startProcess(t, "nats", n.env, program, append([]string{"-c", n.config}, n.args...)...)
	eventually(t, "NATS answers", func() bool {
		nc, err := nats.Connect(n.url)
		if err == nil {
			nc.Close()
		}
		return err == nil
	})
}

// redisProcess is a redis-server that can be killed and restarted.
type redisProcess struct {
	*process
	port  int
	login string   // user:password@ for usher
	args  []string // in addition to the default arguments
}

func startRedisProcess(t testing.TB) *redisProcess {
	t.Helper()
	r := &redisProcess{port: freePort(t)}
	r.start(t)
	return r
}

func (r *redisProcess) url() string { return fmt.Sprintf("redis://%s127.0.0.1:%d/0", r.login, r.port) }

func (r *redisProcess) start(t testing.TB) {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("redis-server not found: apt-get install redis-server")
	}
	r.process = startProcess(t, "redis", nil, program, append([]string{"--port", fmt.Sprint(r.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"}, r.args...)...)
	options, err := redis.ParseURL(r.url())
	if err != nil {
		t.Fatal(err)
	}
	rdb := redis.NewClient(options)
	defer rdb.Close()
	eventually(t, "Redis answers", func() bool { return rdb.Ping(context.Background()).Err() == nil })
}

// asUsher is the variable that makes the test binary behave as usher, see TestMain.
const asUsher = "USHER_TEST_AS_USHER"

// deployment is the environment of a worker: NATS and Redis as processes, and the sandbox
// behind an HTTP server.
type deployment struct {
	t       testing.TB
	nats    *natsProcess
	redis   *redisProcess
	box     *sandbox.Sandbox
	server  *httptest.Server
	exports string // the folder that jobs are allowed to read
	raced   bool   // whether workers run with the race detector in make nightly, see racedProgram
	env     []string
	queue   *queues.Queue
	nc      *nats.Conn
	js      jetstream.JetStream
}

// ackWait is the time after which the jobs of a killed worker are redelivered.
const ackWait = 3 * time.Second

// newDeployment starts everything except workers. settings are additional environment
// variables, for example USHER_UPLOAD_BATCH_IDS=1000.
func newDeployment(t testing.TB, settings ...string) *deployment {
	t.Helper()
	return newDeploymentOn(t, sandbox.Options{ApprovalDelay: time.Hour}, settings...)
}

// newDeploymentOn is like newDeployment, with options for the sandbox.
func newDeploymentOn(t testing.TB, options sandbox.Options, settings ...string) *deployment {
	t.Helper()
	return newDeploymentWithServers(t, startNATSProcess(t), startRedisProcess(t), options, settings...)
}

// newDeploymentWithServers is like newDeploymentOn, with servers that are already running.
func newDeploymentWithServers(t testing.TB, n *natsProcess, r *redisProcess, options sandbox.Options, settings ...string) *deployment {
	t.Helper()
	box, err := sandbox.Open(options)
	if err != nil {
		t.Fatal(err)
	}
	d := &deployment{t: t, nats: n, redis: r, box: box,
		server: httptest.NewServer(box), exports: t.TempDir()}
	t.Cleanup(func() { d.server.Close(); _ = box.Close() })
	d.env = append([]string{
		asUsher + "=1", "GORACE=atexit_sleep_ms=0", "USHER_NATS_URL=" + d.nats.url, "USHER_REDIS_URL=" + d.redis.url(),
		"USHER_PLATFORM_URL=" + d.server.URL, "USHER_SOURCES_ALLOW=" + d.exports, "USHER_CONSOLE_LISTEN=",
		"USHER_NATS_ACK_WAIT=" + ackWait.String(), "USHER_PLATFORM_RATE=2000", "USHER_LOG_FORMAT=text",
	}, settings...)
	if d.nc, err = nats.Connect(d.nats.url, nats.Timeout(patience), nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.nc.Close)
	if d.js, err = jetstream.New(d.nc); err != nil {
		t.Fatal(err)
	}
	o := queues.Options{Replicas: n.replicas, AckWait: ackWait, HashInline: pipeline.HashInline, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct}
	// A new cluster must first elect its leader and the leader of each stream.
	eventually(t, "the streams are declared", func() bool {
		if err = queues.Declare(t.Context(), d.js, o); err == nil {
			d.queue, err = queues.Open(t.Context(), d.nc, o)
		}
		if err != nil {
			t.Log(err)
		}
		return err == nil
	})
	return d
}

// worker starts usher run as a process.
func (d *deployment) worker(name string, settings ...string) *process {
	d.t.Helper()
	program := commandProgram(d.t)
	if d.raced {
		program = racedProgram(d.t)
	}
	return startProcess(d.t, name, append(append([]string{"USHER_WORKER=" + name}, d.env...), settings...), program, "run")
}

// publish publishes a job directly to NATS and waits for the PubAck.
func (d *deployment) publish(kind usher.Kind, job any) {
	d.t.Helper()
	body, err := json.Marshal(job)
	if err != nil {
		d.t.Fatal(err)
	}
	if _, err := d.js.Publish(d.t.Context(), "usher.jobs."+string(kind), body); err != nil {
		d.t.Fatal(err)
	}
}

// job is a job as JSON.
type job map[string]any

func (d *deployment) addJob(id, path string, more ...job) job {
	j := job{"id": id, "segment": "1", "profile": "idfa", "source": job{"url": "file://" + path}}
	for _, m := range more {
		maps.Copy(j, m)
	}
	return j
}

// ended waits until a job has ended and returns its record.
func (d *deployment) ended(id string) usher.Record {
	d.t.Helper()
	events := make(chan *nats.Msg, 100) // further ones are dropped
	subscription, err := d.nc.ChanSubscribe("usher.events."+id, events)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = subscription.Unsubscribe() }() // the connection ends with the test
	var r usher.Record
	waitUntil(d.t, "job "+id+" has ended", events, func() bool {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		r, err = d.queue.Status().Record(ctx, id)
		return err == nil && r.State.Ended()
	})
	if err := r.Tally.Check(); err != nil {
		d.t.Error(err)
	}
	return r
}

// record returns the current record of a job, or the zero value if it has no record.
func (d *deployment) record(id string) usher.Record {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	r, _ := d.queue.Status().Record(ctx, id)
	return r
}

func (d *deployment) letters() []usher.DeadLetter {
	d.t.Helper()
	var found []usher.DeadLetter
	eventually(d.t, "the dead letters are read", func() (read bool) { // a busy NATS may take longer than a call's limit
		var err error
		found, err = letters.New(d.queue).List(d.t.Context(), letters.Filter{})
		return err == nil
	})
	return found
}

// usher runs a usher command and returns its stdout and stderr together.
func (d *deployment) usher(args ...string) (out string, code int) {
	d.t.Helper()
	var output strings.Builder
	code = d.run(&output, &output, args...)
	return output.String(), code
}

// usherJSON runs a usher command with --json and decodes its stdout into v. It returns all
// that the command printed, including progress on stderr.
func (d *deployment) usherJSON(v any, args ...string) (printed string) {
	d.t.Helper()
	var stdout, stderr strings.Builder
	code := d.run(&stdout, &stderr, append(args, "--json")...)
	if err := json.Unmarshal([]byte(stdout.String()), v); err != nil || code != 0 {
		d.t.Fatalf("usher %s exited with %d: %v\n%s%s", strings.Join(args, " "), code, err, stdout.String(), stderr.String())
	}
	return stdout.String() + stderr.String()
}

func (d *deployment) run(stdout, stderr io.Writer, args ...string) (code int) {
	d.t.Helper()
	cmd := exec.Command(commandProgram(d.t), args...)
	cmd.Env = append(os.Environ(), d.env...)
	cmd.Dir = d.t.TempDir()
	cmd.Stdout, cmd.Stderr = stdout, stderr
	_ = cmd.Run() // the caller checks the exit code
	return cmd.ProcessState.ExitCode()
}

// night says that make nightly runs the tests; see also main_test.go.
var night = os.Getenv("USHER_TEST_NIGHT") != ""

// atNight skips a test that takes minutes and rarely finds something, unless make nightly runs it.
func atNight(t *testing.T) {
	t.Helper()
	if !night {
		t.Skip("it runs in make nightly, which sets USHER_TEST_NIGHT")
	}
}

// commandProgram returns the program that make test has built, if there is one, which starts
// faster than the test binary.
func commandProgram(t testing.TB) string {
	t.Helper()
	if program := os.Getenv("USHER_TEST_PROGRAM"); program != "" {
		return program
	}
	return testProgram(t)
}

// racedProgram returns the program that make nightly has built with the race detector, if there is
// one.
func racedProgram(t testing.TB) string {
	t.Helper()
	if program := os.Getenv("USHER_TEST_RACED_PROGRAM"); program != "" {
		return program
	}
	return commandProgram(t)
}

// testProgram returns the test binary, which is usher if its environment has asUsher.
func testProgram(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}
