package queues

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/lanes"
	"usher/queues/records"
	"usher/queues/store"
	"usher/queues/targets"
)

// A job whose work has steps, such as a mirror, keeps its own message and publishes the parts of
// each step: other slots and workers take them as they take the parts of a cut job. While
// the parts run, the job is snoozed: it is running, and no worker has it. Now and then it is delivered,
// to note how far they are. The last part does not end the job, as that of a cut job does, because
// further steps follow: it releases the job. The parts of all steps have records under one number each.

// stepParts is the maximum number of parts of a step.
const stepParts = 100_000

// steps are the steps that may have parts. The numbers of the parts of steps[i] begin at
// (i+1)*stepParts, so that none is the part of a cut job.
var steps = []usher.Phase{usher.PhaseRead, usher.PhaseCompare, usher.PhaseAdd, usher.PhaseRemove}

func firstOf(step usher.Phase) (int, error) {
	for i, s := range steps {
		if s == step {
			return (i + 1) * stepParts, nil
		}
	}
	return 0, fmt.Errorf("publish the parts of step %q: its parts have no numbers", step)
}

// stepOf returns the step of a part by its number, see steps.
func stepOf(part int) usher.Phase { return steps[min(part/stepParts, len(steps))-1] }

// cutOfStep identifies the parts of a step: those of another run are not the same.
func cutOfStep(step usher.Phase, run int) string { return fmt.Sprintf("%s/%d", step, run) }

// PublishStep publishes n parts of a step of the job. Calling it again publishes nothing new. The
// parts of the step read are those of the plan.
func (l *Lease) PublishStep(ctx context.Context, step usher.Phase, plan *usher.Plan, n int) error {
	if plan == nil {
		plan = &usher.Plan{}
	}
	first, err := firstOf(step)
	switch {
	case err != nil:
	case n > stepParts:
		err = fmt.Errorf("publish the parts of step %s: %d parts are more than %d", step, n, stepParts)
	case step == usher.PhaseRead && n != len(plan.Parts):
		err = fmt.Errorf("publish the parts of step %s: the plan has %d parts, not %d", step, len(plan.Parts), n)
	}
	if err != nil {
		return err
	}
	return l.publishParts(ctx, cut{id: cutOfStep(step, l.job.Run), step: step, first: first, plan: plan, parts: n}, nil)
}

// StepProgress returns how far the parts of a step are.
func (l *Lease) StepProgress(ctx context.Context, step usher.Phase) (usher.StepProgress, error) {
	first, err := firstOf(step)
	if err != nil {
		return usher.StepProgress{}, err
	}
	l.mu.Lock()
	id, run, sum := l.job.Record.ID, l.job.Run, l.job.Sum
	l.mu.Unlock()
	var s usher.StepProgress
	err = l.q.records.EachPart(ctx, id, func(part int, p *records.Part) {
		if part < first || part >= first+stepParts || p.Run != run || p.Sum != sum || p.Cut != cutOfStep(step, run) {
			return
		}
		if m := p.Progress.Mirror; m != nil {
			s.Rows, s.Changed = s.Rows+m.Sent.Tally.Read, s.Changed+m.Changed
		}
		switch {
		case p.State == usher.Done:
			s.Done++
		case p.State.Ended():
			s.Failed = true
		case p.Holder != "":
			s.Running++
		}
	})
	return s, err
}

// Snooze returns the job to the queue until the last part of the step has ended, at most for a time.
// The job counts as running.
func (l *Lease) Snooze(p usher.Progress, after time.Duration) (err error) {
	defer func() { l.settled(err) }()
	ctx, cancel := l.settling()
	defer cancel()
	if l.held.Err() != nil {
		return l.removeFromRecord()
	}
	err = store.Retry(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() {
			l.job.Advance(p)
			l.job.Holder, l.job.NotBefore = "", l.q.returnedUntil(after)
		})
	})
	if err != nil {
		return err
	}
	return l.d.retry(after)
}

// isSnoozed reports whether the job is returned while its parts run.
func (t *taking) isSnoozed() bool {
	return t.job.State == usher.Running && t.isReturned()
}

// forgetPart ends the delivery of a part that has ended. The last one of a step releases its job.
func (q *Queue) forgetPart(ctx context.Context, d *delivery, o *partOrder) error {
	if err := store.Retry(ctx, d.forget); err != nil {
		return err
	}
	if o.Step == "" {
		return q.markAgain(ctx, o)
	}
	if err := q.releaseSnoozed(ctx, o); err != nil {
		q.logger.Warn("releasing a job whose parts have ended; it comes when its snooze is over", "job", o.ID, "error", err)
	}
	return nil
}

// releaseSnoozed has the job of a part delivered at once if no other part is left. Parts that end at the same
// time release it once: NATS drops the second message.
func (q *Queue) releaseSnoozed(ctx context.Context, o *partOrder) error {
	left := false
	err := store.EachStored(ctx, q.store.Leader(q.names.PartsStream()), q.names.Parts(o.ID), 1, func(*jetstream.RawStreamMsg) bool {
		left = true
		return false
	})
	if left || err != nil {
		return err
	}
	j, _, found, err := q.records.Job(ctx, o.ID)
	if err != nil || !found || j.Run != o.Run || j.State != usher.Running {
		return err
	}
	return q.publishReleased(ctx, lanes.Of(o.Kind), []targets.Place{{Seq: j.Seq, Order: j.Order}}, fmt.Sprintf("%s/%d/%s", o.ID, o.Run, o.Step))
}

// endingOfStep returns the ending of a job whose part has failed, so that the job ends in the
// same way and not as cancelled.
func (l *Lease) endingOfStep(ctx context.Context, e usher.Ending) (usher.Ending, error) {
	if e.State != usher.Cancelled || l.part != nil || !l.message.Kind.Mirrors() {
		return e, nil
	}
	ending, err := l.q.records.EndingOf(ctx, l.id(), l.job.Run)
	if err == nil && ending != nil {
		e.State, e.Error = ending.State, ending.Error
	}
	return e, err
}
