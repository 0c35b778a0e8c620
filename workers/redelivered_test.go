package workers_test

import (
	"fmt"
	"testing"
	"time"

	"usher"
)

// A further message of a pause that is on record does not reach the platform,
// whether it comes while the pause runs or after it.
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
