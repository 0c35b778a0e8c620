package main_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/internal/sandbox"
)

// newGuardedDeployment returns a deployment whose NATS and Redis have the users of
// deploy/, and another publisher named other. Each user's password is its name. The
// deployment itself connects to NATS as admin.
func newGuardedDeployment(t *testing.T) *deployment {
	t.Helper()
	return newGuardedDeploymentIn(t, t.TempDir())
}

// newGuardedDeploymentIn is newGuardedDeployment with the folder of NATS's data.
func newGuardedDeploymentIn(t *testing.T, store string) *deployment {
	t.Helper()
	n := &natsProcess{config: filepath.Join(t.TempDir(), "nats.conf")}
	writeFile(t, n.config, guardedConfig(t, store))
	n.guard(t)
	n.start(t)
	return newDeploymentWithServers(t, n, startGuardedRedis(t), sandbox.Options{ApprovalDelay: time.Hour})
}

// newGuardedCluster is newGuardedDeployment with three NATS nodes, which have the
// configuration of deploy/compose.yaml.
func newGuardedCluster(t *testing.T) *deployment {
	t.Helper()
	const size = 3
	var peers, urls []string
	for range size {
		peers = append(peers, fmt.Sprintf("127.0.0.1:%d", freePort(t)))
	}
	nodes := make([]*natsProcess, size)
	for i := range nodes {
		config := composeNATS(t)
		_, port, _ := strings.Cut(peers[i], ":")
		config = strings.Replace(config, "port: 6222", "host: 127.0.0.1, port: "+port, 1)
		for j, peer := range peers {
			config = strings.Replace(config, fmt.Sprintf("nats-%d:6222", j+1), peer, 1)
		}
		dir := t.TempDir()
		nodes[i] = &natsProcess{config: filepath.Join(dir, "nats.conf")}
		writeFile(t, nodes[i].config, config)
		writeFile(t, filepath.Join(dir, "usher.conf"), guardedConfig(t, t.TempDir()))
		nodes[i].guard(t)
		nodes[i].env = append(nodes[i].env, fmt.Sprintf("NATS_NAME=nats-%d", i+1))
		nodes[i].start(t)
		urls = append(urls, nodes[i].url)
	}
	nodes[0].url, nodes[0].replicas = strings.Join(urls, ","), size
	return newDeploymentWithServers(t, nodes[0], startGuardedRedis(t), sandbox.Options{ApprovalDelay: time.Hour}, "USHER_NATS_REPLICAS=3")
}

// guardedConfig returns deploy/nats.conf with another publisher, and a folder for its data.
func guardedConfig(t *testing.T, store string) string {
	t.Helper()
	config := strings.Replace(readDeployFile(t, "nats.conf"), `"/data"`, fmt.Sprintf("%q", store), 1)
	_, after, _ := strings.Cut(config, "{user: publisher,")
	permissions, _, found := strings.Cut(after, "}}")
	if !found {
		t.Fatal("nats.conf has no user publisher")
	}
	other := strings.NewReplacer("$USHER_NATS_PUBLISHER_PASSWORD", "other", "publisher", "other").Replace("{user: publisher," + permissions + "}}")
	return strings.Replace(config, "{user: publisher,", other+"\n{user: publisher,", 1)
}

// guard gives the server its addresses and the passwords of its users.
func (n *natsProcess) guard(t *testing.T) {
	t.Helper()
	writeFile(t, filepath.Join(filepath.Dir(n.config), "nats-passwords.conf"), readDeployFile(t, "nats-passwords.conf"))
	port := freePort(t)
	n.url = fmt.Sprintf("nats://admin:admin@127.0.0.1:%d", port)
	n.args = []string{"-a", "127.0.0.1", "-p", fmt.Sprint(port), "-m", fmt.Sprint(freePort(t))}
	for _, role := range []string{"admin", "worker", "ops", "publisher", "routes"} {
		n.env = append(n.env, fmt.Sprintf("USHER_NATS_%s_PASSWORD=%s", strings.ToUpper(role), role))
	}
}

// startGuardedRedis starts Redis with the users of deploy/redis.acl.
func startGuardedRedis(t *testing.T) *redisProcess {
	t.Helper()
	users := readDeployFile(t, "redis.acl")
	for _, role := range []string{"worker", "admin"} {
		users = strings.Replace(users, strings.Repeat("0", 64), fmt.Sprintf("%x", sha256.Sum256([]byte(role))), 1)
	}
	list := filepath.Join(t.TempDir(), "redis.acl")
	writeFile(t, list, users)
	r := &redisProcess{port: freePort(t), login: "worker:worker@", args: []string{"--aclfile", list}}
	r.start(t)
	return r
}

