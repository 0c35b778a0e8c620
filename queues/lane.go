package queues

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// Deliveries is one slot's view of a lane: it asks the server for one message
// at a time, and only while somebody waits in Next, so that nothing lies
// delivered and unworked.
//
// It does so by single fetches, not by nats.go's Messages: with one message at
// most, that iterator sometimes takes an answer for a request that is still
// being written, and waits ten seconds for the next (nats.go 1.55.0).
type Deliveries struct {
	q        *Queue
	lane     Lane
	consumer jetstream.Consumer

	// Coming, if any, is called when a message has come, before it is taken.
	Coming func()
}

// pullTime is how long one fetch waits at the server. It is short because it
// is waited out at a stop: a message that meets an abandoned fetch would come
// again only after AckWait.
const pullTime = 2 * time.Second

// Deliveries opens a lane for one slot.
func (q *Queue) Deliveries(ctx context.Context, lane Lane) (*Deliveries, error) {
	stream, _ := laneOn(q.names, lane)
	consumer, err := q.js.Consumer(ctx, stream, string(lane))
	if err != nil {
		return nil, fmt.Errorf("open lane %s (run `usher migrate` once?): %w", lane, err)
	}
	return &Deliveries{q: q, lane: lane, consumer: consumer}, nil
}

// Next waits for the next piece of work and takes it. What needs no work (a
// second message of a job on record, one that is not valid) is settled on the
// way. fetch ends the waiting; work is the context that the lease's own derives
// from. It returns only errors of fetch.
func (d *Deliveries) Next(fetch, work context.Context) (*Lease, error) {
	for {
		msg, err := d.message(fetch)
		if err != nil {
			return nil, err
		}
		meta, err := msg.Metadata()
		if err != nil {
			d.q.logger.Error("message without JetStream metadata on lane", "lane", d.lane, "error", err)
			continue
		}
		if d.Coming != nil {
			d.Coming()
		}
		lease, err := d.q.take(work, &delivery{q: d.q, msg: msg, meta: meta, since: time.Now()}, d.lane)
		if err != nil {
			// NATS itself is in trouble, or its disk is: the message is not
			// settled, so it comes again.
			d.q.logger.Warn("taking a delivery, it comes again", "lane", d.lane, "seq", meta.Sequence.Stream, "error", err)
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
	for ctx.Err() == nil {
		batch, err := d.consumer.Fetch(1, jetstream.FetchMaxWait(pullTime))
		if err == nil {
			for msg := range batch.Messages() {
				if ctx.Err() == nil {
					return msg, nil
				}
				_ = msg.Nak() // it comes again after AckWait, else
			}
			err = batch.Error()
		}
		if err == nil || errors.Is(err, nats.ErrTimeout) {
			continue
		}
		d.q.logger.Warn("reading a lane, trying again", "lane", d.lane, "error", err)
		if err := usher.Sleep(ctx, time.Second); err != nil {
			return nil, err
		}
	}
	return nil, context.Cause(ctx)
}
