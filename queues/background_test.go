package queues_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// A slot that settles jobs beside the next one has settled all of them when its Next
// returns an error.
func TestSettleInBackground(t *testing.T) {
	t.Parallel()
	const jobs = 20
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	lane.SettleInBackground()
	for i := range jobs {
		b.Publish(t, usher.SegmentAdd, queuetest.JobOn(fmt.Sprintf("job-%d", i), fmt.Sprint(i)))
	}
	for i := range jobs {
		ending := queuetest.Done(1)
		if i%2 == 1 {
			ending = queuetest.Failed(usher.NotFound)
		}
		if err := lane.Take(t).End(ending); err != nil {
			t.Fatal(err)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if l, err := lane.Next(stopped, t.Context()); err == nil {
		t.Fatalf("a stopped slot took %s", l.Work().ID)
	}
	if left := b.Pending(t, "USHER_JOBS"); left != 0 {
		t.Errorf("%d messages are not settled", left)
	}
	for i := range jobs {
		events, err := q.Status().History(t.Context(), fmt.Sprintf("job-%d", i))
		if err != nil || len(events) != 2 || !events[1].State.Ended() {
			t.Errorf("job %d has the events %s, %v", i, queuetest.JSON(t, events), err)
		}
	}
}

// The slot of a job with many behind it does not wait until NATS has the job's event. The
// message is acknowledged only after that.
func TestSettleInBackgroundManyWaiting(t *testing.T) {
	t.Parallel()
	const jobs, ends = 102, 2 // the slot looks elsewhere while 100 wait
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	lane.SettleInBackground()
	for i := range jobs {
		b.Publish(t, usher.SegmentAdd, queuetest.JobOn(fmt.Sprintf("job-%d", i), "1"))
	}
	b.AcceptEvents(t, false)
	for range ends { // the first is not settled when the second begins
		if err := lane.Take(t).End(queuetest.Done(1)); err != nil {
			t.Fatal(err)
		}
	}
	if left := b.Pending(t, "USHER_JOBS"); left != jobs {
		t.Errorf("%d of %d messages are left although NATS has no event of their jobs", left, jobs)
	}
	b.AcceptEvents(t, true)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if l, err := lane.Next(stopped, t.Context()); err == nil {
		t.Fatalf("a stopped slot took %s", l.Work().ID)
	}
	settled := jobs - b.Pending(t, "USHER_JOBS")
	if settled == 0 {
		t.Error("no message is settled")
	}
	var announced int
	var seen []string
	for i := range ends {
		events, err := q.Status().History(t.Context(), fmt.Sprintf("job-%d", i))
		seen = append(seen, fmt.Sprintf("job %d: %s, %v", i, queuetest.JSON(t, events), err))
		if err == nil && len(events) == 2 && events[1].State.Ended() {
			announced++
		}
	}
	if announced < int(settled) {
		t.Errorf("%d messages are settled, and NATS has the events of fewer jobs: %s", settled, strings.Join(seen, "; "))
	}
}
