package fleet_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"usher/internal/fleet"
)

// waitLimit is how long a test waits for an event before it fails.
const waitLimit = 30 * time.Second

// shared is the redis-server that tests use in parallel, each under its own
// namespace.
var shared struct {
	once   sync.Once
	server *server
	err    error
}

// TestMain runs more tests in parallel than there are cores, because they mostly wait for
// Redis and for locks to expire. The flag -parallel overrides it.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))) // before the command line is read
	code := m.Run()
	if shared.server != nil {
		shared.server.kill()
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, "goroutines remain:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// server is a redis-server process that keeps nothing on disk.
type server struct {
	addr    string
	process *exec.Cmd
	drained chan struct{} // closed when all of its output has been read
}

// startServer starts redis-server on addr, or on a free port if addr is empty,
// and returns once it accepts connections.
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

// kill ends the process like a crash.
func (s *server) kill() {
	_ = s.process.Process.Kill()
	<-s.drained
	_ = s.process.Wait()
}

// ownServer starts a redis-server for one test.
func ownServer(t *testing.T) *server {
	t.Helper()
	s, err := startServer("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.kill() })
	return s
}

// sharedAddress returns the address of the server that tests share. It deletes the keys of
// the test at its end, so that the test may run more than once.
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

// miniAddress starts a miniredis whose keys expire in real time, and returns its address.
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

// onEach runs test on a redis-server and on the Redis that usher embeds.
func onEach(t *testing.T, test func(t *testing.T, addr string)) {
	t.Helper()
	for name, address := range map[string]func(*testing.T) string{"redis-server": sharedAddress, "miniredis": miniAddress} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, address(t))
		})
	}
}

// dial returns a client that is closed with the test.
func dial(t *testing.T, addr string) redis.UniversalClient {
	t.Helper()
	rdb, err := fleet.Dial("redis://"+addr, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// join returns the Fleet of a worker in the namespace of the test. Probes are frequent,
// so that it soon notices that Redis is back.
func join(t *testing.T, rdb redis.UniversalClient, worker string, ttl time.Duration) *fleet.Fleet {
	t.Helper()
	f := fleet.New(rdb, fleet.Options{
		Namespace: t.Name(), Worker: worker, LockTTL: ttl, Probe: 100 * time.Millisecond,
	})
	t.Cleanup(f.Close)
	return f
}

// await waits for done.
func await(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(waitLimit):
		t.Fatalf("waited %v for %s", waitLimit, what)
	}
}

// until calls try until it returns true.
func until(t *testing.T, what string, try func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !try() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("waited %v for %s", waitLimit, what)
		}
	}
}
