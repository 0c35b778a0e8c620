package queues

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/queues/records"
	"usher/queues/store"
	"usher/queues/targets"
)

// settling returns the context of a settlement. It outlives the work, but not the
// lease.
func (l *Lease) settling() (context.Context, context.CancelFunc) {
	return context.WithTimeout(l.held, l.q.options.SettleTime)
}

// Retry returns the work to the queue, with its progress, for redelivery after the
// delay. why is what the work waits for or, if the attempt counts, how it failed.
func (l *Lease) Retry(p usher.Progress, after time.Duration, why string, counts bool) (err error) {
	defer func() { l.settled(err) }()
	ctx, cancel := l.settling()
	defer cancel()
	if l.held.Err() != nil {
		return l.removeFromRecord()
	}
	if l.takenAlongBy != nil {
		p.Checkpoint = usher.Checkpoint{}
	}
	state := usher.Retrying
	if after <= 0 && !counts {
		state = usher.Queued
	}
	var retry *usher.Retry
	if counts {
		retry = &usher.Retry{At: l.q.now().UTC().Add(after), Failure: why}
		why = retry.String()
	}
	err = store.Retry(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() {
			x := l.execution()
			x.Advance(p)
			x.State, x.Holder, x.Counts = state, "", counts
			if l.takenAlongBy == nil {
				x.NotBefore = l.q.returnedUntil(after)
			}
			if l.job != nil {
				l.job.Record.Why, l.job.Record.Retry = &why, retry
			}
		})
	})
	if err != nil {
		return err
	}
	if l.job == nil {
		return l.d.retry(after)
	}
	l.announce(ctx)
	if l.takenAlongBy != nil {
		return nil // the end of that job releases this one
	}
	if targets.Ordered(l.message.Kind) || targets.NewestFirst(l.message.Kind) {
		if err := l.q.releaseNext(ctx, l.message.Kind, l.job.Target()); err != nil {
			return err
		}
	}
	return l.d.retry(after)
}

// returnedUntil returns when a delivery that is returned now comes again.
func (q *Queue) returnedUntil(after time.Duration) *time.Time {
	if after <= 0 {
		return nil
	}
	return new(q.now().UTC().Add(after))
}

// removeFromRecord removes a lost lease from its record, if the record still names it, so
// that the redelivery does not count a crash. It does not settle the message, which
// may belong to another worker.
func (l *Lease) removeFromRecord() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.held), store.CallTime)
	defer cancel()
	err := l.write(ctx, func() {
		x := l.execution()
		x.State, x.Holder = usher.Retrying, ""
		if l.job != nil {
			why := "its worker lost the connection to NATS; NATS redelivers it"
			l.job.Record.Why = &why
		}
	})
	if errors.Is(err, usher.ErrLeaseLost) {
		return nil
	}
	return err
}

// End settles the work for good: the dead letter of failed work, the record, the release of
// the next job, the event, the message. Every step can be repeated by a redelivery. A lost
// lease settles nothing. See Deliveries.SettleInBackground for when End returns.
func (l *Lease) End(e usher.Ending) error {
	confirm, err := l.end(e)
	if confirm == nil {
		l.settled(err)
		return err
	}
	return l.d.beside.settle(func() error {
		err := confirm()
		l.settled(err)
		return err
	}, l.q.logger, l.id())
}

// end settles the work. It returns confirm, if not nil, for what is left when the record of a
// job has ended, see endJob.
func (l *Lease) end(e usher.Ending) (confirm func() error, err error) {
	if l.held.Err() != nil {
		return nil, l.removeFromRecord()
	}
	if l.part == nil { // before the settlement, because the platform may be slow, and a ledger large
		l.q.measure(&e, l.id())
	}
	ctx, cancel := l.settling()
	defer cancel()
	if e, err = l.endingOfStep(ctx, e); err != nil {
		return nil, err
	}
	if e.State == usher.Failed || l.part == nil && l.job.IsCut() {
		// A letter or an ending is written before the record ends. A crash in between
		// must not change how the work ends.
		if err := l.decide(ctx, e); err != nil {
			return nil, err
		}
	}
	switch {
	case l.part != nil:
		return nil, l.endPart(ctx, e)
	case l.job.IsCut():
		return nil, l.endCut(ctx, e)
	}
	return l.endJob(ctx, e)
}

