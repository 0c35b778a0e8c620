package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"usher"
)

// audits returns the audit entries of a campaign.
func (d *deployment) audits(campaign string) []usher.Audit {
	d.t.Helper()
	s, err := d.js.Stream(d.t.Context(), "USHER_EVENTS")
	if err != nil {
		d.t.Fatal(err)
	}
	var found []usher.Audit
	for seq := uint64(1); seq <= s.CachedInfo().State.LastSeq; seq++ {
		m, err := s.GetMsg(d.t.Context(), seq)
		if err != nil || m.Subject != "usher.audit."+campaign {
			continue
		}
		var a usher.Audit
		if err := json.Unmarshal(m.Data, &a); err != nil {
			d.t.Fatal(err)
		}
		found = append(found, a)
	}
	return found
}

// The newest of many jobs wins, and no status is posted without the platform's
// lock.
func TestTwoWorkersOnOneCampaign(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	d.raced = true
	d.worker("first")
	d.worker("second")
	const jobs = 30
	for i := range jobs {
		kind := usher.CampaignPause
		if i%2 == 1 {
			kind = usher.CampaignResume
		}
		d.publish(kind, job{"id": fmt.Sprintf("job-%02d", i), "campaign": "SANDBOX1-autumn", "reason": "test", "actor": "budget-engine"})
	}
	for i := range jobs {
		if r := d.ended(fmt.Sprintf("job-%02d", i)); r.State != usher.Done {
			t.Errorf("job %s: %s", r.ID, recordText(r))
		}
	}
	locked := false
	for _, a := range d.journal("") {
		switch a.Op {
		case "campaigns.lock":
			if locked {
				t.Errorf("entry %d locks a campaign that is already locked", a.Seq)
			}
			locked = true
		case "campaigns.unlock":
			locked = false
		case "campaigns.set-status", "creatives.set-status":
			if !locked || a.Status != 200 {
				t.Errorf("entry %d posts without the lock, or fails: %s", a.Seq, asJSON(a))
			}
		}
	}
	if out, _ := d.usher("jobs", "show", "job-29", "--json"); !strings.Contains(out, `"done"`) {
		t.Errorf("the last job: %s", out)
	}
	// If the newest job runs first, it finds all creatives ACTIVE and supersedes
	// all other jobs; then nothing is posted.
	posts := d.journal("campaigns.set-status")
	if n := len(posts); n > 0 && posts[n-1].Form["status"] != "ACTIVE" {
		t.Errorf("the last post is not that of the newest job: %s", asJSON(posts[n-1]))
	}
	seen := map[string]bool{}
	for _, a := range d.audits("SANDBOX1-autumn") {
		key := fmt.Sprintf("%s/%d/%s", a.Job, a.Run, a.Creative)
		if seen[key] || a.Before == a.After || a.After != a.Wanted || a.Actor != "budget-engine" {
			t.Errorf("audit %s", asJSON(a))
		}
		seen[key] = true
	}
	if len(seen) != 4*len(posts) {
		t.Errorf("%d posts of 4 creatives made %d audit entries", len(posts), len(seen))
	}
}

// A worker that loses the response to a post reads the statuses before it posts
// again.
func TestLostResponseIsReadBack(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_RETRY_FIRST=100ms")
	d.control("POST", "faults", job{"op": "campaigns.set-status", "kind": "reset_after", "times": 1}, nil)
	d.worker("worker")
	d.publish(usher.CampaignPause, job{"id": "lost", "campaign": "SANDBOX1-winter"})
	if r := d.ended("lost"); r.State != usher.Done || r.Attempts != 1 {
		t.Errorf("the job: %s", recordText(r))
	}
	if posts := d.journal("campaigns.set-status"); len(posts) != 1 {
		t.Errorf("the status was posted %d times, not once", len(posts))
	}
	if found := d.audits("SANDBOX1-winter"); len(found) != 5 {
		t.Errorf("%d audit entries for 5 creatives", len(found))
	}
}

