package doctor

import (
	"bufio"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A Redis that answers reads and accepts no writes is a problem, and doctor says what to do.
func TestRedisThatAcceptsNoWrites(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settings []string
		ok       bool
		says     string
	}{
		"one server":        {nil, true, "a key was stored and removed"},
		"one of three":      {[]string{"--min-replicas-to-write", "1"}, false, "write a key: Redis accepts no writes: NOREPLICAS: it has fewer replicas than its min-replicas-to-write: start its replicas, or remove"},
		"without its group": {[]string{"--replicaof", "127.0.0.1", "1"}, false, "write a key: Redis accepts no writes: READONLY: it is a replica: set redis.url"},
		"without memory":    {[]string{"--maxmemory", "1"}, false, "write a key: Redis accepts no writes: OOM: its memory is full: raise its maxmemory"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &examination{config: load(t, map[string]string{"USHER_REDIS_URL": "redis://" + startRedis(t, c.settings...)}), limits: usual, clocks: clocks{now: time.Now}}
			for _, f := range e.examineRedis(t.Context()) {
				if f.What == "writes to Redis" {
					if f.OK != c.ok || f.NoResponse || !strings.HasPrefix(f.Says, c.says) {
						t.Errorf("%+v, want %q", f, c.says)
					}
					return
				}
			}
			t.Error("doctor did not check whether Redis accepts writes")
		})
	}
}

// A login that the platform refuses is a problem that names the keys to correct.
func TestWrongPasswordOfThePlatform(t *testing.T) {
	t.Parallel()
	others, _ := servers(t)
	c := load(t, map[string]string{"USHER_PLATFORM_URL": others.String("platform.url"), "USHER_PLATFORM_PASSWORD": "wrong"})
	e := &examination{config: c, limits: usual, clocks: clocks{now: time.Now}}
	if f := e.examinePlatform(t.Context())[0]; f.OK || !strings.Contains(f.Says, "platform.password or the file of USHER_PLATFORM_PASSWORD_FILE") {
		t.Errorf("%+v", f)
	}
}

// startRedis starts a redis-server with settings, and returns its address.
func startRedis(t *testing.T, settings ...string) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_, port, _ := net.SplitHostPort(address) // an address of net has a port
	_ = free.Close()
	server := exec.Command("redis-server", append([]string{"--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"}, settings...)...)
	output, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatalf("%v: on Debian, install it by `apt-get install redis-server`", err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if strings.Contains(lines.Text(), "Ready to accept connections") {
			return address
		}
	}
	t.Fatal("redis-server ended before it was ready")
	return ""
}
