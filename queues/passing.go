package queues

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher/queues/message"
)

// passBatch is how many messages a slot looks at, at once, while it puts off a burst.
const passBatch = 256

// passOver puts off the jobs that are far behind on their targets, many at a time, so that
// newer jobs on other targets are delivered soon. A slot calls it when it was delivered
// such a job. Other jobs return to the lane and come again at once.
func (d *Deliveries) passOver(ctx context.Context) {
	for ctx.Err() == nil {
		batch, err := d.consumer.FetchNoWait(passBatch)
		if err != nil {
			return // the next fetch reports it
		}
		all, off := 0, 0
		fronts := map[string]bool{} // the targets whose front was checked
		for msg := range batch.Messages() {
			all++
			if delay := d.q.passDelay(ctx, msg, fronts); delay > 0 {
				off++
				_ = msg.NakWithDelay(delay)
			} else {
				_ = msg.Nak()
			}
		}
		if all < passBatch || 2*off < all {
			return
		}
	}
}

// passDelay returns how long the delivery of a message is put off, 0 for not at all.
// It reads no more of the job than its target.
func (q *Queue) passDelay(ctx context.Context, msg jetstream.Msg, fronts map[string]bool) time.Duration {
	meta, err := msg.Metadata()
	if err != nil || message.HasUsherHeader(msg.Headers()) {
		return 0
	}
	raw := rawMessage{Subject: msg.Subject(), Header: msg.Headers(), Data: msg.Data(), Sequence: meta.Sequence.Stream, Time: meta.Timestamp}
	seen := q.outlineOf(&raw)
	if seen.target == "" || seen.deadline != nil {
		return 0
	}
	m := &message.Message{Kind: seen.kind, Seq: seen.seq, Order: seen.order, Published: raw.Time}
	delay, err := q.putOffFor(ctx, m, seen.target, meta.NumDelivered, fronts)
	if err != nil {
		return 0
	}
	return delay
}