// A worker is killed between its post and its audit entry. The next worker reads
// the statuses back, and the audit has each change once.
func TestWorkerKilledDuringPause(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	d.control("POST", "faults", job{"op": "campaigns.set-status", "kind": "slow", "delayMs": 1500, "times": 1}, nil)
	d.publish(usher.CampaignPause, job{"id": "killed", "campaign": "SANDBOX1-winter"})
	w := d.worker("first")
	eventually(t, "the lock is taken", func() bool { return len(d.journal("campaigns.lock")) > 0 })
	eventually(t, "the statuses are read", func() bool { return len(d.journal("campaigns.status")) > 0 })
	w.kill()
	d.worker("second")
	if r := d.ended("killed"); r.State != usher.Done || r.Crashes != 1 {
		t.Errorf("the job: %s", recordText(r))
	}
	if found := d.audits("SANDBOX1-winter"); len(found) != 5 {
		t.Errorf("%d audit entries for 5 creatives", len(found))
	}
}

func TestPauseOfUnknownCreative(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	d.worker("worker")
	d.publish(usher.CampaignPause, job{"id": "unknown", "campaign": "SANDBOX1-winter", "creatives": []string{"nobody"}})
	if r := d.ended("unknown"); r.State != usher.Failed || r.Error.Class != usher.NotFound || !strings.Contains(r.Error.Hint, "winter-1") {
		t.Errorf("the job: %s", recordText(r))
	}
	if posts := d.journal("creatives.set-status"); len(posts) != 0 {
		t.Errorf("a status was posted: %s", asJSON(posts))
	}
}

// A pause of named creatives leaves the other creatives unchanged.
func TestPauseOfSomeCreatives(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	d.worker("worker")
	d.publish(usher.CampaignPause, job{"id": "some", "campaign": "SANDBOX1-winter", "creatives": []string{"winter-2", "winter-4"}})
	if r := d.ended("some"); r.State != usher.Done {
		t.Errorf("the job: %s", recordText(r))
	}
	posts := d.journal("creatives.set-status")
	if len(posts) != 2 || len(d.journal("campaigns.set-status")) != 0 {
		t.Errorf("posts: %s", asJSON(posts))
	}
}

// An add is not replayed after a newer remove of the same ids, unless the replay
// is forced.
func TestReplayOfAddAfterNewerRemove(t *testing.T) {
	t.Parallel()
	d := newDeployment(t)
	d.worker("worker")
	ids := job{"ids": []string{"6D92078A-8246-4BA4-AE5B-76104861E7DC"}}
	d.control("POST", "faults", job{"op": "segments.upload", "kind": "status", "status": 403, "times": 1}, nil)
	d.publish(usher.SegmentAdd, job{"id": "add", "segment": "1", "profile": "idfa", "source": ids})
	if r := d.ended("add"); r.State != usher.Failed {
		t.Fatalf("the add: %s", recordText(r))
	}
	d.publish(usher.SegmentRemove, job{"id": "remove", "segment": "1", "profile": "idfa", "source": ids})
	if r := d.ended("remove"); r.State != usher.Done {
		t.Fatalf("the remove: %s", recordText(r))
	}
	if out, code := d.usher("dead", "replay", "--id", "add", "--yes"); !strings.Contains(out, "remove") {
		t.Errorf("the replay: exit code %d, output %s", code, out)
	}
	if r := d.record("add"); r.Run != 1 || len(d.letters()) != 1 {
		t.Errorf("the add was replayed: %s", recordText(r))
	}
	if out, code := d.usher("dead", "replay", "--id", "add", "--yes", "--force"); code != 0 {
		t.Errorf("the forced replay: exit code %d, output %s", code, out)
	}
	eventually(t, "the forced replay is done", func() bool { r := d.record("add"); return r.Run == 2 && r.State == usher.Done })
	if f := d.members("segments/1"); f.Count != 1 {
		t.Errorf("members: %+v", f)
	}
}
