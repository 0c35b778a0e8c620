package presence_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"usher/queues/presence"
	"usher/queues/queuetest"
)

// fleet has workers that beat when the test lets them, by a clock that the test sets.
type fleet struct {
	*queuetest.Broker
	t   *testing.T
	now time.Time
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	return &fleet{queuetest.New(t), t, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
}

// reader returns a process that is no worker.
func (f *fleet) reader() *presence.Presence {
	f.t.Helper()
	return f.process("one name", "")
}

// process returns a process with a name, on a machine, that runs jobs.
func (f *fleet) process(name, host string, jobs ...string) *presence.Presence {
	f.t.Helper()
	now := func() time.Time { return f.now }
	return presence.New(f.Queue(f.t).Store(), presence.Options{
		Worker: name, Host: host, Jobs: func() []string { return jobs }, Local: now, Now: now, Logger: slog.New(slog.DiscardHandler),
	})
}

// start starts a worker with a name, on a machine.
func (f *fleet) start(name, host string, jobs ...string) *presence.Presence {
	f.t.Helper()
	p := f.process(name, host, jobs...)
	p.Join()
	f.beat(0, p)
	return p
}

// worker returns a worker that can do some tasks.
func (f *fleet) worker(tasks ...presence.Task) *presence.Presence {
	f.t.Helper()
	p := f.reader()
	p.Join(tasks...)
	return p
}

// beat passes time and lets workers beat.
func (f *fleet) beat(after time.Duration, workers ...*presence.Presence) {
	f.t.Helper()
	f.now = f.now.Add(after)
	for _, p := range workers {
		if err := p.Beat(f.t.Context()); err != nil {
			f.t.Fatal(err)
		}
	}
}

// count checks how many workers one of them sees, and how long the most silent one was silent.
func (f *fleet) count(p *presence.Presence, want int, oldest time.Duration) {
	f.t.Helper()
	if p.Count() != want || p.Oldest() != oldest {
		f.t.Errorf("%d workers, the oldest heard %s ago, want %d, %s", p.Count(), p.Oldest(), want, oldest)
	}
}

// A worker counts until it leaves, or has not beaten for 10 s, although another has its name.
func TestWorkersAreCounted(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	a, b, c := f.worker(), f.worker(), f.worker()
	f.count(a, 0, 0)
	f.beat(0, a, b, c, a)
	f.count(a, 3, 0)
	b.Leave(t.Context())
	f.beat(3*time.Second, a)
	f.count(a, 2, 3*time.Second)
	f.beat(7*time.Second, a)
	f.count(a, 2, 10*time.Second)
	f.beat(time.Second, a)
	f.count(a, 1, 0)
	f.beat(0, c, a)
	f.count(a, 2, 0)
}

// A worker that leaves says so; one that is killed cannot, and one that comes again has not left.
func TestLeftIsKept(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	left := func(want bool) {
		t.Helper()
		now, _, err := f.reader().Gone(t.Context())
		if at, found := now["one name"]; err != nil || found != want || found && !at.Equal(f.now) {
			t.Errorf("%v have left, want %t; error: %v", now, want, err)
		}
	}
	killed, a := f.worker(), f.worker()
	f.beat(0, killed, a)
	f.beat(11*time.Second, a)
	left(false)
	a.Leave(t.Context())
	left(true)
	f.beat(time.Second, f.worker())
	left(false)
}

// lost checks which workers are lost, that which was heard last at the end.
func (f *fleet) lost(want ...string) []presence.Lost {
	f.t.Helper()
	_, lost, err := f.reader().Gone(f.t.Context())
	names := []string{}
	for _, w := range lost {
		names = append(names, w.Worker)
	}
	if err != nil || !slices.Equal(names, want) {
		f.t.Errorf("%v are lost, want %v; error: %v", names, want, err)
	}
	return lost
}

// A worker that was killed is lost, with the jobs that it had, until it is back or another one is started
// in its place: on its machine if there is one, or for a day. One that has left is not.
func TestLostWorkers(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	a, b, c, d := f.start("a", "box-1"), f.start("b", "box-2", "crm-1", "crm-2", "crm-3", "crm-4", "crm-5"), f.start("c", "box-3", "crm-6"), f.start("d", "box-4")
	f.beat(5*time.Second, a, b, c, d)
	heard := f.now
	d.Leave(t.Context())
	f.beat(10*time.Second, a)
	f.lost()
	f.beat(time.Second, a)
	lost := f.lost("b", "c")
	for i, want := range []string{
		"It ran crm-1, crm-2, crm-3 and 2 more then. Other workers take over jobs that have not ended, once nats.ack_wait has passed.", "It ran crm-6 then. Other workers take over jobs that have not ended, once nats.ack_wait has passed.",
	} {
		if w := lost[i]; w.Delays() != want || !w.Heard.Equal(heard) || !w.Since.Equal(heard) || !strings.HasPrefix(w.String(), "Worker "+w.Worker+" is lost: it was last heard at 2026-03-01T12:00:05Z") {
			t.Errorf("%+v, %s, %s", w, &w, w.Delays())
		}
	}
	f.beat(time.Second, b) // it was only cut off
	f.lost("c")
	f.start("c-2", "box-3") // started again under another name
	f.lost()
	f.beat(6*time.Second, a)
	f.beat(6*time.Second, a) // all others are lost
	f.lost("b", "c-2")
	f.start("c-3", "box-3")
	f.lost("b")
	f.beat(time.Second, a)
	f.start("b", "box-5")
	f.lost()
	f.beat(6*time.Second, a)
	f.beat(6*time.Second, a)
	f.lost("c-3", "b")
	other := f.start("other", "box-6") // in the place of the one that was lost first
	f.lost("b")
	f.beat(5*time.Second, a, other)
	f.lost("b") // one worker takes one place
	f.beat(24*time.Hour, a, other)
	f.lost()
}

// A worker that is started at once takes the place of the one that was killed before that is lost, also if
// all workers were killed.
func TestStartedAtOnce(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	a, killed := f.start("a", "box-1"), f.start("b-1", "box-2")
	f.beat(5*time.Second, a, killed)
	f.beat(time.Second, a)
	again := f.start("b-2", "box-2")
	f.beat(10*time.Second, a, again)
	f.lost()
	f.beat(time.Hour)
	a, again = f.start("a", "box-1"), f.start("b-3", "box-2")
	f.beat(9*time.Second, a, again)
	f.beat(9*time.Second, a, again)
	f.lost()
	f.beat(time.Hour, a) // NATS took no writes, and the other worker did not come back after that
	f.beat(9*time.Second, a)
	f.beat(9*time.Second, a)
	if lost := f.lost("b-3"); len(lost) == 1 && lost[0].Since.Sub(lost[0].Heard) < 59*time.Minute {
		t.Errorf("it is silent since %s, and was heard at %s", lost[0].Since, lost[0].Heard)
	}
}

// While NATS takes no writes, no worker can beat, and none counts as gone therefore.
func TestNobodyIsGoneAfterOutage(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	a, b := f.worker(), f.worker()
	f.beat(0, a, b)
	f.beat(time.Hour, a)
	f.count(a, 2, 0)
	f.beat(9*time.Second, a)
	f.count(a, 2, 9*time.Second)
	f.beat(9*time.Second, a)
	f.count(a, 1, 0)
}

// A process that is no worker writes, but does not count. A worker whose beats fail says so after
// 10 s.
func TestWritesAreProven(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	a, reader := f.worker(), f.reader()
	f.beat(0, a)
	if err := reader.Write(t.Context()); err != nil || reader.Count() != 0 {
		t.Errorf("a reader wrote with %v, and sees %d workers", err, reader.Count())
	}
	f.beat(time.Hour)
	if err := a.CheckWrites(); err != nil {
		t.Errorf("after an hour in which the process was suspended: %v", err)
	}
	f.beat(0, a)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Beat(canceled); err == nil {
		t.Fatal("a beat was stored")
	}
	f.beat(10 * time.Second)
	if err := a.CheckWrites(); err != nil {
		t.Errorf("after 10 s: %v", err)
	}
	f.beat(2 * time.Second)
	if err := a.CheckWrites(); err == nil || !strings.HasPrefix(err.Error(), "NATS has taken no write for 12s: if a disk of NATS is full") {
		t.Errorf("after 12 s: %v", err)
	}
	if text, err := reader.NoWrites(t.Context(), f.now); err != nil || !strings.HasPrefix(text, "NATS has taken no write for 12s") {
		t.Errorf("others say %q, %v", text, err)
	}
}

// One worker runs a task at a time. Another one takes it when the leader leaves, as soon as the
// leader's call has returned, or 10 s after the leader's last beat.
func TestOneWorkerLeads(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	began := make(chan string, 10)
	running := make(chan struct{}, 1) // full while a worker leads
	task := func(worker string) presence.Task {
		return presence.Task{Name: "feeds", Run: func(ctx context.Context) {
			select {
			case running <- struct{}{}:
			default:
				t.Error("two workers lead")
			}
			began <- worker
			<-ctx.Done()
			<-running
		}}
	}
	a, b, idle := f.worker(task("a")), f.worker(task("b")), f.worker()
	f.beat(0, idle, a, b, a, b)
	if leader := <-began; leader != "a" {
		t.Fatalf("%s leads, want a, which was first", leader)
	}
	a.Leave(t.Context())
	f.beat(3*time.Second, idle, b, b)
	if leader := <-began; leader != "b" {
		t.Fatalf("%s leads, want b", leader)
	}
	crashed := f.worker(task("crashed")) // takes the task when b leaves, and never beats again
	b.Leave(t.Context())
	f.beat(0, crashed)
	<-began
	late := f.worker(presence.Task{Name: "feeds", Run: func(context.Context) { began <- "late" }})
	f.beat(10*time.Second, late)
	select {
	case <-began:
		t.Fatal("another worker leads before the leader is gone")
	default:
	}
	f.beat(time.Second, late)
	if leader := <-began; leader != "late" {
		t.Fatalf("%s leads, want late", leader)
	}
	crashed.Leave(t.Context()) // ends its task
	if len(began) > 0 {
		t.Error("a task that had returned was run again by its leader")
	}
}

// A worker says which tasks it leads.
func TestLeaderSaysSo(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	ended := make(chan struct{})
	task := presence.Task{Name: "feeds", Run: func(ctx context.Context) { <-ctx.Done(); close(ended) }}
	leader := f.worker(task)
	stop, err := leader.Answer(func() presence.Answer { return presence.Answer{Worker: "leader"} })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for _, want := range []string{"[]", "[feeds]"} {
		workers, err := f.reader().Workers(t.Context())
		if err != nil || len(workers) != 1 || fmt.Sprint(workers[0].Leads) != want {
			t.Errorf("%+v, %v, want one that leads %s", workers, err, want)
		}
		f.beat(0, leader)
	}
	leader.Leave(t.Context())
	<-ended
}

// What consoles have measured is kept for the next process, and a console that started later fills
// what others have not measured.
func TestThroughputIsKept(t *testing.T) {
	t.Parallel()
	p := queuetest.New(t).Queue(t).Presence()
	step := func(at int64, read float64) presence.Step { return presence.Step{At: at, Seconds: 5, Read: read} }
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	seen := func(name string, after time.Duration) presence.Seen {
		return presence.Seen{Worker: name, Heard: start.Add(after)}
	}
	for _, observed := range []presence.Throughput{
		{Quarter: []presence.Step{step(10, 1), step(15, 2)}, Day: []presence.Step{step(0, 3)}, Workers: []presence.Seen{seen("gone", time.Hour), seen("long gone", 0)}},
		{Quarter: []presence.Step{step(5, 9), step(15, 4), step(20, 5)}, Workers: []presence.Seen{seen("here", 25*time.Hour), seen("gone", 0)}},
	} {
		if err := p.KeepThroughput(t.Context(), observed); err != nil {
			t.Fatal(err)
		}
	}
	got, err := p.Throughput(t.Context())
	want := presence.Throughput{Quarter: []presence.Step{step(5, 9), step(10, 1), step(15, 4), step(20, 5)}, Day: []presence.Step{step(0, 3)}, Workers: []presence.Seen{seen("here", 25*time.Hour), seen("gone", time.Hour)}}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("kept is %v, want %v (%v)", got, want, err)
	}
}
