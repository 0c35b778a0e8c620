package queues_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/queues/status"
)

func TestCrashIsNoAttempt(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	first := b.Queue(t)
	queuetest.NewSlot(t, first, lanes.Audience).Take(t).Crash()

	second := b.Queue(t)
	l := queuetest.NewSlot(t, second, lanes.Audience).Take(t)
	if w := l.Work(); w.Attempts != 1 || w.Crashes != 1 {
		t.Fatalf("after a crash: %d attempts, %d crashes", w.Attempts, w.Crashes)
	}
	if err := l.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
}

// A lease that this process abandons because a call to NATS failed does not count as a
// crash.
func TestFailedNATSCallIsNoCrash(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	b.Options.SettleTime = 2 * time.Second
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	first := lane.Take(t)
	if err := first.Retry(first.Work().Progress, 0, "a test", false); err != nil {
		t.Fatal(err)
	}
	b.LimitRecords(t, 1) // cannot be taken
	lane.None(t)
	b.LimitRecords(t, -1)
	l := lane.Take(t)
	b.LimitRecords(t, 1) // cannot be cut
	if err := l.Split(planOf(2, "v1"), usher.Progress{}); err == nil {
		t.Fatal("it was cut")
	}
	b.LimitRecords(t, -1)
	if w := lane.Take(t).Work(); w.Crashes != 0 || w.Attempts != 1 {
		t.Errorf("%d crashes, %d attempts", w.Crashes, w.Attempts)
	}
}

func TestPoisonBecomesDeadLetter(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	for range 3 {
		l := lane.Take(t)
		l.Crash()
		l.Redeliver(t)
	}
	lane.NoneUntil(t, func() bool { return b.Pending(t, "USHER_JOBS") == 0 }) // it is not redelivered a fourth time
	found := queuetest.Letters(t, q)
	if len(found) != 1 || found[0].Class != usher.Poison || found[0].Crashes != 3 {
		t.Fatalf("letters: %s", queuetest.JSON(t, found))
	}
}

func TestAdvanceForgivesCrashes(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	for i := range 4 {
		l := lane.Take(t)
		p := l.Work().Progress
		if p.Checkpoint.Batches != int64(i) {
			t.Fatalf("the checkpoint is at batch %d, not %d", p.Checkpoint.Batches, i)
		}
		p.Checkpoint.Batches++
		if err := l.Save(p); err != nil {
			t.Fatal(err)
		}
		l.Crash()
		l.Redeliver(t)
	}
	if w := lane.Take(t).Work(); w.Crashes != 4 {
		t.Fatalf("%d crashes", w.Crashes)
	}
}

