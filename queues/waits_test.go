package queues_test

import (
	"context"
	"errors"
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

// A job says when its next attempt is until that is due; then it waits like one
// that nobody has taken, and says how the last one went.
func TestWaitsForItsNextAttempt(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	b.publish(t, usher.SegmentAdd, addJob)
	failure := errors.New("no answer, after: a while")
	later, due := usher.TriesAgain(time.Now().Add(time.Hour), failure), usher.TriesAgain(time.Now().Add(-time.Hour), failure)
	for why, want := range map[string]string{
		later: later,
		due:   "waits for a worker: none is running; the last attempt: no answer, after: a while",
	} {
		if err := next(t, slot(t, q, queues.Audience)).Retry(usher.Progress{}, time.Millisecond, why, true); err != nil {
			t.Fatal(err)
		}
		if r := record(t, q, "j1"); r.State != usher.Retrying || *r.Why != want {
			t.Errorf("the record is %s, not %q", mustJSON(t, r), want)
		}
	}
}

// attend has workers answer roll calls until leave is called.
func (b *broker) attend(t *testing.T, workers ...queues.Presence) (leave func()) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	for _, w := range workers {
		if err := b.queue(t).AnswerRollCalls(ctx, func() queues.Presence { return w }); err != nil {
			t.Fatal(err)
		}
	}
	return leave
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
	says("cut", "")
	part := next(t, slot(t, q, queues.Bulk))
	save(part, usher.Progress{Check: &usher.Check{At: 1, Of: 200}})
	says("while a part checks its file", checks+": 0 %")
	save(part, usher.Progress{})
	says("after that", "")
}
