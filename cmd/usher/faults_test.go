package main_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"usher"
)

// TestEachFaultOnce injects each fault once into each operation of the platform.
// After most faults the job is done; a permanent refusal fails it with the
// expected class.
func TestEachFaultOnce(t *testing.T) {
	t.Parallel()
	faults := []fault{
		{"connection reset before the request", job{"kind": "reset_before"}, ""},
		{"reset during the body", job{"kind": "reset_body"}, ""},
		{"response lost", job{"kind": "reset_after"}, ""},
		{"slow", job{"kind": "slow", "delayMs": 300}, ""},
		{"broken JSON", job{"kind": "broken_json"}, ""},
		{"401", job{"kind": "status", "status": 401}, ""},
		{"403", job{"kind": "status", "status": 403}, usher.Forbidden},
		{"404", job{"kind": "status", "status": 404}, usher.NotFound},
		{"429", job{"kind": "status", "status": 429, "retryAfter": 1}, ""},
		{"500", job{"kind": "status", "status": 500}, ""},
		{"503", job{"kind": "status", "status": 503}, ""},
		{"warnings", job{"kind": "warnings"}, ""},
	}
	upload := func(d *deployment, e export) job { return d.addJob("x", e.path) }
	target := func(d *deployment, e export) job {
		j := d.addJob("x", e.path, job{"campaign": "SANDBOX1-spring"})
		delete(j, "segment")
		return j
	}
	few := func(d *deployment) export { return newExport(d.t, d.exports, 30, 14) } // removing takes one call per id
	remove := func(d *deployment, _ export) job { return d.addJob("x", few(d).path) }
	pause := func(creatives ...string) func(*deployment, export) job {
		return func(*deployment, export) job {
			j := job{"campaign": "SANDBOX1-winter"}
			if len(creatives) > 0 {
				j["creatives"] = creatives
			}
			return j
		}
	}
	notFoundIsOK := map[string]usher.Class{"404": ""}
	operations := []operation{
		{"auth.token", usher.SegmentAdd, upload, checkUpload("segments/1"), nil},
		{"segments.get", usher.SegmentAdd, upload, checkUpload("segments/1"), nil},
		{"segments.upload", usher.SegmentAdd, upload, checkUpload("segments/1"), nil},
		{"segments.remove-user", usher.SegmentRemove, remove, func(t *testing.T, d *deployment, _ export, name string, r usher.Record) {
			if want := few(d).tally; asJSON(r.Tally) != asJSON(want) {
				t.Errorf("%s: tally is %s", name, asJSON(r.Tally))
			}
		}, notFoundIsOK}, // 404: the id is not a member
		{"campaigns.get", usher.TargetAdd, target, checkUpload("campaigns/SANDBOX1-spring"), nil},
		{"campaigns.mobile-targets", usher.TargetAdd, target, checkUpload("campaigns/SANDBOX1-spring"), notFoundIsOK}, // 404: the campaign has no targets
		{"campaigns.add-mobile-targets", usher.TargetAdd, target, checkUpload("campaigns/SANDBOX1-spring"), nil},
		{"campaigns.clear-mobile-targets", usher.TargetReplace, target, checkUpload("campaigns/SANDBOX1-spring"), notFoundIsOK},
		{"campaigns.lock", usher.CampaignPause, pause(), checkPause(5), nil},
		{"campaigns.status", usher.CampaignPause, pause(), checkPause(5), nil},
		{"campaigns.set-status", usher.CampaignPause, pause(), checkPause(5), nil},
		{"creatives.set-status", usher.CampaignPause, pause("winter-2"), checkPause(1), nil},
		// The statuses are already set, and the lock expires.
		{"campaigns.unlock", usher.CampaignPause, pause(), checkPause(5), map[string]usher.Class{"403": "", "404": ""}},
	}
	var trials []trial
	for _, o := range operations {
		for _, f := range faults {
			hasBody := strings.Contains(o.op, "upload") || strings.Contains(o.op, "add-")
			if f.name != "reset during the body" || hasBody {
				trials = append(trials, trial{o, f})
			}
		}
	}
	// After a lost response a worker checks the result ten seconds later, so several
	// deployments share the trials.
	const deployments = 4
	var running sync.WaitGroup
	for share := range deployments {
		running.Go(func() {
			t.Run(fmt.Sprint("deployment ", share), func(t *testing.T) {
				d := newDeployment(t, "USHER_RETRY_FIRST=100ms", "USHER_UPLOAD_BATCH_IDS=1000")
				d.worker("worker")
				e := newExport(t, d.exports, 3_000, 11)
				for i, n := share, 1; i < len(trials); i, n = i+deployments, n+1 {
					trials[i].run(t, d, e, n)
				}
			})
		})
	}
	running.Wait()
}

// fault is a fault that the platform simulates.
type fault struct {
	name  string
	fault job         // body of the sandbox's request
	class usher.Class // of the job's error; "": the job is done
}

// operation is an operation of the platform and a job that calls it.
type operation struct {
	op    string
	kind  usher.Kind
	job   func(d *deployment, e export) job
	check func(t *testing.T, d *deployment, e export, name string, r usher.Record)
	// except overrides a fault's class, by the fault's name.
	except map[string]usher.Class
}

// trial injects a fault into an operation.
type trial struct {
	operation
	fault fault
}

