package queues

import (
	"context"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/message"
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
	return l.publishParts(ctx, plan, ended)
}

// SplitWithoutAck is a Split that crashes just before it acks.
func (l *Lease) SplitWithoutAck(plan usher.Plan) error {
	l.d.lent = true // so that its ack does nothing
	defer func() { l.d.lent = false }()
	return l.Split(plan, usher.Progress{})
}

// ReadJob reads a job as a publisher sends it.
func (q *Queue) ReadJob(kind usher.Kind, body string) *message.Message {
	return q.messages.Read(q.names.Job(kind), nil, []byte(body), 0, q.now())
}

// StayBriefly makes the slot look for other messages whenever it could continue with a target.
func (d *Deliveries) StayBriefly() { d.slot.stay = 0 }

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
