package faults_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// cache is Redis: a master, a replica, and a Sentinel that swaps them. usher and the
// Sentinel reach each server through a link.
type cache struct {
	servers  [2]*program
	ports    [2]int
	links    [2]link
	sentinel *program
	url      string
}

// newCache starts Redis with the users of deploy/redis.acl.
func newCache(t testing.TB, dir string) *cache {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal("redis-server not found: apt-get install redis-server")
	}
	users := deployed(t, "redis.acl")
	for _, role := range []string{"worker", "admin"} {
		users = strings.Replace(users, strings.Repeat("0", 64), fmt.Sprintf("%x", sha256.Sum256([]byte(role))), 1)
	}
	acl := filepath.Join(dir, "redis.acl")
	write(t, acl, users)
	c := &cache{}
	for i := range c.servers {
		c.ports[i] = freePort(t)
		c.links[i] = newLink(t, freePort(t), c.ports[i])
	}
	for i := range c.servers {
		_, announced, _ := strings.Cut(c.links[i].Listen, ":")
		_, master, _ := strings.Cut(c.links[0].Listen, ":")
		text := fmt.Sprintf("port %d\nbind 127.0.0.1\nsave \"\"\nappendonly no\naclfile %s\nmasteruser admin\nmasterauth admin\nreplica-announce-ip 127.0.0.1\nreplica-announce-port %s\nrepl-diskless-sync-delay 0\n",
			c.ports[i], acl, announced)
		if i > 0 {
			text += fmt.Sprintf("replicaof 127.0.0.1 %s\n", master)
		}
		name := fmt.Sprintf("redis-%d", i+1)
		config := filepath.Join(dir, name+".conf") // the Sentinel rewrites it
		write(t, config, text)
		c.servers[i] = &program{name: name, path: path, args: []string{config}, logs: dir}
		c.servers[i].start(t)
	}
	port := freePort(t)
	_, master, _ := strings.Cut(c.links[0].Listen, ":")
	config := filepath.Join(dir, "sentinel.conf")
	write(t, config, fmt.Sprintf("port %d\nbind 127.0.0.1\nsentinel monitor usher 127.0.0.1 %s 1\nsentinel auth-user usher admin\nsentinel auth-pass usher admin\n"+
		"sentinel down-after-milliseconds usher 1000\nsentinel failover-timeout usher 5000\n", port, master))
	c.sentinel = &program{name: "sentinel", path: path, args: []string{config, "--sentinel"}, logs: dir}
	c.sentinel.start(t)
	c.url = fmt.Sprintf("redis+sentinel://worker:worker@127.0.0.1:%d?master_name=usher", port)
	await(t, "Redis has a master and a replica", func() error {
		_, err := c.master(t)
		return err
	})
	return c
}

// awaitMaster returns the index of the server that has a replica, once there is one: after
// the fault before, the replica may still be joining.
func (c *cache) awaitMaster(t testing.TB) (master int, err error) {
	t.Helper()
	err = within(patience, func() error {
		master, err = c.master(t)
		return err
	})
	return master, err
}

// master returns the index of the server that has a replica.
func (c *cache) master(t testing.TB) (int, error) {
	t.Helper()
	for i := range c.servers {
		rdb := c.dial(i)
		info := rdb.Info(t.Context(), "replication").Val()
		_ = rdb.Close()
		if strings.Contains(info, "role:master") && strings.Contains(info, "state=online") {
			return i, nil
		}
	}
	return 0, fmt.Errorf("no Redis server is the master of the other")
}

// dial connects directly to a server as its administrator.
func (c *cache) dial(i int) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: address(c.ports[i]), Username: "admin", Password: "admin", MaxRetries: -1})
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
