package fleet_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
)

// TestDeployedSentinels starts the servers and Sentinels of deploy/, with its users. Workers find
// the master, also after another one has replaced it.
func TestDeployedSentinels(t *testing.T) {
	t.Parallel()
	const size = 3
	var master, masterPort string
	start := func() *server {
		return startNode(t, func(addr string) []string {
			if master == "" {
				master, masterPort = addr, portOf(addr)
			}
			text := replaced(t, "redis.conf", "port 6379", "port "+portOf(addr), "/etc/redis/redis.acl", deployedUsers(t), "replica-announce-ip redis-1", "replica-announce-ip 127.0.0.1",
				"masterauth PASSWORD", "masterauth replica", "dir /var/lib/redis", "dir "+t.TempDir())
			if addr != master {
				text = strings.Replace(text, "# replicaof redis-1 6379", "replicaof 127.0.0.1 "+masterPort, 1)
			}
			return []string{writeConf(t, text), "--repl-diskless-sync-delay", "0"}
		})
	}
	var servers []*server
	for range size {
		servers = append(servers, start())
	}
	for _, s := range servers[1:] {
		until(t, "a replica to follow", func() bool { return strings.Contains(replication(t, s), "master_link_status:up") })
	}
	var sentinels []string
	for range size {
		s := startNode(t, func(addr string) []string {
			text := replaced(t, "sentinel.conf", "port 26379", "port "+portOf(addr), "announce-ip sentinel-1", "announce-ip 127.0.0.1", "usher redis-1 6379 2", "usher 127.0.0.1 "+masterPort+" 2",
				"PASSWORD", "sentinel", "down-after-milliseconds usher 5000", "down-after-milliseconds usher 500", "failover-timeout usher 30000", "failover-timeout usher 3000")
			return []string{writeConf(t, text), "--sentinel"}
		})
		sentinels = append(sentinels, s.addr)
	}
	for _, at := range sentinels {
		known := dialURL(t, "redis://:SENTINELS@"+at)
		until(t, "a Sentinel to know the others and the replicas", func() bool {
			others, err := known.Do(t.Context(), "SENTINEL", "SENTINELS", "usher").Slice()
			replicas, failed := known.Do(t.Context(), "SENTINEL", "REPLICAS", "usher").Slice()
			return err == nil && failed == nil && len(others) == size-1 && len(replicas) == size-1
		})
	}
	rdb := dialURL(t, "redis+sentinel://worker:worker@"+sentinels[0]+"?addr="+strings.Join(sentinels[1:], "&addr=")+"&master_name=usher&sentinel_password=SENTINELS")
	checkFleet(t, rdb)
	for login, want := range map[string]string{"replica:replica@": "NOPERM", "nobody:nobody@": "WRONGPASS", "": "NOAUTH"} { // logins of no worker
		f := join(t, dialURL(t, "redis://"+login+servers[0].addr), "host-d/4", 0)
		err := f.Probe(t.Context())
		if !errors.Is(err, usher.ErrRedisLogin) || !f.RefusesLogin() || !strings.Contains(err.Error(), "the user worker of deploy/redis.acl: "+want) {
			t.Errorf("with the login %q: %v, want %s", login, err, want)
		}
	}
	servers[0].kill()
	f := join(t, rdb, "host-c/3", 0)
	until(t, "a replica to take over", func() bool {
		_, unlock, err := f.Lock(t.Context(), "campaign/Z")
		if err == nil {
			unlock()
		}
		return err == nil
	})
}

// replication returns what a server says about its replication to the administrator.
func replication(t *testing.T, s *server) string {
	t.Helper()
	return dialURL(t, "redis://admin:admin@"+s.addr).Info(t.Context(), "replication").Val()
}

// deployedUsers writes redis.acl with passwords that are equal to the names of the users. The keys
// of tests begin with their namespaces.
func deployedUsers(t *testing.T) string {
	t.Helper()
	text := replaced(t, "redis.acl", "~usher:*", "~*:usher:*")
	for _, user := range []string{"worker", "admin", "replica", "sentinel"} {
		hash := fmt.Sprintf("%x", sha256.Sum256([]byte(user)))
		text = strings.Replace(text, "user "+user+" on #"+strings.Repeat("0", len(hash)), "user "+user+" on #"+hash, 1)
	}
	return writeConf(t, text)
}

func writeConf(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "conf")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// replaced returns a file of deploy/ with each old text replaced by the new one that follows it.
func replaced(t *testing.T, name string, pairs ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(string(data), pairs[i]) {
			t.Fatalf("%s has no %q", name, pairs[i])
		}
	}
	return strings.NewReplacer(pairs...).Replace(string(data))
}
