package main_test

import (
	"fmt"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues"
)

// notStarted are the services of compose.yaml that TestCompose does not start, and why.
var notStarted = map[string]string{
	"prometheus": "TestPromtool checks its configuration and alerts",
	"grafana":    "it is not among the programs of the tests; TestDeployedMetricsExist checks its dashboard",
}

// TestCompose starts the services of deploy/compose.yaml as processes on this machine, with the
// command, environment, configuration, order and healthcheck that stand there, and the
// environment and entrypoint of deploy/Dockerfile. Then a publisher's job runs.
//
// Each process has its own address below 127.0.0.0/8, so that all ports are those of the file.
// The name of a service, and in its own text 127.0.0.1 and 0.0.0.0, become this address, and
// paths of volumes and configurations lie in its own folder. What a process cannot show is not
// tested: the images of NATS and Redis, read_only, cap_drop and security_opt, restart, and
// published ports. tools/release builds the Dockerfile and starts its image.
func TestCompose(t *testing.T) {
	t.Parallel()
	c := newCompose(t)
	c.up()
	e := newExport(t, c.path("usher", "/exports"), 500, 7)
	nc := c.connect("publisher", nats.CustomInboxPrefix("_INBOX_publisher"))
	body := fmt.Sprintf(`{"id":"composed","segment":"1","profile":"idfa","source":{"url":"file://%s"}}`, e.path)
	publish(t, nc, "usher.jobs."+string(usher.SegmentAdd), body)
	admin := c.connect("admin")
	queue, err := queues.Open(t.Context(), admin, queues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &deployment{t: t, nc: admin, queue: queue}
	if r := d.ended("composed"); r.State != usher.Done || r.Tally.Read != 500 {
		t.Errorf("the job ended as %s with the tally %+v: %s", r.State, r.Tally, r.Error)
	}
	js, err := jetstream.New(admin)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "USHER_JOBS")
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().Config.Replicas; n != 3 {
		t.Errorf("migrate declared %d replicas", n)
	}
	for _, host := range c.hosts("usher") {
		status, text := readyz(t, c.addresses[host]+":8470")
		if status != 200 {
			t.Errorf("%s: /readyz answers %d: %s", host, status, text)
		}
	}
}
