package queues

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/lanes"
	"usher/queues/store"
)

// Deliveries is one slot's view of a lane. It requests one message at a time, and only
// during Next, so that no delivered message waits in this process.
type Deliveries struct {
	q      *Queue
	lane   lanes.Lane
	puller puller

	slot      slot
	postponed bool      // the last message was postponed
	pulled    *nats.Msg // by hasMessage, and not returned by message yet; or nil
	asked     time.Time // for pulled
	beside    *besideSettler

	// OnMessage, if not nil, is called when a message has arrived, before it is taken.
	OnMessage func()
}

// SettleBeside makes End return as soon as the record of a job says how it has ended. The
// event and the ack follow while the slot runs its next job, whose End waits for them.
func (d *Deliveries) SettleBeside() { d.beside = newBesideSettler() }

// Deliveries opens a lane for one slot. While NATS does not answer, it waits. It returns
// ErrMigrate if there is no such lane.
func (q *Queue) Deliveries(ctx context.Context, lane lanes.Lane) (*Deliveries, error) {
	stream, _ := lane.On(q.names)
	for {
		_, err := q.js.Consumer(ctx, stream, string(lane))
		switch {
		case err == nil:
			return &Deliveries{q: q, lane: lane, puller: newPuller(q.nc, stream, string(lane)), slot: slot{lane: lane, stay: maxTimeOnTarget}}, nil
		case errors.Is(err, jetstream.ErrConsumerNotFound), errors.Is(err, jetstream.ErrStreamNotFound):
			return nil, fmt.Errorf("open lane %s: it is not declared: %w", lane, ErrMigrate)
		}
		q.logger.Warn("opening a lane, trying again", "lane", lane, "error", err)
		if usher.Sleep(ctx, time.Second) != nil {
			return nil, fmt.Errorf("open lane %s: %w", lane, err)
		}
	}
}

// Next waits for work and takes it. It settles messages that need no work, such as invalid
// ones and second messages of a job. Ending fetch ends the waiting; the lease's context
// derives from work. The only error that Next returns is that of fetch, and it does so after
// all leases that it returned before are settled.
func (d *Deliveries) Next(fetch, work context.Context) (*Lease, error) {
	if lease := d.slot.next(fetch, work, d); lease != nil {
		d.slot.took(lease, nil)
		return lease, nil
	}
	for {
		msg, asked, err := d.message(fetch)
		if err != nil {
			d.beside.wait()
			return nil, err
		}
		meta, err := msg.Metadata()
		if err != nil {
			d.q.logger.Error("message without JetStream metadata on lane", "lane", d.lane, "error", err)
			continue
		}
		if d.OnMessage != nil {
			d.OnMessage()
		}
		own := &delivery{q: d.q, msg: msg, meta: meta, since: asked, beside: d.beside}
		lease, err := d.take(work, own)
		if err != nil {
			// NATS or its disk has failed. The message is not settled, so it is
			// redelivered.
			d.q.logger.Warn("taking a delivery failed; NATS redelivers it", "lane", d.lane, "seq", meta.Sequence.Stream, "error", err)
			_ = msg.NakWithDelay(time.Second)
			continue
		}
		if lease != nil {
			d.slot.took(lease, own)
			return lease, nil
		}
		if d.postponed {
			d.postponed = false
			d.postponeMore(fetch)
		}
	}
}

// message waits for a message, and retries after errors of the connection. AckWait is counted
// from asked, the time of the request, which is before the delivery. The time at which the
// message arrives would be too late in a process that was suspended. When ctx ends, message
// waits for the end of the request: a message that arrives at an abandoned one would be
// redelivered only after AckWait. So PullTime is short.
func (d *Deliveries) message(ctx context.Context) (msg *nats.Msg, asked time.Time, err error) {
	msg, asked, d.pulled = d.pulled, d.asked, nil
	for {
		if ctx.Err() != nil {
			if msg != nil {
				_ = msg.Nak() // otherwise it is redelivered after AckWait
			}
			return nil, asked, context.Cause(ctx)
		}
		if msg != nil {
			return msg, asked, nil
		}
		asked = time.Now()
		if err := d.puller.pull(pullRequest{Batch: 1, Expires: d.q.options.PullTime}, func(m *nats.Msg) { msg = m }); err != nil {
			d.q.warnReading(d.lane, err)
			_ = usher.Sleep(ctx, time.Second)
		}
	}
}

