package queues

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/lanes"
	"usher/queues/message"
	"usher/queues/targets"
)

// Crash ends a lease as a killed process does: it settles nothing, releases nothing and
// stops the heartbeat.
func (l *Lease) Crash() {
	l.discard()
}

// StopHeartbeat stops a lease's heartbeat, as the suspension of a machine does.
func (l *Lease) StopHeartbeat() { l.stopBeat() }

// Redeliver makes the server redeliver the lease's message at once, as it does after
// AckWait.
func (l *Lease) Redeliver(t *testing.T) {
	t.Helper()
	if err := l.d.msg.Nak(); err != nil {
		t.Fatal(err)
	}
}

// SplitAndCrash is a Split that crashes after the parts are published and before the record
// says so.
func (l *Lease) SplitAndCrash(ctx context.Context, plan usher.Plan) error {
	defer l.discard()
	ended, err := l.writePlan(ctx, plan, usher.Progress{})
	if err != nil {
		return err
	}
	return l.publishParts(ctx, cut{id: l.job.Cut, plan: &plan, parts: len(plan.Parts)}, ended)
}

// SplitWithoutAck is a Split that crashes just before it acks.
func (l *Lease) SplitWithoutAck(plan usher.Plan) error {
	inbox := l.q.nc.NewInbox()
	sub, err := l.q.nc.Subscribe(inbox, func(m *nats.Msg) { _ = m.Respond(nil) })
	if err != nil {
		return err
	}
	defer func() { _ = sub.Unsubscribe() }()
	l.d.seq, l.d.msg = 0, &nats.Msg{Reply: inbox, Sub: sub} // so that its settlement does nothing
	return l.Split(plan, usher.Progress{})
}

// SplitAround is a Split that calls f when the parts are published and the record does not say so.
func (l *Lease) SplitAround(ctx context.Context, plan usher.Plan, f func()) error {
	ended, err := l.writePlan(ctx, plan, usher.Progress{})
	if err != nil {
		return err
	}
	plan.Parts = l.job.Ranges
	if err := l.publishParts(ctx, cut{id: l.job.Cut, plan: &plan, parts: len(plan.Parts)}, ended); err != nil {
		return err
	}
	f()
	return l.Split(plan, usher.Progress{})
}

// SettleAround settles a cut job, and calls f when its record has been read.
func (q *Queue) SettleAround(ctx context.Context, id string, f func()) error {
	e, revision, _, err := q.records.Job(ctx, id)
	if err != nil {
		return err
	}
	f()
	return q.endCutRecord(ctx, &e, revision, measured{}, usher.Done, nil)
}

// RebuildAround rebuilds the record of a part's job, and calls f when it has read which parts have
// ended.
func (l *Lease) RebuildAround(ctx context.Context, f func()) error {
	_, revision, _, err := l.q.records.Job(ctx, l.id())
	if err != nil {
		return err
	}
	rebuilt, err := l.q.entryOfParts(ctx, l.order)
	if err != nil {
		return err
	}
	f()
	return l.q.putRebuilt(ctx, &rebuilt, revision)
}

// EndBeforeAck is an End that calls f just before it acks.
func (l *Lease) EndBeforeAck(e usher.Ending, f func()) error {
	reply, inbox := l.d.msg.Reply, l.q.nc.NewInbox()
	l.stopBeat() // it sends to the same subject
	l.beating.Wait()
	var once sync.Once
	sub, err := l.q.nc.Subscribe(inbox, func(m *nats.Msg) {
		once.Do(f)
		if answer, err := l.q.nc.Request(reply, m.Data, time.Minute); err == nil {
			_ = m.Respond(answer.Data)
		}
	})
	if err != nil {
		return err
	}
	defer func() { _ = sub.Unsubscribe() }()
	l.d.msg.Reply = inbox
	return l.End(e)
}

// ReadJob reads a job as a publisher sends it.
func (q *Queue) ReadJob(kind usher.Kind, body string) *message.Message {
	return q.messages.Read(q.names.Job(kind), nil, []byte(body), 0, q.now())
}

// AwaitIdle blocks until a slot of the lane waits for work.
func (d *Deliveries) AwaitIdle(t *testing.T) {
	t.Helper()
	for d.info(t).NumWaiting == 0 {
	}
}

func (d *Deliveries) info(t *testing.T) *jetstream.ConsumerInfo {
	t.Helper()
	stream, _ := d.lane.On(d.q.names)
	consumer, err := d.q.js.Consumer(t.Context(), stream, string(d.lane))
	if err != nil {
		t.Fatal(err)
	}
	return consumer.CachedInfo()
}

// AwayCopiesOf is AwayCopies of what NATS says of a stream.
func AwayCopiesOf(info *jetstream.StreamInfo) ([]string, error) { return awayCopies(info) }

// LostCopiesOf is LostCopies of what NATS says of a stream.
func LostCopiesOf(info *jetstream.StreamInfo) string { return lostCopies(info) }

// ReleaseForgottenNow is one look of ReleaseForgotten.
func (q *Queue) ReleaseForgottenNow(ctx context.Context) error { return q.releaseForgotten(ctx) }

// PublishReleased publishes that the job with the message at a sequence is released.
func (q *Queue) PublishReleased(ctx context.Context, lane lanes.Lane, seq uint64) error {
	return q.publishReleased(ctx, lane, []targets.Place{{Seq: seq}}, "test")
}
