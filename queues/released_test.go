package queues_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// removals publishes removals on a segment and takes the first. The others are delivered to
// another slot and wait.
func removals(t *testing.T, b *queuetest.Broker, lane, other *queuetest.Slot, n int) *queues.Lease {
	t.Helper()
	for i := range n {
		b.Publish(t, usher.SegmentRemove, queuetest.JobOn(fmt.Sprintf("remove-%d", i), "1"))
	}
	first := takes(t, lane, "remove-0")
	other.None(t)
	return first
}

// takes fails the test unless the slot takes the job with this id.
func takes(t *testing.T, lane *queuetest.Slot, id string) *queues.Lease {
	t.Helper()
	l := lane.Take(t)
	if w := turn(t, l); l.Work().ID != id || w != "" {
		t.Fatalf("job %s came, not %s, and %s", l.Work().ID, id, w)
	}
	return l
}

func ends(t *testing.T, l *queues.Lease, e usher.Ending) {
	t.Helper()
	if err := l.End(e); err != nil {
		t.Fatal(err)
	}
}

// The end of a removal releases the next one on the segment. Each message leaves the stream with
// the end of its job.
func TestSuccession(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Audience)
	const n = 10
	l := removals(t, b, lane, other, n)
	for i := range n - 1 {
		e := queuetest.Done(1)
		if i%3 == 1 {
			e = queuetest.Failed(usher.NotFound)
		}
		ends(t, l, e)
		if left := b.Pending(t, "USHER_JOBS"); left != uint64(n-i-1) {
			t.Fatalf("after %d jobs %d messages are left", i+1, left)
		}
		l = takes(t, lane, fmt.Sprintf("remove-%d", i+1))
	}
	ends(t, l, queuetest.Done(1))
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add", "1"))
	ends(t, takes(t, lane, "add"), queuetest.Done(1))
	lane.None(t)
	for _, stream := range []string{"USHER_JOBS", "USHER_RELEASED"} {
		if left := b.Pending(t, stream); left != 0 {
			t.Errorf("%d messages are left on %s", left, stream)
		}
	}
	for i := range n {
		if r := queuetest.Record(t, q, fmt.Sprintf("remove-%d", i)); !r.State.Ended() || r.Attempts != 1 || r.Crashes != 0 {
			t.Errorf("its record is %s", queuetest.JSON(t, r))
		}
	}
}

// A slot does not continue past an add, in a paused lane, or when it must stop.
func TestSuccessionEnds(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Audience)
	first := removals(t, b, lane, other, 2)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add", "1"))
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("last", "1"))
	other.None(t)
	if err := q.Lanes().Pause(t.Context(), lanes.Audience, operator); err != nil {
		t.Fatal(err)
	}
	ends(t, first, queuetest.Done(1))
	fetch, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	if l, err := lane.Next(fetch, t.Context()); err == nil {
		t.Fatalf("job %s came from a paused lane", l.Work().ID)
	}
	if err := q.Lanes().Resume(t.Context(), lanes.Audience, operator); err != nil {
		t.Fatal(err)
	}
	ends(t, takes(t, lane, "remove-1"), queuetest.Done(1))
	add := takes(t, lane, "add")
	other.None(t)
	ends(t, add, queuetest.Done(1))
	ends(t, takes(t, lane, "last"), queuetest.Done(1))
}

// A job with which a slot continued, and which it returned, waits for its next attempt,
// although the delay of its message is shorter.
func TestRetryInSuccession(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	now := time.Now()
	var ahead time.Duration
	var mu sync.Mutex
	b.Options.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now.Add(ahead + time.Since(now))
	}
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Audience)
	first := removals(t, b, lane, other, 3)
	ends(t, first, queuetest.Done(1))
	second := takes(t, lane, "remove-1")
	if err := second.Retry(second.Work().Progress, 10*time.Second, "no answer", true); err != nil {
		t.Fatal(err)
	}
	lane.None(t)
	mu.Lock()
	ahead = time.Minute
	mu.Unlock()
	second = takes(t, lane, "remove-1")
	if w := second.Work(); w.Attempts != 2 || w.Crashes != 0 {
		t.Errorf("it was redelivered as %s", queuetest.JSON(t, w))
	}
	ends(t, second, queuetest.Done(1))
	ends(t, takes(t, lane, "remove-2"), queuetest.Done(1))
}

// If a worker crashes that continued with a job, another one takes the job over, but not
// before NATS has noticed the crash.
func TestCrashedSuccession(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q, other := b.Queue(t), b.Queue(t)
	lane, rescuer := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, other, lanes.Audience)
	first := removals(t, b, lane, rescuer, 3)
	ends(t, first, queuetest.Done(1))
	second := takes(t, lane, "remove-1")
	rescuer.None(t) // its message is redelivered, but its worker is alive
	second.Crash()
	second = takes(t, rescuer, "remove-1")
	if w := second.Work(); w.Crashes != 1 {
		t.Errorf("it was redelivered as %s", queuetest.JSON(t, w))
	}
	ends(t, second, queuetest.Done(1))
	ends(t, takes(t, rescuer, "remove-2"), queuetest.Done(1))
}

