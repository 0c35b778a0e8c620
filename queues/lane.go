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

// Deliveries is one slot's view of a lane. It requests one message at a time, and only
// during Next, so that no delivered message waits in this process.
//
// It uses single fetches instead of nats.go's Messages: with a limit of one message,
// that iterator sometimes takes a response for a request that is still being written,
// and waits ten seconds for the next one (nats.go 1.55.0).
type Deliveries struct {
	q        *Queue
	lane     Lane
	consumer jetstream.Consumer

	// Coming, if not nil, is called when a message has arrived, before it is taken.
	Coming func()
}

// pullTime is how long a fetch waits at the server. It is short, because a stop waits
// for the end of the fetch: a message that arrives at an abandoned fetch would be
// redelivered only after AckWait.
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

// Next waits for work and takes it. It settles messages that need no work, such as
// invalid ones and second messages of a job. Ending fetch ends the waiting; the lease's
// context derives from work. Next returns only errors of fetch.
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
			// NATS or its disk has failed. The message is not settled, so it is
			// redelivered.
			d.q.logger.Warn("taking a delivery, it comes again", "lane", d.lane, "seq", meta.Sequence.Stream, "error", err)
			_ = msg.NakWithDelay(time.Second)
			continue
		}
		if lease != nil {
			return lease, nil
		}
	}
}

// message waits for a message, and retries after errors of the connection.
func (d *Deliveries) message(ctx context.Context) (jetstream.Msg, error) {
	for ctx.Err() == nil {
		batch, err := d.consumer.Fetch(1, jetstream.FetchMaxWait(pullTime))
		if err == nil {
			for msg := range batch.Messages() {
				if ctx.Err() == nil {
					return msg, nil
				}
				_ = msg.Nak() // otherwise it is redelivered after AckWait
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
