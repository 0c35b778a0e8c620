package fleet_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"usher"
	"usher/internal/fleet"
)

// startNode starts a redis-server on a free port, with the arguments that args returns.
func startNode(t *testing.T, args func(addr string) []string) *server {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		addr, err := freeAddress()
		if err != nil {
			t.Fatal(err)
		}
		s, failed := runServer(path, addr, append(args(addr), "--dir", t.TempDir())...)
		if failed == nil {
			t.Cleanup(s.kill)
			return s
		}
		t.Log(failed)
	}
	t.Fatal("no redis-server could be started")
	return nil
}

func dialURL(t *testing.T, address string) redis.UniversalClient {
	t.Helper()
	rdb, err := fleet.Dial(address, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// checkFleet checks everything for which a fleet uses Redis.
func checkFleet(t *testing.T, rdb redis.UniversalClient) {
	t.Helper()
	ctx := t.Context()
	a, b := join(t, rdb, "host-a/1", 0), join(t, rdb, "host-b/2", 0)
	// On a busy machine the first connection takes longer than a call may.
	until(t, "Redis to answer both workers", func() bool { return a.Probe(ctx) == nil && b.Probe(ctx) == nil })
	_, unlock := mustLock(t, a, "campaign/X")
	if _, _, err := b.Lock(ctx, "campaign/X"); err == nil {
		t.Error("two workers hold one lock")
	}
	unlock()
	_, unlock = mustLock(t, b, "campaign/X")
	unlock()
	for _, f := range []*fleet.Fleet{a, b} {
		limiter := f.LimiterAt("SANDBOX1", usher.Rate{PerSecond: 1000, Burst: 10})
		if err := limiter.Wait(ctx, false); err != nil {
			t.Errorf("wait for the limit: %v", err)
		}
	}
	// A limiter continues without an error if Redis does not answer.
	if n := rdb.Exists(ctx, t.Name()+":usher:limit:{SANDBOX1}:all").Val(); n != 1 || a.Lost() || b.Lost() {
		t.Errorf("the limit is not shared: %d keys, Redis lost: %v, %v", n, a.Lost(), b.Lost())
	}
	tokens := a.Tokens("SANDBOX1", named, func(context.Context) (string, error) { return "t1", nil })
	if token, err := tokens.Token(ctx); err != nil || token != "t1" {
		t.Errorf("token %q, %v", token, err)
	}
	shared := b.Tokens("SANDBOX1", named, func(context.Context) (string, error) { return "t2", nil })
	if token, err := shared.Token(ctx); err != nil || token != "t1" {
		t.Errorf("the other worker's token is %q, %v", token, err)
	}
}

// Each node of a cluster holds a part of the keys. All keys of one script must be on the
// same node.
func TestCluster(t *testing.T) {
	t.Parallel()
	var nodes []*server
	for range 3 {
		nodes = append(nodes, startNode(t, func(addr string) []string {
			bus, err := freeAddress()
			if err != nil {
				t.Fatal(err)
			}
			return []string{"--port", portOf(addr), "--cluster-enabled", "yes", "--cluster-port", portOf(bus), "--cluster-node-timeout", "5000"}
		}))
	}
	ctx := t.Context()
	var query string
	for i, n := range nodes {
		rdb := dial(t, n.addr)
		from, to := 16384*i/len(nodes), 16384*(i+1)/len(nodes)-1
		if err := rdb.ClusterAddSlotsRange(ctx, from, to).Err(); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			query += "&addr=" + n.addr
		}
	}
	for _, n := range nodes[1:] {
		bus, err := dial(t, n.addr).ConfigGet(ctx, "cluster-port").Result()
		if err != nil {
			t.Fatal(err)
		}
		if err := dial(t, nodes[0].addr).Do(ctx, "CLUSTER", "MEET", "127.0.0.1", portOf(n.addr), bus["cluster-port"]).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range nodes {
		rdb := dial(t, n.addr)
		until(t, "the cluster to form", func() bool {
			info, err := rdb.ClusterInfo(ctx).Result()
			return err == nil && strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:3")
		})
	}
	checkFleet(t, dialURL(t, "redis+cluster://"+nodes[0].addr+"?"+strings.TrimPrefix(query, "&")))
}

// Sentinels tell the client which server is the master, and replace a master that dies.
func TestSentinel(t *testing.T) {
	t.Parallel()
	master := startNode(t, func(addr string) []string { return []string{"--port", portOf(addr)} })
	replica := startNode(t, func(addr string) []string {
		return []string{"--port", portOf(addr), "--replicaof", "127.0.0.1", portOf(master.addr), "--repl-diskless-sync-delay", "0"}
	})
	until(t, "the replica to follow", func() bool {
		return strings.Contains(dial(t, replica.addr).Info(t.Context(), "replication").Val(), "master_link_status:up")
	})
	sentinel := startNode(t, func(addr string) []string {
		path := filepath.Join(t.TempDir(), "sentinel.conf")
		text := fmt.Sprintf("port %s\nsentinel monitor usher 127.0.0.1 %s 1\nsentinel down-after-milliseconds usher 300\nsentinel failover-timeout usher 2000\n",
			portOf(addr), portOf(master.addr))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return []string{path, "--sentinel"}
	})
	rdb := dialURL(t, "redis+sentinel://"+sentinel.addr+"?master_name=usher")
	checkFleet(t, rdb)
	known := dial(t, sentinel.addr)
	until(t, "the Sentinel to know the replica", func() bool {
		n, err := known.Do(t.Context(), "SENTINEL", "REPLICAS", "usher").Slice()
		return err == nil && len(n) == 1
	})
	master.kill()
	f := join(t, rdb, "host-c/3", 0)
	until(t, "the replica to take over", func() bool {
		_, unlock, err := f.Lock(t.Context(), "campaign/Z")
		if err == nil {
			unlock()
		}
		return err == nil
	})
}

// User and password in the address are those of the servers. Sentinels have their own
// login, or none.
func TestSentinelLogin(t *testing.T) {
	t.Parallel()
	for _, password := range []string{"", "of the sentinel"} {
		t.Run("password "+password, func(t *testing.T) {
			t.Parallel()
			master := startNode(t, func(addr string) []string { return []string{"--port", portOf(addr), "--requirepass", "of-the-server"} })
			sentinel := startNode(t, func(addr string) []string {
				path := filepath.Join(t.TempDir(), "sentinel.conf")
				text := fmt.Sprintf("port %s\nsentinel monitor usher 127.0.0.1 %s 1\nsentinel auth-pass usher of-the-server\n", portOf(addr), portOf(master.addr))
				if password != "" {
					text += fmt.Sprintf("requirepass %q\n", password)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return []string{path, "--sentinel"}
			})
			query := url.Values{"master_name": {"usher"}}
			if password != "" {
				query.Set("sentinel_password", password)
			}
			checkFleet(t, dialURL(t, "redis+sentinel://:of-the-server@"+sentinel.addr+"?"+query.Encode()))
		})
	}
}

// A master without enough replicas answers reads but takes no writes. A probe and a lock
// say so.
func TestRefusedWrites(t *testing.T) {
	t.Parallel()
	master := startNode(t, func(addr string) []string { return []string{"--port", portOf(addr), "--min-replicas-to-write", "1"} })
	rdb := dial(t, master.addr)
	if err := rdb.Ping(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	f := join(t, rdb, "a", 0)
	const wrong = "Redis accepts no writes: NOREPLICAS: it has fewer replicas than its min-replicas-to-write"
	if err := f.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), wrong+": start its replicas") {
		t.Errorf("a probe without replicas gave %v", err)
	}
	_, _, err := f.Lock(t.Context(), "campaign/X")
	var later *usher.RetryAfter
	if !errors.As(err, &later) || later.Why != "lock campaign/X: "+wrong {
		t.Errorf("a lock without replicas gave %v", err)
	}
}

// TestTLS tests servers that require TLS with a client certificate, alone and behind Sentinels.
func TestTLS(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, keyFile := filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	secured := func(addr string) []string {
		_, port, _ := strings.Cut(addr, ":")
		return []string{"--port", "0", "--tls-port", port, "--tls-cert-file", cert, "--tls-key-file", keyFile, "--tls-ca-cert-file", cert, "--tls-replication", "yes"}
	}
	server := startNode(t, secured)
	sentinel := startNode(t, func(addr string) []string {
		file := filepath.Join(dir, "sentinel.conf")
		host, port, _ := strings.Cut(server.addr, ":")
		if err := os.WriteFile(file, fmt.Appendf(nil, "sentinel monitor m %s %s 1\n", host, port), 0o600); err != nil {
			t.Error(err)
		}
		return append(append([]string{file}, secured(addr)...), "--sentinel")
	})
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	read := func() (*tls.Config, error) {
		return &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}, nil
	}
	for _, address := range []string{"rediss://" + server.addr, "rediss+sentinel://" + sentinel.addr + "?master_name=m"} {
		rdb, err := fleet.Dial(address, read, nil)
		if err != nil {
			t.Fatal(err)
		}
		until(t, "Redis to answer at "+address, func() bool { return rdb.Set(t.Context(), "tls", address, 0).Err() == nil })
		if err := rdb.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := fleet.Dial("redis://"+server.addr, read, nil); err == nil {
		t.Error("certificates without TLS are accepted")
	}
}

func TestAddressesAreChecked(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "localhost:6379", "http://localhost", "unix://u:s3cret@h/socket", "s3cret://h", "redis://u:s3cret@h:6379/x", "redis://u:s3cret@h:99x",
		// Passwords that are not escaped.
		"redis://u:12/s3cret@h:6379/0", "redis://:12#s3cret@h", "redis://u:12?s3cret@h:6379/0", "redis://u:12?s3cret=@h:6379/0", "redis://u:%s3cret@h",
		"redis://h/s3cret", "redis://h?db=s3cret", "redis://h?read_timeout=s3cret",
		// More than one server.
		"redis+sentinel://h:26379?addr=s3cret", "redis+sentinel://h?addr=i:1", "redis+cluster://h?addr=s3cret", "redis+cluster://h/1", "redis+cluster://h?password=s3cret", "redis+ring://h", "rediss+cluster://h?s3cret",
	} {
		if _, err := fleet.Dial(address, nil, nil); err == nil {
			t.Errorf("%q was accepted", address)
		} else if msg := err.Error(); !contains(msg, "redis://[user:password@]host") || contains(msg, "s3cret") {
			t.Errorf("%q: the error is %q", address, msg)
		}
	}
}
