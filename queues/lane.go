package queues

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// Deliveries is one slot's view of a lane: it asks the server for one message
// at a time, and only while somebody waits in Next, so that nothing lies
// delivered and unworked.
type Deliveries struct {
	q        *Queue
	lane     Lane
	messages jetstream.MessagesContext
}

// Deliveries opens a lane for one slot.
func (q *Queue) Deliveries(ctx context.Context, lane Lane) (*Deliveries, error) {
	d := &Deliveries{q: q, lane: lane}
	if err := d.open(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

func (d *Deliveries) open(ctx context.Context) error {
	stream, _ := d.q.names.lane(d.lane)
	consumer, err := d.q.js.Consumer(ctx, stream, string(d.lane))
	if err != nil {
		return fmt.Errorf("open lane %s (run `usher migrate` once?): %w", d.lane, err)
	}
	d.messages, err = consumer.Messages(jetstream.PullMaxMessages(1), jetstream.PullExpiry(30*time.Second),
		jetstream.PullHeartbeat(5*time.Second), jetstream.WithMessagesErrOnMissingHeartbeat(false))
	if err != nil {
		return fmt.Errorf("read lane %s: %w", d.lane, err)
	}
	return nil
}

// Next waits for the next piece of work and takes it. What needs no work (a
// second message of a job on record, one that is not valid) is settled on the
// way. fetch ends the waiting; work is the context that the lease's own
// derives from. It returns only errors of fetch.
func (d *Deliveries) Next(fetch, work context.Context) (*Lease, error) {
	for {
		msg, err := d.message(fetch)
		if err != nil {
			return nil, err
		}
		meta, err := msg.Metadata()
		if err != nil {
			d.q.Logger.Error("message without JetStream metadata on lane", "lane", d.lane, "error", err)
			continue
		}
		lease, err := d.q.take(work, &delivery{q: d.q, msg: msg, meta: meta}, d.lane)
		if err != nil {
			// NATS itself is in trouble, or its disk is: the message is not
			// settled, so it comes again.
			d.q.Logger.Warn("taking a delivery, it comes again", "lane", d.lane, "seq", meta.Sequence.Stream, "error", err)
			_ = msg.NakWithDelay(time.Second)
			continue
		}
		if lease != nil {
			return lease, nil
		}
	}
}

// message waits for one message, over all troubles of the connection.
func (d *Deliveries) message(ctx context.Context) (jetstream.Msg, error) {
	for {
		msg, err := d.messages.Next(jetstream.NextContext(ctx))
		switch {
		case err == nil:
			return msg, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
		d.q.Logger.Warn("reading a lane", "lane", d.lane, "error", err)
		if err := pause(ctx, time.Second); err != nil {
			return nil, err
		}
		if errors.Is(err, jetstream.ErrMsgIteratorClosed) || errors.Is(err, jetstream.ErrConsumerDeleted) {
			if err := d.open(ctx); err != nil {
				d.q.Logger.Warn("opening a lane again", "lane", d.lane, "error", err)
			}
		}
	}
}

// Close gives back what may still arrive. Nothing waits in Next any more.
func (d *Deliveries) Close() {
	d.messages.Drain()
	for {
		msg, err := d.messages.Next(jetstream.NextMaxWait(callTime))
		if err != nil {
			return
		}
		_ = msg.Nak()
	}
}

// pause waits, or ends with ctx's cause.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// insist repeats a call of NATS until it works, ctx ends, or the error is one
// that repeating will not mend.
func insist(ctx context.Context, call func(context.Context) error) error {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		try, cancel := context.WithTimeout(ctx, callTime)
		err := call(try)
		cancel()
		if err == nil || errors.Is(err, usher.ErrLeaseLost) {
			return err
		}
		if pause(ctx, wait) != nil {
			return err
		}
	}
}
