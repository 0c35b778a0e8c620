package queues_test

import (
	"fmt"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// manyRemovals publishes removals on 20 segments and, behind them, an add on another one.
// The slot then takes the first removal.
func manyRemovals(t *testing.T, b *queuetest.Broker, lane *queuetest.Slot) *queues.Lease {
	t.Helper()
	for i := range 400 {
		b.Publish(t, usher.SegmentRemove, queuetest.JobOn(fmt.Sprintf("remove-%d", i), fmt.Sprint(i%20)))
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add", "elsewhere"))
	return lane.Take(t)
}

// A job on a target where nothing is before it starts as soon as a slot has ended a job and the
// one that this released, however many wait on others.
func TestJobElsewhere(t *testing.T) {
	t.Parallel()
	b := queuetest.NewPatient(t)
	lane := queuetest.NewSlot(t, b.Queue(t), lanes.Audience)
	ends(t, manyRemovals(t, b, lane), queuetest.Done(1))
	takesBefore(t, lane, "add", 2)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add-2", "elsewhere"))
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "elsewhere"))
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add-3", "elsewhere"))
	// The slot looks at what was published every 20 ms.
	for _, id := range []string{"add-2", "remove", "add-3"} {
		takesBefore(t, lane, id, 250)
	}
}

// It also starts before jobs on other targets that were released earlier.
func TestJobElsewhereBesideReleased(t *testing.T) {
	t.Parallel()
	b := queuetest.NewPatient(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	first := manyRemovals(t, b, lane)
	for seq := range uint64(100) {
		if err := q.PublishReleased(t.Context(), lanes.Audience, 2+seq); err != nil {
			t.Fatal(err)
		}
	}
	ends(t, first, queuetest.Done(1))
	takesBefore(t, lane, "add", 10) // a request of the slot may get it while the slot works
}

// takesBefore ends jobs until the slot takes the one with an id. It fails the test if more
// than most others come first.
func takesBefore(t *testing.T, lane *queuetest.Slot, id string, most int) {
	t.Helper()
	for range most {
		l := lane.Take(t)
		ends(t, l, queuetest.Done(1))
		if l.Work().ID == id {
			return
		}
	}
	t.Fatalf("job %s did not come before %d others", id, most)
}

// A job elsewhere whose worker has crashed is taken by another one, although its own
// message is not delivered yet.
func TestCrashElsewhere(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	lane, rescuer := queuetest.NewSlot(t, b.Queue(t), lanes.Audience), queuetest.NewSlot(t, b.Queue(t), lanes.Audience)
	ends(t, manyRemovals(t, b, lane), queuetest.Done(1))
	untilAdd(t, lane).Crash()
	if w := untilAdd(t, rescuer).Work(); w.Crashes != 1 || w.Attempts != 1 {
		t.Errorf("it was redelivered as %s", queuetest.JSON(t, w))
	}
}

// untilAdd ends jobs until the slot takes the add.
func untilAdd(t *testing.T, lane *queuetest.Slot) *queues.Lease {
	t.Helper()
	for {
		l := lane.Take(t)
		if l.Work().ID == "add" {
			return l
		}
		ends(t, l, queuetest.Done(1))
	}
}

// The next attempt of a job elsewhere does not wait until its message is delivered.
func TestRetryElsewhere(t *testing.T) {
	t.Parallel()
	b := queuetest.NewPatient(t)
	lane := queuetest.NewSlot(t, b.Queue(t), lanes.Audience)
	ends(t, manyRemovals(t, b, lane), queuetest.Done(1))
	add := untilAdd(t, lane)
	if err := add.Retry(add.Work().Progress, 50*time.Millisecond, "no answer", true); err != nil {
		t.Fatal(err)
	}
	takesBefore(t, lane, "add", 250)
}

// Adds that follow one another on many targets run once each.
func TestManyElsewhere(t *testing.T) {
	t.Parallel()
	b := queuetest.NewPatient(t)
	lane := queuetest.NewSlot(t, b.Queue(t), lanes.Audience)
	const n = 250
	for i := range n {
		b.Publish(t, usher.SegmentAdd, queuetest.JobOn(fmt.Sprintf("add-%d", i), fmt.Sprint(i)))
	}
	ran := map[string]int{}
	for range n {
		l := lane.Take(t)
		ran[l.Work().ID]++
		ends(t, l, queuetest.Done(1))
	}
	if len(ran) != n {
		t.Errorf("%d of %d jobs ran", len(ran), n)
	}
	lane.None(t)
	if left := b.Pending(t, "USHER_JOBS"); left != 0 {
		t.Errorf("%d messages are left", left)
	}
}
