package workers_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/internal/sandbox"
	"usher/pipeline"
	"usher/queues"
	"usher/queues/letters"
	"usher/workers"
)

// plant is a bench whose work comes over NATS.
type plant struct {
	*bench
	queue  *queues.Queue
	js     jetstream.JetStream
	events chan *nats.Msg
}

func newPlant(t *testing.T) *plant {
	t.Helper()
	server, err := natsserver.NewServer(&natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Start()
	t.Cleanup(func() { server.Shutdown(); server.WaitForShutdown() })
	nc, err := nats.Connect(server.ClientURL(), nats.RetryOnFailedConnect(true))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	p := &plant{bench: newBench(t, sandbox.Options{}), events: make(chan *nats.Msg, 1000)}
	if p.js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	o := queues.Options{AckWait: 5 * time.Second, Seal: pipeline.Seal, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct}
	if err := queues.Declare(t.Context(), p.js, o); err != nil {
		t.Fatal(err)
	}
	if p.queue, err = queues.Open(t.Context(), nc, o); err != nil {
		t.Fatal(err)
	}
	if _, err := nc.ChanSubscribe("usher.events.>", p.events); err != nil {
		t.Fatal(err)
	}
	for _, lane := range []queues.Lane{queues.Audience, queues.Bulk, queues.Campaign} {
		p.worker.Lanes = append(p.worker.Lanes, workers.Lane{Name: string(lane), Slots: 2, Open: func(ctx context.Context, _ func()) (workers.Source, error) {
			d, err := p.queue.Deliveries(ctx, lane)
			return taker{d}, err
		}})
	}
	return p
}

type taker struct{ *queues.Deliveries }

func (y taker) Next(fetch, work context.Context) (workers.Lease, error) {
	l, err := y.Deliveries.Next(fetch, work)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// start runs the worker. What it returns ends it in the two phases of a stop:
// the second comes when nothing but the first has been waited for.
func (p *plant) start() (endFetch, endWork func()) {
	fetch, stopFetch := context.WithCancelCause(p.t.Context())
	work, stopWork := context.WithCancelCause(context.WithoutCancel(p.t.Context()))
	watch, stopWatch := context.WithCancel(work)
	var running sync.WaitGroup
	running.Go(func() { _ = p.queue.WatchEndings(watch) })
	running.Go(func() {
		defer stopWatch()
		if err := p.worker.Run(fetch, work); err != nil {
			p.t.Error(err)
		}
	})
	endFetch = func() { stopFetch(usher.ErrShutdown) }
	endWork = func() {
		endFetch()
		stopWork(usher.ErrShutdown)
		running.Wait()
	}
	p.t.Cleanup(endWork)
	return endFetch, endWork
}

func (p *plant) publish(kind usher.Kind, body string) {
	p.t.Helper()
	if _, err := p.js.Publish(p.t.Context(), "usher.jobs."+string(kind), []byte(body)); err != nil {
		p.t.Fatal(err)
	}
}

// until waits for a job's event of a state.
func (p *plant) until(id string, state usher.State) usher.Event {
	p.t.Helper()
	late := time.NewTimer(30 * time.Second)
	defer late.Stop()
	for {
		select {
		case m := <-p.events:
			var e usher.Event
			if err := json.Unmarshal(m.Data, &e); err != nil {
				p.t.Fatal(err)
			}
			if e.ID == id && e.State == state {
				return e
			}
		case <-late.C:
			r, err := p.queue.Record(p.t.Context(), id)
			p.t.Fatalf("job %s never was %s: %+v, %v", id, state, r, err)
		}
	}
}

// A job that waits for a long time ends at its deadline, not at the end of its
// wait.
func TestDeadlineWhileItWaits(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.fault("segments.upload", "status", map[string]any{"status": 429, "retryAfter": 3600, "times": 100})
	p.start()
	deadline := time.Now().Add(3 * time.Second).UTC().Format(time.RFC3339Nano)
	p.publish(usher.SegmentAdd, fmt.Sprintf(`{"id":"late","segment":"1","profile":"idfa","deadline":%q,"source":{"url":%q}}`, deadline, p.export(1, 10)))
	if e := p.until("late", usher.Failed); e.Error == nil || e.Error.Class != usher.Deadline {
		t.Errorf("it ended %+v", e.Error)
	}
	if found, err := letters.New(p.queue).List(t.Context(), letters.Filter{}); err != nil || len(found) != 1 {
		t.Errorf("%d letters, %v", len(found), err)
	}
}

// A cut job whose deadline passes ends, its waiting parts unsent, with one
// letter.
func TestDeadlineOfACutJob(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.cutAt(1000)
	p.control("PUT", "latency", map[string]int{"delayMs": 500}, nil)
	p.start()
	deadline := time.Now().Add(4 * time.Second).UTC().Format(time.RFC3339Nano)
	p.publish(usher.SegmentAdd, fmt.Sprintf(`{"id":"late","segment":"1","profile":"idfa","deadline":%q,"source":{"url":%q}}`, deadline, p.export(1, 3000)))
	e := p.until("late", usher.Failed)
	if e.Error == nil || e.Error.Class != usher.Deadline || e.Tally.Read == 3000 {
		t.Errorf("it ended %+v, %d rows", e.Error, e.Tally.Read)
	}
	if found, err := letters.New(p.queue).List(t.Context(), letters.Filter{}); err != nil || len(found) != 1 {
		t.Errorf("%d letters, %v", len(found), err)
	}
}

// A cancel aborts what is in flight, in every part.
func TestCancelOfACutJob(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.cutAt(1000)
	p.fault("segments.upload", "hang", map[string]any{"times": 1000, "after": 3})
	p.start()
	p.publish(usher.SegmentAdd, fmt.Sprintf(`{"id":"gone","segment":"1","profile":"idfa","source":{"url":%q}}`, p.export(1, 3000)))
	p.until("gone", usher.Running)
	if err := p.queue.Cancel(t.Context(), "gone", queues.Act{Actor: "tests"}); err != nil {
		t.Fatal(err)
	}
	if e := p.until("gone", usher.Cancelled); e.Error != nil {
		t.Errorf("it ended %+v", e.Error)
	}
	if found, err := letters.New(p.queue).List(t.Context(), letters.Filter{}); err != nil || len(found) != 0 {
		t.Errorf("%d letters, %v", len(found), err)
	}
}

// A stop in two phases gives back what hangs, at no attempt, and leaves nothing
// behind; the next worker does it.
func TestStopAndStartAgain(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.fault("segments.upload", "hang", map[string]any{"times": 1})
	_, endWork := p.start()
	p.publish(usher.SegmentAdd, fmt.Sprintf(`{"id":"job","segment":"1","profile":"idfa","source":{"url":%q}}`, p.export(1, 150)))
	p.until("job", usher.Running)
	endWork()
	r, err := p.queue.Record(t.Context(), "job")
	if err != nil || r.State.Ended() || r.Attempts > 1 || r.Crashes > 0 {
		t.Fatalf("the record says %+v, %v", r, err)
	}
	p.control("DELETE", "faults", nil, nil)
	p.start()
	p.until("job", usher.Done)
	r, err = p.queue.Record(t.Context(), "job")
	if err != nil || r.Attempts != 1 || r.Crashes != 0 || r.Tally.Accepted != 150 {
		t.Errorf("the record says %+v, %v", r, err)
	}
}

// An older pause that is replayed after a newer resume leaves its creatives
// alone.
func TestReplayedPauseIsSuperseded(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.fault("campaigns.lock", "status", map[string]any{"status": 403})
	p.start()
	p.publish(usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-spring","creatives":["spring-1"]}`)
	p.until("pause", usher.Failed)
	p.publish(usher.CampaignResume, `{"id":"resume","campaign":"SANDBOX1-spring"}`)
	p.until("resume", usher.Done)
	plan, err := letters.New(p.queue).PlanReplay(t.Context(), letters.Filter{}, false)
	if err != nil || plan.Count != 0 || plan.LeftOut.Count != 1 {
		t.Fatalf("the plan is %+v, %v", plan, err)
	}
	forced := letters.ReplayOptions{Act: queues.Act{Actor: "test"}, Force: true}
	if report, err := letters.New(p.queue).Replay(t.Context(), &plan, forced); err != nil || report.Replayed != 1 {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	p.until("pause", usher.Done)
	if got := p.statuses("SANDBOX1-spring"); got["spring-1"] != "ACTIVE" {
		t.Errorf("statuses are %v", got)
	}
	r, err := p.queue.Record(t.Context(), "pause")
	if err != nil || len(r.Warnings) != 1 || r.Warnings[0].Code != "superseded" {
		t.Errorf("the record says %+v, %v", r.Warnings, err)
	}
}

// A lane that cannot be opened ends the worker, and all that it began.
func TestLaneThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	broken := errors.New("no such lane")
	p.worker.Lanes = append(p.worker.Lanes, workers.Lane{Slots: 1, Open: func(context.Context, func()) (workers.Source, error) { return nil, broken }})
	if err := p.worker.Run(t.Context(), t.Context()); !errors.Is(err, broken) {
		t.Errorf("it says %v", err)
	}
}
