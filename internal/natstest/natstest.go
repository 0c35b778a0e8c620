// Package natstest gives tests a NATS server with JetStream: an account of a server that they
// share, or a server or a cluster of their own.
package natstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Connect returns a connection to an account of its own, which ends with the test. Tests that
// run at the same time share a server, because to start one takes longer than most tests.
//
// The server is the program in USHER_TEST_NATS_SERVER, if that is set, and not a part of the
// test's process: with the race detector it would take most of the time of the test.
func Connect(t testing.TB, o ...nats.Option) *nats.Conn {
	t.Helper()
	var address string
	if program := os.Getenv("USHER_TEST_NATS_SERVER"); program != "" {
		address = account(t, program)
	} else {
		address = Serve(t, &natsserver.Options{}).ClientURL()
	}
	nc, err := nats.Connect(address, append([]nats.Option{nats.Timeout(time.Minute)}, o...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// Serve starts a server of the test's own in its process. It sets the options that all tests
// need, and a folder if o has none.
func Serve(t testing.TB, o *natsserver.Options) *natsserver.Server {
	t.Helper()
	o.Host, o.Port, o.NoSigs, o.NoLog, o.JetStream, o.JetStreamMaxStore = "127.0.0.1", natsserver.RANDOM_PORT, true, true, true, 1<<40
	if o.StoreDir == "" {
		o.StoreDir = Dir(t)
	}
	server, err := natsserver.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(func() { server.Shutdown(); server.WaitForShutdown() })
	if !server.ReadyForConnections(time.Minute) {
		t.Fatal("NATS is not ready")
	}
	return server
}

// ServeCluster starts a cluster of size servers of the test's own, and returns when all of them
// have joined it.
func ServeCluster(t testing.TB, size int) []*natsserver.Server {
	t.Helper()
	ports, routes := make([]int, size), make([]string, size)
	for i := range size {
		ports[i] = freePort(t)
		routes[i] = fmt.Sprintf("nats://127.0.0.1:%d", ports[i])
	}
	servers := make([]*natsserver.Server, size)
	for i := range size {
		servers[i] = Serve(t, &natsserver.Options{
			ServerName: fmt.Sprintf("nats-%d", i+1), Routes: natsserver.RoutesFromStr(strings.Join(routes, ",")),
			Cluster: natsserver.ClusterOpts{Name: "usher", Host: "127.0.0.1", Port: ports[i]},
		})
	}
	joined := func(s *natsserver.Server) bool {
		return s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) == size
	}
	for deadline := time.Now().Add(time.Minute); !slices.ContainsFunc(servers, joined); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the servers are no cluster")
		}
	}
	return servers
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	address, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return int(address.Port())
}

// accounts is the number of accounts of a shared server. It bounds what the server keeps of
// tests that have ended.
const accounts = 32

// shared is a server that runs as long as a test uses it.
type shared struct {
	process *exec.Cmd
	dir     string
	url     url.URL
	given   int // accounts that tests use or have used
	tests   int // that use it
}

// newest is the server that the next test uses. It is global because it is shared.
var newest struct {
	sync.Mutex
	*shared
}

// account returns the URL of an account on the shared server.
func account(t testing.TB, program string) string {
	t.Helper()
	newest.Lock()
	defer newest.Unlock()
	if newest.shared == nil || newest.given == accounts {
		s, err := start(program)
		if err != nil {
			t.Fatal(err)
		}
		newest.shared = s
	}
	s := newest.shared
	t.Cleanup(func() {
		newest.Lock()
		defer newest.Unlock()
		if s.tests--; s.tests > 0 {
			return
		}
		if newest.shared == s {
			newest.shared = nil
		}
		s.stop()
	})
	s.tests++
	s.given++
	address := s.url
	address.User = url.UserPassword(fmt.Sprintf("test%d", s.given), "p")
	return address.String()
}

// Dir returns a folder for the files of a server, which ends with the test. It is in memory
// where the system has such a file system: a test that waits for a busy disk may take as long
// as the time after which a job is redelivered. Benchmarks get a folder on the disk.
func Dir(t testing.TB) string {
	t.Helper()
	if _, ok := t.(*testing.B); ok {
		return t.TempDir()
	}
	dir, err := makeDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // a temporary folder
	return dir
}

func makeDir() (string, error) {
	parent := "/dev/shm"
	if _, err := os.Stat(parent); err != nil {
		parent = ""
	}
	return os.MkdirTemp(parent, "usher-nats-*")
}

// start starts a server, whose files are in a folder like that of Dir.
func start(program string) (*shared, error) {
	dir, err := makeDir()
	if err != nil {
		return nil, err
	}
	config := filepath.Join(dir, "nats.conf")
	if err := os.WriteFile(config, []byte(configuration(dir)), 0o600); err != nil {
		return nil, err
	}
	s := &shared{process: exec.Command(program, "-c", config), dir: dir} //nolint:gosec,noctx // the developer's own program, which outlives the test that starts it
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if s.url.Host, err = s.listening(); err == nil {
			s.url.Scheme = "nats"
			return s, nil
		}
		if time.Now().After(deadline) {
			s.stop()
			return nil, fmt.Errorf("start %s: %w", program, err)
		}
	}
}

func configuration(dir string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "listen: \"127.0.0.1:-1\"\nports_file_dir: %q\njetstream { store_dir: %q, max_file_store: 1TB }\naccounts {\n", dir, dir)
	for i := range accounts {
		fmt.Fprintf(&b, "  test%d { jetstream: enabled, users: [{user: test%[1]d, password: p}] }\n", i+1)
	}
	b.WriteString("}\n")
	return b.String()
}

// listening reads the server's address in the file that the server writes when it is ready.
func (s *shared) listening() (string, error) {
	files, err := filepath.Glob(filepath.Join(s.dir, "*.ports"))
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "", errors.New("the server has not written its address")
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		return "", err
	}
	var ports struct {
		NATS []string `json:"nats"`
	}
	if err := json.Unmarshal(data, &ports); err != nil {
		return "", err
	}
	if len(ports.NATS) == 0 {
		return "", fmt.Errorf("%s has no address", files[0])
	}
	address, err := url.Parse(ports.NATS[0])
	if err != nil {
		return "", err
	}
	return address.Host, nil
}

// stop kills the server, whose files nobody needs any more.
func (s *shared) stop() {
	_ = s.process.Process.Kill() // it may have exited
	_ = s.process.Wait()         // it was killed
	_ = os.RemoveAll(s.dir)      // a temporary folder
}
