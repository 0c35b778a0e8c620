package alerts

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/decisions"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/queuetest"
)

// clock is a clock that only the test advances.
type testClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *testClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *testClock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

func (c *testClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// recorder is a channel that records what it is given, or fails.
type recorder struct {
	mu    sync.Mutex
	sent  []Message
	fails error
}

func (r *recorder) name() string { return "test" }

func (r *recorder) send(_ context.Context, m *Message) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fails == nil {
		r.sent = append(r.sent, *m)
	}
	return r.fails
}

func (r *recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fails = err
}

// take returns the headlines of what was sent since the last call.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var lines []string
	for i := range r.sent {
		lines = append(lines, r.sent[i].Headline())
	}
	r.sent = nil
	return lines
}

// bench has a queue, a clock, and a channel that several workers share.
type bench struct {
	*queuetest.Broker
	t     *testing.T
	q     *queues.Queue
	clock *testClock
	to    *recorder
	o     Options
}

func newBench(t *testing.T, o Options) *bench {
	t.Helper()
	b := &bench{Broker: queuetest.New(t), t: t, clock: &testClock{now: time.Now()}, to: &recorder{}, o: o}
	b.Options.Now = b.clock.Now
	b.q = b.Queue(t)
	return b
}

// worker returns the alerts of a worker that has just started.
func (b *bench) worker() *Alerts {
	return New(b.q, decisions.New(b.q, nil), []Channel{b.to}, b.o, slog.New(slog.DiscardHandler))
}

// deliverAll lets a leader deliver, and then the next one. It returns what was sent.
func (b *bench) deliverAll() []string {
	b.t.Helper()
	for range 2 {
		if err := b.worker().deliver(b.t.Context()); err != nil && !errors.Is(err, b.to.fails) {
			b.t.Error(err)
		}
	}
	return b.to.take()
}

// deliver checks what is sent.
func (b *bench) deliver(want ...string) {
	b.t.Helper()
	if got := b.deliverAll(); !slices.Equal(got, want) {
		b.t.Fatalf("sent %q, want %q", got, want)
	}
}

// failJob lets a job fail on a segment that does not exist.
func (b *bench) failJob(id string) {
	b.t.Helper()
	b.Publish(b.t, usher.SegmentAdd, queuetest.JobOn(id, "3"))
	if err := queuetest.NewSlot(b.t, b.q, lanes.Audience).Take(b.t).End(queuetest.Failed(usher.NotFound)); err != nil {
		b.t.Fatal(err)
	}
}

// A message is sent once, also if the leader changes. A
// cause is reported when it opens and when it is gone, not with each letter.
func TestIncidentIsSentOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.failJob("old")
	b.deliver() // older letters are not reported
	b.failJob("first")
	b.deliver("Jobs fail on segment 3: it failed")
	b.failJob("second")
	b.clock.advance(6 * time.Minute)
	b.deliver()
	b.clock.advance(8 * time.Minute)
	b.discardAll()
	b.deliver()
	b.clock.advance(settleTime)
	b.deliver("Solved after 14 min: Jobs fail on segment 3: it failed")
	b.deliver()
}

func (b *bench) discardAll() {
	b.t.Helper()
	if _, err := b.worker().detector.letters.Discard(b.t.Context(), letters.Filter{}, audit.Act{Actor: "anna"}); err != nil {
		b.t.Fatal(err)
	}
}

// A replay that fails again does not solve its cause.
func TestCauseComesBack(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.deliver()
	b.failJob("first")
	b.deliver("Jobs fail on segment 3: it failed")
	b.clock.advance(10 * time.Minute)
	b.discardAll()
	b.deliver()
	b.clock.advance(time.Minute)
	b.failJob("again")
	b.deliver()
	b.clock.advance(time.Hour)
	b.deliver()
}

// A message that a channel could not send is sent again after Every, alone or with others.
func TestChannelFails(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.deliver()
	b.to.fail(errors.New("it is down"))
	b.failJob("first")
	b.deliver()
	b.to.fail(nil)
	b.deliver() // not before Every
	b.clock.advance(5 * time.Minute)
	b.deliver("Jobs fail on segment 3: it failed")
	b.deliver()
}

// A message that a channel refuses for its content is given up, and others are sent.
func TestRefusedMessage(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.deliver()
	b.failJob("first")
	b.to.fail(fmt.Errorf("status 400: %w", errRefused))
	for range maxRefusals {
		b.deliver()
		b.clock.advance(5 * time.Minute)
	}
	b.to.fail(nil)
	b.deliver()
}

