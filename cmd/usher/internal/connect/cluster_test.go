package connect_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
)

// TestRogueServer tests that deploy/nats-cluster.conf lets servers with certificates form a
// cluster, and refuses one without, and one with a certificate of another authority or name.
func TestRogueServer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	a := newAuthority(t)
	ports := [3]int{freePort(t), freePort(t), freePort(t)}
	refusals := make(chan string, 1000)
	first := startNode(t, a, "localhost", 0, ports, refusals)
	second := startNode(t, a, "localhost", 1, ports, nil)
	awaitRoutes(ctx, t, first)
	awaitRoutes(ctx, t, second)
	// Servers learn of each other by names, because certificates are not valid for addresses.
	if got, want := advertised(ctx, t, a, ports[0]), fmt.Sprintf("nats-route://node-0:%d/", ports[0]); got != want {
		t.Errorf("the first server tells others %q, want %q", got, want)
	}

	for name, start := range map[string]func() *natsserver.Server{
		"another authority": func() *natsserver.Server { return startNode(t, newAuthority(t), "localhost", 2, ports, nil) },
		"another name":      func() *natsserver.Server { return startNode(t, a, "elsewhere", 2, ports, nil) },
		"no TLS": func() *natsserver.Server {
			return startServer(t, &natsserver.Options{
				Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true, ServerName: "rogue",
				Cluster: natsserver.ClusterOpts{Name: "usher", Host: "127.0.0.1", Port: ports[2]},
				Routes:  natsserver.RoutesFromStr(fmt.Sprintf("nats://localhost:%d", ports[0])),
			})
		},
	} {
		for len(refusals) > 0 {
			<-refusals
		}
		rogue := start()
		for range 2 {
			select {
			case <-refusals:
			case <-ctx.Done():
				t.Fatalf("%s: the rogue server was not refused", name)
			}
		}
		if n := rogue.NumRoutes(); n > 0 {
			t.Errorf("%s: the rogue server has %d routes", name, n)
		}
		if n := first.NumRemotes(); n > 1 {
			t.Errorf("%s: the server knows %d others, not only the second", name, n)
		}
		rogue.Shutdown()
		rogue.WaitForShutdown()
	}
}

// startNode starts the n-th server of deploy/nats-cluster.conf with a certificate for a host.
// refused receives what it logs about servers that it refuses, unless it is nil.
func startNode(t *testing.T, a *authority, host string, n int, ports [3]int, refused chan<- string) *natsserver.Server {
	t.Helper()
	dir := t.TempDir()
	a.writeCA(filepath.Join(dir, "route-ca.pem"))
	cert, key := a.create(&x509.Certificate{DNSNames: []string{host}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}})
	writePair(t, dir, tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key})
	text := deployed(t, "nats-cluster.conf")
	for old, updated := range map[string]string{
		"$NATS_NAME": fmt.Sprintf("node-%d", n), "/etc/nats/route-ca.pem": filepath.Join(dir, "route-ca.pem"),
		"/etc/nats/route.pem": filepath.Join(dir, "cert"), "/etc/nats/route-key.pem": filepath.Join(dir, "key"),
		"port: 6222":         fmt.Sprintf(`listen: "localhost:%d"`, ports[n]),
		"nats://nats-1:6222": fmt.Sprintf("nats://localhost:%d", ports[0]),
		"nats://nats-2:6222": fmt.Sprintf("nats://localhost:%d", ports[1]),
		"nats://nats-3:6222": fmt.Sprintf("nats://localhost:%d", ports[2]),
	} {
		if !strings.Contains(text, old) {
			t.Fatalf("nats-cluster.conf has no %s", old)
		}
		text = strings.ReplaceAll(text, old, updated)
	}
	// The accounts and JetStream are tested elsewhere; their file is read here, too.
	users := strings.NewReplacer(
		`port: 4222`, `listen: "127.0.0.1:-1"`, `http: "127.0.0.1:8222"`, "", `"/data"`, fmt.Sprintf("%q", filepath.Join(dir, "store")),
	).Replace(deployed(t, "nats.conf"))
	passwords := strings.NewReplacer(
		"$USHER_NATS_ADMIN_PASSWORD", "a", "$USHER_NATS_WORKER_PASSWORD", "w", "$USHER_NATS_OPS_PASSWORD", "o", "$USHER_NATS_PUBLISHER_PASSWORD", "p",
	).Replace(deployed(t, "nats-passwords.conf"))
	for name, content := range map[string]string{"nats.conf": users, "nats-passwords.conf": passwords, "nats-cluster.conf": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	options, err := natsserver.ProcessConfigFile(filepath.Join(dir, "nats-cluster.conf"))
	if err != nil {
		t.Fatal(err)
	}
	options.NoSigs, options.NoLog = true, true
	s, err := natsserver.NewServer(options)
	if err != nil {
		t.Fatal(err)
	}
	if refused != nil {
		s.SetLogger(refusalLog{refused: refused}, false, false)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	return s
}

// refusalLog passes on the errors of handshakes.
type refusalLog struct {
	natsserver.Logger
	refused chan<- string
}

func (l refusalLog) Errorf(format string, v ...any) {
	if text := fmt.Sprintf(format, v...); strings.Contains(text, "TLS route handshake error") {
		select {
		case l.refused <- text:
		default:
		}
	}
}

func (refusalLog) Noticef(string, ...any) {}
func (refusalLog) Warnf(string, ...any)   {}
func (refusalLog) Fatalf(string, ...any)  {}
func (refusalLog) Debugf(string, ...any)  {}
func (refusalLog) Tracef(string, ...any)  {}

// advertised returns the address that a server tells other servers about itself.
func advertised(ctx context.Context, t *testing.T, a *authority, port int) string {
	t.Helper()
	cert, key := a.create(&x509.Certificate{DNSNames: []string{"localhost"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	own := tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key}
	dialer := tls.Dialer{Config: &tls.Config{RootCAs: a.pool(), Certificates: []tls.Certificate{own}, MinVersion: tls.VersionTLS12}}
	conn, err := dialer.DialContext(ctx, "tcp", fmt.Sprintf("localhost:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	line, err := bufio.NewReader(conn).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var info struct {
		IP string `json:"ip"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(line, []byte("INFO ")), &info); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return info.IP
}

func awaitRoutes(ctx context.Context, t *testing.T, s *natsserver.Server) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for s.NumRoutes() == 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("the servers form no cluster")
		}
	}
}

func deployed(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../../deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// freePort returns a port that is free.
func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	address, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		t.Fatal("no TCP address")
	}
	return address.Port
}
