package doctor

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"usher/queues"
)

// serveCluster starts a NATS server that takes routes at a free port.
func serveCluster(t *testing.T, o natsserver.Options) *natsserver.Server {
	t.Helper()
	o.Host, o.Port, o.NoSigs, o.NoLog = "127.0.0.1", natsserver.RANDOM_PORT, true, true
	o.HTTPHost, o.HTTPPort = "127.0.0.1", natsserver.RANDOM_PORT
	o.JetStream, o.StoreDir = o.Cluster.Port == 0, t.TempDir() // one server alone is no cluster of JetStream
	server, err := natsserver.NewServer(&o)
	if err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(func() { server.Shutdown(); server.WaitForShutdown() })
	if !server.ReadyForConnections(time.Minute) {
		t.Fatal("NATS did not start")
	}
	return server
}

// A stranger who connects to the port of a cluster is told whether joining needs a password, and
// nothing if it needs a certificate.
func TestRoutes(t *testing.T) {
	t.Parallel()
	cluster := natsserver.ClusterOpts{Name: "usher", Host: "127.0.0.1", Port: natsserver.RANDOM_PORT}
	password, certificate := cluster, cluster
	password.Username, password.Password = "routes", "secret"
	certificate.TLSTimeout, certificate.TLSConfig = 60, mutual(t)
	for name, c := range map[string]struct {
		cluster natsserver.ClusterOpts
		want    string
	}{
		"open":          {cluster, "warning: any server that reaches this port may join"},
		"a password":    {password, "joining needs a password"},
		"a certificate": {certificate, "joining needs a certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serveCluster(t, natsserver.Options{ServerName: "one", Cluster: c.cluster})
			e := &examination{limits: usual, routes: []string{server.ClusterAddr().String()}}
			found := e.examineRoutes(t.Context(), nil)
			if len(found) != 1 || !found[0].OK || !strings.HasPrefix(found[0].Says, c.want) {
				t.Errorf("%+v, want %q", found, c.want)
			}
		})
	}
	found := (&examination{limits: usual}).examineRoutes(t.Context(), []string{"nats://127.1.2.3:4222", "nats://127.1.2.3:4223"})
	if len(found) != 1 || !found[0].OK || found[0].What != "NATS route 127.1.2.3:6222" || !strings.Contains(found[0].Says, "--routes") {
		t.Errorf("of a server without routes: %+v", found)
	}
}

// mutual returns settings of TLS that require a certificate of clients.
func mutual(t *testing.T) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: x509.NewCertPool()}
}

// The monitoring port tells whether writes are synced, how full the storage is, and whether
// everyone may log in.
func TestMonitor(t *testing.T) {
	t.Parallel()
	always := serveCluster(t, natsserver.Options{ServerName: "careful", SyncAlways: true, Username: "admin", Password: "secret"})
	rarely := serveCluster(t, natsserver.Options{ServerName: "fast", JetStreamMaxStore: 1 << 20})
	fill(t, rarely, 900<<10)
	e := &examination{
		limits: usual, monitors: []string{"http://" + always.MonitorAddr().String(), "http://" + rarely.MonitorAddr().String() + "/"},
		space: func(string) (free, size uint64, err error) { return 50 << 20, 100 << 30, nil },
	}
	found := map[string]queues.CheckResult{}
	for _, f := range e.examineServers(t.Context()) {
		found[f.What] = f
	}
	for what, want := range map[string]string{
		"NATS server careful: sync":    "every write is synced to the disk before it is acknowledged",
		"NATS server careful: storage": "0 bytes of ",
		"NATS server careful: disk":    "52.4 MB of 107.4 GB free (0 %) at ",
		"NATS server fast: sync":       "warning: only every 2m0s: a power failure loses",
		"NATS server fast: storage":    "warning: ",
		"NATS server fast: users":      "warning: everyone who reaches it may log in",
	} {
		if !strings.HasPrefix(found[what].Says, want) {
			t.Errorf("%s: %q, want %q", what, found[what].Says, want)
		}
	}
	if f := found["NATS server careful: disk"]; f.OK || !strings.Contains(f.Says, "free space, or enlarge the disk") {
		t.Errorf("a full disk is no problem: %+v", f)
	}
	if f, found := found["NATS server careful: users"]; found {
		t.Errorf("a server with users: %+v", f)
	}
}

// A server whose JetStream has shut itself down runs and answers, so doctor says what to do with
// it, whether or not /varz still shows its settings.
func TestServerWithoutItsJetStream(t *testing.T) {
	t.Parallel()
	for name, seen := range map[string]bool{"asked before": true, "never asked": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serveCluster(t, natsserver.Options{ServerName: "nats-2"})
			e := &examination{
				limits: usual, monitors: []string{"http://" + server.MonitorAddr().String()},
				space: func(string) (free, size uint64, err error) { return 0, 50 << 30, nil },
			}
			if seen {
				e.examineServers(t.Context())
			}
			if err := server.ShutdownJetStream(); err != nil {
				t.Fatal(err)
			}
			found := map[string]queues.CheckResult{}
			for _, f := range e.examineServers(t.Context()) {
				found[f.What] = f
			}
			const want = "JetStream has shut itself down, as it does when its disk is full: free space and restart nats-server"
			if f := found["NATS server nats-2"]; f.OK || f.Says != want {
				t.Errorf("%+v, want %q", f, want)
			}
			if f, shown := found["NATS server nats-2: storage"]; shown {
				t.Errorf("the storage of a JetStream that does not run: %+v", f)
			}
			if f := found["NATS server nats-2: disk"]; seen && (f.OK || !strings.HasSuffix(f.Says, ", less than 1 %: free space, or enlarge the disk, before writes fail; if they have failed, free space and restart that server")) {
				t.Errorf("%+v", f)
			}
		})
	}
}

// fill stores about this many bytes.
func fill(t *testing.T, server *natsserver.Server, size int) {
	t.Helper()
	nc, err := nats.Connect(server.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := nc.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.AddStream(&nats.StreamConfig{Name: "FULL", Subjects: []string{"full"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := js.Publish("full", make([]byte, size)); err != nil {
		t.Fatal(err)
	}
}

// What the monitoring port alone shows is not checked without it, and doctor says how. An
// address that is not one of NATS is a problem.
func TestWithoutMonitor(t *testing.T) {
	t.Parallel()
	found := (&examination{limits: usual}).examineServers(t.Context())
	if len(found) != 1 || !found[0].OK || !strings.HasPrefix(found[0].Says, "not checked") || !strings.Contains(found[0].Says, "--monitor http://127.0.0.1:8222") {
		t.Errorf("%+v", found)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	found = (&examination{limits: usual, monitors: []string{"http://" + address}}).examineServers(t.Context())
	if len(found) != 1 || found[0].OK || !strings.HasSuffix(found[0].Says, ": is nats-server running there? If so, its configuration needs `http: \""+address+"\"`") {
		t.Errorf("without a server: %+v", found)
	}
	others, _ := servers(t)
	found = (&examination{limits: short, monitors: []string{others.String("platform.url")}}).examineServers(t.Context())
	if len(found) != 1 || found[0].OK || !strings.Contains(found[0].Says, "/varz answered 404") {
		t.Errorf("%+v", found)
	}
}
