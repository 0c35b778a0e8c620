package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
	"usher/queues"
)

// refusedLogins returns how many logins the platform has refused.
func (d *deployment) refusedLogins() (n int) {
	d.t.Helper()
	var entries []struct {
		Op     string `json:"op"`
		Status int    `json:"status"`
	}
	d.control("GET", "journal", nil, &entries)
	for _, e := range entries {
		if e.Op == "auth.token" && e.Status != 200 {
			n++
		}
	}
	return n
}

// Jobs of 150 invented advertisers make three logins. The jobs beyond say what to do, and jobs of
// advertisers that have logged in before are carried out.
func TestInventedAdvertisers(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	for _, name := range []string{"a", "b"} {
		d.worker(name)
	}
	for i := range 150 {
		d.publish(usher.CampaignPause, job{"id": fmt.Sprint("invented-", i), "campaign": fmt.Sprintf("INVENTED%d-x", i), "advertiser": fmt.Sprint("INVENTED", i)})
	}
	beyond := 0
	for i := range 150 {
		r := d.ended(fmt.Sprint("invented-", i))
		if r.State != usher.Failed || r.Error.Class != usher.Forbidden {
			t.Fatalf("job %s: %s", r.ID, recordText(r))
		}
		if strings.Contains(r.Error.Message, "the login was not tried") && strings.Contains(r.Error.Hint, "platform.advertisers") {
			beyond++
		}
	}
	if n := d.refusedLogins(); n != 3 || beyond != 147 {
		t.Errorf("%d logins were refused, and %d jobs without one; want 3 and 147", n, beyond)
	}
	d.publish(usher.CampaignPause, job{"id": "known", "campaign": "SANDBOX1-spring", "advertiser": "SANDBOX1"})
	if r := d.ended("known"); r.State != usher.Done {
		t.Errorf("a job of the configured advertiser: %s", recordText(r))
	}
}

// With platform.advertisers, jobs of others fail before any login. A feed file of any worker names
// advertisers, too, and a list that is changed counts at once.
func TestListedAdvertisers(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	feed := write("feeds.yaml", fmt.Sprintf("feeds:\n  - name: crm\n    watch: %s/*.csv\n    job: {kind: segment.add, segment: \"1\", profile: idfa, advertiser: FED}\n", d.exports))
	list := write("usher.yaml", "platform:\n  advertisers: [LISTED]\n")
	worker := func(name string, settings ...string) {
		startProcess(t, name, append(append([]string{"USHER_WORKER=" + name}, d.env...), settings...), commandProgram(t), "run", "--config", list)
	}
	worker("without")
	try := func(id, advertiser string) *usher.JobError {
		d.publish(usher.CampaignPause, job{"id": id, "campaign": advertiser + "-x", "advertiser": advertiser})
		r := d.ended(id)
		if r.State != usher.Failed || r.Error.Class != usher.Forbidden {
			t.Fatalf("job %s: %s", id, recordText(r))
		}
		return r.Error
	}
	for i := range 5 {
		if e := try(fmt.Sprint("other-", i), "OTHER"); !strings.Contains(e.Message, "jobs may not name advertiser OTHER") || !strings.Contains(e.Hint, "add OTHER to platform.advertisers") {
			t.Errorf("the job says %s; %s", e.Message, e.Hint)
		}
	}
	if n := d.refusedLogins(); n != 0 {
		t.Errorf("%d logins of advertisers that are not listed", n)
	}
	try("listed", "LISTED") // the platform does not know it
	if n := d.refusedLogins(); n != 1 {
		t.Errorf("%d refused logins, want that of the listed advertiser", n)
	}
	write("usher.yaml", "platform:\n  advertisers: [LISTED, OTHER]\n")
	try("later", "OTHER")
	if n := d.refusedLogins(); n != 2 {
		t.Errorf("%d refused logins, want that of the advertiser that was added to the list, too", n)
	}
	worker("with", "USHER_FEEDS_FILES="+feed, "USHER_LANES_CAMPAIGN=0")
	eventually(t, "the worker with the feed is there", func() bool {
		workers, err := d.queue.Presence().Workers(t.Context())
		return err == nil && len(workers) == 2
	})
	eventually(t, "the feed is wrong, because the platform refuses its advertiser", func() bool {
		out, _ := d.usher("feeds", "show", "crm")
		return strings.Contains(out, "the platform refuses advertiser FED")
	})
	try("fed", "FED") // on the worker without the feed
	if n := d.refusedLogins(); n != 4 {
		t.Errorf("%d refused logins, want those of the feed's advertiser, too", n)
	}
	var findings []queues.CheckResult
	out, _ := d.usher("doctor", "--json", "--config", list)
	if err := json.Unmarshal([]byte(out), &findings); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, f := range findings {
		if f.What == "platform.advertisers" && strings.Contains(f.Says, "warning: the login is not linked to LISTED, OTHER") {
			return
		}
	}
	t.Errorf("doctor says %s", out)
}
