package differential_test

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// usher is the command, and a deployment of it on a platform.
type usher struct {
	t        *testing.T
	dir      string
	binary   string
	env      []string
	rules    string // the folder of rule files that workers use
	platform *platform
	address  string   // of the platform
	host     *process // usher dev
	nats     string   // addresses of its parts, which they keep when it is started again
	redis    string
}

// patience limits how long the test waits for a worker. A run of many campaigns takes minutes
// on a machine that does much else.
const patience = 10 * time.Minute

// startUsher builds the command, unless make has, and starts usher dev on a platform.
// settings are environment variables of all its processes.
func startUsher(t *testing.T, settings ...string) *usher {
	t.Helper()
	dir := t.TempDir()
	u := &usher{
		t: t, dir: dir, binary: os.Getenv("USHER_TEST_PROGRAM"), rules: filepath.Join(dir, "rules"), platform: newPlatform(),
		nats: "127.0.0.1:0", redis: "127.0.0.1:0",
	}
	if u.binary == "" {
		u.build(filepath.Join(dir, "usher"))
	}
	server := httptest.NewServer(u.platform)
	t.Cleanup(server.Close)
	u.address = server.URL
	if err := os.Mkdir(u.rules, 0o700); err != nil {
		t.Fatal(err)
	}
	u.write("idle", "account: IDLE\ntimezone: UTC\nrules: []\n")
	u.env = append(os.Environ(), "USHER_PLATFORM_URL="+server.URL, "USHER_PLATFORM_PASSWORD=secret", "USHER_PLATFORM_RATE=100000", "USHER_LANES_RULES=8", "USHER_LANES_CAMPAIGN=16", "USHER_ACTIONS=budget,bid")
	u.env = append(u.env, settings...)
	u.serve()
	t.Cleanup(func() { u.host.end(os.Interrupt) })
	return u
}

// serve starts usher dev, or starts it again, and waits until it is ready.
func (u *usher) serve() {
	u.t.Helper()
	ready := filepath.Join(u.dir, "ready.json")
	_ = os.Remove(ready)
	u.host = u.start(nil, "dev", "--data", filepath.Join(u.dir, "data"), "--rules", u.rules, "--platform", u.address,
		"--nats", u.nats, "--redis", u.redis, "--console", "127.0.0.1:0", "--ready-file", ready, "--log-level", "error")
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	late := time.After(patience)
	var at struct {
		NATS  string `json:"nats"`
		Redis string `json:"redis"`
	}
	for data := []byte(nil); json.Unmarshal(data, &at) != nil; data, _ = os.ReadFile(ready) {
		select {
		case <-u.host.ended:
			u.t.Fatalf("usher dev ended:\n%s", u.host.log)
		case <-late:
			u.t.Fatalf("usher dev is not ready:\n%s", u.host.log)
		case <-poll.C:
		}
	}
	if !strings.HasSuffix(u.nats, ":0") {
		return // it has the addresses that it had
	}
	u.nats, u.redis = u.hostOf(at.NATS), u.hostOf(at.Redis)
	u.env = append(u.env, "USHER_NATS_URL="+at.NATS, "USHER_REDIS_URL="+at.Redis)
}

// hostOf returns the host and port of a URL.
func (u *usher) hostOf(text string) string {
	u.t.Helper()
	where, err := url.Parse(text)
	if err != nil {
		u.t.Fatal(err)
	}
	return where.Host
}

// process is a process of the command that runs until it is ended.
type process struct {
	command *exec.Cmd
	log     *bytes.Buffer // complete when it has ended
	ended   chan struct{}
}

// start starts a process with further environment variables.
func (u *usher) start(env []string, args ...string) *process {
	u.t.Helper()
	p := &process{command: exec.Command(u.binary, args...), log: &bytes.Buffer{}, ended: make(chan struct{})}
	p.command.Env, p.command.Dir, p.command.Stdout, p.command.Stderr = slices.Concat(u.env, env), u.dir, p.log, p.log
	if err := p.command.Start(); err != nil {
		u.t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		_ = p.command.Wait() // a killed process returns an error
	}()
	return p
}

// end sends a signal and waits until the process has ended.
func (p *process) end(signal os.Signal) {
	_ = p.command.Process.Signal(signal) // it may have ended
	<-p.ended
}

// build builds the command at a path.
func (u *usher) build(path string) {
	u.t.Helper()
	u.binary = path
	build := exec.CommandContext(u.t.Context(), "go", "build", "-tags", "grpcnotrace,disable_grpc_modules", "-o", path, "usher/cmd/usher")
	if out, err := build.CombinedOutput(); err != nil {
		u.t.Fatalf("build usher: %v\n%s", err, out)
	}
}
