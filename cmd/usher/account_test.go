package main_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"usher/internal/sandbox"
	"usher/queues"
)

// usher doctor warns if publishers may share usher's account, and names who is connected
// to it.
func TestDoctorNamesTheAccount(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		deploy func(*testing.T) *deployment
		want   []string
	}{
		"default account": {func(t *testing.T) *deployment { t.Helper(); return newDeployment(t) }, []string{"warning: usher uses NATS's default account"}},
		"own account":     {newGuardedDeployment, []string{"USHER; publishers must log in to another account. Users connected now: admin"}},
		"publisher beside usher": {newSharedAccount, []string{
			`warning: USHER. Clients other than usher are connected to it: crm (client "nightly export"). `, "Users connected now: admin, crm",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := c.deploy(t)
			d.nc.Close() // it would be a client other than usher
			var findings []queues.CheckResult
			out := d.usherJSON(&findings, "doctor")
			i := slices.IndexFunc(findings, func(f queues.CheckResult) bool { return f.What == "NATS account" })
			if i < 0 || !findings[i].OK || slices.ContainsFunc(c.want, func(want string) bool { return !strings.Contains(findings[i].Says, want) }) {
				t.Errorf("want a line with %q:\n%s", c.want, out)
			}
		})
	}
}

// newSharedAccount is newGuardedDeployment with a publisher who is a user of usher's
// account, and connected.
func newSharedAccount(t *testing.T) *deployment {
	t.Helper()
	n := &natsProcess{config: filepath.Join(t.TempDir(), "nats.conf")}
	writeFile(t, n.config, strings.Replace(guardedConfig(t, t.TempDir()), "{user: admin,",
		`{user: crm, password: crm, permissions: {publish: ["usher.jobs.>"], subscribe: ["_INBOX_crm.>"]}}`+"\n{user: admin,", 1))
	n.guard(t)
	n.start(t)
	d := newDeploymentWithServers(t, n, startGuardedRedis(t), sandbox.Options{ApprovalDelay: time.Hour})
	nc, err := nats.Connect(d.natsURL("crm"), nats.Name("nightly export"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return d
}
