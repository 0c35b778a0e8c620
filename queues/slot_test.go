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

	"github.com/nats-io/nats.go/jetstream"

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

// A slot that has ended a removal continues with the next one on the segment, whatever the
// delay of its message. The message of the first stays until then. On a slow machine the
// slot may rest in between, and take some of the others as they are delivered.
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
		if left := b.Pending(t, "USHER_JOBS"); i == 0 && left != n {
			t.Fatalf("after the first job %d messages are left", left)
		}
		l = takes(t, lane, fmt.Sprintf("remove-%d", i+1))
		if left := b.Pending(t, "USHER_JOBS"); i == 0 && left != n {
			t.Fatalf("while the second job runs %d messages are left", left)
		}
	}
	ends(t, l, queuetest.Done(1))
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add", "1"))
	ends(t, takes(t, lane, "add"), queuetest.Done(1))
	for b.Pending(t, "USHER_JOBS") > 0 {
		lane.None(t) // each message is acknowledged when it is redelivered
	}
	for i := range n {
		if r := queuetest.Record(t, q, fmt.Sprintf("remove-%d", i)); !r.State.Ended() || r.Attempts != 1 || r.Crashes != 0 {
			t.Errorf("its record is %s", queuetest.JSON(t, r))
		}
	}
}

// A slot stays on its target while NATS has no message for it: those of many jobs that wait
// there return only after long delays.
func TestSlotStays(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	lane := queuetest.NewSlot(t, b.Queue(t), lanes.Audience)
	messages := 0
	lane.OnMessage = func() { messages++ }
	lane.StayBriefly()
	const n = 10
	for i := range n {
		b.Publish(t, usher.SegmentRemove, queuetest.JobOn(fmt.Sprintf("remove-%d", i), "1"))
	}
	l := takes(t, lane, "remove-0")
	delayMessages(t, b, n-1)
	for i := 1; i < n; i++ {
		ends(t, l, queuetest.Done(1))
		l = takes(t, lane, fmt.Sprintf("remove-%d", i))
	}
	if messages != 1 {
		t.Errorf("the slot took %d messages", messages)
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("add", "2"))
	ends(t, l, queuetest.Done(1))
	ends(t, takes(t, lane, "add"), queuetest.Done(1))
}

// A slot that is delivered a job far behind on its target again takes the one at the front, if
// nobody else does.
func TestFrontOfPostponed(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane, other := queuetest.NewSlot(t, q, lanes.Audience), queuetest.NewSlot(t, q, lanes.Audience)
	const n = 110
	for i := range n {
		b.Publish(t, usher.SegmentRemove, queuetest.JobOn(fmt.Sprintf("remove-%d", i), "1"))
	}
	l := takes(t, lane, "remove-0")
	delayMessages(t, b, n-2)
	for range 2 { // the second delivery of a job is not postponed
		for _, m := range fetch(t, b, 1) {
			if err := m.Nak(); err != nil {
				t.Fatal(err)
			}
		}
	}
	ends(t, l, queuetest.Done(1)) // and its slot does not go on
	ends(t, takes(t, other, "remove-1"), queuetest.Done(1))
}

// delayMessages delays the next n messages of the lane for longer than the test.
func delayMessages(t *testing.T, b *queuetest.Broker, n int) {
	t.Helper()
	for _, m := range fetch(t, b, n) {
		if err := m.NakWithDelay(time.Hour); err != nil {
			t.Fatal(err)
		}
	}
}

// fetch returns the next n messages of the lane.
func fetch(t *testing.T, b *queuetest.Broker, n int) []jetstream.Msg {
	t.Helper()
	c, err := b.JS.Consumer(t.Context(), "USHER_JOBS", string(lanes.Audience))
	if err != nil {
		t.Fatal(err)
	}
	batch, err := c.Fetch(n, jetstream.FetchMaxWait(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	var fetched []jetstream.Msg
	for m := range batch.Messages() {
		fetched = append(fetched, m)
	}
	if len(fetched) != n {
		t.Fatalf("%d messages came, not %d: %v", len(fetched), n, batch.Error())
	}
	return fetched
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
					if wait, err := l.Turn(t.Context()); err != nil || wait != "" {
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
