package queues

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"usher"
	"usher/queues/records"
	"usher/queues/store"
)

// repairEndedPart completes what a crash left undone between the end of a part and
// its ack.
func (q *Queue) repairEndedPart(ctx context.Context, d *delivery, o *partOrder) error {
	all, err := q.partEnded(ctx, o)
	if err == nil && all {
		err = q.settle(ctx, o.ID, o.Run, measured{})
	}
	if err != nil {
		return err
	}
	return q.forgetPart(ctx, d, o)
}

// endPart ends a part: the ending of the job if the part failed, the part's entry,
// its bit in the job's record, and the job if it was the last part.
func (l *Lease) endPart(ctx context.Context, e usher.Ending) error {
	o := l.order
	if e.State == usher.Failed {
		err := store.Retry(ctx, func(ctx context.Context) error {
			return l.q.records.PutEnding(ctx, o.ID, records.Ending{Run: o.Run, State: usher.Failed, Error: e.Error})
		})
		if err != nil {
			return err
		}
	}
	err := store.Retry(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() {
			l.part.Advance(e.Progress)
			l.part.State, l.part.Holder, l.part.Ending = e.State, "", nil
		})
	})
	if err != nil {
		return err
	}
	var all bool
	err = store.Retry(ctx, func(ctx context.Context) error {
		all, err = l.q.partEnded(ctx, o)
		return err
	})
	if err != nil {
		return err
	}
	if all {
		l.q.measure(&e, o.ID)
		var cancel context.CancelFunc
		ctx, cancel = l.settling() // because that may have taken long
		defer cancel()
		found := measured{after: e.Progress.NumberOfIDs.After, added: e.Progress.New}
		if err := store.Retry(ctx, func(ctx context.Context) error { return l.q.settle(ctx, o.ID, o.Run, found) }); err != nil {
			return err
		}
	}
	return l.q.forgetPart(ctx, l.d, o)
}

// measured is what was read of the target of a cut job when its last part had ended.
type measured struct {
	after int64  // ids that the target holds now; 0: not known
	added *int64 // ids that are new; nil: not known
}

// partEnded sets the bit of a part in the job's record and reports whether all bits
// are set. The caller that sets the last bit settles the job. A part of a step has no bit: its job
// reads how its parts have ended.
func (q *Queue) partEnded(ctx context.Context, o *partOrder) (all bool, err error) {
	if o.Step != "" {
		return false, nil
	}
	for {
		recorded, old := false, false
		err = q.records.ChangeJob(ctx, o.ID, func(e *records.Job, found bool) bool {
			recorded, old, all = found, false, false
			switch {
			case !found || e.Run > o.Run:
				return false
			case e.Run == o.Run && e.State.Ended():
				all = len(e.Unsent) > 0 // settle publishes what is unsent of the record
				return false
			case e.Run < o.Run || !e.IsCut():
				old = true
				return false
			}
			changed := q.markEnded(e, o.Part)
			all = e.EndedParts() == e.Record.Parts.Total
			return changed
		})
		if old && err == nil { // a server that lags has answered, or the job runs again because its record was damaged
			err = fmt.Errorf("end part %d of job %s: the record is from before the job was cut; NATS redelivers the part", o.Part, o.ID)
		}
		if err != nil || recorded {
			return all, err
		}
		if err := q.rebuild(ctx, o); err != nil {
			return false, err
		}
	}
}

// markEnded sets the bit of a part in a record, and reports whether it was not set. A job that was cut again, since its
// record was damaged, may have fewer parts.
func (q *Queue) markEnded(e *records.Job, part int) bool {
	if part >= e.Record.Parts.Total {
		return false
	}
	before := e.EndedParts()
	e.SetPartEnded(part)
	q.records.Refresh(e)
	return e.EndedParts() != before
}

// markAgain sets the bit of a part whose message is gone, if the record of a job that runs lacks it. If the
// record is damaged just before the part's message is acked, another part rebuilds it and may still find the
// message, so that nothing else would say that this part has ended. Whoever rebuilds the record later finds that
// the message is gone, see markGone.
func (q *Queue) markAgain(ctx context.Context, o *partOrder) error {
	lacked, all := false, false
	err := store.Retry(ctx, func(ctx context.Context) error {
		return q.records.ChangeJob(ctx, o.ID, func(e *records.Job, found bool) bool {
			if !found || e.Run != o.Run || !e.IsCut() || e.State.Ended() {
				return false
			}
			changed := q.markEnded(e, o.Part)
			lacked = lacked || changed // by this try, or one whose answer was lost
			all = e.EndedParts() == e.Record.Parts.Total
			return changed
		})
	})
	if err != nil || !lacked || !all {
		return err
	}
	return store.Retry(ctx, func(ctx context.Context) error { return q.settle(ctx, o.ID, o.Run, measured{}) })
}

