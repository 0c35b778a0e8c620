package queues_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/presence"
	"usher/queues/queuetest"
	"usher/queues/status"
)

// The record of a job that was not taken says why, depending on the workers that run.
func TestWaitsForASlot(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	since := time.Date(2026, 11, 22, 1, 2, 3, 0, time.UTC)
	audience := map[lanes.Lane]int{lanes.Audience: 2, lanes.Campaign: 4}
	says := func(want string, workers ...presence.Heartbeat) {
		t.Helper()
		leave := attend(t, b, workers...)
		defer leave()
		if r := queuetest.Record(t, q, "j1"); r.State != usher.Queued || r.Why == nil || *r.Why != want {
			t.Errorf("with %s the record is %s", queuetest.JSON(t, workers), queuetest.JSON(t, r))
		}
		if all, err := q.Status().Records(t.Context(), status.Filter{}); err != nil || len(all) != 1 || *all[0].Why != want {
			t.Errorf("with %s the list is %s, %v", queuetest.JSON(t, workers), queuetest.JSON(t, all), err)
		}
	}
	says("waits for a worker: none is running")
	says("waits for a worker: none that is running has slots in lane audience",
		presence.Heartbeat{Worker: "a", Slots: map[lanes.Lane]int{lanes.Campaign: 4}})
	says("waits for a free slot: lane audience has 4, all of them taken",
		presence.Heartbeat{Worker: "a", Slots: audience}, presence.Heartbeat{Worker: "b", Slots: audience})
	says("the platform is down since 2026-11-22T01:02:03Z: it is probed every 5 s, and jobs are taken again when it responds",
		presence.Heartbeat{Worker: "a", Slots: audience, Down: &since})
	says("the platform refuses usher's login since 2026-11-22T01:02:03Z: check platform.username and platform.password; jobs are taken again when a login works",
		presence.Heartbeat{Worker: "a", Slots: audience, Down: &since, Refused: true})
	later := since.Add(time.Minute)
	says("the platform is down since 2026-11-22T01:02:03Z: it is probed every 5 s, and jobs are taken again when it responds",
		presence.Heartbeat{Worker: "a", Slots: audience, Down: &later}, presence.Heartbeat{Worker: "b", Slots: audience, Down: &since})
	says("waits for a free slot: lane audience has 2, all of them taken", // of worker b, whose platform is up
		presence.Heartbeat{Worker: "a", Slots: audience, Down: &since}, presence.Heartbeat{Worker: "b", Slots: audience})
	if err := q.Lanes().Pause(t.Context(), lanes.Audience, operator); err != nil {
		t.Fatal(err)
	}
	says("lane audience is paused by alice: mended")
	if err := q.Lanes().Resume(t.Context(), lanes.Audience, operator); err != nil {
		t.Fatal(err)
	}
	// A job that was returned by a stopping worker waits in the same way.
	if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).Retry(usher.Progress{}, time.Hour, usher.WaitsForSlot, false); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "j1"); r.State != usher.Retrying || *r.Why != "waits for a worker: none is running" {
		t.Errorf("returned, the record is %s", queuetest.JSON(t, r))
	}
}

// While NATS takes no writes, no job is taken although slots are free: jobs say so.
func TestWaitsForNATSToTakeWrites(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	attend(t, b, presence.Heartbeat{Worker: "a", Slots: map[lanes.Lane]int{lanes.Audience: 2}})
	if err := q.Presence().Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := queuetest.Record(t, q, "j1"); *r.Why != "waits for a free slot: lane audience has 2, all of them taken" {
		t.Errorf("after a heartbeat the record is %s", queuetest.JSON(t, r))
	}
	alter(t, b, "workers", func(last map[string]any) { last["at"] = time.Now().UTC().Add(-time.Minute) })
	if r := queuetest.Record(t, q, "j1"); !strings.HasPrefix(*r.Why, "NATS has taken no write for 1m") {
		t.Errorf("a minute after the last heartbeat the record is %s", queuetest.JSON(t, r))
	}
}

// NATS limits the number of delayed jobs in a lane. Jobs behind the limit say so, even
// if slots are free.
func TestWaitsForRoomInItsLane(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	if err := lane.Take(t).Retry(usher.Progress{}, time.Hour, usher.WaitsForSlot, false); err != nil {
		t.Fatal(err)
	}
	b.Publish(t, usher.SegmentAdd, strings.ReplaceAll(queuetest.AddJob, "j1", "j2"))
	says := func(id, want string) {
		t.Helper()
		if r := queuetest.Record(t, q, id); r.Why == nil || *r.Why != want {
			t.Errorf("the record is %s, not %q", queuetest.JSON(t, r), want)
		}
	}
	stream, err := b.JS.Stream(t.Context(), "USHER_JOBS")
	if err != nil {
		t.Fatal(err)
	}
	consumer, err := stream.Consumer(t.Context(), string(lanes.Audience))
	if err != nil {
		t.Fatal(err)
	}
	config := consumer.CachedInfo().Config
	config.MaxAckPending = 1
	if _, err := stream.UpdateConsumer(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	says("j2", "waits for a worker: none is running")
	defer attend(t, b, presence.Heartbeat{Worker: "a", Slots: map[lanes.Lane]int{lanes.Audience: 2}})()
	const full = "waits until lane audience has room: it holds 1 jobs that wait for their turn or their next attempt, as many as it can"
	says("j2", full)
	says("j1", "waits for a free slot: lane audience has 2, all of them taken")

	fetch, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if l, err := lane.Next(fetch, t.Context()); err == nil {
			t.Errorf("work came that should not: %+v", l.Work())
		}
	}()
	lane.AwaitIdle(t)
	says("j2", full)
	stop()
	<-ended
}

