package workertest

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/internal/natstest"
	"usher/internal/rules"
	"usher/internal/sandbox"
	"usher/pipeline"
	"usher/queues"
	"usher/queues/decisions"
	"usher/queues/lanes"
	"usher/workers"
)

// Queue is a Bench whose work comes from NATS.
type Queue struct {
	*Bench
	Jobs      *queues.Queue
	Decisions *decisions.Store
	JS        jetstream.JetStream
	Events    chan *nats.Msg
}

// NewQueue returns a Queue with lanes for everything but rules.
func NewQueue(t *testing.T) *Queue {
	t.Helper()
	nc := natstest.Connect(t, nats.RetryOnFailedConnect(true))
	q := &Queue{Bench: NewBench(t, sandbox.Options{}), Events: make(chan *nats.Msg, 1000)}
	var err error
	if q.JS, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	o := queues.Options{AckWait: 5 * time.Second, PullTime: 200 * time.Millisecond, HashInline: pipeline.HashInline, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct}
	if err := queues.Declare(t.Context(), q.JS, o); err != nil {
		t.Fatal(err)
	}
	if q.Jobs, err = queues.Open(t.Context(), nc, o); err != nil {
		t.Fatal(err)
	}
	q.Decisions = decisions.New(q.Jobs, nil)
	if _, err := nc.ChanSubscribe("usher.events.>", q.Events); err != nil {
		t.Fatal(err)
	}
	q.addLanes(lanes.Audience, lanes.Bulk, lanes.Campaign)
	return q
}

// NewRuleQueue returns a Queue with rule files and a lane for rules.
func NewRuleQueue(t *testing.T, sets ...*rules.Set) *Queue {
	t.Helper()
	q := NewQueue(t)
	q.Evaluation.Rules, q.Evaluation.Store, q.Campaign.RuleStore = RuleSets(sets), q.Decisions, q.Decisions
	q.Evaluation.Kept, q.Campaign.Kept = q.Jobs.Settings().Kept, q.Jobs.Settings().Kept
	q.addLanes(lanes.Rules)
	return q
}

// RuleSets implements evaluation.RuleSets with fixed rule files.
type RuleSets []*rules.Set

// All returns the rule files.
func (s RuleSets) All() []*rules.Set { return s }

func (q *Queue) addLanes(lanes ...lanes.Lane) {
	for _, lane := range lanes {
		q.Worker.Lanes = append(q.Worker.Lanes, workers.Lane{Name: string(lane), Slots: 2, Open: func(ctx context.Context, _ func()) (workers.Source, error) {
			d, err := q.Jobs.Deliveries(ctx, lane)
			return source{d}, err
		}})
	}
}

type source struct{ deliveries *queues.Deliveries }

func (s source) Next(fetch, work context.Context) (workers.Lease, error) {
	l, err := s.deliveries.Next(fetch, work)
	if err != nil {
		return nil, err
	}
	return leased{l}, nil
}

// leased is a lease of the queue.
type leased struct{ *queues.Lease }

func (l leased) TakeAlong(ctx context.Context, n int) ([]workers.Lease, error) {
	following, err := l.Lease.TakeAlong(ctx, n)
	leases := make([]workers.Lease, len(following))
	for i, lease := range following {
		leases[i] = leased{lease}
	}
	return leases, err
}

// Start runs the worker. The returned functions are the two phases of a stop: after
// endFetch the worker takes no more work; endWork cancels the work that still runs and
// blocks until everything has ended.
func (q *Queue) Start() (endFetch, endWork func()) {
	fetch, stopFetch := context.WithCancelCause(q.T.Context())
	work, stopWork := context.WithCancelCause(context.WithoutCancel(q.T.Context()))
	watch, stopWatch := context.WithCancel(work)
	var running sync.WaitGroup
	running.Go(func() { _ = q.Jobs.WatchEndings(watch) })
	running.Go(func() {
		defer stopWatch()
		if err := q.Worker.Run(fetch, work); err != nil {
			q.T.Error(err)
		}
	})
	endFetch = func() { stopFetch(usher.ErrShutdown) }
	endWork = func() {
		endFetch()
		stopWork(usher.ErrShutdown)
		running.Wait()
	}
	q.T.Cleanup(endWork)
	return endFetch, endWork
}

// Publish publishes a job.
func (q *Queue) Publish(kind usher.Kind, body string) {
	q.T.Helper()
	if _, err := q.JS.Publish(q.T.Context(), "usher.jobs."+string(kind), []byte(body)); err != nil {
		q.T.Fatal(err)
	}
}

// patience limits how long a test waits for a job.
const patience = 10 * time.Minute

// Until waits for the event that a job has reached one of some states.
func (q *Queue) Until(id string, states ...usher.State) usher.Event {
	q.T.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		select {
		case m := <-q.Events:
			var e usher.Event
			if err := json.Unmarshal(m.Data, &e); err != nil {
				q.T.Fatal(err)
			}
			if e.ID == id && slices.Contains(states, e.State) {
				return e
			}
		case <-late.C:
			r, err := q.Jobs.Status().Record(q.T.Context(), id)
			q.T.Fatalf("job %s was never %s: %+v, %v", id, states, r, err)
		}
	}
}

// Done waits until jobs are done, in any order.
func (q *Queue) Done(ids ...string) {
	q.T.Helper()
	late := time.After(patience)
	for _, id := range ids {
		for {
			r, err := q.Jobs.Status().Record(q.T.Context(), id)
			if err == nil && r.State == usher.Done {
				break
			}
			select {
			case <-q.Events: // a record may have changed
			case <-late:
				q.T.Fatalf("job %s is not done: %+v, %v", id, r.Error, err)
			}
		}
	}
}
