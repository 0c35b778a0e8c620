package doctor

import (
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/queues"
)

// short are the limits of tests in which a check receives no response.
var short = limits{call: time.Second, check: 3 * time.Second}

// A server that accepts connections and never responds, or a file system that hangs, has no
// response. All other checks are made.
func TestSilentServers(t *testing.T) {
	t.Parallel()
	nats, redis := servers(t)
	place := silentFile(t)
	for what, environment := range map[string]map[string]string{
		"NATS":                   {"USHER_NATS_URL": silentServer(t)},
		"Redis":                  {"USHER_REDIS_URL": "redis://" + silentServer(t)},
		"platform":               {"USHER_PLATFORM_URL": "http://" + silentServer(t)},
		"sources.allow " + place: {"USHER_SOURCES_ALLOW": place},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			for key, value := range map[string]string{
				"USHER_NATS_URL": nats.String("nats.url"), "USHER_REDIS_URL": "redis://" + redis.Addr(), "USHER_PLATFORM_URL": nats.String("platform.url"),
			} {
				if environment[key] == "" {
					environment[key] = value
				}
			}
			requireNoResponse(t, load(t, environment), what)
		})
	}
}

// NATS does not respond to one kind of request, as a stream without a leader does not. All
// other checks are made. A request that is lost once is repeated.
func TestSilentStream(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lost       int64 // requests without a response
		noResponse []string
	}{
		"always": {1 << 30, []string{"stream USHER_PARTS"}},
		"once":   {1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			others, _ := servers(t)
			cfg := load(t, map[string]string{
				"USHER_NATS_URL": lossyNATS(t, "$JS.API.STREAM.INFO.USHER_PARTS", c.lost), "USHER_REDIS_URL": others.String("redis.url"), "USHER_PLATFORM_URL": others.String("platform.url"),
			})
			requireNoResponse(t, cfg, c.noResponse...)
		})
	}
}

// A write without a response is a problem if NATS answers reads, as with a full disk.
func TestLostWrites(t *testing.T) {
	t.Parallel()
	others, _ := servers(t)
	f := resultOf(t, load(t, map[string]string{
		"USHER_NATS_URL": lossyNATS(t, "$KV.usher_state.workers", 1<<30), "USHER_REDIS_URL": others.String("redis.url"), "USHER_PLATFORM_URL": others.String("platform.url"),
	}), "writes to NATS")
	if f.OK || f.NoResponse || !strings.Contains(f.Says, "a write timed out") || !strings.Contains(f.Says, "full disk") {
		t.Errorf("result %+v, want a problem that names a full disk", f)
	}
}

// If JetStream does not respond, as without a quorum, or has shut itself down on all servers, doctor
// names the causes and makes all checks that do not need it.
func TestWithoutJetStream(t *testing.T) {
	t.Parallel()
	others, _ := servers(t)
	full := serveCluster(t, natsserver.Options{ServerName: "nats-2"})
	if err := full.ShutdownJetStream(); err != nil {
		t.Fatal(err)
	}
	plain := serveCluster(t, natsserver.Options{ServerName: "one", Cluster: natsserver.ClusterOpts{Name: "usher", Host: "127.0.0.1", Port: natsserver.RANDOM_PORT}})
	for name, url := range map[string]string{
		"no quorum":     lossyNATS(t, "$JS.API.INFO", 1<<30),
		"shut down":     plain.ClientURL(), // no server answers requests of JetStream
		"no connection": "nats://127.0.0.1:1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := load(t, map[string]string{"USHER_NATS_URL": url, "USHER_REDIS_URL": others.String("redis.url"), "USHER_PLATFORM_URL": others.String("platform.url")})
			e := &examination{config: c, limits: short, monitors: []string{"http://" + full.MonitorAddr().String(), "http://127.0.0.1:1"}, routes: []string{plain.ClusterAddr().String()}}
			found := map[string]queues.CheckResult{}
			for _, f := range e.examineNATS(t.Context()) {
				found[f.What] = f
			}
			for what, want := range map[string]string{
				"NATS server nats-2":                         "free space and restart nats-server",
				"NATS settings at http://127.0.0.1:1":        "is nats-server running there?",
				"NATS route " + plain.ClusterAddr().String(): "any server that reaches this port may join",
			} {
				if !strings.Contains(found[what].Says, want) {
					t.Errorf("%s: %q, want %q", what, found[what].Says, want)
				}
			}
			if f := found["JetStream"]; name != "no connection" && (f.OK || !strings.Contains(f.Says, "disk") || !strings.Contains(f.Says, "free space and restart")) {
				t.Errorf("the result names no full disk: %+v", f)
			}
			if f := found["NATS account"]; name != "no connection" && f.Says == "" {
				t.Error("the account is not checked")
			}
		})
	}
}

