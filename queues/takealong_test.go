package queues_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// optOut returns a removal of one id from segment 1.
func optOut(id string) string {
	return fmt.Sprintf(`{"id":%q,"segment":"1","profile":"idfa","source":{"ids":["6D92078A-8246-4BA4-AE5B-76104861E7DC"]}}`, id)
}

// queueOf publishes removals remove-0 to remove-n and takes the turn of the first. The others
// are delivered to another slot and wait.
func queueOf(t *testing.T, b *queuetest.Broker, lane, other *queuetest.Slot, n int) *queues.Lease {
	t.Helper()
	for i := range n + 1 {
		b.Publish(t, usher.SegmentRemove, optOut(fmt.Sprintf("remove-%d", i)))
	}
	first := takes(t, lane, "remove-0")
	other.None(t)
	return first
}

// follow returns the removals that run in the lease's turn, whose ids must be these.
func follow(t *testing.T, l *queues.Lease, ids ...string) []*queues.Lease {
	t.Helper()
	leases, err := l.TakeAlong(t.Context(), 10)
	if err != nil || len(leases) != len(ids) {
		t.Fatalf("%d jobs follow, not %q: %v", len(leases), ids, err)
	}
	for i, f := range leases {
		if w := f.Work(); w.ID != ids[i] || w.Attempts != 1 || turn(t, f) != "" || f.Context().Err() != nil {
			t.Fatalf("what follows is %s, not %s", queuetest.JSON(t, w), ids[i])
		}
	}
	return leases
}

// Removals that follow the one whose turn it is run with it, but none past an add. Each ends
// by itself, and its message goes with it.
func TestFollowingRemovals(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentRemove, optOut("other"), "Nats-Msg-Id", "x") // without its turn
	early := lane.Take(t)
	if leases, err := early.TakeAlong(t.Context(), 10); len(leases) > 0 || err != nil {
		t.Fatalf("%d jobs follow one that has no turn: %v", len(leases), err)
	}
	ends(t, early, queuetest.Done(1))

	l := queueOf(t, b, lane, other, 3)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add", "1"))
	b.Publish(t, usher.SegmentRemove, optOut("last"))
	leases := follow(t, l, "remove-1", "remove-2", "remove-3")
	other.None(t)
	before := b.Pending(t, "USHER_JOBS")
	ends(t, leases[2], queuetest.Done(3))
	ends(t, leases[0], queuetest.Done(1))
	ends(t, leases[1], queuetest.Failed(usher.NotFound))
	if after := b.Pending(t, "USHER_JOBS"); before-after != 3 {
		t.Errorf("of %d messages %d are left", before, after)
	}
	follow(t, l)
	ends(t, l, queuetest.Done(1))
	for i, rows := range []int64{1, 1, 0, 3} {
		r := queuetest.Record(t, q, fmt.Sprintf("remove-%d", i))
		if r.State.Ended() != true || r.Tally.Accepted != rows || (r.State == usher.Failed) != (i == 2) || r.Attempts != 1 || r.Crashes != 0 {
			t.Errorf("its record is %s", queuetest.JSON(t, r))
		}
	}
	if found := queuetest.Letters(t, q); len(found) != 1 || *found[0].ID != "remove-2" {
		t.Errorf("letters: %s", queuetest.JSON(t, found))
	}
	last, err := q.Targets().LastExclusive(t.Context(), "segment 1")
	if err != nil || last.Job != "remove-3" {
		t.Errorf("the newest removal is %+v, %v", last, err)
	}
	ends(t, takes(t, lane, "add"), queuetest.Done(1))
	ends(t, takes(t, lane, "last"), queuetest.Done(1))
}

