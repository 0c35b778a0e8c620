package workers_test

import (
	"fmt"
	"testing"
	"time"

	"usher"
	"usher/internal/sandbox"
)

// Work that turns out to be another's has changed nothing until then, whatever its
// handler has asked meanwhile.
func TestWorkThatIsAnothers(t *testing.T) {
	t.Parallel()
	b := newBench(t, sandbox.Options{})
	upload := usher.Job{Segment: "1", Campaign: "SANDBOX1-spring", Profile: &usher.Profile{Type: usher.IDFA}, Source: &usher.Source{URL: b.export(1, 10)}}
	for _, kind := range []usher.Kind{
		usher.SegmentAdd, usher.SegmentRemove, usher.TargetAdd, usher.TargetReplace, usher.TargetClear, usher.CampaignPause, usher.CampaignResume,
	} {
		s := b.run(&slip{others: true, work: usher.Work{ID: "j", Kind: kind, Job: upload}})
		s.want(t, "retry")
		if len(s.saved) > 0 || len(s.audits) > 0 || len(s.spoken) > 0 {
			t.Errorf("%s saved %v, audited %v, spoke %v", kind, s.saved, s.audits, s.spoken)
		}
	}
	b.wantCalls(t, "lock", 0)
	b.wantCalls(t, posts, 0)
	b.wantCalls(t, "upload", 0)
}

func TestEvaluationThatIsAnothers(t *testing.T) {
	t.Parallel()
	p := newRulePlant(t, load(t, "budgets", budgets))
	job := usher.Job{Rules: "budgets", Metrics: &usher.Metrics{
		Campaign: "SANDBOX1-spring", At: time.Now(), Values: map[string]float64{"grossMediaSpend": 97, "budget": 100},
	}}
	p.run(&slip{others: true, work: usher.Work{ID: "event", Kind: usher.RulesEvaluate, Job: job}}).want(t, "retry")
	if e, found, err := p.queue.Evaluated(t.Context(), "event"); found || err != nil {
		t.Errorf("it decided %+v, %v", e, err)
	}
	p.run(&slip{work: usher.Work{ID: "event", Kind: usher.RulesEvaluate, Job: job}}).want(t, "done")
	if e, found, err := p.queue.Evaluated(t.Context(), "event"); !found || err != nil || len(e.Jobs) != 1 {
		t.Errorf("it decided %+v, %v", e, err)
	}
}

// Messages of pauses that are on record, however they come, touch the platform
// no more.
func TestPausesThatComeAgain(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.start()
	for i := range 5 {
		id := fmt.Sprintf("word-%d", i)
		for range 3 {
			p.publish(usher.CampaignPause, fmt.Sprintf(`{"id":%q,"campaign":"SANDBOX1-spring"}`, id))
		}
		p.until(id, usher.Done)
		p.publish(usher.CampaignPause, fmt.Sprintf(`{"id":%q,"campaign":"SANDBOX1-spring"}`, id))
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(30 * time.Second); ; {
		stream, err := p.js.Stream(t.Context(), "USHER_JOBS")
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
	p.wantCalls(t, locks, 5)
	p.wantCalls(t, posts, 1) // the others had nothing to change
	for i := range 5 {
		r, err := p.queue.Record(t.Context(), fmt.Sprintf("word-%d", i))
		if err != nil || r.State != usher.Done || r.Attempts != 1 || r.Crashes != 0 {
			t.Errorf("the record says %+v, %v", r, err)
		}
	}
}