// A leader that crashes while it sends loses no message: the next one sends it.
func TestLeaderEndsWhileItSends(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.deliver()
	b.failJob("first")
	lost := b.worker()
	lost.channels["test"] = endingChannel{b.to}
	var running sync.WaitGroup
	running.Go(func() { _ = lost.deliver(t.Context()) })
	running.Wait()
	b.deliver("Jobs fail on segment 3: it failed")
}

// endingChannel ends its worker.
type endingChannel struct{ *recorder }

func (endingChannel) send(context.Context, *Message) error {
	runtime.Goexit()
	return nil
}

// In quiet hours only faults are sent. The others are sent as one message when they end, and an
// incident that was solved meanwhile has one line.
func TestQuietHours(t *testing.T) {
	t.Parallel()
	begin := time.Now().UTC().Truncate(time.Minute)
	hours := begin.Add(time.Hour).Format("15:04") + "-" + begin.Add(10*time.Hour).Format("15:04")
	quiet, err := ParseQuiet(hours, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, Options{Quiet: quiet})
	at := func(d time.Duration) { b.clock.set(begin.Add(d)) }
	at(0)
	b.deliver()
	at(time.Hour)
	b.failJob("night")
	b.deliver()
	at(time.Hour + 10*time.Minute)
	b.discardAll()
	b.deliver()
	b.Publish(t, usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-a"}`)
	at(2 * time.Hour)
	b.deliver("The pause of campaign SANDBOX1-a is not in effect: waits for a worker: none is running")
	if err := queuetest.NewSlot(t, b.q, lanes.Campaign).Take(t).End(queuetest.Done(0)); err != nil {
		t.Fatal(err)
	}
	at(9*time.Hour - goneTime)
	b.deliver()
	at(9 * time.Hour)
	if lines := b.deliverAll(); len(lines) != 1 || !strings.HasPrefix(lines[0], "Solved after") {
		t.Fatalf("sent %q", lines)
	}
	b.failJob("late")
	b.deliver()
	at(10 * time.Hour)
	if err := b.worker().deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(b.to.sent) != 1 || b.to.sent[0].Event != Summary || b.to.sent[0].Title != "3 messages from the quiet hours "+hours {
		t.Fatalf("sent %+v, want a summary", b.to.sent)
	}
	var lines []string
	for _, m := range b.to.sent[0].Items {
		lines = append(lines, m.Headline())
	}
	if want := []string{"Solved after 10 min: Jobs fail on segment 3: it failed", "Jobs fail on segment 3: it failed"}; !slices.Equal(lines, want) {
		t.Errorf("the summary says %q, want %q", lines, want)
	}
	b.to.take()
	b.deliver()
}

// More than maxSingle messages at a time are sent as one.
func TestManyMessagesAreOne(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.deliver()
	for i := range maxSingle + 1 {
		b.Publish(t, usher.SegmentAdd, queuetest.JobOn(fmt.Sprintf("job-%d", i), fmt.Sprint(i)))
		if err := queuetest.NewSlot(t, b.q, lanes.Audience).Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
			t.Fatal(err)
		}
	}
	b.deliver("6 messages")
}

// Every worker reports that NATS takes no writes, and that it takes them again: to each channel
// once.
func TestWrites(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	a := b.worker()
	full := errors.New("the disk is full")
	expect := func(err error, want ...string) {
		t.Helper()
		a.reportWrites(t.Context(), err)
		if got := b.to.take(); !slices.Equal(got, want) {
			t.Fatalf("sent %q, want %q", got, want)
		}
	}
	title := "NATS takes no writes from worker " + b.q.Worker()
	b.clock.set(time.Date(2026, 11, 27, 1, 28, 50, 0, time.UTC))
	expect(nil)
	b.to.fail(errors.New("the channel is down"))
	expect(full)
	b.to.fail(nil)
	expect(full, title)
	expect(full)
	if got, want := a.writes.opened.Figures(time.UTC), "since 2026-11-27 01:28:50 UTC"; got != want {
		t.Errorf("the message says %q, want %q", got, want)
	}
	b.clock.advance(3 * time.Minute)
	expect(nil, "Solved after 3 min: "+title)
	expect(nil)
	a.channels["a"] = &recorder{} // comes before the one that is down
	b.to.fail(errors.New("the channel is down"))
	expect(full)
	b.to.fail(nil)
	expect(full, title)
	expect(nil, "Solved after 0 s: "+title)
	b.q.Store().Conn.Close()
	expect(full, "Worker "+b.q.Worker()+" is not connected to NATS")
}
