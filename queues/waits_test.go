package queues_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/queues"
)

// A job that nobody has taken says what keeps it, by who is there to take it.
func TestWaitsForASlot(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	b.publish(t, usher.SegmentAdd, addJob)
	since := time.Date(2026, 11, 22, 1, 2, 3, 0, time.UTC)
	audience := map[queues.Lane]int{queues.Audience: 2, queues.Campaign: 4}
	says := func(want string, workers ...queues.Presence) {
		t.Helper()
		leave := b.attend(t, workers...)
		defer leave()
		if r := record(t, q, "j1"); r.State != usher.Queued || r.Why == nil || *r.Why != want {
			t.Errorf("with %s the record is %s", mustJSON(t, workers), mustJSON(t, r))
		}
		if all, err := q.Records(t.Context(), queues.Filter{}); err != nil || len(all) != 1 || *all[0].Why != want {
			t.Errorf("with %s the list is %s, %v", mustJSON(t, workers), mustJSON(t, all), err)
		}
	}
	says("waits for a worker: none is running")
	says("waits for a worker: none that is running has slots in lane audience",
		queues.Presence{Worker: "a", Slots: map[queues.Lane]int{queues.Campaign: 4}})
	says("waits for a free slot: lane audience has 4, all of them taken",
		queues.Presence{Worker: "a", Slots: audience}, queues.Presence{Worker: "b", Slots: audience})
	says("the platform is down since 2026-11-22T01:02:03Z: it is asked every 5 s, and jobs are taken again when it answers",
		queues.Presence{Worker: "a", Slots: audience, Down: &since})
	later := since.Add(time.Minute)
	says("the platform is down since 2026-11-22T01:02:03Z: it is asked every 5 s, and jobs are taken again when it answers",
		queues.Presence{Worker: "a", Slots: audience, Down: &later}, queues.Presence{Worker: "b", Slots: audience, Down: &since})
	says("waits for a free slot: lane audience has 2, all of them taken", // of the worker that takes any
		queues.Presence{Worker: "a", Slots: audience, Down: &since}, queues.Presence{Worker: "b", Slots: audience})
	if err := q.PauseLane(t.Context(), queues.Audience, operator); err != nil {
		t.Fatal(err)
	}
	says("lane audience is paused by alice: mended")
	if err := q.ResumeLane(t.Context(), queues.Audience, operator); err != nil {
		t.Fatal(err)
	}
	// Given back by a worker that stopped, it waits in the same way.
	if err := next(t, slot(t, q, queues.Audience)).Retry(usher.Progress{}, time.Hour, usher.WaitsForSlot, false); err != nil {
		t.Fatal(err)
	}
	if r := record(t, q, "j1"); r.State != usher.Retrying || *r.Why != "waits for a worker: none is running" {
		t.Errorf("given back, the record is %s", mustJSON(t, r))
	}
}

