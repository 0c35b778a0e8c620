package queues_test

import (
	"testing"
	"time"

	"usher"
	"usher/queues/lanes"
	"usher/queues/presence"
	"usher/queues/queuetest"
)

// A job that forgets ids waits for each worker that may still send them.
func TestUploadsAwaited(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	b.Options.Worker = "box-1"
	worker := b.Queue(t)
	var passed time.Duration
	b.Options.Worker, b.Options.Now = "box-2", func() time.Time { return time.Now().Add(passed) }
	reader := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	queuetest.NewSlot(t, worker, lanes.Audience).Take(t)
	const request = time.Minute
	uploads := reader.Status().Uploads(request)
	running, err := uploads.Running(t.Context())
	if err != nil || len(running) != 1 || running[0].Target != "segment/1" {
		t.Fatalf("uploads %+v: %v", running, err)
	}
	since := time.Now()
	want := func(when, want string, wantAnswered bool) {
		t.Helper()
		got, answered, err := uploads.Awaits(t.Context(), 7, since, running)
		if err != nil || got != want || answered != wantAnswered {
			t.Errorf("%s, it waits for %q (answered: %v), not %q: %v", when, got, answered, want, err)
		}
	}
	slots := map[lanes.Lane]int{lanes.Audience: 1}
	leave := answer(t, reader, func() presence.Answer { return presence.Answer{Worker: "box-2", Slots: slots} })
	defer leave()
	silent := "worker box-1, which had a batch for segment/1 and does not answer"
	want("while the worker does not answer", silent, false)

	old, heartbeat := uint64(6), presence.Answer{Worker: "box-1", Slots: slots}
	back := answer(t, worker, func() presence.Answer { return heartbeat })
	heartbeat.Allowed = &old
	want("with a batch on its way", "the batches that worker box-1 has begun", true)
	arrived, stop, err := uploads.NotifyRequests()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	old = 7
	worker.Status().Uploads(request).AnnounceArrival()
	<-arrived
	want("when the batch has arrived", "", false)
	back()

	want("when it is gone again", silent, false)
	passed = request + queuetest.AckWait + time.Second
	want("when its last request has arrived or never will", "", false)
}