// After a crash each job is taken again, and runs alone. What followed has no checkpoint. An
// older add that is replayed finds that the removals came after it.
func TestCrashedTakeAlong(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, rescuer := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, b.Queue(t), lanes.Audience)
	l := queueOf(t, b, lane, rescuer, 3)
	leases := follow(t, l, "remove-1", "remove-2", "remove-3")
	ends(t, leases[0], queuetest.Done(1))
	if err := leases[1].Save(queuetest.Done(1).Progress); err != nil {
		t.Fatal(err)
	}
	rescuer.None(t) // their messages may be redelivered, but their worker is alive
	for _, lease := range append(leases[1:], l) {
		lease.Crash()
	}
	if last, err := q.Targets().LastExclusive(t.Context(), "segment 1"); err != nil || last.Job != "remove-3" {
		t.Errorf("the newest removal is %+v, %v", last, err)
	}
	for _, id := range []string{"remove-0", "remove-2", "remove-3"} {
		l := takes(t, rescuer, id)
		if w := l.Work(); w.Crashes != 1 || w.Progress.Checkpoint.Batches != 0 {
			t.Errorf("it was redelivered as %s", queuetest.JSON(t, w))
		}
		follow(t, l)
		ends(t, l, queuetest.Done(1))
	}
	if r := queuetest.Record(t, q, "remove-1"); r.State != usher.Done || r.Crashes != 0 {
		t.Errorf("its record is %s", queuetest.JSON(t, r))
	}
}

// A worker that is killed after the record of a job that it took along has ended, and before its event is
// published, leaves a message that no delivery carries. The worker that looks for such messages settles it, also
// if it has run another job on the segment meanwhile, for which it found that this one is not in the way.
func TestTakenAlongUnsettled(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Audience)
	l := queueOf(t, b, lane, other, 2)
	leases := follow(t, l, "remove-1", "remove-2")
	b.AcceptEvents(t, false)
	if err := leases[0].End(queuetest.Done(1)); err == nil {
		t.Error("it is settled without its event")
	}
	leases[0].Crash()
	b.AcceptEvents(t, true)
	ends(t, leases[1], queuetest.Done(1))
	ends(t, l, queuetest.Done(1))
	rescue := b.Queue(t)
	slot := queuetest.NewSlot(t, rescue, lanes.Audience)
	b.Publish(t, usher.SegmentRemove, optOut("remove-3"))
	ends(t, takes(t, slot, "remove-3"), queuetest.Done(1))
	if err := rescue.ReleaseForgottenNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	slot.None(t)
	if left := b.Pending(t, "USHER_JOBS"); left != 0 {
		t.Errorf("%d messages are left", left)
	}
	if states := statesOf(t, b, "usher.events.remove-1"); !slices.Contains(states, usher.Done) {
		t.Errorf("its events are %v", states)
	}
}

// A job that follows may be returned to the queue, or be cancelled, without the others. It
// keeps its place: those behind it wait.
func TestFollowingThatStops(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Audience)
	go func() { _ = q.WatchEndings(t.Context()) }()
	l := queueOf(t, b, lane, other, 4)
	leases := follow(t, l, "remove-1", "remove-2", "remove-3", "remove-4")
	cancelled := make(chan error, 1)
	go func() { cancelled <- q.Cancel(t.Context(), "remove-1", audit.Act{Actor: "ann", Reason: "test"}) }()
	<-leases[0].Context().Done()
	ends(t, leases[0], usher.Ending{State: usher.Cancelled})
	if err := <-cancelled; err != nil {
		t.Fatal(err)
	}
	if l.Context().Err() != nil || leases[1].Context().Err() != nil {
		t.Error("others were cancelled")
	}
	if err := leases[1].Retry(queuetest.Done(1).Progress, 1, "no response", true); err != nil {
		t.Fatal(err)
	}
	if err := leases[2].Retry(queuetest.Done(1).Progress, 0, usher.WaitsForSlot, false); err != nil {
		t.Fatal(err)
	}
	ends(t, leases[3], queuetest.Done(1))
	again, err := l.TakeAlong(t.Context(), 10)
	if err != nil || len(again) != 2 || again[0].Work().ID != "remove-2" || again[1].Work().ID != "remove-3" {
		t.Fatalf("%d jobs follow: %v", len(again), err)
	}
	if w := again[0].Work(); w.Attempts != 2 || w.Progress.Checkpoint.Batches != 0 {
		t.Errorf("it was taken again as %s", queuetest.JSON(t, w))
	}
	l.Crash() // also if the lease is lost
	for _, f := range again {
		if <-f.Context().Done(); !errors.Is(f.Save(f.Work().Progress), f.Context().Err()) {
			t.Error("the lease of what followed has not ended")
		}
	}
}
