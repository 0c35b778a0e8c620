package queues

import (
	"context"
	"time"
)

// maxLooks is the number of targets at which a slot looks between two jobs.
const maxLooks = 8

// takeElsewhere takes a job on one of the targets of the newest messages, if many messages
// are not delivered yet. It returns nil if there is none that a slot may take.
func (q *Queue) takeElsewhere(ctx, work context.Context, s *slot) (*Lease, error) {
	if !s.keeper.isOfMany() {
		return nil, nil
	}
	for _, x := range q.targets.Indexes() {
		if err := x.CatchUp(ctx); err != nil {
			return nil, err
		}
		for range maxLooks {
			target, found := x.NextArrived(q.now())
			if !found {
				break
			}
			front := *s
			front.target, front.kind, front.elsewhere = target, x.Kinds(), true
			lease, err := q.takeFront(ctx, work, &front)
			if lease != nil || err != nil {
				x.LookAgain(target, time.Time{}) // others may wait behind this job
				return lease, err
			}
		}
	}
	return nil, nil
}

// lookAgain notes that a job elsewhere that is not free may become free although nothing
// arrives: its next attempt, or a worker that has crashed. Its message may be behind many
// others.
func (s *slot) lookAgain(t *taking) {
	j := &t.job
	var at time.Time
	switch {
	case !s.elsewhere:
		return
	case j.Record.Retry != nil && j.Holder == "":
		at = j.Record.Retry.At
	case j.Via != 0:
		at = t.q.now().Add(t.q.options.AckWait)
	default:
		return
	}
	t.q.targets.Indexes()[s.kind.Family()].LookAgain(s.target, at)
}

// isOfMany reports whether many messages behind the delivery's were not delivered yet.
func (d *delivery) isOfMany() bool { return d.meta.NumPending >= farBehind }
