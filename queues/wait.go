package queues

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/lanes"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/targets"
)

// Whether a job may run is asked here, by taking.before when a slot has read its record. The answer
// is Queue.before for a job in order and taking.newer for a pause or resume. A job in order asks once
// more, by WaitsFor, when its record says that it runs, because another one may have asked at the same
// time; a pause or resume leaves creatives alone that a newer job has set, so that it needs no second
// look. Before the record is read, seemsToWait and isFarBehind only guess the answer. After a yes the
// question is asked with the record; after a no, WaitsFor asks it of a job in order.

// WaitsFor returns what the lease's job, one in order, must wait for on its target, or "" if it may
// work now. A job that must wait is to be returned by Retry.
func (l *Lease) WaitsFor(ctx context.Context) (waitsFor string, err error) {
	if l.job == nil || l.takenAlongBy != nil {
		return "", nil // a part runs when its job may, and a job that was taken along when the other one may
	}
	before, err := l.q.before(ctx, l.message, l.job, true)
	if before != "" && err == nil {
		return whyWaits(before, l.message), nil
	}
	l.runsAlone = err == nil && l.message.Kind.Exclusive()
	return "", err
}

func whyWaits(id string, m *message.Message) string {
	return fmt.Sprintf("waits for job %s on %s", id, m.Job.Target(m.Kind))
}

// before returns the id of a job that a job must wait for, or "" if it may be taken, or must be
// taken: it has a holder or an ending, so that only this delivery can continue it, or it is overdue and ends.
func (t *taking) before(ctx context.Context) (id string, err error) {
	m, j := t.message, &t.job
	switch {
	case j.Holder != "", j.Ending != nil, t.q.isOverdue(m, j.Published):
		return "", nil
	case targets.Ordered(m.Kind):
		return t.q.before(ctx, m, j, false)
	case targets.NewestFirst(m.Kind):
		return t.newer(ctx)
	}
	return "", nil
}

// isOverdue reports whether a job no longer waits: its deadline has passed, or it is older than Options.Age.
func (q *Queue) isOverdue(m *message.Message, published time.Time) bool {
	now, deadline := q.now(), m.Job.Deadline
	return now.Sub(published) > q.options.Age || !deadline.IsZero() && !now.Before(deadline)
}

// before returns the id of a job that a job in order must wait for on its target, or "". running is
// whether its record says that it runs. A job that runs alone first joins the target's register and then
// looks: of two that join at the same time, at least the one that joins later sees the other. One that has
// been in the register since an earlier attempt keeps its turn.
func (q *Queue) before(ctx context.Context, m *message.Message, j *records.Job, running bool) (id string, err error) {
	if running && !m.Kind.Exclusive() {
		return q.targets.BeforeAdd(ctx, j, m)
	}
	if keeps, err := q.targets.KeepsTurn(ctx, j, m); keeps || err != nil {
		return "", err
	}
	if running {
		if err := q.targets.Join(ctx, j); err != nil {
			return "", err
		}
	}
	before, err := q.targets.Before(ctx, j, m)
	if before == "" && err == nil || j.Record.Started == nil {
		return before, err
	}
	// The job has begun before, so it may be in the register of its target, which lists jobs that run alone or
	// are cut. If it stayed there, the job that it waits for would wait for it.
	q.targets.Leave(ctx, j)
	return before, errors.Join(err, q.releaseNext(ctx, m.Kind, m.Job.Target(m.Kind)))
}