// Whatever slots do, the removals on a segment run one at a time and in order, and all
// jobs end.
func TestSuccessionsOfManySlots(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	b := queuetest.NewPatient(t)
	const segments, each = 3, 60 // enough for slots to look for jobs elsewhere
	for i := range each {
		for s := range segments {
			kind, verb := usher.SegmentRemove, "remove"
			if i%7 == 3 {
				kind, verb = usher.SegmentAdd, "add"
			}
			b.Publish(t, kind, queuetest.JobOn(fmt.Sprintf("%s-%d-%d", verb, s, i), fmt.Sprint(s)))
		}
	}
	fetch, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	var mu sync.Mutex
	ended, last, alone := map[string]bool{}, map[string]int{}, map[string]string{}
	begin := func(q *queues.Queue, w usher.Work) {
		var n int
		if _, err := fmt.Sscanf(w.ID, "add-%1s-%d", new(string), &n); err == nil {
			id := fmt.Sprintf("remove-%s-%d", w.Job.Segment, n-1)
			if r, err := q.Status().Record(t.Context(), id); err != nil || !r.State.Ended() {
				t.Errorf("job %s runs before %s has ended: %v", w.ID, id, err)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		var segment string
		var i int
		if _, err := fmt.Sscanf(w.ID, "remove-%1s-%d", &segment, &i); err != nil {
			return
		}
		if other := alone[segment]; other != "" || i < last[segment] {
			t.Errorf("job %s runs beside %q, after number %d", w.ID, other, last[segment])
		}
		alone[segment], last[segment] = w.ID, i
	}
	over := func(w usher.Work) {
		mu.Lock()
		defer mu.Unlock()
		if alone[w.Job.Segment] == w.ID {
			alone[w.Job.Segment] = ""
		}
	}
	count := func(q *queues.Queue, id string) {
		if r, err := q.Status().Record(t.Context(), id); err != nil || !r.State.Ended() {
			return // the lease was lost, and the job is redelivered
		}
		mu.Lock()
		defer mu.Unlock()
		if ended[id] = true; len(ended) == segments*each {
			stop()
		}
	}
	var slots sync.WaitGroup
	for _, q := range []*queues.Queue{b.Queue(t), b.Queue(t)} {
		for range 3 {
			lane := queuetest.NewSlot(t, q, lanes.Audience)
			slots.Go(func() {
				for {
					l, err := lane.Next(fetch, t.Context())
					if err != nil {
						return
					}
					w := l.Work()
					if wait, err := l.WaitsFor(t.Context()); err != nil || wait != "" {
						_ = l.Retry(w.Progress, 50*time.Millisecond, wait, false)
						continue
					}
					begin(q, w)
					over(w)
					if rand.IntN(5) == 0 {
						_ = l.Retry(w.Progress, 50*time.Millisecond, "again", true)
						continue
					}
					switch err := l.End(queuetest.Done(1)); {
					case err == nil:
						count(q, w.ID)
					case !errors.Is(err, usher.ErrLeaseLost): // on a busy machine; the job is redelivered
						t.Error(err)
					}
				}
			})
		}
	}
	slots.Wait()
	if len(ended) != segments*each {
		t.Errorf("%d jobs have ended", len(ended))
	}
}

// A slot that looks for the next job of a target takes none that another slot, or another
// worker, has just taken.
func TestSlotsTakeNoRunningJob(t *testing.T) {
	t.Parallel()
	b := queuetest.NewPatient(t)
	queue := b.Queue(t)
	const jobs = 300
	fetch, stop := context.WithCancel(t.Context())
	defer stop()
	taken := make(chan struct{})
	var ended atomic.Int64
	var slots sync.WaitGroup
	for i := range 8 {
		q := queue
		if i == 0 {
			q = b.Queue(t) // of another worker
		}
		slot := queuetest.NewSlot(t, q, lanes.Audience)
		slots.Go(func() {
			for {
				l, err := slot.Next(fetch, t.Context())
				if err != nil {
					return
				}
				taken <- struct{}{}
				if err := l.End(queuetest.Done(1)); err != nil {
					t.Errorf("job %s: %v", l.Work().ID, err)
				}
				if ended.Add(1) == jobs {
					stop()
				}
			}
		})
	}
	for i := range jobs {
		b.Publish(t, usher.SegmentRemove, queuetest.JobOn(fmt.Sprintf("remove-%d", i), "1"))
		<-taken
	}
	slots.Wait()
	for i := range jobs {
		if r := queuetest.Record(t, queue, fmt.Sprintf("remove-%d", i)); r.State != usher.Done || r.Attempts != 1 || r.Crashes != 0 {
			t.Errorf("its record is %s", queuetest.JSON(t, r))
		}
	}
}

// A job whose worker has crashed does not wait for a newer one: only its own delivery goes on with
// it.
func TestCrashedJobDoesNotWait(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Campaign), queuetest.NewSlot(t, b.Queue(t), lanes.Campaign)
	publishPause(t, b, 1, 0)
	older := takes(t, lane, "pause-1-0")
	publishPause(t, b, 1, 1)
	newer := takes(t, lane, "pause-1-1")
	older.Crash()
	older.Redeliver(t)
	again := takes(t, other, "pause-1-0")
	if w := again.Work(); w.Crashes != 1 {
		t.Errorf("it was redelivered as %s", queuetest.JSON(t, w))
	}
	ends(t, again, queuetest.Done(1))
	ends(t, newer, queuetest.Done(1))
}

// Messages that are no job of their own wait like one, and are settled when it is their turn.
func TestNeedlessMessagesLeaveTheQueue(t *testing.T) {
	t.Parallel()
	b := queuetest.NewPatient(t)
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Audience)
	const far = 101
	l := removals(t, b, lane, other, far)
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove-50", "1")) // once more
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove-51", "1")+" ")
	b.Publish(t, usher.SegmentRemove, `{"id":"invalid","segment":"1","profile":"none","source":{"url":"file:///data/x.csv"}}`)
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("last", "1"))
	other.None(t)
	for i := range far - 1 {
		ends(t, l, queuetest.Done(1))
		l = takes(t, lane, fmt.Sprintf("remove-%d", i+1))
	}
	ends(t, l, queuetest.Done(1))
	ends(t, takes(t, lane, "last"), queuetest.Done(1))
	lane.None(t)
	if left := b.Pending(t, "USHER_JOBS") + b.Pending(t, "USHER_RELEASED"); left != 0 {
		t.Errorf("%d messages are left", left)
	}
	if r := queuetest.Record(t, q, "invalid"); r.State != usher.Failed {
		t.Errorf("the invalid job is %s", queuetest.JSON(t, r))
	}
}

