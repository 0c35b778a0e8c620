package main_test

import (
	"testing"
	"time"

	"usher"
	"usher/pipeline"
	"usher/queues"
)

// A worker that is killed in any call for a pause leaves two things behind, its lease and its lock
// on the campaign. Both end within 30 s of the kill, and not one after the other: neither that pause
// nor a newer change of the campaign, published before the kill or after it, takes longer.
func TestKilledWorkerDelaysPausesOnce(t *testing.T) {
	t.Parallel()
	const lease = 30 * time.Second // the default; the lock's as well
	for _, c := range []struct {
		op     string // in which the worker is killed
		before bool   // the newer change is published before the kill
	}{{"campaigns.lock", false}, {"campaigns.set-status", false}, {"campaigns.set-status", true}, {"campaigns.unlock", true}} {
		name := c.op + " after"
		if c.before {
			name = c.op + " before"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDeployment(t, "USHER_NATS_ACK_WAIT="+lease.String())
			if err := queues.Declare(t.Context(), d.js, queues.Options{AckWait: lease, HashInline: pipeline.HashInline, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct}); err != nil {
				t.Fatal(err)
			}
			publishNewer := func() { d.publish(usher.CampaignResume, job{"id": "newer", "campaign": "SANDBOX1-spring"}) }
			d.control("POST", "faults", job{"op": c.op, "kind": "hang"}, nil)
			w := d.worker("killed")
			d.publish(usher.CampaignPause, job{"id": "older", "campaign": "SANDBOX1-spring"})
			eventually(t, "the call is made", func() bool { return len(d.journal(c.op)) > 0 })
			if c.before {
				publishNewer()
				eventually(t, "the newer change waits for the lock", func() bool { return d.record("newer").State == usher.Retrying })
			} else {
				d.worker("other")
				eventually(t, "another worker takes jobs", func() bool {
					workers, err := d.queue.Presence().Workers(t.Context())
					return err == nil && len(workers) == 2
				})
			}
			w.kill()
			killed := time.Now()
			if c.before {
				d.worker("other")
			} else {
				publishNewer()
			}
			for _, id := range []string{"newer", "older"} {
				if r := d.ended(id); r.State != usher.Done {
					t.Error(recordText(r))
				}
				took := time.Since(killed)
				t.Logf("the %s change took %s from the kill", id, took.Round(100*time.Millisecond))
				if took >= 2*lease { // a slow machine may take longer than one, but not by another one
					t.Errorf("the %s change took %s from the kill, as long as two leases of %s", id, took, lease)
				}
			}
		})
	}
}