// hasMessage reports whether the lane has a message to deliver, which message then returns.
func (d *Deliveries) hasMessage() bool {
	d.asked = time.Now()
	_ = d.puller.pull(pullRequest{Batch: 1, NoWait: true}, func(m *nats.Msg) { d.pulled = m }) // message reports the next error
	return d.pulled != nil
}

// warnInterval is the time between two log lines about a lane that cannot be read.
const warnInterval = time.Minute

// warnReading logs that a lane cannot be read: once for all its slots, which try again every
// second, and again after a while.
func (q *Queue) warnReading(lane lanes.Lane, err error) {
	now := time.Now()
	last, logged := q.failing.LoadOrStore(lane, now)
	if logged {
		if at, ok := last.(time.Time); ok && now.Sub(at) < warnInterval || !q.failing.CompareAndSwap(lane, last, now) {
			return
		}
	}
	q.logger.Warn("reading a lane, trying again every second", "lane", lane, "error", err)
}

// delivery is a message of a lane. It belongs to this process as long as the server
// receives a heartbeat at least every AckWait.
type delivery struct {
	q     *Queue
	msg   *nats.Msg
	meta  *nats.MsgMetadata
	since time.Time // when it was asked for, or its last heartbeat sent: the server's AckWait does not begin earlier
	lent  bool      // to another job, see slot.go

	beside *besideSettler // nil: End settles completely
}

// keep extends the delivery to nearly AckWait from now, and reports whether it succeeded.
func (d *delivery) keep(ctx context.Context) bool {
	const fresh = 10 // a heartbeat younger than AckWait/fresh is not repeated
	if now := time.Now(); now.Sub(d.since) > d.q.options.AckWait/fresh {
		if d.inProgress(ctx) != nil {
			return false
		}
		d.since = now
	}
	return true
}

// lend returns a delivery that keeps the lease of another job alive, with the same heartbeats.
// Settling it does nothing: NATS still has that job's own message, and redelivers it.
func (d *delivery) lend() *delivery {
	lent := *d
	lent.lent = true
	return &lent
}

// ack settles the delivery and waits for the server's confirmation.
func (d *delivery) ack(ctx context.Context) error {
	if d.lent {
		return nil
	}
	if err := d.ask(ctx, "+ACK"); err != nil {
		return fmt.Errorf("ack message %d of %s: %w", d.meta.Sequence.Stream, d.meta.Stream, err)
	}
	return nil
}

// term settles the delivery of a message that must not be redelivered. The message is
// deleted.
func (d *delivery) term(ctx context.Context) error {
	if d.lent {
		return nil
	}
	if err := d.ask(ctx, "+TERM"); err != nil {
		return fmt.Errorf("end message %d of %s: %w", d.meta.Sequence.Stream, d.meta.Stream, err)
	}
	return nil
}

// nak returns the delivery for redelivery after delay.
func (d *delivery) nak(delay time.Duration) error {
	switch {
	case d.lent:
		return nil
	case delay <= 0:
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
	_, err := d.q.nc.RequestMsgWithContext(ctx, &nats.Msg{Subject: d.msg.Reply, Data: []byte(word)})
	return err
}

// beatsPerWait is the number of heartbeats within AckWait.
const beatsPerWait = 3

// beat sends heartbeats until ctx ends. It stores when it sent the last accepted one in sent,
// and calls lost when AckWait has passed since then, because the message may then belong to
// another worker.
func (d *delivery) beat(ctx context.Context, sent *atomic.Pointer[time.Time], lost func()) {
	every := d.q.options.AckWait / beatsPerWait
	next := sent.Load().Add(every)
	for {
		end := sent.Load().Add(d.q.options.AckWait)
		if usher.Sleep(ctx, min(time.Until(next), time.Until(end))) != nil {
			return
		}
		asked := time.Now()
		if !asked.Before(end) {
			lost()
			return
		}
		try, cancel := context.WithDeadline(ctx, end)
		if d.inProgress(try) == nil {
			sent.Store(&asked)
		}
		cancel()
		next = asked.Add(every)
	}
}
