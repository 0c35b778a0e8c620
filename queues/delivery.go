package queues

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"usher"
	"usher/queues/lanes"
	"usher/queues/store"
)

// delivery is a message that NATS has delivered to this process. No other file acknowledges,
// returns or extends a message. It belongs to this process as long as the server receives a heartbeat at
// least every AckWait; then NATS delivers it again.
//
// The message is a job, the name of a job that was released, or a part. A job's own message
// stays on its stream until the job has ended, whoever was delivered what.
type delivery struct {
	q      *Queue
	msg    *nats.Msg
	meta   *nats.MsgMetadata
	lane   lanes.Lane
	since  time.Time // when it was asked for, or its last heartbeat sent: the server's AckWait does not begin earlier
	beside *backgroundSettler

	seq      uint64 // of the job's message; 0: the message is a part
	released uint64 // of the message that names the job; 0: the job's own was delivered
}

func newDelivery(d *Deliveries, a arrival) (*delivery, error) {
	meta, err := a.msg.Metadata()
	if err != nil {
		return nil, err
	}
	own := &delivery{q: d.q, msg: a.msg, meta: meta, lane: d.lane, since: a.since, beside: d.beside}
	switch {
	case a.source.released:
		own.released = meta.Sequence.Stream
		own.seq, _ = strconv.ParseUint(string(a.msg.Data), 10, 64) // 0: no message has it
	case d.lane != lanes.Bulk:
		own.seq = meta.Sequence.Stream
	}
	return own, nil
}

// done settles the delivery for good. The message of a job leaves its stream, because the job has
// ended, or its parts carry it. That ends the delivery of this message, so that only another one, which
// released the job, needs an acknowledgement.
func (d *delivery) done(ctx context.Context) error {
	if d.seq > 0 {
		if err := d.q.deleteMessage(ctx, d.seq); err != nil {
			return err
		}
	}
	if d.seq > 0 && d.released == 0 {
		return nil
	}
	return d.forget(ctx)
}

// wait ends the delivery of a job that must wait. Its message stays on the stream, and the job
// is released by the one that it waits for. One with a deadline is delivered again then.
func (d *delivery) wait(ctx context.Context, deadline time.Time) error {
	if deadline.IsZero() {
		return d.leave(ctx)
	}
	return d.retry(max(minDelay, deadline.Sub(d.q.now())))
}

// leave ends the delivery of a job that another delivery carries, or will carry. It does nothing
// if the message may have been delivered again meanwhile: it would end that delivery.
func (d *delivery) leave(ctx context.Context) error {
	// A machine that was suspended shows the lost time only on its wall clock, which Round(0) compares.
	if now, end := time.Now(), d.since.Add(d.q.options.AckWait); !now.Before(end) || !now.Round(0).Before(end.Round(0)) {
		return nil
	}
	return d.forget(ctx)
}

// forget ends the delivery, whatever becomes of the job.
func (d *delivery) forget(ctx context.Context) error {
	if err := d.ask(ctx, "+ACK"); err != nil {
		return fmt.Errorf("ack message %d of %s: %w", d.meta.Sequence.Stream, d.meta.Stream, err)
	}
	return nil
}

// isFirst reports whether the job was not delivered before.
func (d *delivery) isFirst() bool { return d.released == 0 && d.meta.NumDelivered == 1 }

// hasManyBehind reports whether many messages behind this one were not delivered yet.
func (d *delivery) hasManyBehind() bool { return d.released == 0 && d.meta.NumPending >= farBehind }

// minDelay is the shortest time after which a job is delivered again.
const minDelay = 50 * time.Millisecond

// retry returns the delivery for redelivery after a delay.
func (d *delivery) retry(delay time.Duration) error {
	if delay <= 0 {
		return d.msg.Nak()
	}
	return d.msg.NakWithDelay(delay)
}

// giveBack returns a message that no slot takes for redelivery at once. If the word is lost, NATS
// delivers the message again after AckWait.
func giveBack(m *nats.Msg) { _ = m.Nak() }

// leaveUnasked is delivery.leave of a message that has just arrived, without waiting for the answer:
// if the word is lost, the job is delivered again after AckWait, and waits again.
func leaveUnasked(m *nats.Msg) { _ = m.Ack() }

// inProgress sends a heartbeat and waits for the response, because a publish into the
// buffer of a dead connection would look accepted.
func (d *delivery) inProgress(ctx context.Context) error { return d.ask(ctx, "+WPI") }

func (d *delivery) ask(ctx context.Context, word string) error {
	ctx, cancel := context.WithTimeout(ctx, store.CallTime)
	defer cancel()
	answer, err := d.q.nc.RequestMsgWithContext(ctx, &nats.Msg{Subject: d.msg.Reply, Data: []byte(word)})
	if err != nil {
		return err
	}
	if answer.Header.Get("Status") != "" {
		return errors.New("NATS answers " + answer.Header.Get("Status"))
	}
	return nil
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
