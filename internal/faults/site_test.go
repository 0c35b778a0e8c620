package faults_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long the test waits for something that must happen. On idle cores
// it takes seconds.
const patience = 4 * time.Minute

// workers is the number of workers.
const workers = 3

// ackWait is usher's nats.ack_wait. It is short, so that the jobs of a worker that was
// killed soon run again.
const ackWait = 6 * time.Second

// site has usher's workers and all servers that they use.
type site struct {
	t        testing.TB
	dir      string
	cluster  *cluster
	cache    *cache
	sandbox  *program
	platform string // the sandbox's address, not through the link
	toBox    link
	web      *web // a source of exports
	workers  [workers]*program
	consoles [workers]string
	env      []string // of usher's commands
	missing  string   // why there are no volumes, or ""
}

// newSite starts everything.
func newSite(t testing.TB) *site {
	t.Helper()
	s := &site{t: t, dir: t.TempDir()}
	t.Cleanup(func() {
		if t.Failed() {
			s.keepLogs()
		}
	})
	var volumes [nodes]*volume
	for i := range volumes {
		v, err := newVolume(t, s.dir, fmt.Sprintf("volume-%d", i+1))
		if err != nil {
			s.missing = err.Error()
			break
		}
		volumes[i] = v
	}
	s.cluster = newCluster(t, s.dir, volumes)
	s.cache = newCache(t, s.dir)
	s.startSandbox()
	for _, name := range []string{"exports", "rules"} {
		if err := os.Mkdir(filepath.Join(s.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(s.dir, "rules", "watch.yaml"), watchRules)
	s.web = newWeb(t, s.dir)
	s.env = []string{
		"USHER_NATS_URL=" + s.cluster.url("worker"), "USHER_NATS_REPLICAS=3", "USHER_NATS_ACK_WAIT=" + ackWait.String(), "USHER_NATS_MAX_BYTES=16777216",
		"USHER_REDIS_URL=" + s.cache.url, "USHER_PLATFORM_URL=http://" + s.toBox.Listen, "USHER_PLATFORM_RATE=1000", "USHER_PLATFORM_TIMEOUT=5s",
		"USHER_SOURCES_ALLOW=" + s.path("exports") + "," + s.web.server.URL + "/", "USHER_SOURCES_HTTPS_CA=" + s.web.ca, "USHER_SOURCES_PART_BYTES=65536", "USHER_UPLOAD_BATCH_IDS=500", "USHER_RULES_FILES=" + s.path("rules"),
		"USHER_RETRY_FIRST=200ms", "USHER_RETRY_LAST=5s", "USHER_RETRY_ATTEMPTS=1000", "USHER_LOG_FORMAT=text",
	}
	await(t, "the streams are declared", func() error {
		out, err := s.usher("migrate", "--nats", s.cluster.urls("admin", func(i int) string { return address(s.cluster.ports[i]) }))
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	})
	for i := range s.workers {
		name := fmt.Sprintf("worker-%d", i+1)
		s.consoles[i] = address(freePort(t))
		s.workers[i] = &program{
			name: name, path: usherProgram(t), args: []string{"run"}, logs: s.dir,
			env: append([]string{"USHER_WORKER=" + name, "USHER_CONSOLE_LISTEN=" + s.consoles[i]}, s.env...),
		}
		s.workers[i].start(t)
	}
	s.awaitReady()
	return s
}

func (s *site) path(name string) string { return filepath.Join(s.dir, name) }

func (s *site) startSandbox() {
	s.t.Helper()
	port := freePort(s.t)
	s.platform = "http://" + address(port)
	s.toBox = newLink(s.t, freePort(s.t), port)
	s.sandbox = &program{
		name: "sandbox", path: usherProgram(s.t), logs: s.dir,
		args: []string{"sandbox", "--listen", address(port), "--data", s.path("platform")},
	}
	s.sandbox.start(s.t)
	await(s.t, "the sandbox answers", func() error { return s.control("GET", "faults", nil, nil) })
}

// awaitReady waits until all workers report that all is well.
func (s *site) awaitReady() {
	s.t.Helper()
	if unwell := s.unwell(patience, ""); len(unwell) > 0 {
		s.t.Fatal(strings.Join(unwell, "\n"))
	}
}

// ready returns what a worker says in /readyz.
func (s *site) ready(i int) (checks map[string]string, err error) {
	client := http.Client{Timeout: 5 * time.Second}
	response, err := client.Get("http://" + s.consoles[i] + "/readyz")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return checks, json.NewDecoder(response.Body).Decode(&checks)
}

// unwell returns what workers still say is wrong in /readyz after limit, besides the check allow.
func (s *site) unwell(limit time.Duration, allow string) (violations []string) {
	for i := range s.workers {
		if err := within(limit, func() error {
			checks, err := s.ready(i)
			for _, what := range slices.Sorted(maps.Keys(checks)) {
				if text := checks[what]; text != "ok" && what != allow {
					err = errors.Join(err, fmt.Errorf("%s: %s", what, text))
				}
			}
			return err
		}); err != nil {
			violations = append(violations, fmt.Sprintf("%s is not well: %v", s.workers[i].name, err))
		}
	}
	return violations
}

// named returns nil once a worker names what is wrong in a check of /readyz, within a minute.
func (s *site) named(check, what string) error {
	return within(time.Minute, func() error {
		var said []string
		for i := range s.workers {
			checks, err := s.ready(i)
			if err == nil && strings.Contains(checks[check], what) {
				return nil
			}
			said = append(said, fmt.Sprint(checks[check], err))
		}
		return fmt.Errorf("no worker names %q in /readyz: %q", what, said)
	})
}

// usher runs a command and returns its output.
func (s *site) usher(args ...string) (string, error) {
	cmd := exec.Command(usherProgram(s.t), args...)
	cmd.Env, cmd.Dir = append(os.Environ(), s.env...), s.dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// control calls the sandbox's own controls.
func (s *site) control(method, path string, body, result any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, s.platform+"/sandbox/"+path, bytes.NewReader(data))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	data, err = io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s %s %w", method, path, response.Status, data, err)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(data, result)
}

// keepLogs copies the logs to a folder that the end of the test does not remove, and
// prints its name.
func (s *site) keepLogs() {
	kept, err := os.MkdirTemp("", "usher-faults-")
	if err != nil {
		s.t.Error(err)
		return
	}
	logs, _ := filepath.Glob(s.path("*.log")) // the pattern is valid
	for _, path := range logs {
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(filepath.Join(kept, filepath.Base(path)), data, 0o600)
		}
		if err != nil {
			s.t.Error(err)
		}
	}
	s.t.Log("the logs are in ", kept)
}

// await waits until check returns nil.
func await(t testing.TB, what string, check func() error) {
	t.Helper()
	if err := within(patience, check); err != nil {
		t.Fatalf("timed out waiting until %s: %v", what, err)
	}
}

// within repeats check until it returns nil, and returns its last error after limit.
func within(limit time.Duration, check func() error) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	over := time.After(limit)
	for {
		err := check()
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-over:
			return err
		}
	}
}

