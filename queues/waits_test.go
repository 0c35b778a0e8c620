package queues_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/presence"
	"usher/queues/queuetest"
	"usher/queues/status"
	"usher/queues/store"
)

// The record of a job that was not taken says why, depending on the workers that run.
func TestWaitsForASlot(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	since := time.Date(2026, 11, 22, 1, 2, 3, 0, time.UTC)
	audience := map[lanes.Lane]int{lanes.Audience: 2, lanes.Campaign: 4}
	says := func(want string, workers ...presence.Answer) {
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
		presence.Answer{Worker: "a", Slots: map[lanes.Lane]int{lanes.Campaign: 4}})
	says("waits for a free slot: lane audience has 4, all of them taken",
		presence.Answer{Worker: "a", Slots: audience}, presence.Answer{Worker: "b", Slots: audience})
	says("the platform is down since 2026-11-22T01:02:03Z: it is probed every 5 s, and jobs are taken again when a probe succeeds",
		presence.Answer{Worker: "a", Slots: audience, Down: &since})
	says("the platform is down since 2026-11-22T01:02:03Z: it answers with status 503; it is probed every 5 s, and jobs are taken again when a probe succeeds",
		presence.Answer{Worker: "a", Slots: audience, Down: &since, How: "answers with status 503"})
	says("the platform refuses usher's login since 2026-11-22T01:02:03Z: check platform.username and platform.password; jobs are taken again when a login works",
		presence.Answer{Worker: "a", Slots: audience, Down: &since, Refused: true})
	later := since.Add(time.Minute)
	says("the platform is down since 2026-11-22T01:02:03Z: it is probed every 5 s, and jobs are taken again when a probe succeeds",
		presence.Answer{Worker: "a", Slots: audience, Down: &later}, presence.Answer{Worker: "b", Slots: audience, Down: &since})
	says("waits for a free slot: lane audience has 2, all of them taken", // of worker b, whose platform is up
		presence.Answer{Worker: "a", Slots: audience, Down: &since}, presence.Answer{Worker: "b", Slots: audience})
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
	attend(t, b, presence.Answer{Worker: "a", Slots: map[lanes.Lane]int{lanes.Audience: 2}})
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
	defer attend(t, b, presence.Answer{Worker: "a", Slots: map[lanes.Lane]int{lanes.Audience: 2}})()
	const full = "waits until lane audience has room: it holds 1 jobs that run or wait for their next attempt, as many as it can"
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
func attend(t *testing.T, b *queuetest.Broker, workers ...presence.Answer) (leave func()) {
	t.Helper()
	var each []func()
	for _, w := range workers {
		each = append(each, answer(t, b.Queue(t), func() presence.Answer { return w }))
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

// showsWait fails the test unless a job's record and its row in the list say what it waits for.
func showsWait(t *testing.T, q *queues.Queue, id, why string, waitsFor *usher.WaitsFor) {
	t.Helper()
	list, err := q.Status().Records(t.Context(), status.Filter{Match: func(r *usher.Record) bool { return r.ID == id }})
	if err != nil || len(list) != 1 {
		t.Fatalf("the list is %s, %v", queuetest.JSON(t, list), err)
	}
	for _, r := range append(list, queuetest.Record(t, q, id)) {
		if r.Why == nil || *r.Why != why || queuetest.JSON(t, r.WaitsFor) != queuetest.JSON(t, waitsFor) {
			t.Errorf("job %s shows %s and why %q,\nnot %s and %q", id, queuetest.JSON(t, r.WaitsFor), *r.Why, queuetest.JSON(t, waitsFor), why)
		}
	}
}

// A job that waits for others on its target names the one before it, its position, and how long
// those before it take, whether it was delivered or not.
func TestShowsItsTurn(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("a1", "4"))
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("r2", "4"))
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("r3", "4"))
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("a4", "4"))
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("a5", "4"))
	showsWait(t, q, "a1", "waits for a worker: none is running", nil)
	showsWait(t, q, "r3", "waits for job r2 on segment 4: third in its queue", &usher.WaitsFor{Job: "r2", Position: 3})
	a1 := lane.Take(t)
	since := "has run since " + queuetest.Record(t, q, "a1").Started.UTC().Format(time.RFC3339)
	waitsFor(t, q, lane, "r2", "a1")
	showsWait(t, q, "r2", "waits for job a1 on segment 4: second in its queue; that one "+since, &usher.WaitsFor{Job: "a1", Position: 2})
	showsWait(t, q, "r3", "waits for job r2 on segment 4: third in its queue; the first in it "+since, &usher.WaitsFor{Job: "r2", Position: 3})
	for _, add := range []string{"a4", "a5"} { // they run beside each other
		showsWait(t, q, add, "waits for job r3 on segment 4: fourth in its queue; the first in it "+since, &usher.WaitsFor{Job: "r3", Position: 4})
	}
	if err := a1.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	r2 := lane.Take(t)
	if w := turn(t, r2); w != "" {
		t.Fatalf("job r2 %s", w)
	}
	awaitNoRequests(t, b)
	if err := r2.End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	showsWait(t, q, "r3", "waits for a worker: none is running", nil) // whatever its record says
	showsWait(t, q, "a4", "waits for job r3 on segment 4: second in its queue; jobs like that one take less than 1 s", &usher.WaitsFor{Job: "r3", Position: 2})
	alterTook(t, b, "segment 4", 40)
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("r6", "4"))
	showsWait(t, q, "r6", "waits for job a5 on segment 4: fourth in its queue", &usher.WaitsFor{Job: "a5", Position: 4}) // how long adds take is not known
	for _, id := range []string{"a4", "a5"} {
		if err := q.Cancel(t.Context(), id, operator); err != nil {
			t.Fatal(err)
		}
	}
	showsWait(t, q, "r6", "waits for job r3 on segment 4: second in its queue; jobs like that one take about 40 s", &usher.WaitsFor{Job: "r3", Position: 2})
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("r7", "4"))
	showsWait(t, q, "r7", "waits for job r6 on segment 4: third in its queue; the jobs before it take about 40 s each", &usher.WaitsFor{Job: "r6", Position: 3})
}

