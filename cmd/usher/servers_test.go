package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
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
	"usher/internal/sandbox"
	"usher/pipeline"
	"usher/queues"
	"usher/queues/letters"
)

// patience is how long a test waits for what must come: far beyond what it
// takes, so that a slow machine fails no test.
const patience = 2 * time.Minute

// eventually waits until check says yes.
func eventually(t testing.TB, what string, check func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for !check() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("waited in vain until ", what)
		}
	}
}

// process is a server or worker of a test's own.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
}

// startProcess starts a program whose output goes to a file below the test's
// folder, and which the test's end kills.
func startProcess(t testing.TB, name string, env []string, program string, args ...string) *process {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes: run without -short")
	}
	log, err := os.OpenFile(filepath.Join(logDir(t), name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Dir = t.TempDir()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended is the test's to judge
		_ = log.Close()
		close(p.done)
	}()
	t.Cleanup(p.kill)
	return p
}

var logDirs sync.Map // a test's name → its folder of logs

// logDir is the test's folder of logs; a test that fails shows their ends.
func logDir(t testing.TB) string {
	t.Helper()
	fresh := t.TempDir()
	dir, known := logDirs.LoadOrStore(t.Name(), fresh)
	if !known {
		t.Cleanup(func() {
			logDirs.Delete(t.Name())
			if t.Failed() {
				showLogs(t, fresh)
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

// exit waits for the end and returns the exit code.
func (p *process) exit(t testing.TB) int {
	t.Helper()
	select {
	case <-p.done:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		t.Fatal("the process does not end")
		return 0
	}
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// natsProgram is a real nats-server, of the version that is in go.mod.
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

// natsProcess is a nats-server that can be killed and started again where it
// was.
type natsProcess struct {
	*process
	url, config string
	args, env   []string // beside the configuration
	replicas    int      // of a cluster; 0: one
}

func startNATSProcess(t testing.TB) *natsProcess {
	t.Helper()
	dir := t.TempDir()
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

// redisProcess is a redis-server that can be killed and started again.
type redisProcess struct {
	*process
	port  int
	login string   // user:password@, as whom usher comes
	args  []string // beside the usual ones
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
		t.Fatal("redis-server is needed: apt-get install redis-server")
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

// asUsher makes the test binary the command itself, see TestMain.
const asUsher = "USHER_TEST_AS_USHER"

// plant is all that a worker needs, each part real: NATS and Redis as
// processes, the platform behind a real HTTP server.
type plant struct {
	t       testing.TB
	nats    *natsProcess
	redis   *redisProcess
	box     *sandbox.Sandbox
	server  *httptest.Server
	exports string // the folder that jobs may read
	env     []string
	queue   *queues.Queue
	nc      *nats.Conn
	js      jetstream.JetStream
}

// ackWait is how long a killed worker's work lies still in these tests.
const ackWait = 3 * time.Second

// newPlant starts everything but workers. settings are further variables of
// the environment, USHER_UPLOAD_BATCH_IDS=1000.
func newPlant(t testing.TB, settings ...string) *plant {
	t.Helper()
	return newPlantOn(t, sandbox.Options{ApprovalDelay: time.Hour}, settings...)
}

// newPlantOn is newPlant with a sandbox of one's own.
func newPlantOn(t testing.TB, world sandbox.Options, settings ...string) *plant {
	t.Helper()
	return newPlantBeside(t, startNATSProcess(t), startRedisProcess(t), world, settings...)
}

// newPlantBeside is newPlantOn with servers of one's own.
func newPlantBeside(t testing.TB, n *natsProcess, r *redisProcess, world sandbox.Options, settings ...string) *plant {
	t.Helper()
	box, err := sandbox.Open(world)
	if err != nil {
		t.Fatal(err)
	}
	p := &plant{t: t, nats: n, redis: r, box: box,
		server: httptest.NewServer(box), exports: t.TempDir()}
	t.Cleanup(func() { p.server.Close(); _ = box.Close() })
	p.env = append([]string{
		asUsher + "=1", "USHER_NATS_URL=" + p.nats.url, "USHER_REDIS_URL=" + p.redis.url(),
		"USHER_PLATFORM_URL=" + p.server.URL, "USHER_SOURCES_ALLOW=" + p.exports, "USHER_CONSOLE_LISTEN=",
		"USHER_NATS_ACK_WAIT=" + ackWait.String(), "USHER_PLATFORM_RATE=2000", "USHER_LOG_FORMAT=text",
	}, settings...)
	if p.nc, err = nats.Connect(p.nats.url, nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.nc.Close)
	if p.js, err = jetstream.New(p.nc); err != nil {
		t.Fatal(err)
	}
	o := queues.Options{Replicas: n.replicas, AckWait: ackWait, Seal: pipeline.Seal, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct}
	// A cluster has to find a leader first, of each stream, too.
	eventually(t, "the streams are declared", func() bool {
		if err = queues.Declare(t.Context(), p.js, o); err == nil {
			p.queue, err = queues.Open(t.Context(), p.nc, o)
		}
		if err != nil {
			t.Log(err)
		}
		return err == nil
	})
	return p
}

// worker starts `usher run` as a process of its own.
func (p *plant) worker(name string, settings ...string) *process {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	return startProcess(p.t, name, append(append([]string{"USHER_WORKER=" + name}, p.env...), settings...), self, "run")
}

// publish publishes as a CRM would, and waits for the PubAck.
func (p *plant) publish(kind usher.Kind, job any) {
	p.t.Helper()
	body, err := json.Marshal(job)
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.js.Publish(p.t.Context(), "usher.jobs."+string(kind), body); err != nil {
		p.t.Fatal(err)
	}
}

// job is a job's JSON.
type job map[string]any

func (p *plant) addJob(id, path string, more ...job) job {
	j := job{"id": id, "segment": "1", "profile": "idfa", "source": job{"url": "file://" + path}}
	for _, m := range more {
		maps.Copy(j, m)
	}
	return j
}

// ended waits until a job has ended and returns its record.
func (p *plant) ended(id string) usher.Record {
	p.t.Helper()
	var r usher.Record
	eventually(p.t, "job "+id+" has ended", func() bool {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		var err error
		r, err = p.queue.Record(ctx, id)
		return err == nil && r.State.Ended()
	})
	if err := r.Tally.Check(); err != nil {
		p.t.Error(err)
	}
	return r
}

// state is a job's record now; its zero value where there is none yet.
func (p *plant) record(id string) usher.Record {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	r, _ := p.queue.Record(ctx, id)
	return r
}

func (p *plant) letters() []usher.DeadLetter {
	p.t.Helper()
	found, err := letters.New(p.queue).List(p.t.Context(), letters.Filter{})
	if err != nil {
		p.t.Fatal(err)
	}
	return found
}

// usher runs a command to its end.
func (p *plant) usher(args ...string) (out string, code int) {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), p.env...)
	cmd.Dir = p.t.TempDir()
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	_ = cmd.Run() // its exit code says the same
	return said.String(), cmd.ProcessState.ExitCode()
}