// readDeployFile returns the content of a file in deploy/.
func readDeployFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// natsURL returns the address of NATS with the credentials of a role.
func (d *deployment) natsURL(role string) string {
	return strings.ReplaceAll(d.nats.url, "admin:admin@", role+":"+role+"@")
}

// The permissions in deploy/ suffice to publish, run, fail and replay jobs, and to
// pause campaigns.
func TestRolesSuffice(t *testing.T) {
	t.Parallel()
	d := newGuardedDeployment(t)
	e := newExport(t, d.exports, 6000, 7)
	d.migrateAsAdmin()
	d.env = append(d.env, "USHER_NATS_URL="+d.natsURL("worker"))
	users := filepath.Join(t.TempDir(), "users")
	writeFile(t, users, "somebody:viewer:\n") // with users, the worker also runs the console, which subscribes to changes
	d.worker("worker", "USHER_SOURCES_PART_BYTES=65536", "USHER_CONSOLE_LISTEN=127.0.0.1:0", "USHER_CONSOLE_USERS="+users)

	publisher, _ := d.publisher("publisher")
	eventually(t, "a submit gets a response", func() bool {
		m, err := publisher.Request("usher.submit.segment.add",
			fmt.Appendf(nil, `{"id":"asked","segment":"1","profile":"idfa","source":{"url":"file://%s"}}`, e.path), time.Second)
		return err == nil && strings.Contains(string(m.Data), "asked")
	})
	js, err := jetstream.New(publisher)
	if err != nil {
		t.Fatal(err)
	}
	for kind, body := range map[string]string{
		"segment.remove": `{"id":"broken","segment":"1","profile":"idfa","source":{"url":"file://` + d.exports + `/none"}}`,
		"campaign.pause": `{"id":"paused","campaign":"SANDBOX1-summer","reason":"a test"}`,
	} {
		if _, err := js.Publish(t.Context(), "usher.jobs."+kind, []byte(body)); err != nil {
			t.Fatalf("publish as publisher: %v", err)
		}
	}
	if r := d.ended("asked"); r.State != usher.Done || r.Parts.Total < 2 {
		t.Errorf("the upload is %s in %d parts, want done in at least 2", r.State, r.Parts.Total)
	}
	if r := d.ended("paused"); r.State != usher.Done {
		t.Errorf("the pause is %s, want done", r.State)
	}
	d.ended("broken")

	d.env = append(d.env, "USHER_NATS_URL="+d.natsURL("ops"))
	for _, args := range []string{
		"jobs ls", "jobs show asked", "dead ls", "dead groups", "dead edit --id broken --set maxRejectPercent=50 --yes", "dead replay --yes",
		"lanes ls", "lanes pause bulk", "lanes resume bulk", "limits set --rate 50/s", "limits show", "limits set --as-configured", "stop-switch on --yes --reason test", "stop-switch", "settings", "stop-switch off --yes",
		"submit target.clear --campaign SANDBOX1-summer --wait",
	} {
		if out, code := d.usher(strings.Fields(args)...); code != 0 {
			t.Errorf("usher %s as ops: exit code %d\n%s", args, code, out)
		}
	}
	ops, err := nats.Connect(d.natsURL("ops"), nats.Timeout(patience))
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Close()
	if m, err := ops.Request("usher.workers", nil, 5*time.Second); err != nil || !strings.Contains(string(m.Data), `"slots":{"audience":`) {
		t.Errorf("request usher.workers as ops: %v, %v", m, err)
	}
	eventually(t, "the replay has failed", func() bool { r := d.record("broken"); return r.Run == 2 && r.State == usher.Failed })
	if out, code := d.usher("dead", "discard", "--yes", "--reason", "a test"); code != 0 {
		t.Errorf("discard as ops: exit code %d\n%s", code, out)
	}
	// Background work does not fail a job, so look for its errors in the log.
	log, err := os.ReadFile(filepath.Join(logDir(t), "worker.log"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, "ermissions") || strings.Contains(line, "NOPERM") {
			t.Error("the worker lacks a permission: ", line)
		}
	}
}

