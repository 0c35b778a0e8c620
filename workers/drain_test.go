package workers_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"usher"
	"usher/queues/audit"
	"usher/queues/letters"
	"usher/workers"
	"usher/workers/internal/workertest"
)

// A job that would have to wait past its deadline ends at its deadline.
func TestDeadlineWhileItWaits(t *testing.T) {
	t.Parallel()
	q := workertest.NewQueue(t)
	q.Fault("segments.upload", "status", map[string]any{"status": 429, "retryAfter": 3600, "times": 100})
	q.Start()
	deadline := time.Now().Add(3 * time.Second).UTC().Format(time.RFC3339Nano)
	q.Publish(usher.SegmentAdd, fmt.Sprintf(`{"id":"late","segment":"1","profile":"idfa","deadline":%q,"source":{"url":%q}}`, deadline, q.Export(1, 10)))
	if e := q.Until("late", usher.Failed); e.Error == nil || e.Error.Class != usher.Deadline {
		t.Errorf("it ended as %+v", e.Error)
	}
	wantLetters(t, q, 1)
}

// A cut job whose deadline passes ends with one dead letter; its waiting parts are not
// sent.
func TestDeadlineOfACutJob(t *testing.T) {
	t.Parallel()
	q := workertest.NewQueue(t)
	q.CutAt(1000)
	q.Control("PUT", "latency", map[string]int{"delayMs": 500}, nil)
	q.Start()
	deadline := time.Now().Add(4 * time.Second).UTC().Format(time.RFC3339Nano)
	q.Publish(usher.SegmentAdd, fmt.Sprintf(`{"id":"late","segment":"1","profile":"idfa","deadline":%q,"source":{"url":%q}}`, deadline, q.Export(1, 3000)))
	e := q.Until("late", usher.Failed)
	if e.Error == nil || e.Error.Class != usher.Deadline || e.Tally.Read == 3000 {
		t.Errorf("it ended %+v, %d rows", e.Error, e.Tally.Read)
	}
	wantLetters(t, q, 1)
}

// Cancelling a cut job aborts the requests in flight of all its parts.
func TestCancelOfACutJob(t *testing.T) {
	t.Parallel()
	q := workertest.NewQueue(t)
	q.CutAt(1000)
	q.Fault("segments.upload", "hang", map[string]any{"times": 1000, "after": 3})
	q.Start()
	q.Publish(usher.SegmentAdd, fmt.Sprintf(`{"id":"gone","segment":"1","profile":"idfa","source":{"url":%q}}`, q.Export(1, 3000)))
	q.Until("gone", usher.Running)
	if err := q.Jobs.Cancel(t.Context(), "gone", audit.Act{Actor: "tests"}); err != nil {
		t.Fatal(err)
	}
	if e := q.Until("gone", usher.Cancelled); e.Error != nil {
		t.Errorf("it ended as %+v", e.Error)
	}
	wantLetters(t, q, 0)
}

func wantLetters(t *testing.T, q *workertest.Queue, want int) {
	t.Helper()
	if found, err := letters.New(q.Jobs).List(t.Context(), letters.Filter{}); err != nil || len(found) != want {
		t.Errorf("%d letters, %v", len(found), err)
	}
}

// A worker without slots, which serves the console or jobs over HTTP only, runs until it is
// stopped.
func TestWorkerWithoutSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fetch, stop := context.WithCancel(t.Context())
		var ended atomic.Bool
		go func() {
			if err := (&workers.Worker{}).Run(fetch, t.Context()); err != nil {
				t.Error(err)
			}
			ended.Store(true)
		}()
		synctest.Wait()
		if ended.Load() {
			t.Error("it ended by itself")
		}
		stop()
		synctest.Wait()
		if !ended.Load() {
			t.Error("it did not end when it was stopped")
		}
	})
}

// A stop in two phases returns a hanging job to the queue without counting an
// attempt; the next worker completes it.
func TestStopAndRestart(t *testing.T) {
	t.Parallel()
	q := workertest.NewQueue(t)
	q.Fault("segments.upload", "hang", map[string]any{"times": 1})
	_, endWork := q.Start()
	q.Publish(usher.SegmentAdd, fmt.Sprintf(`{"id":"job","segment":"1","profile":"idfa","source":{"url":%q}}`, q.Export(1, 150)))
	q.Until("job", usher.Running)
	endWork()
	r, err := q.Jobs.Status().Record(t.Context(), "job")
	if err != nil || r.State.Ended() || r.Attempts > 1 || r.Crashes > 0 {
		t.Fatalf("the record is %+v, %v", r, err)
	}
	q.Control("DELETE", "faults", nil, nil)
	q.Start()
	q.Until("job", usher.Done)
	r, err = q.Jobs.Status().Record(t.Context(), "job")
	if err != nil || r.Attempts != 1 || r.Crashes != 0 || r.Tally.Accepted != 150 {
		t.Errorf("the record is %+v, %v", r, err)
	}
}

// If a lane cannot be opened, Run ends everything that it started and returns the error.
func TestLaneThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	q := workertest.NewQueue(t)
	broken := errors.New("no such lane")
	q.Worker.Lanes = append(q.Worker.Lanes, workers.Lane{Slots: 1, Open: func(context.Context, func()) (workers.Source, error) { return nil, broken }})
	if err := q.Worker.Run(t.Context(), t.Context()); !errors.Is(err, broken) {
		t.Errorf("Run returned %v", err)
	}
}
