package queues

import (
	"context"
	"errors"
	"fmt"
	"time"
	"usher/queues/store"

	"usher"
)

// settleTime bounds how long settling may insist: longer than a hiccup of
// NATS, shorter than a deploy may take.
const settleTime = 8 * time.Second

// settling is the context of a settlement: it outlives the work's, but not the
// lease.
func (l *Lease) settling() (context.Context, context.CancelFunc) {
	return context.WithTimeout(l.held, settleTime)
}

// Retry gives the work back with its progress, to come again after a while. why is
// what it waits for, or, where the attempt counts, how it failed: then the next
// take is a new one.
func (l *Lease) Retry(p usher.Progress, after time.Duration, why string, counts bool) (err error) {
	defer func() { l.settled(err) }()
	ctx, cancel := l.settling()
	defer cancel()
	if l.held.Err() != nil {
		return l.giveBack()
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
	err = store.Insist(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() {
			h := l.hold()
			h.progressed(p)
			h.State, h.Holder, h.Counts = state, "", counts
			if l.job != nil {
				l.job.Record.Why, l.job.Record.Retry = &why, retry
			}
		})
	})
	if err != nil {
		return err
	}
	if l.job != nil {
		l.q.tell(l.job, state)
	}
	return l.d.nak(after)
}

// giveBack writes that a lost lease is nobody's, if it still says ours, so
// that whoever gets the delivery does not take it for a crash. The message is
// not touched: it may be another's.
func (l *Lease) giveBack() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.held), store.CallTime)
	defer cancel()
	err := l.write(ctx, func() {
		h := l.hold()
		h.State, h.Holder = usher.Retrying, ""
		if l.job != nil {
			why := "its worker lost NATS; it comes again by itself"
			l.job.Record.Why = &why
		}
	})
	if errors.Is(err, usher.ErrLeaseLost) {
		return nil
	}
	return err
}

// End settles the work for good: dead letter first where it failed, then the
// record, the event, the ack. A lost lease settles nothing: the delivery comes
// again, and every step may be repeated.
func (l *Lease) End(e usher.Ending) (err error) {
	defer func() { l.settled(err) }()
	if l.held.Err() != nil {
		return l.giveBack()
	}
	if e.After != nil && l.part == nil {
		// Before settling begins: the platform may take its time.
		e.Progress.NumberOfIDs.After = l.q.ask(e.After, l.id())
	}
	ctx, cancel := l.settling()
	defer cancel()
	if e.State == usher.Failed || l.part == nil && l.job.cut() {
		// Others are told before the record says that it has ended: a crash in
		// between must not change how it ends.
		if err := l.decide(ctx, e); err != nil {
			return err
		}
	}
	if l.part != nil {
		return l.endPart(ctx, e)
	}
	return l.endJob(ctx, e)
}

// decide writes down how the work ends.
func (l *Lease) decide(ctx context.Context, e usher.Ending) error {
	return store.Insist(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() {
			h := l.hold()
			h.progressed(e.Progress)
			h.Verdict = &verdict{State: e.State, Error: e.Error}
		})
	})
}

func (l *Lease) endJob(ctx context.Context, e usher.Ending) error {
	if l.job.cut() {
		return l.endCut(ctx, e)
	}
	if e.State == usher.Failed {
		letter := letterOf(l.message, l.q.now())
		letter.fail(l.job, e.Error)
		if err := store.Insist(ctx, func(ctx context.Context) error {
			return l.q.publishLetter(ctx, letter, fmt.Sprintf("%s/%d", l.id(), l.hold().Run))
		}); err != nil {
			return err
		}
	}
	err := store.Insist(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() {
			l.job.progressed(e.Progress)
			l.job.finish(l.q, e.State, e.Error)
		})
	})
	if err != nil {
		return err
	}
	l.q.leaveTarget(ctx, l.job)
	l.q.metrics.ended(&l.job.Record)
	l.q.tell(l.job, e.State)
	if e.State == usher.Failed {
		return store.Insist(ctx, l.d.term)
	}
	return store.Insist(ctx, l.d.ack)
}

// finish brings the job's entry to its end.
func (e *jobEntry) finish(q *Queue, state usher.State, failure *usher.JobError) {
	now := q.now().UTC()
	e.State, e.Holder, e.Verdict, e.Kept = state, "", nil, nil
	e.Record.Finished, e.Record.Error, e.Record.Why, e.Record.Retry = &now, failure, nil, nil
	e.show(q)
	if state == usher.Done {
		e.Progress.Checkpoint.Sketch = nil // distinct is known now, and it is the largest part
	}
}

// ask asks what a target holds; not knowing it does not keep a job from
// ending.
func (q *Queue) ask(after func() (int64, error), id string) int64 {
	n, err := after()
	if err != nil {
		q.logger.Warn("reading what the target holds after the job", "job", id, "error", err)
	}
	return n
}
