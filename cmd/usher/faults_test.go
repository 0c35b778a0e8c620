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

// TestEachFaultOnce has the platform make each fault once in each operation of
// the main job. What must come of it is written down here: most faults cost
// time and nothing else; what the platform says for good ends the job, with its
// class.
func TestEachFaultOnce(t *testing.T) {
	t.Parallel()
	faults := []fault{
		{"refused connection", job{"kind": "reset_before"}, ""},
		{"reset while the body comes", job{"kind": "reset_body"}, ""},
		{"answer lost", job{"kind": "reset_after"}, ""},
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
	upload := func(p *plant, e export) job { return p.addJob("x", e.path) }
	target := func(p *plant, e export) job {
		j := p.addJob("x", e.path, job{"campaign": "SANDBOX1-spring"})
		delete(j, "segment")
		return j
	}
	few := func(p *plant) export { return newExport(p.t, p.exports, 30, 14) } // a removal is one call an id
	remove := func(p *plant, _ export) job { return p.addJob("x", few(p).path) }
	pause := func(creatives ...string) func(*plant, export) job {
		return func(*plant, export) job {
			j := job{"campaign": "SANDBOX1-winter"}
			if len(creatives) > 0 {
				j["creatives"] = creatives
			}
			return j
		}
	}
	notFoundIsWell := map[string]usher.Class{"404": ""}
	operations := []operation{
		{"auth.token", usher.SegmentAdd, upload, holds("segments/1"), nil},
		{"segments.get", usher.SegmentAdd, upload, holds("segments/1"), nil},
		{"segments.upload", usher.SegmentAdd, upload, holds("segments/1"), nil},
		{"segments.remove-user", usher.SegmentRemove, remove, func(t *testing.T, p *plant, _ export, name string, r usher.Record) {
			if want := few(p).tally; asJSON(r.Tally) != asJSON(want) {
				t.Errorf("%s: tally is %s", name, asJSON(r.Tally))
			}
		}, notFoundIsWell}, // 404: is not there
		{"campaigns.get", usher.TargetAdd, target, holds("campaigns/SANDBOX1-spring"), nil},
		{"campaigns.mobile-targets", usher.TargetAdd, target, holds("campaigns/SANDBOX1-spring"), notFoundIsWell}, // 404: has none
		{"campaigns.add-mobile-targets", usher.TargetAdd, target, holds("campaigns/SANDBOX1-spring"), nil},
		{"campaigns.clear-mobile-targets", usher.TargetReplace, target, holds("campaigns/SANDBOX1-spring"), notFoundIsWell},
		{"campaigns.lock", usher.CampaignPause, pause(), paused(5), nil},
		{"campaigns.status", usher.CampaignPause, pause(), paused(5), nil},
		{"campaigns.set-status", usher.CampaignPause, pause(), paused(5), nil},
		{"creatives.set-status", usher.CampaignPause, pause("winter-2"), paused(1), nil},
		// The change is made by then: the lock lapses by itself.
		{"campaigns.unlock", usher.CampaignPause, pause(), paused(5), map[string]usher.Class{"403": "", "404": ""}},
	}
	var trials []trial
	for _, o := range operations {
		for _, f := range faults {
			hasBody := strings.Contains(o.op, "upload") || strings.Contains(o.op, "add-")
			if f.name != "reset while the body comes" || hasBody {
				trials = append(trials, trial{o, f})
			}
		}
	}
	// A change of which the answer is lost is looked at again after ten seconds, so
	// several plants share the trials.
	const plants = 4
	var beside sync.WaitGroup
	for share := range plants {
		beside.Go(func() {
			t.Run(fmt.Sprint("plant ", share), func(t *testing.T) {
				p := newPlant(t, "USHER_RETRY_FIRST=100ms", "USHER_UPLOAD_BATCH_IDS=1000")
				p.worker("worker")
				e := newExport(t, p.exports, 3_000, 11)
				for i, n := share, 1; i < len(trials); i, n = i+plants, n+1 {
					trials[i].run(t, p, e, n)
				}
			})
		})
	}
	beside.Wait()
}

// fault is one that the platform makes.
type fault struct {
	name  string
	fault job
	class usher.Class // of the job's end; "": it is done
}

// operation is one of the platform's, and a job that calls it.
type operation struct {
	op    string
	kind  usher.Kind
	job   func(p *plant, e export) job
	check func(t *testing.T, p *plant, e export, name string, r usher.Record)
	// not the faults' usual outcome, by name
	except map[string]usher.Class
}

// trial is a fault in an operation.
type trial struct {
	operation
	fault fault
}

// run tries it, as the plant's n-th, counted from 1.
func (o *trial) run(t *testing.T, p *plant, e export, n int) {
	t.Helper()
	f, name := o.fault, o.op+", "+o.fault.name
	p.control("POST", "reset", nil, nil)
	made := job{"op": o.op, "times": 1}
	maps.Copy(made, f.fault)
	p.control("POST", "faults", made, nil)
	j := o.job(p, e)
	id := fmt.Sprintf("fault-%d", n)
	j["id"] = id
	p.publish(o.kind, j)
	r := p.ended(id)
	if all := p.faults(); all != n {
		t.Fatalf("%s: %d faults were made, not %d", name, all, n)
	}
	class, special := o.except[f.name]
	if !special {
		class = f.class
	}
	switch {
	case class != "" && (r.State != usher.Failed || r.Error.Class != class || r.Error.Hint == ""):
		t.Errorf("%s: ended %s %s, not %s", name, r.State, asJSON(r.Error), class)
	case class == "" && r.State != usher.Done:
		t.Errorf("%s: ended %s %s", name, r.State, asJSON(r.Error))
	case class == "":
		o.check(t, p, e, name, r)
	}
	if f.name == "warnings" && len(r.Warnings) == 0 && strings.HasSuffix(o.op, "upload") {
		t.Errorf("%s: the warning is lost", name)
	}
}

// faults is how many were made.
func (p *plant) faults() int {
	n := 0
	for _, a := range p.journal("") {
		if a.Fault != "" {
			n++
		}
	}
	return n
}

// holds compares a done upload with its export: members and tally.
func holds(of string) func(*testing.T, *plant, export, string, usher.Record) {
	return func(t *testing.T, p *plant, e export, name string, r usher.Record) {
		if got := p.members(of); got != fingerprintOf(e.digests) {
			t.Errorf("%s: members are %+v", name, got)
		}
		if asJSON(r.Tally) != asJSON(e.tally) {
			t.Errorf("%s: tally is %s", name, asJSON(r.Tally))
		}
	}
}

// paused compares a done pause with its audit: each creative once, and as wanted.
func paused(creatives int) func(*testing.T, *plant, export, string, usher.Record) {
	return func(t *testing.T, p *plant, _ export, name string, r usher.Record) {
		seen := map[string]bool{}
		for _, a := range p.audits("SANDBOX1-winter") {
			if a.Job != r.ID {
				continue
			}
			if seen[a.Creative] || a.Before != "ACTIVE" || a.After != "INACTIVE" {
				t.Errorf("%s: audit says %s", name, asJSON(a))
			}
			seen[a.Creative] = true
		}
		if len(seen) != creatives {
			t.Errorf("%s: %d creatives were audited, not %d", name, len(seen), creatives)
		}
	}
}

// An answer of 413 before the body was read: the batch is halved, and nothing
// of a buffer that is still being read is overwritten.
func TestEarly413(t *testing.T) {
	t.Parallel()
	p := newPlant(t, "USHER_UPLOAD_BATCH_IDS=20000")
	e := newExport(t, p.exports, 100_000, 12)
	p.control("POST", "faults", job{"op": "segments.upload", "kind": "early_413", "times": 2}, nil)
	p.worker("worker")
	p.publish(usher.SegmentAdd, p.addJob("early", e.path))
	p.wantExact(p.ended("early"), e, "segments/1")
}

// An outage, longer than a batch is tried in place, buries nothing, and what
// waited is through within 30 s of its end.
func TestOutage(t *testing.T) {
	t.Parallel()
	const outage, drained = 40 * time.Second, 30 * time.Second
	p := newPlant(t)
	e := newExport(t, p.exports, 1_000, 13)
	p.control("POST", "faults", job{"op": "*", "kind": "status", "status": 503, "for": outage.String()}, nil)
	began := time.Now()
	p.worker("worker")
	const jobs = 40
	for i := range jobs {
		p.publish(usher.SegmentAdd, p.addJob(fmt.Sprintf("add-%d", i), e.path))
	}
	p.publish(usher.CampaignPause, job{"id": "pause", "campaign": "SANDBOX1-spring"})
	eventually(t, "what nobody has taken says since when the platform is down", func() bool {
		out, code := p.usher("jobs", "ls", "--state", "queued", "--json")
		return code == 0 && strings.Contains(out, `"why": "the platform is down since 20`)
	})
	for i := range jobs {
		r := p.ended(fmt.Sprintf("add-%d", i))
		// Those that failed before the breaker opened have used one attempt.
		if r.State != usher.Done || r.Attempts > 2 || r.Finished.Before(began.Add(outage)) {
			t.Errorf("job %s: %s", r.ID, recordText(r))
		}
		if late := r.Finished.Sub(began.Add(outage)); late > drained {
			t.Errorf("job %s was done %s after the outage", r.ID, late)
		}
	}
	if r := p.ended("pause"); r.State != usher.Done {
		t.Errorf("the pause: %s", recordText(r))
	}
	if found := p.letters(); len(found) != 0 {
		t.Errorf("letters: %s", asJSON(found))
	}
}
