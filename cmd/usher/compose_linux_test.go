package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
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
	admin := c.connect("admin", nats.Name("usher test"))
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
		eventually(t, host+" is ready", func() bool {
			status, _ := readyz(t, c.addresses[host]+":8470")
			return status == 200
		})
	}
	c.wantHealthy()
}

// wantHealthy runs usher doctor with the administrator's login and the addresses that only an
// operator knows.
func (c *compose) wantHealthy() {
	t := c.t
	t.Helper()
	cmd := exec.CommandContext(t.Context(), commandProgram(t), "doctor", "--json", "--monitor", "http://"+c.addresses["nats-2"]+":8222")
	cmd.Env = append(os.Environ(), asUsher+"=1")
	for name, value := range c.services["migrate"]["environment"].(map[string]any) {
		cmd.Env = append(cmd.Env, name+"="+c.text("usher", fmt.Sprint(value)))
	}
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("usher doctor: %v\n%s", err, out)
	}
	var findings []queues.CheckResult
	if err := json.Unmarshal(out, &findings); err != nil {
		t.Fatal(err)
	}
	says := map[string]string{}
	for _, f := range findings {
		says[f.What] = f.Says
		if !f.OK {
			t.Errorf("doctor finds %+v", f)
		}
	}
	for what, want := range map[string]string{
		"NATS account":             "USHER; publishers must log in to another account",
		"NATS server nats-2: sync": "every write is synced",
		"workers":                  "2 workers of version ",
		"encryption of NATS":       "none, on this machine",
		"login of Redis":           "none is needed, on this machine",
		"memory of Redis":          "",
		"NATS route " + c.addresses["nats-3"] + ":6222": "joining needs a password",
	} {
		if !strings.HasPrefix(says[what], want) {
			t.Errorf("%s: %q, want %q", what, says[what], want)
		}
	}
	if says := says["stream USHER_JOBS"]; !strings.HasSuffix(says, "copies: 3") {
		t.Errorf("stream USHER_JOBS: %q", says)
	}
}