// run executes the deployment's n-th trial, counted from 1.
func (o *trial) run(t *testing.T, d *deployment, e export, n int) {
	t.Helper()
	f, name := o.fault, o.op+", "+o.fault.name
	d.control("POST", "reset", nil, nil)
	request := job{"op": o.op, "times": 1}
	maps.Copy(request, f.fault)
	d.control("POST", "faults", request, nil)
	j := o.job(d, e)
	id := fmt.Sprintf("fault-%d", n)
	j["id"] = id
	d.publish(o.kind, j)
	r := d.ended(id)
	if count := d.faultCount(); count != n {
		t.Fatalf("%s: the platform simulated %d faults, not %d", name, count, n)
	}
	class, overridden := o.except[f.name]
	if !overridden {
		class = f.class
	}
	switch {
	case class != "" && (r.State != usher.Failed || r.Error.Class != class || r.Error.Hint == ""):
		t.Errorf("%s: job ended %s %s, not with class %s", name, r.State, asJSON(r.Error), class)
	case class == "" && r.State != usher.Done:
		t.Errorf("%s: job ended %s %s, not done", name, r.State, asJSON(r.Error))
	case class == "":
		o.check(t, d, e, name, r)
	}
	if f.name == "warnings" && len(r.Warnings) == 0 && strings.HasSuffix(o.op, "upload") {
		t.Errorf("%s: the job has no warning", name)
	}
}

// faultCount returns the number of faults that the platform simulated.
func (d *deployment) faultCount() int {
	n := 0
	for _, a := range d.journal("") {
		if a.Fault != "" {
			n++
		}
	}
	return n
}

// checkUpload compares the members of a set and the job's tally with the export.
func checkUpload(set string) func(*testing.T, *deployment, export, string, usher.Record) {
	return func(t *testing.T, d *deployment, e export, name string, r usher.Record) {
		if got := d.members(set); got != fingerprintOf(e.digests) {
			t.Errorf("%s: members are %+v", name, got)
		}
		if asJSON(r.Tally) != asJSON(e.tally) {
			t.Errorf("%s: tally is %s", name, asJSON(r.Tally))
		}
	}
}

// checkPause checks that the audit has one entry for each paused creative.
func checkPause(creatives int) func(*testing.T, *deployment, export, string, usher.Record) {
	return func(t *testing.T, d *deployment, _ export, name string, r usher.Record) {
		seen := map[string]bool{}
		for _, a := range d.audits("SANDBOX1-winter") {
			if a.Job != r.ID {
				continue
			}
			if seen[a.Creative] || a.Before != "ACTIVE" || a.After != "INACTIVE" {
				t.Errorf("%s: unexpected audit entry %s", name, asJSON(a))
			}
			seen[a.Creative] = true
		}
		if len(seen) != creatives {
			t.Errorf("%s: the audit has %d creatives, not %d", name, len(seen), creatives)
		}
	}
}

// The platform responds 413 before it has read the body. The batch is halved, and
// a buffer that is still being sent is not overwritten.
func Test413BeforeTheBody(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_UPLOAD_BATCH_IDS=20000")
	e := newExport(t, d.exports, 100_000, 12)
	d.control("POST", "faults", job{"op": "segments.upload", "kind": "early_413", "times": 2}, nil)
	d.worker("worker")
	d.publish(usher.SegmentAdd, d.addJob("early", e.path))
	d.wantExact(d.ended("early"), e, "segments/1")
}

// An outage that outlasts the retries of a batch fails no job. All jobs are done
// within 30 s of its end.
func TestOutage(t *testing.T) {
	t.Parallel()
	// On idle cores the queue drains within 30 s. The limit is longer, because the machine
	// may be busy, but a delay that grows with the outage would exceed it.
	const outage, drainTime = 40 * time.Second, 2 * time.Minute
	d := newDeployment(t)
	e := newExport(t, d.exports, 1_000, 13)
	d.control("POST", "faults", job{"op": "*", "kind": "status", "status": 503, "for": outage.String()}, nil)
	start := time.Now()
	d.worker("worker")
	const jobs = 40
	for i := range jobs {
		d.publish(usher.SegmentAdd, d.addJob(fmt.Sprintf("add-%d", i), e.path))
	}
	d.publish(usher.CampaignPause, job{"id": "pause", "campaign": "SANDBOX1-spring"})
	eventually(t, "a queued job shows since when the platform is down", func() bool {
		out, code := d.usher("jobs", "ls", "--state", "queued", "--json")
		return code == 0 && strings.Contains(out, `"why": "the platform is down since 20`)
	})
	for i := range jobs {
		r := d.ended(fmt.Sprintf("add-%d", i))
		// Jobs that failed before the breaker opened have used one attempt.
		if r.State != usher.Done || r.Attempts > 2 || r.Finished.Before(start.Add(outage)) {
			t.Errorf("job %s: %s", r.ID, recordText(r))
		}
		if late := r.Finished.Sub(start.Add(outage)); late > drainTime {
			t.Errorf("job %s was done %s after the outage", r.ID, late)
		}
	}
	if r := d.ended("pause"); r.State != usher.Done {
		t.Errorf("the pause: %s", recordText(r))
	}
	if found := d.letters(); len(found) != 0 {
		t.Errorf("letters: %s", asJSON(found))
	}
}
