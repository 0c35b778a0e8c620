package queues_test

import (
	"encoding/json"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// NATS refuses the events while the state of a job changes. When it accepts them again,
// every change is an event once, in order, although only the record kept it.
func TestEventsAreOwed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(t *testing.T, b *queuetest.Broker, q *queues.Queue, lane *queuetest.Slot, refuse func(bool))
		want   []usher.State
	}{
		"done": {func(t *testing.T, _ *queuetest.Broker, _ *queues.Queue, lane *queuetest.Slot, refuse func(bool)) {
			refuse(true)
			unsettled(t, lane.Take(t), queuetest.Done(1))
			refuse(false)
			lane.None(t)
		}, []usher.State{usher.Running, usher.Done}},
		"failed": {func(t *testing.T, _ *queuetest.Broker, _ *queues.Queue, lane *queuetest.Slot, refuse func(bool)) {
			l := lane.Take(t)
			refuse(true)
			unsettled(t, l, queuetest.Failed(usher.Refused))
			refuse(false)
			lane.None(t)
		}, []usher.State{usher.Running, usher.Failed}},
		"retried": {func(t *testing.T, _ *queuetest.Broker, _ *queues.Queue, lane *queuetest.Slot, refuse func(bool)) {
			refuse(true)
			l := lane.Take(t)
			if err := l.Retry(l.Work().Progress, 0, "a test", true); err != nil {
				t.Fatal(err)
			}
			l = lane.Take(t)
			refuse(false)
			if err := l.End(queuetest.Done(1)); err != nil {
				t.Fatal(err)
			}
		}, []usher.State{usher.Running, usher.Retrying, usher.Running, usher.Done}},
		"crashed": {func(t *testing.T, _ *queuetest.Broker, _ *queues.Queue, lane *queuetest.Slot, refuse func(bool)) {
			refuse(true)
			l := lane.Take(t)
			l.Crash()
			l.Redeliver(t)
			l = lane.Take(t)
			refuse(false)
			if err := l.End(queuetest.Done(1)); err != nil {
				t.Fatal(err)
			}
		}, []usher.State{usher.Running, usher.Running, usher.Done}},
		"cancelled": {func(t *testing.T, _ *queuetest.Broker, q *queues.Queue, lane *queuetest.Slot, refuse func(bool)) {
			refuse(true)
			if err := q.Cancel(t.Context(), "j1", audit.Act{Actor: "a", Reason: "a test"}); err != nil {
				t.Fatal(err)
			}
			refuse(false)
			lane.None(t)
		}, []usher.State{usher.Queued, usher.Cancelled}},
		"replayed": {func(t *testing.T, _ *queuetest.Broker, q *queues.Queue, lane *queuetest.Slot, refuse func(bool)) {
			if err := lane.Take(t).End(queuetest.Failed(usher.Refused)); err != nil {
				t.Fatal(err)
			}
			refuse(true)
			if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
				t.Fatal(err)
			}
			refuse(false)
			if err := lane.Take(t).End(queuetest.Done(1)); err != nil {
				t.Fatal(err)
			}
		}, []usher.State{usher.Running, usher.Failed, usher.Queued, usher.Running, usher.Done}},
		"cut": {func(t *testing.T, _ *queuetest.Broker, q *queues.Queue, lane *queuetest.Slot, refuse func(bool)) {
			if err := lane.Take(t).Split(planOf(2, "v1"), usher.Progress{}); err != nil {
				t.Fatal(err)
			}
			bulk := queuetest.NewSlot(t, q, lanes.Bulk)
			if err := bulk.Take(t).End(queuetest.Done(1)); err != nil {
				t.Fatal(err)
			}
			refuse(true)
			unsettled(t, bulk.Take(t), queuetest.Done(1))
			refuse(false)
			bulk.None(t)
		}, []usher.State{usher.Running, usher.Done}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			b.Options.SettleTime = 2 * time.Second
			q := b.Queue(t)
			b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
			c.change(t, b, q, queuetest.NewSlot(t, q, lanes.Audience), func(refused bool) { b.AcceptEvents(t, !refused) })
			if got := statesOf(t, b, "usher.events.j1"); !slices.Equal(got, c.want) {
				t.Errorf("the events are %v, not %v", got, c.want)
			}
		})
	}
}

// A message that is not a valid job has an event, too.
func TestEventOfRejectedIsOwed(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	b.AcceptEvents(t, false)
	b.Publish(t, usher.SegmentAdd, `{"id":"j1","colour":"red"}`)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	lane.NoneUntil(t, func() bool { return len(queuetest.Letters(t, q)) > 0 })
	b.AcceptEvents(t, true)
	lane.NoneUntil(t, func() bool { return b.Pending(t, "USHER_JOBS") == 0 })
	if got := statesOf(t, b, "usher.events.j1"); !slices.Equal(got, []usher.State{usher.Failed}) {
		t.Errorf("the events are %v", got)
	}
	if n := len(queuetest.Letters(t, q)); n != 1 {
		t.Errorf("%d letters", n)
	}
}

// Unsent events that NATS already has, and whose ids it has forgotten, are not published
// again.
func TestOldEventsAreNotPublishedAgain(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	var days atomic.Int64
	b.Options.Now = func() time.Time { return time.Now().AddDate(0, 0, int(days.Load())) }
	q := b.Queue(t)
	b.Publish(t, usher.SegmentAdd, queuetest.AddJob)
	lane := queuetest.NewSlot(t, q, lanes.Audience)
	if err := lane.Take(t).End(queuetest.Failed(usher.Refused)); err != nil {
		t.Fatal(err)
	}
	b.Configure(t, "USHER_EVENTS", func(c *jetstream.StreamConfig) {
		c.Duplicates = 100 * time.Millisecond // the shortest that NATS accepts
	})
	days.Add(1)
	if err := queuetest.Replay(t, q, queuetest.Letters(t, q)[0].Seq); err != nil {
		t.Fatal(err)
	}
	if err := lane.Take(t).End(queuetest.Done(1)); err != nil {
		t.Fatal(err)
	}
	want := []usher.State{usher.Running, usher.Failed, usher.Queued, usher.Running, usher.Done}
	if got := statesOf(t, b, "usher.events.j1"); !slices.Equal(got, want) {
		t.Errorf("the events are %v, not %v", got, want)
	}
}

// unsettled ends a lease, fails the test if that succeeds, and has the message redelivered.
func unsettled(t *testing.T, l *queues.Lease, e usher.Ending) {
	t.Helper()
	if err := l.End(e); err == nil {
		t.Error("the message was settled before NATS had the events")
	}
	l.Redeliver(t)
}

// statesOf returns the states of a job's events in the order of the stream, and fails
// the test if two have one id.
func statesOf(t *testing.T, b *queuetest.Broker, subject string) []usher.State {
	t.Helper()
	consumer, err := b.JS.OrderedConsumer(t.Context(), "USHER_EVENTS", jetstream.OrderedConsumerConfig{FilterSubjects: []string{subject}})
	if err != nil {
		t.Fatal(err)
	}
	var states []usher.State
	ids := map[string]bool{}
	for left := consumer.CachedInfo().NumPending; left > 0; left-- {
		m, err := consumer.Next(jetstream.FetchMaxWait(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		var e usher.Event
		if err := json.Unmarshal(m.Data(), &e); err != nil {
			t.Fatal(err)
		}
		id := m.Headers().Get("Nats-Msg-Id")
		if id == "" || ids[id] {
			t.Errorf("event %d has the id %q", len(states), id)
		}
		ids[id] = true
		states = append(states, e.State)
	}
	return states
}
