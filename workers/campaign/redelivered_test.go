package campaign_test

import (
	"fmt"
	"testing"
	"time"

	"usher/queues"
	"usher/queues/letters"
	"usher/workers/internal/workertest"

	"usher"
)

// A further message of a pause that is on record does not reach the platform,
// whether it comes while the pause runs or after it.
func TestPausesPublishedAgain(t *testing.T) {
	t.Parallel()
	p := workertest.NewQueue(t)
	p.Start()
	for i := range 5 {
		id := fmt.Sprintf("pause-%d", i)
		for range 3 {
			p.Publish(usher.CampaignPause, fmt.Sprintf(`{"id":%q,"campaign":"SANDBOX1-spring"}`, id))
		}
		p.Until(id, usher.Done)
		p.Publish(usher.CampaignPause, fmt.Sprintf(`{"id":%q,"campaign":"SANDBOX1-spring"}`, id))
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(30 * time.Second); ; {
		stream, err := p.JS.Stream(t.Context(), "USHER_JOBS")
		if err != nil {
			t.Fatal(err)
		}
		left := stream.CachedInfo().State.Msgs
		if left == 0 {
			break
		}
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%d messages are left", left)
		}
	}
	p.WantCalls(t, locks, 5)
	p.WantCalls(t, posts, 1) // the later jobs have nothing to change
	for i := range 5 {
		r, err := p.Jobs.Record(t.Context(), fmt.Sprintf("pause-%d", i))
		if err != nil || r.State != usher.Done || r.Attempts != 1 || r.Crashes != 0 {
			t.Errorf("the record says %+v, %v", r, err)
		}
	}
}

// An older pause that is replayed after a newer resume changes nothing.
func TestReplayedPauseIsSuperseded(t *testing.T) {
	t.Parallel()
	p := workertest.NewQueue(t)
	p.Fault("campaigns.lock", "status", map[string]any{"status": 403})
	p.Start()
	p.Publish(usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-spring","creatives":["spring-1"]}`)
	p.Until("pause", usher.Failed)
	p.Publish(usher.CampaignResume, `{"id":"resume","campaign":"SANDBOX1-spring"}`)
	p.Until("resume", usher.Done)
	plan, err := letters.New(p.Jobs).PlanReplay(t.Context(), letters.Filter{}, false)
	if err != nil || plan.Count != 0 || plan.LeftOut.Count != 1 {
		t.Fatalf("the plan is %+v, %v", plan, err)
	}
	forced := letters.ReplayOptions{Act: queues.Act{Actor: "test"}, Force: true}
	if report, err := letters.New(p.Jobs).Replay(t.Context(), &plan, forced); err != nil || report.Replayed != 1 {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	p.Until("pause", usher.Done)
	if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != "ACTIVE" {
		t.Errorf("statuses are %v", got)
	}
	r, err := p.Jobs.Record(t.Context(), "pause")
	if err != nil || len(r.Warnings) != 1 || r.Warnings[0].Code != "superseded" {
		t.Errorf("the record says %+v, %v", r.Warnings, err)
	}
}