// A record says when the next attempt is due. After that it says why the job is not
// taken, and how the last attempt failed.
func TestWaitsForItsNextAttempt(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	const failure = "no answer, after: a while"
	before := time.Now()
	if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).Retry(usher.Progress{}, time.Hour, failure, true); err != nil {
		t.Fatal(err)
	}
	r := queuetest.Record(t, q, "j1")
	if r.State != usher.Retrying || r.Retry == nil || r.Retry.Failure != failure || r.Retry.At.Before(before.Add(time.Hour)) {
		t.Fatalf("returned, the record is %s", queuetest.JSON(t, r))
	}
	tries := "tries again at " + r.Retry.At.Format(time.RFC3339) + ", after: " + failure
	if *r.Why != tries {
		t.Errorf("it says %q, not %q", *r.Why, tries)
	}
	now := time.Now()
	b.Options.Now = func() time.Time { return now }
	late := b.Queue(t)
	now = r.Retry.At // this time has passed since the queue was opened
	if r := queuetest.Record(t, late, "j1"); r.State != usher.Retrying || *r.Why != "waits for a worker: none is running; the last attempt: "+failure {
		t.Errorf("due, the record is %s", queuetest.JSON(t, r))
	}
	alter(t, b, "jobs.j1", func(entry map[string]any) { delete(entry["record"].(map[string]any), "retry") })
	if r := queuetest.Record(t, late, "j1"); r.Retry != nil || *r.Why != tries {
		t.Errorf("without the field retry, as in old records, the record is %s", queuetest.JSON(t, r))
	}
}

// alter changes a stored entry directly in NATS.
func alter(t *testing.T, b *queuetest.Broker, key string, change func(map[string]any)) {
	t.Helper()
	kv, err := b.JS.KeyValue(t.Context(), "usher_state")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := kv.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	var entry map[string]any
	if err := json.Unmarshal(stored.Value(), &entry); err != nil {
		t.Fatal(err)
	}
	change(entry)
	if _, err := kv.Put(t.Context(), key, []byte(queuetest.JSON(t, entry))); err != nil {
		t.Fatal(err)
	}
}

// attend makes workers say who they are until leave is called.
func attend(t *testing.T, b *queuetest.Broker, workers ...presence.Heartbeat) (leave func()) {
	t.Helper()
	var each []func()
	for _, w := range workers {
		each = append(each, answer(t, b.Queue(t), func() presence.Heartbeat { return w }))
	}
	return func() {
		for _, leave := range each {
			leave()
		}
	}
}

// The record of a running job describes work that sends nothing, while that lasts.
func TestActivity(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	says := func(when, want string) {
		t.Helper()
		r := queuetest.Record(t, q, "j1")
		if got := r.Why; r.State != usher.Running || (got == nil) != (want == "") || got != nil && *got != want {
			t.Errorf("%s, the record is %s", when, queuetest.JSON(t, r))
		}
	}
	save := func(l *queues.Lease, p usher.Progress) {
		t.Helper()
		if err := l.Save(p); err != nil {
			t.Fatal(err)
		}
	}
	const checks = "checks the compressed export before sending"
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	l := queuetest.NewSlot(t, q, lanes.Audience).Take(t)
	says("at first", "")
	save(l, usher.Progress{Check: &usher.Check{Read: 43, Total: 100}})
	says("in a check", checks+": 43 %")
	save(l, usher.Progress{Check: &usher.Check{Read: 43, Total: -1}})
	says("in a check of a file of unknown size", checks)
	l.Crash()
	l = queuetest.NewSlot(t, q, lanes.Audience).Take(t)
	says("after a crash", "")
	save(l, usher.Progress{Phase: usher.PhaseCount})
	says("counting", "counts the new list before it clears the old one")
	save(l, usher.Progress{Phase: usher.PhaseCount, Counted: 1, Counting: 4, Count: usher.Checkpoint{Tally: usher.Tally{Read: 3}}})
	says("counting on", "counts the new list before it clears the old one: 7 rows so far")
	if err := l.Split(planOf(2, "v1"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	says("cut", "waits for a worker: none is running")
	part := queuetest.NewSlot(t, q, lanes.Bulk).Take(t)
	save(part, usher.Progress{Check: &usher.Check{Read: 1, Total: 200}})
	says("while a part checks its file", checks+": 0 %")
	save(part, usher.Progress{})
	says("after that", "")
}