// markGone sets the bits of the parts of a cut that have no message any more, in the record that was written
// for want of a readable one, and settles the job if all have ended.
func (q *Queue) markGone(ctx context.Context, written *records.Job) error {
	gone, err := q.partsWithoutMessage(ctx, written)
	if err != nil {
		return err
	}
	all := false
	err = q.records.ChangeJob(ctx, written.Record.ID, func(e *records.Job, found bool) bool {
		if !found || e.Run != written.Run || e.Cut != written.Cut || !e.IsCut() || e.State.Ended() {
			return false
		}
		changed := false
		for _, part := range gone {
			changed = q.markEnded(e, part) || changed
		}
		all = e.EndedParts() == e.Record.Parts.Total
		return changed
	})
	if err != nil || !all {
		return err
	}
	return q.settle(ctx, written.Record.ID, written.Run, measured{})
}

// settleIfAllEnded settles a job whose bits are all set, in case the worker that set
// the last one crashed.
func (q *Queue) settleIfAllEnded(ctx context.Context, e *records.Job) error {
	if e.EndedParts() < e.Record.Parts.Total {
		return nil
	}
	return q.settle(ctx, e.Record.ID, e.Run, measured{})
}

// settle ends a cut job whose parts have all ended. Two workers may call it at once;
// the record accepts one.
func (q *Queue) settle(ctx context.Context, id string, run int, found measured) error {
	ending, err := q.records.EndingOf(ctx, id, run)
	if err != nil {
		return err
	}
	state, failure := usher.Done, (*usher.JobError)(nil)
	if ending != nil {
		state, failure = ending.State, ending.Error
	}
	for {
		err := q.settleOnce(ctx, id, run, found, state, failure)
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
}

// settleOnce makes the record the sum of its parts, writes the dead letter of a job
// that failed, and ends the record.
func (q *Queue) settleOnce(ctx context.Context, id string, run int, of measured, state usher.State, failure *usher.JobError) error {
	e, revision, found, err := q.records.Job(ctx, id)
	if err == nil && !found {
		err = fmt.Errorf("settle job %s: its record is missing or damaged; NATS redelivers its parts, which rebuild it", id)
	}
	if err != nil || e.Run != run {
		return err
	}
	if e.State.Ended() { // a crash may have prevented what follows the end
		return errors.Join(q.releaseAfter(ctx, &e), q.records.FlushEvents(ctx, &e))
	}
	return q.endCutRecord(ctx, &e, revision, of, state, failure)
}

// endCutRecord ends the record of a cut job that was read at a revision. It returns store.ErrConflict if the
// record was changed since.
func (q *Queue) endCutRecord(ctx context.Context, e *records.Job, revision uint64, of measured, state usher.State, failure *usher.JobError) error {
	id := e.Record.ID
	sum, err := q.records.SumParts(ctx, e)
	if err != nil {
		return err
	}
	if len(sum.Lost) > 0 && state == usher.Done {
		// The records of the parts are also gone if another worker has ended the job meanwhile.
		if _, now, _, err := q.records.Job(ctx, id); err != nil || now != revision {
			return cmp.Or(err, store.ErrConflict)
		}
		state, failure = usher.Failed, lostParts(sum.Lost)
	}
	if p := (*usher.Permanent)(nil); state == usher.Done && errors.As(checkOnlyValues(e, sum.Matched), &p) {
		state, failure = usher.Failed, &usher.JobError{Class: p.Class, Message: p.Error(), Hint: p.Hint}
	}
	if of.after != 0 {
		e.Progress.NumberOfIDs.After = of.after
	}
	e.Progress.New = of.added
	if state == usher.Failed {
		if err := q.publishLetter(ctx, letterOfCut(e, failure, q.now()), RerunID(id, e.Run)); err != nil {
			return err
		}
	}
	q.records.Finish(e, state, failure)
	if _, err := q.state.CompareAndSet(ctx, records.JobKey(id), e, revision); err != nil {
		return err
	}
	q.afterEnd(ctx, e)
	if err := q.releaseAfter(ctx, e); err != nil {
		return err
	}
	if err := q.records.FlushEvents(ctx, e); err != nil {
		return err
	}
	if state == usher.Done {
		q.records.PurgeParts(ctx, id)
	}
	return nil
}

// checkOnlyValues is usher.CheckOnlyValues for a job whose parts have ended.
func checkOnlyValues(e *records.Job, matched []string) error {
	if e.Progress.Plan == nil {
		return nil
	}
	return usher.CheckOnlyValues(e.Progress.Plan.Checks, &usher.Checkpoint{Tally: e.Record.Tally, Matched: matched})
}

// lostParts returns the error of a job whose parts have all ended, but some of them without
// a readable record.
func lostParts(lost []int) *usher.JobError {
	return &usher.JobError{
		Class:   usher.Poison,
		Message: fmt.Sprintf("the records of %d ended parts are gone or damaged, part %d first: what they uploaded cannot be counted", len(lost), lost[0]),
		Hint:    "run `usher doctor` to see what is damaged in NATS; replay the job, which runs these parts again",
	}
}