// decide stores how the work ends.
func (l *Lease) decide(ctx context.Context, e usher.Ending) error {
	return store.Retry(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() {
			x := l.execution()
			x.Advance(e.Progress)
			x.Ending = &records.Ending{Run: x.Run, State: e.State, Error: e.Error}
		})
	})
}

// endJob ends a job that was not cut. It returns what is left, if it is not nil: the release of the
// next job on the target, the event, and the message.
func (l *Lease) endJob(ctx context.Context, e usher.Ending) (confirm func() error, err error) {
	if e.State == usher.Failed {
		letter := letterOf(l.message, l.q.now())
		letter.fail(l.job, e.Error)
		if err := store.Retry(ctx, func(ctx context.Context) error {
			return l.q.publishLetter(ctx, letter, RerunID(l.id(), l.execution().Run))
		}); err != nil {
			return nil, err
		}
	}
	err = store.Retry(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() {
			l.job.Advance(e.Progress)
			l.q.records.Finish(l.job, e.State, e.Error)
		})
	})
	if err != nil {
		return nil, err
	}
	if l.takenAlongBy != nil {
		l.q.metrics.ended(&l.job.Record)
		return nil, l.endAlong(ctx)
	}
	l.q.afterEnd(ctx, l.job)
	if k := l.message.Kind; targets.Indexed(k) { // its delivery brings the message again if it is not deleted
		l.q.targets.Backlog(k).Remove(l.job.Target(), targets.Place{Seq: l.message.Seq, Order: l.job.Order})
	}
	return l.confirm, nil
}

// confirm does what follows the end of the record.
func (l *Lease) confirm() error {
	ctx, cancel := l.settling()
	defer cancel()
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error { return l.q.releaseAfter(ctx, l.job) },
		func(ctx context.Context) error { return l.events.Flush(ctx, l.q.store, l.job) },
		l.d.done,
	} {
		if err := store.Retry(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

// releaseAfter releases the jobs that a job was in the way of, whose record has ended.
func (q *Queue) releaseAfter(ctx context.Context, e *records.Job) error {
	return q.release(ctx, e.Record.Kind, e.Target(), RerunID(e.Record.ID, e.Run))
}

// afterEnd makes room on the target of a job whose record has ended, and counts the job.
func (q *Queue) afterEnd(ctx context.Context, e *records.Job) {
	q.targets.Leave(ctx, e)
	if k := e.Record.Kind; targets.Indexed(k) {
		q.targets.Backlog(k).LeaveWay(e.Target(), targets.Place{Seq: e.Seq, Order: e.Order})
	}
	if e.Record.Kind.Mirrors() {
		q.dropParts(ctx, e.Record.ID)
		q.records.PurgeParts(ctx, e.Record.ID)
	}
	q.metrics.ended(&e.Record)
}

// measure adds to an ending how many ids the target of a job holds after it, and how many were new. What
// cannot be read is left out.
func (q *Queue) measure(e *usher.Ending, id string) {
	if e.ReadSize != nil {
		n, err := e.ReadSize()
		if err != nil {
			q.logger.Warn("reading how many ids the target holds after the job", "job", id, "error", err)
		}
		e.Progress.NumberOfIDs.After = n
	}
	if e.CountNew != nil {
		n, err := e.CountNew()
		if err != nil {
			q.logger.Warn("counting the ids that are new on the target of the job", "job", id, "error", err)
		}
		e.Progress.New = n
	}
}