// The login of a worker that may not delete messages of jobs, or not release jobs, is named with
// what it lacks.
func TestMissingPermission(t *testing.T) {
	t.Parallel()
	for _, subject := range []string{"$JS.API.STREAM.MSG.DELETE.USHER_JOBS", "$JS.API.STREAM.MSG.DELETE.USHER_CAMPAIGNS", "usher.released.*"} {
		t.Run(subject, func(t *testing.T) {
			t.Parallel()
			testMissingPermission(t, subject)
		})
	}
}

func testMissingPermission(t *testing.T, subject string) {
	t.Helper()
	others, _ := servers(t)
	server, err := natsserver.NewServer(&natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
		Users: []*natsserver.User{
			{Username: "admin", Password: "p"},
			{Username: "crew", Password: "p", Permissions: &natsserver.Permissions{Publish: &natsserver.SubjectPermission{Deny: []string{subject}}}},
			{Username: "ops", Password: "p", Permissions: &natsserver.Permissions{Publish: &natsserver.SubjectPermission{Deny: []string{subject, "$JS.API.CONSUMER.MSG.NEXT.USHER_JOBS.*"}}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(func() { server.Shutdown(); server.WaitForShutdown() })
	environment := map[string]string{"USHER_REDIS_URL": others.String("redis.url"), "USHER_PLATFORM_URL": others.String("platform.url")}
	for _, user := range []string{"admin", "crew", "ops"} {
		environment["USHER_NATS_URL"] = strings.Replace(server.ClientURL(), "://", "://"+user+":p@", 1)
		c := load(t, environment)
		if user == "admin" {
			if err := connect.Declare(t.Context(), c, slog.New(slog.DiscardHandler)); err != nil {
				t.Fatal(err)
			}
		}
		f := resultOf(t, c, "NATS permissions")
		if missing := user == "crew"; (f.Says != "") != missing {
			t.Errorf("result for user %s: %+v", user, f)
		} else if missing && (f.OK || f.NoResponse || !strings.Contains(f.Says, "user crew") || !strings.Contains(f.Says, strings.TrimSuffix(subject, "*")) || !strings.Contains(f.Says, "role WORKER")) {
			t.Errorf("result %+v, want a problem with the user, the subject and the role", f)
		}
	}
	nc, err := nats.Connect(strings.Replace(server.ClientURL(), "://", "://admin:p@", 1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if released, err := js.Stream(t.Context(), "USHER_RELEASED"); err != nil || released.CachedInfo().State.Msgs > 0 {
		t.Errorf("doctor has published to the stream of released jobs, %v", err)
	}
}

// resultOf returns doctor's result about something, or an empty one.
func resultOf(t *testing.T, c config.Config, what string) queues.CheckResult {
	t.Helper()
	for _, f := range (&examination{config: c, limits: short, clocks: clocks{now: time.Now}}).examine(t.Context()) {
		if f.What == what {
			return f
		}
	}
	return queues.CheckResult{}
}

// requireNoResponse checks that doctor finds no problem but checks without a response.
func requireNoResponse(t *testing.T, c config.Config, want ...string) {
	t.Helper()
	var silent []string
	for _, f := range (&examination{config: c, limits: short, clocks: clocks{now: time.Now}}).examine(t.Context()) {
		if f.NoResponse {
			silent = append(silent, f.What)
		}
		if f.OK == f.NoResponse {
			t.Errorf("result %+v", f)
		}
	}
	if !slices.Equal(silent, want) {
		t.Errorf("no response to the checks of %q, want %q", silent, want)
	}
}

// silentServer returns the address of a server that accepts connections and never responds.
func silentServer(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String() // the system accepts connections
}

// silentFile returns a named pipe without a writer, whose opening blocks.
func silentFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // lets the reader go on
		if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
			_ = f.Close()
		}
	})
	return path
}

// lossyNATS starts a NATS server with usher's streams that does not respond to the first
// requests on a subject. It returns its URL.
func lossyNATS(t *testing.T, subject string, lost int64) string {
	t.Helper()
	server, err := natsserver.NewServer(&natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(func() { server.Shutdown(); server.WaitForShutdown() })
	url := server.ClientURL()
	if err := connect.Declare(t.Context(), load(t, map[string]string{"USHER_NATS_URL": url}), slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	var seen atomic.Int64
	_, err = nc.Subscribe("lost", func(m *nats.Msg) {
		if seen.Add(1) > lost {
			_ = nc.PublishRequest("found", m.Reply, m.Data)
		}
	})
	if err == nil {
		err = nc.Flush()
	}
	for from, to := range map[string]string{subject: "lost", "found": subject} {
		if err == nil {
			err = server.GlobalAccount().AddMapping(from, to)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// If too few copies of a stream are left, doctor names them and no full disk.
func TestWritesWithoutCopies(t *testing.T) {
	t.Parallel()
	f := noWrites(nats.ErrTimeout, "2 of 3 copies are away")
	if f.OK || !strings.Contains(f.Says, "2 of 3 copies are away") || strings.Contains(f.Says, "disk") {
		t.Errorf("%+v", f)
	}
}