// awaitNoRequests waits until no slot has asked for a job of the audience lane: one that has would be
// given the job that is released next, which then no longer waits.
func awaitNoRequests(t *testing.T, b *queuetest.Broker) {
	t.Helper()
	for {
		c, err := b.JS.Consumer(t.Context(), "USHER_JOBS", "audience")
		if err != nil {
			t.Fatal(err)
		}
		if c.CachedInfo().NumWaiting == 0 {
			return
		}
	}
}

// alterTook changes how long the last removes on a target took.
func alterTook(t *testing.T, b *queuetest.Broker, target string, seconds float64) {
	t.Helper()
	alter(t, b, "targets."+store.Token(target), func(register map[string]any) {
		register["took"].(map[string]any)["segment.remove"] = seconds
	})
}

// A job that waits for one that was cut, whose message has left the stream, names that one.
func TestShowsItsTurnBehindACutJob(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	split(t, b, q, 2)
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("remove", "1"))
	b.Publish(t, usher.SegmentRemove, queuetest.JobOn("behind", "1"))
	waitsFor(t, q, lane, "remove", "j1")
	since := "has run since " + queuetest.Record(t, q, "j1").Started.UTC().Format(time.RFC3339)
	showsWait(t, q, "remove", "waits for job j1 on segment 1: second in its queue; that one "+since, &usher.WaitsFor{Job: "j1", Position: 2})
	showsWait(t, q, "behind", "waits for job remove on segment 1: third in its queue; the first in it "+since, &usher.WaitsFor{Job: "remove", Position: 3})
}

// A pause waits for the newest one of its campaign.
func TestShowsTheNewerPause(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	for _, id := range []string{"pause-97", "pause-98", "pause-99"} {
		b.Publish(t, usher.CampaignPause, fmt.Sprintf(`{"id":%q,"campaign":"X"}`, id))
	}
	const why = "waits for the newer job pause-99 on campaign X, which supersedes it if it sets the same creatives"
	showsWait(t, q, "pause-97", why, &usher.WaitsFor{Job: "pause-99", Position: 3})
	showsWait(t, q, "pause-98", why, &usher.WaitsFor{Job: "pause-99", Position: 2})
	showsWait(t, q, "pause-99", "waits for a worker: none is running", nil)
}

// A list of very many waiting jobs is made from the index: it does not read for each of them.
func TestShowsManyTurnsFromTheIndex(t *testing.T) {
	t.Parallel()
	const jobs = 1000
	b := queuetest.NewPatient(t)
	q := b.Queue(t)
	for i := range jobs {
		b.Publish(t, usher.SegmentRemove, queuetest.JobOn(fmt.Sprintf("j%d", i), fmt.Sprint(i%100)))
	}
	live := followLive(t, q, jobs)
	checkLive(t, q, live, jobs) // what follows reads nothing that is new
	before := b.Conn.Stats().InMsgs
	shown, err := live.Explain(t.Context(), live.Kept().Jobs)
	if err != nil {
		t.Fatal(err)
	}
	if reads := b.Conn.Stats().InMsgs - before; reads > 100 {
		t.Errorf("%d responses were needed for %d jobs", reads, jobs)
	}
	for _, r := range shown {
		n, _ := strconv.Atoi(strings.TrimPrefix(r.ID, "j"))
		want := usher.WaitsFor{Job: fmt.Sprintf("j%d", n-100), Position: n/100 + 1}
		if n >= 100 && (r.WaitsFor == nil || *r.WaitsFor != want) || n < 100 && r.WaitsFor != nil {
			t.Errorf("job %s waits for %s", r.ID, queuetest.JSON(t, r.WaitsFor))
		}
	}
}