// newer returns the id of the newer job that a job on a campaign waits for, or "". If that one does not
// run yet, newer releases it ahead of others. A newer one that waits for its next attempt is not waited for, and a job
// that a newer one has superseded waits for none: it ends without a call of the platform.
func (t *taking) newer(ctx context.Context) (id string, err error) {
	q, m := t.q, t.message
	b, target := q.targets.Backlog(m.Kind), m.Job.Target(m.Kind)
	if t.delivery.hasManyBehind() || b.HasOthers(target, placeOf(m)) {
		// Read all messages before this one, and most of those after it.
		if err := errors.Join(q.targets.ReadTo(ctx, m), q.targets.Index(m.Kind).CatchUp(ctx)); err != nil {
			return "", err
		}
	}
	if t.superseded, err = q.supersededBy(ctx, m); t.superseded != "" || err != nil {
		return "", err
	}
	for p, found := b.Last(target); found && placeOf(m).Before(p); p, found = b.Previous(target, p) {
		other, err := q.waiting(ctx, b, p)
		switch {
		case err != nil:
			return "", err
		case other == nil:
			b.Remove(target, p)
		case other.claim == records.Superfluous || other.claim == records.OtherJob || other.isReturned():
			// Nobody waits for a message without a job, or for a job that waits for its next attempt.
		case other.job.Holder != "":
			return other.message.ID, nil
		default:
			return other.message.ID, q.releaseFirst(ctx, lanes.Of(m.Kind), p)
		}
	}
	return "", nil
}

// seemsToWait guesses, before the record of a job is read, whether the job may have to wait for others. It
// sets t.superseded of a pause or resume that a newer job makes needless.
func (t *taking) seemsToWait(ctx context.Context) (bool, error) {
	q, m := t.q, t.message
	switch {
	case targets.Ordered(m.Kind):
		return q.targets.SeemsBlocked(ctx, &t.job, m)
	case targets.NewestFirst(m.Kind):
		var err error
		if t.superseded, err = q.supersededBy(ctx, m); t.superseded != "" || err != nil {
			return false, err
		}
		return t.delivery.hasManyBehind() || q.targets.Backlog(m.Kind).HasOthers(m.Job.Target(m.Kind), placeOf(m)), nil
	}
	return false, nil
}

// wait ends the delivery of a job that must wait, and notes in its record for which other job. That
// reason stays until the job is taken. The record of a pause or resume is only written to
// take out the time of its next attempt: a newer job may come at any time, and whoever looks at jobs is told
// of the newest one.
func (t *taking) wait(ctx context.Context, before string) error {
	j := &t.job
	why := whyWaits(before, t.message)
	changed := (j.Record.Why == nil || *j.Record.Why != why) && !targets.NewestFirst(t.message.Kind)
	if changed || j.NotBefore != nil {
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

// farBehind is the number of jobs ahead on its target from which a job waits without a look at
// its record, so that a burst of jobs on one target soon lets others pass.
const farBehind = 100

// skipFarBehind ends the delivery of a job that was just published if many jobs must run before
// it, and those of others like it.
func (d *Deliveries) skipFarBehind(ctx context.Context, own *delivery, m *message.Message) (skipped bool, err error) {
	far, err := d.q.isFarBehind(ctx, own, m)
	if !far || err != nil {
		return false, err
	}
	if err := own.wait(ctx, m.Job.Deadline); err != nil {
		return false, err
	}
	d.skipWaiting(ctx)
	return true, nil
}

func (q *Queue) isFarBehind(ctx context.Context, own *delivery, m *message.Message) (bool, error) {
	if !targets.Ordered(m.Kind) || !own.isFirst() || m.Run > 1 || q.isOverdue(m, m.Published) {
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
	lane, cleaned := d.sources[0], targets.Cleaned{} // lane.Consumers has that of new jobs first
	_ = lane.puller.pull(pullRequest{Batch: skipBatch, NoWait: true}, func(m *nats.Msg) {
		if d.q.isRawFarBehind(ctx, m, cleaned) {
			leaveUnasked(m)
		} else {
			giveBack(m)
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
	o := targets.SummaryOf(q.names, &raw)
	if o.Target == "" || o.HasDeadline || !targets.Ordered(o.Kind) || q.now().Sub(raw.Time) > q.options.Age {
		return false
	}
	ahead, err := q.targets.Ahead(ctx, &message.Message{Kind: o.Kind, Seq: o.Seq, Order: o.Order, Published: raw.Time}, o.Target, farBehind, cleaned)
	return err == nil && ahead >= farBehind
}