// The server denies what a role does not need.
func TestRolesAreMinimal(t *testing.T) {
	t.Parallel()
	d := newGuardedDeployment(t)
	for role, subjects := range map[string][]string{
		"publisher": {
			"usher.dead.segment.add.exhausted", "usher.audit.SANDBOX1-summer", "usher.events.x", "usher.parts.x.0", "$KV.usher_state.jobs.x", "$KV.usher_rules.stop",
			"$JS.API.STREAM.INFO.USHER_JOBS", "$JS.API.STREAM.MSG.GET.USHER_JOBS", "$JS.API.STREAM.DELETE.USHER_JOBS", "$JS.API.CONSUMER.MSG.NEXT.USHER_JOBS.audience",
		},
		"ops": {
			"usher.parts.x.0", "$JS.API.STREAM.DELETE.USHER_JOBS", "$JS.API.STREAM.UPDATE.USHER_JOBS", "$JS.API.STREAM.PURGE.USHER_JOBS",
			"$JS.API.CONSUMER.MSG.NEXT.USHER_JOBS.audience", "$JS.ACK.USHER_JOBS.audience.1.1.1.1.0", "$JS.API.CONSUMER.DELETE.USHER_JOBS.audience",
		},
		"worker": {
			"$JS.API.STREAM.DELETE.USHER_JOBS", "$JS.API.STREAM.CREATE.OTHER", "$JS.API.STREAM.UPDATE.USHER_JOBS", "$JS.API.STREAM.PURGE.USHER_JOBS", "$JS.API.STREAM.PURGE.USHER_DEAD",
			"$JS.API.CONSUMER.DELETE.USHER_JOBS.audience", "$JS.API.CONSUMER.CREATE.USHER_JOBS.other", "other.subject",
		},
	} {
		denied := make(chan error, 16)
		nc, err := nats.Connect(d.natsURL(role), nats.Timeout(patience), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err }))
		if err != nil {
			t.Fatal(err)
		}
		for _, subject := range subjects {
			if err := nc.Publish(subject, nil); err != nil {
				t.Fatal(err)
			}
			if err := nc.Flush(); err != nil {
				t.Fatal(err)
			}
			select {
			case err := <-denied:
				if !errors.Is(err, nats.ErrPermissionViolation) {
					t.Errorf("publish on %s as %s: %v, want a permission violation", subject, role, err)
				}
			case <-time.After(patience):
				t.Errorf("%s may publish on %s", role, subject)
			}
		}
		nc.Close()
	}
}

// A command with the login of another role ends at once, and says which permission it lacks and
// which role has it.
func TestWrongRoleIsNamed(t *testing.T) {
	t.Parallel()
	d := newGuardedDeployment(t)
	d.migrateAsAdmin()
	backup := filepath.Join(t.TempDir(), "backup")
	d.env = append(d.env, "USHER_NATS_URL="+d.natsURL("admin"))
	if out, code := d.usher("backup", backup); code != 0 {
		t.Fatalf("backup as admin: exit code %d\n%s", code, out)
	}
	const inbox, job = `Subscription to "_INBOX.`, "campaign.pause --campaign SANDBOX1-summer --reason test"
	for _, c := range []struct{ role, command, missing, has string }{
		{"ops", "run", `Publish to "$JS.API.CONSUMER.MSG.NEXT.USHER_JOBS`, "admin and worker in deploy/nats.conf: `usher run` needs"},
		{"publisher", "run", "Publish to", "admin and worker in deploy/nats.conf: `usher run` needs"},
		{"worker", "migrate", `Publish to "$JS.API.STREAM.UPDATE.USHER_JOBS"`, "admin in deploy/nats.conf"},
		{"ops", "migrate", `Publish to "$JS.API.STREAM.UPDATE.USHER_JOBS"`, "admin in deploy/nats.conf"},
		{"publisher", "migrate", inbox, "with the administrator's login, such as the user admin"},
		{"worker", "backup " + backup + "-2", `Publish to "$JS.API.STREAM.SNAPSHOT.USHER_JOBS"`, "admin in deploy/nats.conf"},
		{"ops", "backup " + backup + "-2", `Publish to "$JS.API.STREAM.SNAPSHOT.USHER_JOBS"`, "admin in deploy/nats.conf"},
		{"ops", "restore --replace " + backup, `Publish to "$JS.API.STREAM.DELETE.USHER_JOBS"`, "admin in deploy/nats.conf"},
		{"publisher", "restore " + backup, inbox, "use the administrator's login, such as the user admin"},
		{"publisher", "submit " + job, inbox, "admin, worker and ops in deploy/nats.conf"},
		{"publisher", "jobs ls", inbox, "such as the user ops"},
		{"publisher", "dead ls", inbox, "such as the user ops"},
		{"publisher", "rules runs ls", inbox, "such as the user ops"},
		{"publisher", "feeds ls", inbox, "such as the user ops"},
		{"publisher", "ledger ls", inbox, "such as the user ops"},
	} {
		d.env = append(d.env, "USHER_NATS_URL="+d.natsURL(c.role))
		if out, code := d.usher(strings.Fields(c.command)...); code != 1 || !strings.Contains(out, "NATS refuses user "+c.role) || !strings.Contains(out, c.missing) || !strings.Contains(out, c.has) {
			t.Errorf("usher %s as %s: exit code %d, want the permission %q and %q\n%s", c.command, c.role, code, c.missing, c.has, out)
		}
	}
}
