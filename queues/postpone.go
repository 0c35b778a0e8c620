package queues

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/queues/message"
	"usher/queues/targets"
)

// The numbers of jobs ahead on the same target from which a delivery is postponed without a
// look at the job's record. The second delivery looks more often, to record what the job
// waits for.
const (
	farBehind     = 100
	veryFarBehind = 1000
)

// postponedPerJob is the delay of a postponed delivery for each job ahead. It is longer than that
// of a job that is near, because slots continue with the jobs of a target themselves; see
// slot.go.
const postponedPerJob = 200 * time.Millisecond

// One of so many postponed deliveries has a shorter, random delay.
const randomlyPostponed = 4

// postponedDelay returns the delay of a delivery with so many jobs ahead. Some are random, so that
// of many jobs on a target one is delivered every second, however many of those at the front
// have ended meanwhile: a slot with nothing else to do then continues with the one at the
// front. A delay ends at a full second, so that many messages come at once, which postponeMore
// postpones again at a fraction of the cost.
func postponedDelay(ahead int, now time.Time) time.Duration {
	delay := min(time.Duration(ahead)*postponedPerJob, maxDelay)
	if rand.N(randomlyPostponed) == 0 { //nolint:gosec // not used for security
		delay = rand.N(delay) //nolint:gosec // not used for security
	}
	return now.Add(delay).Truncate(time.Second).Add(time.Second).Sub(now)
}

// postpone returns a delivery to NATS if its job is far behind on its target. It reads and
// writes no record, so that a burst of such jobs soon lets newer ones pass. A later delivery
// records what the job waits for, or is the keeper of the job at the front, see slot.go.
func (d *Deliveries) postpone(ctx, work context.Context, t *taking) (lease *Lease, postponed bool, err error) {
	m, own := t.message, t.delivery
	if m.Run > 1 || !m.Job.Deadline.IsZero() {
		return nil, false, nil
	}
	delay, err := d.q.postponement(ctx, m, m.Job.Target(m.Kind), own.meta.NumDelivered, targets.Cleaned{})
	if delay == 0 || err != nil {
		return nil, false, err
	}
	if own.meta.NumDelivered > 1 {
		if lease, err := t.takeFrontInstead(ctx, work); lease != nil || err != nil {
			return lease, false, err
		}
	}
	d.postponed = true
	return nil, true, own.nak(delay)
}

// postponement returns for how long a delivery is postponed, 0 for not at all.
func (q *Queue) postponement(ctx context.Context, m *message.Message, target string, delivered uint64, cleaned targets.Cleaned) (time.Duration, error) {
	if !targets.Ordered(m.Kind) || q.now().Sub(m.Published) > q.options.Age {
		return 0, nil
	}
	far := farBehind
	if delivered == 2 {
		far = veryFarBehind
	}
	ahead, err := q.targets.Ahead(ctx, m, target, farBehind, cleaned)
	if err != nil || ahead < far {
		return 0, err
	}
	return postponedDelay(ahead, q.now()), nil
}

// postponeBatch is how many messages a slot requests at once while it postpones a burst.
const postponeBatch = 256

// postponeMore postpones the jobs that are far behind on their targets, many at a time, so
// that newer jobs on other targets are delivered soon. A slot calls it after it was delivered
// such a job. Other jobs return to the lane and are redelivered at once.
func (d *Deliveries) postponeMore(ctx context.Context) {
	for ctx.Err() == nil {
		pulled, postponed := 0, 0
		cleaned := targets.Cleaned{}
		err := d.puller.pull(pullRequest{Batch: postponeBatch, NoWait: true}, func(m *nats.Msg) {
			pulled++
			if delay := d.q.rawPostponement(ctx, m, cleaned); delay > 0 {
				postponed++
				_ = m.NakWithDelay(delay)
			} else {
				_ = m.Nak()
			}
		})
		if err != nil || pulled < postponeBatch || 2*postponed < pulled {
			return // the next request reports an error
		}
	}
}

// rawPostponement returns how long the delivery of a message is postponed, 0 for not at
// all. It reads no more of the job than its target.
func (q *Queue) rawPostponement(ctx context.Context, msg *nats.Msg, cleaned targets.Cleaned) time.Duration {
	meta, err := msg.Metadata()
	if err != nil || message.HasUsherHeader(msg.Header) {
		return 0
	}
	raw := jetstream.RawStreamMsg{Subject: msg.Subject, Header: msg.Header, Data: msg.Data, Sequence: meta.Sequence.Stream, Time: meta.Timestamp}
	o := q.targets.OutlineOf(&raw)
	if o.Target == "" || o.HasDeadline {
		return 0
	}
	m := &message.Message{Kind: o.Kind, Seq: o.Seq, Order: o.Order, Published: raw.Time}
	delay, err := q.postponement(ctx, m, o.Target, meta.NumDelivered, cleaned)
	if err != nil {
		return 0
	}
	return delay
}
