package queues

import (
	"context"
	"fmt"
	"time"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/targets"
)

// recheckDelay is the time until a message that cannot be taken yet is redelivered, such as
// that of a replay while the run before it has not ended.
const recheckDelay = time.Second

// prepare acts on the claim of the message and makes the record that of the run to take.
// It reports whether there is work; otherwise the delivery is settled.
func (t *taking) prepare(ctx context.Context, c records.Claim) (work bool, err error) {
	switch c {
	case records.NewJob:
		t.job = records.New(t.message)
		t.job.Begin(t.message)
		if t.message.Kind.Mirrors() {
			return true, t.endIfPartsRan(ctx)
		}
		return true, nil
	case records.NextRun:
		return true, t.q.beginReplay(ctx, &t.job, t.message)
	case records.Unfinished:
		if settled, err := t.leaveToOther(ctx); settled || err != nil {
			return false, err
		}
		return t.takeOver(ctx)
	case records.TooEarly:
		return false, t.delivery.retry(recheckDelay)
	case records.OtherJob:
		t.message.Invalid = &usher.JobError{Class: usher.InvalidJob,
			Message: fmt.Sprintf("id %s is on record with another body", t.message.ID),
			Hint:    "give the job a different id; to run the recorded job again, replay it"}
		return false, t.q.reject(ctx, t.delivery, t.message)
	default:
		return false, t.drop(ctx)
	}
}

// endIfPartsRan ends a job without a record whose steps have had parts in this run: its record was damaged. What they
// have read may be of an export that has changed since, so that the job cannot go on. Parts that run are stopped.
func (t *taking) endIfPartsRan(ctx context.Context) error {
	last := -1
	err := t.q.records.EachPart(ctx, t.message.ID, func(part int, p *records.Part) {
		if p.Run == t.message.Run {
			last = max(last, part)
		}
	})
	if err != nil || last < stepParts {
		return err
	}
	t.job.Progress.Phase = stepOf(last) // others must know that the job may have changed its target
	t.job.Ending = &records.Ending{Run: t.message.Run, State: usher.Failed, Error: &usher.JobError{
		Class:   usher.Poison,
		Message: fmt.Sprintf("the job's record in NATS was damaged while the parts of its step %s ran", t.job.Progress.Phase),
		Hint:    "run `usher doctor` to see what is damaged in NATS; replay the job, which begins anew",
	}}
	return t.q.records.PutEnding(ctx, t.message.ID, *t.job.Ending)
}

// leaveToOther settles the delivery of a job that another delivery carries: NATS delivers that one
// again at the job's next attempt, or after its worker has crashed. A job that is snoozed (see step.go)
// runs when a part releases it; the delivery for the end of its snooze then leaves it to this one.
func (t *taking) leaveToOther(ctx context.Context) (settled bool, err error) {
	j, own := &t.job, t.delivery
	switch {
	case t.isSnoozed() && own.released != 0 && own.released != j.Released:
		return false, nil
	case j.Holder == "" && !t.isReturned(): // nobody runs it, and NATS has no delivery of it for later
		return t.returnUntilRetry(ctx)
	case j.Holder != "" && j.TakenAlongBy != "": // the delivery of that job carries it while it runs
		front, _, found, err := t.q.records.Job(ctx, j.TakenAlongBy)
		if err != nil || !found || front.State.Ended() {
			return false, err
		}
		return true, own.retry(recheckDelay)
	case j.Released == own.released: // this one carries it: both are 0 for the job's own message
		return false, nil
	}
	if exists, err := t.q.isReleased(ctx, j.Released, t.message.Seq); err != nil || !exists {
		return false, err // it was lost with its stream
	}
	return true, own.leave(ctx)
}

// returnUntilRetry returns the delivery of a job that is to be tried again later, and that no delivery
// carries: another job had taken it along, and the delivery of that one is gone.
func (t *taking) returnUntilRetry(ctx context.Context) (returned bool, err error) {
	j := &t.job
	if j.Record.Retry == nil || !t.q.now().Before(j.Record.Retry.At) {
		return false, nil
	}
	j.NotBefore, j.Released = &j.Record.Retry.At, t.delivery.released
	if _, err := t.q.state.CompareAndSet(ctx, records.JobKey(t.message.ID), j, t.revision); err != nil {
		return false, err
	}
	return true, t.delivery.retry(j.NotBefore.Sub(t.q.now()))
}

// takeOver prepares a job for its next attempt. A job whose parts are published
// lacks only its ack. A lease that this process still has on the job ends first.
func (t *taking) takeOver(ctx context.Context) (work bool, err error) {
	if t.job.CarriedByParts() {
		if err := t.q.settleIfAllEnded(ctx, &t.job); err != nil {
			return false, err
		}
		return false, t.delivery.done(ctx)
	}
	if older := t.q.lease(t.job.Holder); older != nil {
		older.giveUp(ctx)
		return false, errTakeAgain
	}
	return true, nil
}

// beginReplay makes j the record of the next run. If a newer job has removed ids from the
// target since, the progress of the last run is void.
func (q *Queue) beginReplay(ctx context.Context, j *records.Job, m *message.Message) error {
	j.Begin(m)
	if !targets.Ordered(m.Kind) {
		return nil
	}
	last, err := q.targets.LastExclusive(ctx, m.Job.Target(m.Kind))
	if err == nil && last.Order > j.Order {
		j.Progress, j.Restarted = usher.Progress{}, m.Run
	}
	return err
}

// drop settles a superfluous message. If it is the job's own, drop first does what follows the
// job's end, which a crash may have prevented.
func (t *taking) drop(ctx context.Context) error {
	if t.message.Seq == t.job.Seq {
		if err := t.q.releaseAfter(ctx, &t.job); err != nil {
			return err
		}
		if err := t.q.records.FlushEvents(ctx, &t.job); err != nil {
			return err
		}
	}
	return t.delivery.done(ctx)
}
