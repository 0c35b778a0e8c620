package queues

import (
	"context"
	"fmt"
	"time"
	"usher/queues/store"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// delivery is one message of a lane, ours to settle as long as the server
// hears from us at least every AckWait.
type delivery struct {
	q     *Queue
	msg   jetstream.Msg
	meta  *jetstream.MsgMetadata
	since time.Time // it came: the server's clock of AckWait runs from here
}

// ack settles the delivery and waits for the server to say so.
func (d *delivery) ack(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, store.CallTime)
	defer cancel()
	if err := d.msg.DoubleAck(ctx); err != nil {
		return fmt.Errorf("ack message %d of %s: %w", d.meta.Sequence.Stream, d.meta.Stream, err)
	}
	return nil
}

// term ends the delivery for good; the message is deleted.
func (d *delivery) term(ctx context.Context) error {
	if err := d.ask(ctx, "+TERM"); err != nil {
		return fmt.Errorf("end message %d of %s: %w", d.meta.Sequence.Stream, d.meta.Stream, err)
	}
	return nil
}

// nak gives the delivery back, to come again after delay.
func (d *delivery) nak(delay time.Duration) error {
	if delay <= 0 {
		return d.msg.Nak()
	}
	return d.msg.NakWithDelay(delay)
}

// inProgress tells the server that we are alive and waits for its answer: a
// publish into a dead connection's buffer would look like an accepted one.
func (d *delivery) inProgress(ctx context.Context) error { return d.ask(ctx, "+WPI") }

func (d *delivery) ask(ctx context.Context, word string) error {
	ctx, cancel := context.WithTimeout(ctx, store.CallTime)
	defer cancel()
	_, err := d.q.nc.RequestMsgWithContext(ctx, &nats.Msg{Subject: d.msg.Reply(), Data: []byte(word)})
	return err
}

// beatsPerWait is how often the server hears from a worker within AckWait.
const beatsPerWait = 3

// beat keeps the delivery ours until ctx ends. Once AckWait has passed since
// the last accepted word it calls lost, because then the message may be
// another worker's.
func (d *delivery) beat(ctx context.Context, lost func()) {
	heard := d.since
	tick := time.NewTicker(d.q.options.AckWait / beatsPerWait)
	defer tick.Stop()
	for {
		alone := time.NewTimer(time.Until(heard.Add(d.q.options.AckWait)))
		select {
		case <-ctx.Done():
			alone.Stop()
			return
		case <-alone.C:
			lost()
			return
		case <-tick.C:
			alone.Stop()
			asked := time.Now()
			try, cancel := context.WithDeadline(ctx, heard.Add(d.q.options.AckWait))
			if d.inProgress(try) == nil {
				heard = asked
			}
			cancel()
		}
	}
}