// A worker that lost its lease must not settle the message, which belongs to another
// worker.
func TestLostLeaseSettlesNothing(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	stale := lane.Take(t)
	stale.Crash() // the heartbeat stops, but the work continues
	fresh := lane.Take(t)
	if err := stale.Save(usher.Progress{}); err == nil {
		t.Error("a stale lease kept a checkpoint")
	}
	if err := stale.End(queuetest.Done(99)); err != nil && !errors.Is(err, usher.ErrLeaseLost) {
		t.Errorf("a stale End returns %v", err)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Running || r.Tally.Read != 0 {
		t.Errorf("a stale lease wrote the record: %s", queuetest.JSON(t, r))
	}
	if n := b.Pending(t, "USHER_JOBS"); n != 1 {
		t.Errorf("a stale lease acked: %d messages left", n)
	}
	if err := fresh.End(queuetest.Done(5)); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "j1"); r.Tally.Read != 5 {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
}

func TestShutdownCostsNothing(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	for range 12 {
		if err := lane.Take(t).Retry(usher.Progress{}, 0, "waits for a free slot", false); err != nil {
			t.Fatal(err)
		}
	}
	if w := lane.Take(t).Work(); w.Attempts != 1 || w.Crashes != 0 {
		t.Fatalf("after 12 shutdowns: %d attempts, %d crashes", w.Attempts, w.Crashes)
	}
}

func TestCancelRunning(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	watch, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { _ = q.WatchEndings(watch) }()
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	l := queuetest.NewSlot(t, q, lanes.Audience).Take(t)
	cancelled := make(chan error, 1)
	go func() { cancelled <- b.Queue(t).Cancel(t.Context(), "j1", audit.Act{Actor: "tests"}) }()
	<-l.Context().Done()
	if cause := context.Cause(l.Context()); !errors.Is(cause, usher.ErrCancelled) {
		t.Fatalf("the work ended with %v", cause)
	}
	if err := l.End(usher.Ending{State: usher.Cancelled}); err != nil {
		t.Fatal(err)
	}
	if err := <-cancelled; err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Cancelled {
		t.Fatalf("record says %s", queuetest.JSON(t, r))
	}
	if found := queuetest.Letters(t, q); len(found) != 0 {
		t.Fatalf("a cancelled job made letters: %s", queuetest.JSON(t, found))
	}
	if err := q.Cancel(t.Context(), "j1", audit.Act{Actor: "tests"}); !errors.Is(err, queues.ErrEnded) {
		t.Errorf("a second cancel returns %v", err)
	}
}

// A job that waits, and has sent a change that is not on record yet, is cancelled by its next delivery, which
// records the change. For a job that has sent nothing, nobody waits.
func TestCancelOfUnrecordedChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		progress usher.Progress
		waits    bool
	}{
		{"statuses", usher.Progress{Intent: &usher.Intent{Changing: []string{"a-1", "a-2"}, Posted: []string{"a-1"}}}, true},
		{"a number", usher.Progress{Bidding: &usher.BiddingIntent{Sent: time.Now()}}, true},
		{"nothing is sent", usher.Progress{Intent: &usher.Intent{Changing: []string{"a-1"}}}, false},
		{"no number is sent", usher.Progress{Bidding: &usher.BiddingIntent{}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			q := b.Queue(t)
			watch, stop := context.WithCancel(t.Context())
			watching := make(chan error, 1)
			go func() { watching <- q.WatchEndings(watch) }()
			defer func() { stop(); <-watching }()
			slot := queuetest.NewSlot(t, q, lanes.Campaign)
			b.Publish(t, usher.CampaignPause, `{"id":"j1","campaign":"SANDBOX1-a"}`)
			after := time.Hour
			if c.waits {
				after = time.Second
			}
			if err := slot.Take(t).Retry(c.progress, after, "the platform does not answer", true); err != nil {
				t.Fatal(err)
			}
			cancelled := make(chan error, 1)
			go func() { cancelled <- b.Queue(t).Cancel(t.Context(), "j1", audit.Act{Actor: "tests"}) }()
			if c.waits {
				l := slot.Take(t)
				<-l.Context().Done()
				if cause := context.Cause(l.Context()); !errors.Is(cause, usher.ErrCancelled) {
					t.Fatalf("the work ended with %v", cause)
				}
				if err := l.End(usher.Ending{State: usher.Cancelled}); err != nil {
					t.Fatal(err)
				}
			}
			if err := <-cancelled; err != nil {
				t.Fatal(err)
			}
			if r := queuetest.Record(t, q, "j1"); r.State != usher.Cancelled {
				t.Fatalf("record says %s", queuetest.JSON(t, r))
			}
		})
	}
}

// Cancelling a job that has just ended returns ErrEnded.
func TestCancelTooLate(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	watch, stop := context.WithCancel(t.Context())
	watching := make(chan error, 1)
	go func() { watching <- q.WatchEndings(watch) }()
	defer func() { stop(); <-watching }()
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	l := queuetest.NewSlot(t, q, lanes.Audience).Take(t)
	cancelled := make(chan error, 1)
	go func() { cancelled <- b.Queue(t).Cancel(t.Context(), "j1", audit.Act{Actor: "tests"}) }()
	<-l.Context().Done()
	if err := l.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	if err := <-cancelled; !errors.Is(err, queues.ErrEnded) {
		t.Errorf("cancel returns %v", err)
	}
}

// A worker that learns from Save that its lease is lost must not overwrite the record of
// the new lease by Retry.
func TestLostLeaseGivesNothingBack(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	stale := lane.Take(t)
	if !stale.Held() {
		t.Error("a new lease is not held")
	}
	stale.StopHeartbeat() // the heartbeat stops, but the work continues
	fresh := queuetest.NewSlot(t, b.Queue(t), lanes.Audience).Take(t)
	if stale.Held() || !fresh.Held() {
		t.Errorf("another worker has the job; the old lease is held: %v, the new one: %v", stale.Held(), fresh.Held())
	}
	for range 2 { // the first learns it from the record
		if err := stale.Save(usher.Progress{}); !errors.Is(err, usher.ErrLeaseLost) {
			t.Errorf("a stale lease kept a checkpoint: %v", err)
		}
	}
	if err := stale.Retry(usher.Progress{}, 0, "waits", false); err != nil {
		t.Error(err)
	}
	if err := fresh.Save(usher.Progress{}); err != nil {
		t.Errorf("the new lease returns %v", err)
	}
	if err := fresh.End(queuetest.Done(5)); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Done || r.Tally.Read != 5 {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
}

// A fetch is shorter than a lease, which begins with it: otherwise the lease would have ended when
// a message arrives.
func TestFetchIsShorterThanLease(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	b.Options.PullTime = time.Hour
	slot := queuetest.NewSlot(t, b.Queue(t), lanes.Audience)
	fetch, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := slot.Next(fetch, t.Context())
		ended <- err
	}()
	slot.AwaitIdle(t)
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) { // when the fetch has ended
		t.Errorf("the fetch ended with %v", err)
	}
}

