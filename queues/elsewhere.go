package queues

import (
	"context"
	"time"

	"usher"
	"usher/queues/lanes"
)

// maxLooks is the number of targets at which a slot looks between two jobs.
const maxLooks = 8

// takeElsewhere takes a job on one of the targets of the newest messages, if many messages
// are not delivered yet. It returns nil if there is none that a slot may take.
func (q *Queue) takeElsewhere(ctx, work context.Context, s *slot) (*Lease, error) {
	if !s.keeper.hasManyBehind() {
		return nil, nil
	}
	take := q.takeFront
	if s.lane == lanes.Campaign {
		take = q.takeNewestElsewhere
	}
	x := q.targets.Index()
	if err := x.CatchUp(ctx); err != nil {
		return nil, err
	}
	for _, family := range x.Families() {
		kind := usher.Kind(family + ".*")
		if lanes.Of(kind) != s.lane {
			continue
		}
		for range maxLooks {
			target, found := x.NextArrived(family, q.now())
			if !found {
				break
			}
			front := *s
			front.target, front.kind, front.elsewhere = target, kind, true
			lease, err := take(ctx, work, &front)
			if lease != nil || err != nil {
				x.LookAgain(family, target, time.Time{}) // others may wait behind this job
				return lease, err
			}
		}
	}
	return nil, nil
}

// lookAgain notes when to look again at a job elsewhere that is not free. It may become free
// without a new message: at its next attempt, or because its worker has crashed. Its own
// message may be behind many others.
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
	t.q.targets.Index().LookAgain(s.kind.Family(), s.target, at)
}

// hasManyBehind reports whether many messages behind this one were not delivered yet.
func (d *delivery) hasManyBehind() bool { return d.meta.NumPending >= farBehind }