func address(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

// freePort returns a port that nothing listens on, below those that the system gives to
// connections.
func freePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := 12_000 + rand.IntN(20_000)
		l, err := net.Listen("tcp", address(port))
		if err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// deployed returns a file of deploy/.
func deployed(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// usherProgram and natsServer return the programs of the variables that the Makefile
// sets, or build them.
func usherProgram(t testing.TB) string {
	t.Helper()
	return built(t, "USHER_TEST_PROGRAM", "usher/cmd/usher", &builtUsher)
}

func natsServer(t testing.TB) string {
	t.Helper()
	return built(t, "USHER_TEST_NATS_SERVER", "github.com/nats-io/nats-server/v2", &builtNATS)
}

// build is a program that is built once.
type build struct {
	once sync.Once
	path string
	err  error
}

var builtUsher, builtNATS build

func built(t testing.TB, variable, pkg string, b *build) string {
	t.Helper()
	if path := os.Getenv(variable); path != "" {
		return path
	}
	b.once.Do(func() {
		dir, err := os.MkdirTemp("", "usher-faults-*")
		if err != nil {
			b.err = err
			return
		}
		b.path = filepath.Join(dir, "program")
		out, err := exec.Command("go", "build", "-tags", "grpcnotrace,disable_grpc_modules", "-o", b.path, pkg).CombinedOutput()
		if err != nil {
			b.err = fmt.Errorf("build %s: %w\n%s", pkg, err, strings.TrimSpace(string(out)))
		}
	})
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.path
}