// A job of a dead worker can be cancelled. If that worker turns out to be alive, it settles nothing.
func TestCancelOfADeadWorkersJob(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	l := queuetest.NewSlot(t, q, lanes.Audience).Take(t)
	hasty := *b
	var minutes atomic.Int64 // so that cancelTime passes at once
	hasty.Options.Now = func() time.Time { return time.Now().Add(time.Duration(minutes.Add(1)) * time.Minute) }
	if err := hasty.Queue(t).Cancel(t.Context(), "j1", audit.Act{Actor: "tests"}); err != nil {
		t.Fatal(err)
	}
	if err := l.Save(usher.Progress{}); !errors.Is(err, usher.ErrLeaseLost) {
		t.Errorf("the worker that seemed dead continues: %v", err)
	}
	if err := l.End(queuetest.Done(1)); err != nil && !errors.Is(err, usher.ErrLeaseLost) {
		t.Error(err)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Cancelled {
		t.Errorf("record says %s", queuetest.JSON(t, r))
	}
	queuetest.NewSlot(t, q, lanes.Audience).None(t)
}

// A job that is cancelled while it is taken must end. The worker does not look up the
// ending of a job that had no record, so the watch must see it.
func TestCancelWhileTaken(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	var watching sync.WaitGroup
	watch, stop := context.WithCancel(t.Context())
	watching.Go(func() { _ = q.WatchEndings(watch) })
	defer watching.Wait()
	defer stop()
	for i := range 30 {
		id := fmt.Sprintf("pause-%d", i)
		b.Publish(t, usher.CampaignPause, fmt.Sprintf(`{"id":%q,"campaign":"SANDBOX1-a"}`, id))
		fetch, cancelled := context.WithCancel(t.Context())
		var cancelling sync.WaitGroup
		cancelling.Go(func() {
			defer cancelled()
			if err := q.Cancel(t.Context(), id, audit.Act{Actor: "tests"}); err != nil {
				t.Error(err)
			}
		})
		if l, err := lane.Next(fetch, t.Context()); err == nil {
			select {
			case <-l.Context().Done():
			case <-fetch.Done():
				t.Fatalf("%s was taken and continues, although it was cancelled", id)
			}
			if err := l.End(usher.Ending{State: usher.Cancelled}); err != nil {
				t.Error(err)
			}
		}
		cancelling.Wait()
		if r := queuetest.Record(t, q, id); r.State != usher.Cancelled {
			t.Errorf("%s is %s", id, r.State)
		}
	}
}

func TestCancelWaiting(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	if err := q.Cancel(t.Context(), "j1", audit.Act{Actor: "tests"}); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Cancelled {
		t.Fatalf("record says %s", queuetest.JSON(t, r))
	}
	queuetest.NewSlot(t, q, lanes.Audience).None(t)
	if n := b.Pending(t, "USHER_JOBS"); n != 0 {
		t.Errorf("%d messages are left", n)
	}
	if err := q.Cancel(t.Context(), "nobody", audit.Act{Actor: "tests"}); !errors.Is(err, status.ErrNoJob) {
		t.Errorf("cancelling an unknown job returns %v", err)
	}
}

// OnMessage is called before the work is taken.
func TestOnMessage(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Campaign)
	var then []usher.State
	lane.OnMessage = func() { then = append(then, queuetest.Record(t, q, "pause").State) }
	b.Publish(t, usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-a"}`)
	if err := lane.Take(t).End(queuetest.Done(0)); err != nil {
		t.Fatal(err)
	}
	if len(then) != 1 || then[0] != usher.Queued {
		t.Errorf("OnMessage was called when the job was %v", then)
	}
}
