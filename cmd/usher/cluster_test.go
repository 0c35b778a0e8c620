package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/natstest"
	"usher/internal/sandbox"
)

// startNATSCluster starts a cluster of three nodes. The URL of the first node
// contains the addresses of all three.
func startNATSCluster(t *testing.T) []*natsProcess {
	t.Helper()
	const size = 3
	var nodes []*natsProcess
	var urls, routes []string
	var clients, peers [size]int
	for i := range size {
		clients[i], peers[i] = freePort(t), freePort(t)
		urls = append(urls, fmt.Sprintf("nats://127.0.0.1:%d", clients[i]))
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", peers[i]))
	}
	for i := range size {
		dir := natstest.Dir(t)
		n := &natsProcess{url: urls[i], config: filepath.Join(dir, "nats.conf")}
		config := fmt.Sprintf(`server_name: nats-%d
host: 127.0.0.1
port: %d
jetstream { store_dir: %q }
cluster { name: usher, host: 127.0.0.1, port: %d, routes: [%s] }
`, i+1, clients[i], filepath.Join(dir, "store"), peers[i], strings.Join(routes, ", "))
		if err := os.WriteFile(n.config, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		n.start(t)
		nodes = append(nodes, n)
	}
	nodes[0].url, nodes[0].replicas = strings.Join(urls, ","), size
	return nodes
}

// The node that leads the jobs stream is killed while a job runs. No data is lost,
// and the cluster accepts new jobs.
func TestNATSLeaderKilled(t *testing.T) {
	t.Parallel()
	nodes := startNATSCluster(t)
	d := newDeploymentWithServers(t, nodes[0], startRedisProcess(t), sandbox.Options{ApprovalDelay: time.Hour},
		"USHER_NATS_REPLICAS=3", "USHER_UPLOAD_BATCH_IDS=1000")
	e := newExport(t, d.exports, 30_000, 11)
	d.slow(100 * time.Millisecond)
	d.worker("worker")
	d.publish(usher.SegmentAdd, d.addJob("survivor", e.path))
	eventually(t, "some batches are uploaded", func() bool { return d.uploads() > 4 })
	stream, err := d.js.Stream(t.Context(), "USHER_JOBS")
	if err != nil {
		t.Fatal(err)
	}
	var leader int
	if _, err := fmt.Sscanf(stream.CachedInfo().Cluster.Leader, "nats-%d", &leader); err != nil {
		t.Fatal(err)
	}
	nodes[leader-1].kill()
	d.slow(0)
	r := d.ended("survivor")
	d.wantExact(r, e, "segments/1")
	eventually(t, "another job is accepted", func() bool {
		body := fmt.Sprintf(`{"id":"after","segment":"1","profile":"idfa","dryRun":true,"source":{"url":"file://%s"}}`, e.path)
		_, err := d.js.Publish(t.Context(), "usher.jobs.segment.add", []byte(body))
		return err == nil
	})
	if r := d.ended("after"); r.State != usher.Done {
		t.Errorf("the job after the failover is %s, not done", r.State)
	}
}