// NATS gives a lane's slots only so many jobs that wait asleep. What comes behind
// them says so, although slots are free.
func TestWaitsForRoomInItsLane(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	lane := slot(t, q, queues.Audience)
	b.publish(t, usher.SegmentAdd, addJob)
	if err := next(t, lane).Retry(usher.Progress{}, time.Hour, usher.WaitsForSlot, false); err != nil {
		t.Fatal(err)
	}
	b.publish(t, usher.SegmentAdd, strings.ReplaceAll(addJob, "j1", "j2"))
	says := func(id, want string) {
		t.Helper()
		if r := record(t, q, id); r.Why == nil || *r.Why != want {
			t.Errorf("the record is %s, not %q", mustJSON(t, r), want)
		}
	}
	stream, err := b.js.Stream(t.Context(), "USHER_JOBS")
	if err != nil {
		t.Fatal(err)
	}
	consumer, err := stream.Consumer(t.Context(), string(queues.Audience))
	if err != nil {
		t.Fatal(err)
	}
	config := consumer.CachedInfo().Config
	config.MaxAckPending = 1
	if _, err := stream.UpdateConsumer(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	says("j2", "waits for a worker: none is running")
	defer b.attend(t, queues.Presence{Worker: "a", Slots: map[queues.Lane]int{queues.Audience: 2}})()
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

// A job says when its next attempt is until that is due; then it waits like one
// that nobody has taken, and says how the last one went.
func TestWaitsForItsNextAttempt(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	b.publish(t, usher.SegmentAdd, addJob)
	const failure = "no answer, after: a while"
	before := time.Now()
	if err := next(t, slot(t, q, queues.Audience)).Retry(usher.Progress{}, time.Hour, failure, true); err != nil {
		t.Fatal(err)
	}
	r := record(t, q, "j1")
	if r.State != usher.Retrying || r.Retry == nil || r.Retry.Failure != failure || r.Retry.At.Before(before.Add(time.Hour)) {
		t.Fatalf("given back, the record is %s", mustJSON(t, r))
	}
	tries := "tries again at " + r.Retry.At.Format(time.RFC3339) + ", after: " + failure
	if *r.Why != tries {
		t.Errorf("it says %q, not %q", *r.Why, tries)
	}
	now := r.Retry.At
	b.o.Now = func() time.Time { return now }
	late := b.queue(t)
	if r := record(t, late, "j1"); r.State != usher.Retrying || *r.Why != "waits for a worker: none is running; the last attempt: "+failure {
		t.Errorf("due, the record is %s", mustJSON(t, r))
	}
	b.alter(t, "jobs.j1", func(entry map[string]any) { delete(entry["record"].(map[string]any), "retry") })
	if r := record(t, late, "j1"); r.Retry != nil || *r.Why != tries {
		t.Errorf("written before records said so in a field, the record is %s", mustJSON(t, r))
	}
}

// alter changes a stored entry behind every queue's back.
func (b *broker) alter(t *testing.T, key string, change func(map[string]any)) {
	t.Helper()
	kv, err := b.js.KeyValue(t.Context(), "usher_state")
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
	if _, err := kv.Put(t.Context(), key, []byte(mustJSON(t, entry))); err != nil {
		t.Fatal(err)
	}
}

// attend has workers answer roll calls until leave is called.
func (b *broker) attend(t *testing.T, workers ...queues.Presence) (leave func()) {
	t.Helper()
	var each []func()
	for _, w := range workers {
		each = append(each, answer(t, b.queue(t), func() queues.Presence { return w }))
	}
	return func() {
		for _, leave := range each {
			leave()
		}
	}
}

// A running job says what it does while it sends nothing, for as long as it does.
func TestSaysWhatItDoes(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	says := func(when, want string) {
		t.Helper()
		r := record(t, q, "j1")
		if got := r.Why; r.State != usher.Running || (got == nil) != (want == "") || got != nil && *got != want {
			t.Errorf("%s, the record is %s", when, mustJSON(t, r))
		}
	}
	save := func(l *queues.Lease, p usher.Progress) {
		t.Helper()
		if err := l.Save(p); err != nil {
			t.Fatal(err)
		}
	}
	const checks = "checks the compressed export before sending"
	b.publish(t, usher.SegmentAdd, addJob)
	l := next(t, slot(t, q, queues.Audience))
	says("at first", "")
	save(l, usher.Progress{Check: &usher.Check{At: 43, Of: 100}})
	says("in a check", checks+": 43 %")
	save(l, usher.Progress{Check: &usher.Check{At: 43, Of: -1}})
	says("in a check of what has no known size", checks)
	l.Crash()
	l = next(t, slot(t, q, queues.Audience))
	says("after a crash", "")
	save(l, usher.Progress{Phase: usher.PhaseCount})
	says("counting", "counts the new list before it clears the old one")
	save(l, usher.Progress{Phase: usher.PhaseCount, Counted: 1, Counting: 4, Count: usher.Checkpoint{Tally: usher.Tally{Read: 3}}})
	says("counting on", "counts the new list before it clears the old one: 7 rows so far")
	if err := l.Split(planOf(2, "v1"), usher.Progress{}); err != nil {
		t.Fatal(err)
	}
	says("cut", "waits for a worker: none is running")
	part := next(t, slot(t, q, queues.Bulk))
	save(part, usher.Progress{Check: &usher.Check{At: 1, Of: 200}})
	says("while a part checks its file", checks+": 0 %")
	save(part, usher.Progress{})
	says("after that", "")
}