// A job whose release is lost is found by the worker that looks for such jobs.
func TestForgottenJobs(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Audience)
	ends(t, removals(t, b, lane, other, 2), queuetest.Done(1))
	released, err := b.JS.Stream(t.Context(), "USHER_RELEASED")
	if err != nil {
		t.Fatal(err)
	}
	if err := released.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	lane.None(t)
	for range 2 { // once is enough
		if err := q.ReleaseForgottenNow(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	l := takes(t, lane, "remove-1")
	if err := q.ReleaseForgottenNow(t.Context()); err != nil { // a running job is not forgotten
		t.Fatal(err)
	}
	other.None(t)
	ends(t, l, queuetest.Done(1))
	lane.None(t)
}

// A job that waits for a removal starts when the removal is cancelled, although an add before both runs on.
func TestCancelBetweenAdds(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("first", "1"))
	first := takes(t, lane, "first")
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("removal", "1"))
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("second", "1"))
	other.None(t)
	if err := q.Cancel(t.Context(), "removal", operator); err != nil {
		t.Fatal(err)
	}
	ends(t, takes(t, other, "second"), queuetest.Done(1))
	ends(t, first, queuetest.Done(1))
}

// The event of a waiting job that was cancelled while NATS took no events is published later, and
// its message leaves the stream, also if the release that carries it is lost.
func TestCancelOfWaitingWithoutEvents(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]bool{"carried": false, "lost": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cancelWithoutEvents(t, lost)
		})
	}
}

func cancelWithoutEvents(t *testing.T, lost bool) {
	t.Helper()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Audience)
	first := removals(t, b, lane, other, 2)
	b.AcceptEvents(t, false)
	if err := q.Cancel(t.Context(), "remove-1", operator); err != nil {
		t.Fatal(err)
	}
	b.AcceptEvents(t, true)
	if lost {
		released, err := b.JS.Stream(t.Context(), "USHER_RELEASED")
		if err == nil {
			err = released.Purge(t.Context())
		}
		ends(t, first, queuetest.Done(1))
		if err := errors.Join(err, q.ReleaseForgottenNow(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	other.None(t)
	events, err := q.Status().History(t.Context(), "remove-1")
	if err != nil || len(events) == 0 || events[len(events)-1].State != usher.Cancelled {
		t.Errorf("its events are %s, %v", queuetest.JSON(t, events), err)
	}
	if !lost {
		ends(t, first, queuetest.Done(1))
	}
	lane.None(t)
	if left := b.Pending(t, "USHER_JOBS") + b.Pending(t, "USHER_RELEASED"); left != 0 {
		t.Errorf("%d messages are left", left)
	}
}
