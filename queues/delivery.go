package queues

import (
	"context"
	"fmt"
	"time"
	"usher/queues/store"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// delivery is a message of a lane. It belongs to this process as long as the server
// receives a heartbeat at least every AckWait.
type delivery struct {
	q     *Queue
	msg   jetstream.Msg
	meta  *jetstream.MsgMetadata
	since time.Time // when it arrived: the server's AckWait begins here
}

// ack settles the delivery and waits for the server's confirmation.
func (d *delivery) ack(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, store.CallTime)
	defer cancel()
	if err := d.msg.DoubleAck(ctx); err != nil {
		return fmt.Errorf("ack message %d of %s: %w", d.meta.Sequence.Stream, d.meta.Stream, err)
	}
	return nil
}

// term settles the delivery of a message that must not be redelivered. The message is
// deleted.
func (d *delivery) term(ctx context.Context) error {
	if err := d.ask(ctx, "+TERM"); err != nil {
		return fmt.Errorf("end message %d of %s: %w", d.meta.Sequence.Stream, d.meta.Stream, err)
	}
	return nil
}

// nak returns the delivery for redelivery after delay.
func (d *delivery) nak(delay time.Duration) error {
	if delay <= 0 {
		return d.msg.Nak()
	}
	return d.msg.NakWithDelay(delay)
}

// inProgress sends a heartbeat and waits for the response, because a publish into the
// buffer of a dead connection would look accepted.
func (d *delivery) inProgress(ctx context.Context) error { return d.ask(ctx, "+WPI") }

func (d *delivery) ask(ctx context.Context, word string) error {
	ctx, cancel := context.WithTimeout(ctx, store.CallTime)
	defer cancel()
	_, err := d.q.nc.RequestMsgWithContext(ctx, &nats.Msg{Subject: d.msg.Reply(), Data: []byte(word)})
	return err
}

// beatsPerWait is the number of heartbeats within AckWait.
const beatsPerWait = 3

// beat sends heartbeats until ctx ends. It calls lost when AckWait has passed since the
// last accepted heartbeat, because the message may then belong to another worker.
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
