package fleet_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"usher/internal/fleet"
)

// patience is how long a test waits for what must happen before it gives up.
const patience = 30 * time.Second

// shared is the redis-server that tests use side by side, each under a
// namespace of its own.
var shared struct {
	once   sync.Once
	server *server
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.server != nil {
		shared.server.kill()
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, "goroutines are left:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// server is a redis-server process that keeps nothing on disk.
type server struct {
	addr    string
	process *exec.Cmd
	drained chan struct{} // its output has ended
}

// startServer starts redis-server on addr, or on a free port if addr is empty,
// and returns when it accepts connections.
func startServer(addr string) (*server, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, fmt.Errorf("find redis-server: %w: install it, on Debian by `apt-get install redis-server`, or run `make test`", err)
	}
	var last error
	for range 5 {
		at := addr
		if at == "" {
			at, last = freeAddress()
			if last != nil {
				continue
			}
		}
		var s *server
		if s, last = runServer(path, at, "--port", portOf(at)); last == nil {
			return s, nil
		}
	}
	return nil, last
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func portOf(addr string) string { return addr[strings.LastIndexByte(addr, ':')+1:] }

func runServer(path, addr string, args ...string) (*server, error) {
	cmd := exec.Command(path, append(args, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{addr: addr, process: cmd, drained: make(chan struct{})}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if strings.Contains(line, "Ready to accept connections") || strings.Contains(line, "Sentinel ID is") {
			break
		}
		if err != nil {
			close(s.drained)
			s.kill()
			return nil, fmt.Errorf("start redis-server on %s: it ended before it was ready: %w", addr, err)
		}
	}
	go func() {
		defer close(s.drained)
		_, _ = io.Copy(io.Discard, lines)
	}()
	return s, nil
}

// kill ends the process as a crash would.
func (s *server) kill() {
	_ = s.process.Process.Kill()
	<-s.drained
	_ = s.process.Wait()
}

// ownServer is a redis-server for this test alone.
func ownServer(t *testing.T) *server {
	t.Helper()
	s, err := startServer("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.kill() })
	return s
}

// sharedAddress is that of the server that tests share. A test's keys end with
// it, so that it may run more than once.
func sharedAddress(t *testing.T) string {
	t.Helper()
	shared.once.Do(func() { shared.server, shared.err = startServer("") })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	rdb := dial(t, shared.server.addr)
	t.Cleanup(func() {
		for _, key := range rdb.Keys(context.Background(), t.Name()+":*").Val() {
			rdb.Del(context.Background(), key)
		}
	})
	return shared.server.addr
}

// miniAddress is a miniredis whose keys expire as time goes by.
func miniAddress(t *testing.T) string {
	t.Helper()
	m := miniredis.RunT(t)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		const step = 20 * time.Millisecond
		tick := time.NewTicker(step)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				m.FastForward(step)
			case <-stop:
				return
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-stopped })
	return m.Addr()
}

// each runs test against a real Redis and against the one that usher embeds.
func each(t *testing.T, test func(t *testing.T, addr string)) {
	t.Helper()
	for name, address := range map[string]func(*testing.T) string{"redis-server": sharedAddress, "miniredis": miniAddress} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, address(t))
		})
	}
}

// dial returns a client that ends with the test.
func dial(t *testing.T, addr string) redis.UniversalClient {
	t.Helper()
	rdb, err := fleet.Dial("redis://" + addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// join returns a fleet, named worker, in a namespace of the test's own. Short
// heartbeats let it see quickly that Redis is back.
func join(t *testing.T, rdb redis.UniversalClient, worker string, ttl time.Duration) *fleet.Fleet {
	t.Helper()
	f := fleet.New(rdb, fleet.Options{
		Namespace: t.Name(), Worker: worker, LockTTL: ttl, Heartbeat: 100 * time.Millisecond,
	})
	t.Cleanup(f.Close)
	return f
}

// await waits for done, or fails the test.
func await(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatalf("waited %v in vain: %s", patience, what)
	}
}

// until calls try until it is content, or fails the test.
func until(t *testing.T, what string, try func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !try() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("waited %v in vain: %s", patience, what)
		}
	}
}
