package queues

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/targets"
)

// Turn returns what the lease's job must wait for on its target, or "" if it may work
// now. A job that must wait is to be returned by Retry.
func (l *Lease) Turn(ctx context.Context) (waitsFor string, err error) {
	j := l.job
	if j == nil {
		return "", nil // a part runs in its job's turn
	}
	if l.inTurnOf != nil {
		return "", nil
	}
	m, order := l.message, l.q.targets
	if !m.Kind.Exclusive() {
		before, err := order.BeforeAdd(ctx, j, m)
		if before == nil {
			return "", err
		}
		return waitsForBlocker(before, m), nil
	}
	if l.hasTurn, err = order.KeepsTurn(ctx, j, m); l.hasTurn || err != nil {
		return "", err
	}
	if err := order.Join(ctx, j); err != nil {
		return "", err
	}
	before, err := order.Before(ctx, j, m)
	if l.hasTurn = before == nil && err == nil; l.hasTurn {
		return "", nil
	}
	order.Leave(ctx, j)
	if err := errors.Join(err, l.q.releaseNext(ctx, m.Kind, m.Job.Target(m.Kind))); err != nil {
		return "", err
	}
	return waitsForBlocker(before, m), nil
}

func waitsForBlocker(b *targets.Blocker, m *message.Message) string {
	return fmt.Sprintf("waits for job %s on %s", b.ID, m.Job.Target(m.Kind))
}

// Whether a job may run is asked here: by waits when its message has arrived, by mustWait when its
// record was read, and by Turn when its record says that it runs, because another job may have
// asked at the same time.

// waits settles the delivery of a job that must wait for others, or run after others, if that
// shows without its record. Otherwise, it returns the newer job that has superseded it, or "".
func (d *Deliveries) waits(ctx context.Context, own *delivery, m *message.Message) (superseded string, settled bool, err error) {
	q := d.q
	if deadline := m.Job.Deadline; !deadline.IsZero() && !q.now().Before(deadline) {
		return "", false, nil // the job is taken, and ends
	}
	far, err := q.isFarBehind(ctx, own, m)
	if err != nil {
		return "", false, err
	}
	if far {
		if err := own.wait(ctx, m.Job.Deadline); err != nil {
			return "", false, err
		}
		d.skipWaiting(ctx)
		return "", true, nil
	}
	superseded, newer, err := q.waitsForNewer(ctx, own, m)
	if newer && err == nil {
		newer, err = q.markWaiting(ctx, m.ID)
	}
	switch {
	case err != nil:
		return "", false, err
	case newer:
		return "", true, own.wait(ctx, m.Job.Deadline)
	case superseded != "" && d.behind && own.released > 0:
		return "", true, own.retry(recheckDelay) // others go first
	}
	return superseded, false, nil
}

// mustWait returns what a job must wait for on its target. It returns nil if the job may be
// taken, or must be taken because it is past its deadline or age.
func (q *Queue) mustWait(ctx context.Context, m *message.Message, j *records.Job) (*targets.Blocker, error) {
	overdue := q.now().Sub(j.Published) > q.options.Age || !m.Job.Deadline.IsZero() && !q.now().Before(m.Job.Deadline)
	if !targets.Ordered(m.Kind) || j.Holder != "" || j.Verdict != nil || overdue {
		return nil, nil
	}
	if keeps, err := q.targets.KeepsTurn(ctx, j, m); keeps || err != nil {
		return nil, err
	}
	before, err := q.targets.Before(ctx, j, m)
	if err != nil || before == nil {
		return nil, err
	}
	if j.Record.Started != nil {
		// A redelivered job that runs alone may still be in the register. The job that must
		// run first would wait for it, and it for that job.
		q.targets.Leave(ctx, j)
		err = q.releaseNext(ctx, m.Kind, m.Job.Target(m.Kind))
	}
	return before, err
}

// wait ends the delivery of a job that must wait, and notes in its record for which other job:
// the one right before it, until that one has ended.
func (t *taking) wait(ctx context.Context, before *targets.Blocker) error {
	j := &t.job
	why := waitsForBlocker(before, t.message)
	if j.Record.Why == nil || *j.Record.Why != why || j.NotBefore != nil {
		if j.State != usher.Retrying {
			j.State = usher.Queued
		}
		j.Record.Why, j.Record.Retry, j.NotBefore = &why, nil, nil
		t.q.records.Refresh(j)
		if _, err := t.q.state.CompareAndSet(ctx, records.JobKey(t.message.ID), j, t.revision); err != nil {
			return err
		}
		t.q.records.Announce(ctx, j)
	}
	return t.delivery.wait(ctx, t.message.Job.Deadline)
}

// markWaiting makes the record of a job that must wait one that can be released. It reports false
// if the record names a worker, which has crashed: only this delivery goes on with the job.
func (q *Queue) markWaiting(ctx context.Context, id string) (marked bool, err error) {
	err = q.records.ChangeJob(ctx, id, func(j *records.Job, found bool) bool {
		marked = !found || j.Holder == ""
		if !marked || j.NotBefore == nil {
			return false
		}
		j.NotBefore = nil
		return true
	})
	return marked, err
}

// farBehind is the number of jobs ahead on its target from which a job waits without a look at
// its record, so that a burst of jobs on one target soon lets others pass.
const farBehind = 100

// isFarBehind reports whether many jobs must run before one that was just published.
func (q *Queue) isFarBehind(ctx context.Context, own *delivery, m *message.Message) (bool, error) {
	if !targets.Ordered(m.Kind) || !own.isFirst() || m.Run > 1 || q.now().Sub(m.Published) > q.options.Age {
		return false, nil
	}
	ahead, err := q.targets.Ahead(ctx, m, m.Job.Target(m.Kind), farBehind, targets.Cleaned{})
	return ahead >= farBehind, err
}

// skipBatch is how many messages a slot requests at once while it skips a burst.
const skipBatch = 256

// skipWaiting ends the deliveries of jobs that are far behind on their targets, many at a time.
// A slot calls it after it was delivered such a job. Other jobs go back to the lane and are
// delivered again at once.
func (d *Deliveries) skipWaiting(ctx context.Context) {
	lane, cleaned := d.sources[0], targets.Cleaned{}
	_ = lane.puller.pull(pullRequest{Batch: skipBatch, NoWait: true}, func(m *nats.Msg) {
		if d.q.isRawFarBehind(ctx, m, cleaned) {
			_ = m.Ack()
		} else {
			_ = m.Nak()
		}
	}) // the next request reports an error
}

// isRawFarBehind is isFarBehind of a message of which it reads only the target.
func (q *Queue) isRawFarBehind(ctx context.Context, msg *nats.Msg, cleaned targets.Cleaned) bool {
	meta, err := msg.Metadata()
	if err != nil || meta.NumDelivered > 1 || message.HasUsherHeader(msg.Header) {
		return false
	}
	raw := jetstream.RawStreamMsg{Subject: msg.Subject, Header: msg.Header, Data: msg.Data, Sequence: meta.Sequence.Stream, Time: meta.Timestamp}
	o := q.targets.OutlineOf(&raw)
	if o.Target == "" || o.HasDeadline || !targets.Ordered(o.Kind) || q.now().Sub(raw.Time) > q.options.Age {
		return false
	}
	ahead, err := q.targets.Ahead(ctx, &message.Message{Kind: o.Kind, Seq: o.Seq, Order: o.Order, Published: raw.Time}, o.Target, farBehind, cleaned)
	return err == nil && ahead >= farBehind
}
