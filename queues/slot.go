package queues

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/queues/lanes"
	"usher/queues/records"
	"usher/queues/store"
	"usher/queues/targets"
)

// Jobs that run alone on a target follow one another. The next one would begin only when
// NATS delivers its message again, after a delay that grows with the queue. So a slot
// takes the job at the front itself, in two cases: after it has ended such a job, and when
// it is delivered another job that must wait for that one. It reads the message from the
// stream. Its own delivery, the keeper, is not settled meanwhile, and its heartbeats keep
// these leases alive: the record of such a job names the keeper's message in Via. The
// job's own message stays with NATS and is acknowledged when it is delivered again.
//
// While many messages of the lane are not delivered yet, a slot that has ended a job first
// looks at the targets of the messages that were published last, and takes a job there in
// the same way. So a job starts soon on a target where nothing is before it, however many
// wait on others.
//
// If the worker crashes, NATS delivers the keeper's message again. The worker that gets it
// takes over the job that names it; until then the job's own message waits.

// maxTimeOnTarget is how long a slot continues with jobs of one target while other messages of
// the lane may wait. If there are some it then takes those for as long.
const maxTimeOnTarget = 2 * time.Second

// slot is the state of a slot of a lane between two jobs.
type slot struct {
	keeper *delivery // the delivery that keeps leases alive, not settled; or nil
	owner  *Lease    // of the keeper's own job, which has ended; or nil
	last   *Lease    // that the slot took
	lane   lanes.Lane
	target string
	kind   usher.Kind // a kind of the target's family

	elsewhere bool          // the slot found the target among the newest messages
	stay      time.Duration // maxTimeOnTarget
	began     time.Time
	notBefore time.Time // when the slot may continue with a target again
}

// Who settles the message of a job that has ended.
const (
	settlerOpen  int32 = iota
	settlerSlot        // its slot, which may continue with the next job first
	settlerLease       // the lease itself, because its slot has gone on without it
)

// took notes the lease that the slot returns, so that it can continue after it.
func (s *slot) took(l *Lease, d *delivery) {
	s.last = l
	switch {
	case !l.d.lent:
		s.keeper = nil // the lease settles it
	case s.keeper == nil:
		s.keeper, s.owner, s.began = d, nil, time.Now()
	}
	if l.message != nil && l.message.Kind.Exclusive() {
		s.target, s.kind = l.message.Job.Target(l.message.Kind), l.message.Kind
		l.mayContinue = time.Now().After(s.notBefore)
	}
}

// next returns a lease on the next job of the target if the slot may continue with it.
// Otherwise it settles the keeper and returns nil.
func (s *slot) next(ctx, work context.Context, d *Deliveries) *Lease {
	last, q := s.last, d.q
	s.last = nil
	if last == nil {
		return nil
	}
	mayContinue := (last.d.lent || last.mayContinue) && s.target != ""
	ended := !last.settler.CompareAndSwap(settlerOpen, settlerLease)
	switch {
	case ended && !last.d.lent:
		s.keeper, s.owner = last.d, last
		if s.began.IsZero() {
			s.began = time.Now()
		}
	case !last.isSettled():
		s.keeper = nil // the lease still needs its heartbeats; NATS redelivers it when they end
	}
	if s.keeper == nil {
		s.began = time.Time{}
		return nil
	}
	if ended && ctx.Err() == nil && s.keeper.keep(ctx) {
		lease, err := q.takeElsewhere(ctx, work, s)
		if lease == nil && err == nil && mayContinue && s.stays(d) {
			lease, err = q.takeFront(ctx, work, s)
		}
		if err != nil && ctx.Err() == nil {
			q.logger.Warn("taking the next job of a target failed; NATS redelivers its message", "target", s.target, "error", err)
		}
		if lease != nil {
			return lease
		}
	}
	s.settleKeeper(ctx, q)
	return nil
}

// stays reports whether the slot stays on its target.
func (s *slot) stays(d *Deliveries) bool {
	if time.Since(s.began) < s.stay {
		return true
	}
	if d.hasMessage() {
		return false
	}
	s.began = time.Now()
	return true
}

// settleKeeper settles the keeper. If the slot settles beside the next job, it does not wait.
func (s *slot) settleKeeper(ctx context.Context, q *Queue) {
	now := time.Now()
	s.notBefore = now.Add(now.Sub(s.began))
	keeper, owner := s.keeper, s.owner
	s.keeper, s.owner, s.began = nil, nil, time.Time{}
	var err error
	if owner == nil {
		err = keeper.nak(minDelay)
	} else {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), q.options.SettleTime)
		err = keeper.beside.settle(func() error {
			defer cancel()
			if err := owner.events.Flush(ctx, q.store, owner.job); err != nil {
				return err
			}
			return keeper.ack(ctx)
		}, q.logger, owner.id())
	}
	if err != nil {
		q.logger.Warn("settling the message of a job that has ended failed; NATS redelivers it", "target", s.target, "error", err)
	}
}

// maxHeldJobs is the number of jobs of one target that others hold, after which a slot looks
// no further for one that is free.
const maxHeldJobs = 8

// takeFront takes the job at the front of a target's queue if nobody has it. It returns nil
// if there is no such job, or if it is that of the keeper.
func (q *Queue) takeFront(ctx, work context.Context, s *slot) (*Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, q.options.AckWait/2)
	defer cancel()
	if pause, err := q.Lanes().Paused(ctx, s.lane); pause != nil || err != nil {
		return nil, err
	}
	b := q.targets.Backlog(s.kind)
	held := 0
	for p, found := b.After(s.target, targets.Place{}); found && held < maxHeldJobs; p, found = b.After(s.target, p) {
		t, err := q.readFront(ctx, b, s.keeper, p)
		if err != nil {
			return nil, err
		}
		if t == nil {
			b.Remove(s.target, p)
			continue
		}
		exclusive := t.message.Kind.Exclusive()
		if t.message.Seq == s.keeper.meta.Sequence.Stream {
			return nil, nil
		}
		free, err := t.isFree(ctx)
		if err != nil {
			return nil, err
		}
		if free {
			return t.takeFree(ctx, work)
		}
		s.lookAgain(t)
		if exclusive {
			return nil, nil
		}
		held++ // several adds may run at once
	}
	return nil, nil
}

// readFront reads the job at a place of a target's queue, and its record. It returns nil if
// the job has ended or left the stream. The keeper's heartbeats are to keep its lease alive.
func (q *Queue) readFront(ctx context.Context, b *targets.Backlog, keeper *delivery, p targets.Place) (*taking, error) {
	m, err := b.Message(ctx, p)
	if err != nil || m == nil || m.Invalid != nil {
		return nil, err
	}
	t := &taking{q: q, delivery: keeper.lend(), message: m}
	var found bool
	if t.job, t.revision, found, err = q.records.Job(ctx, m.ID); err != nil {
		return nil, err
	}
	if t.claim = t.job.ClaimOf(m, found); t.claim == records.Superfluous || t.claim == records.OtherJob {
		return nil, nil
	}
	return t, nil
}

// takeFree takes a job that was free. It returns nil if another worker was faster.
func (t *taking) takeFree(ctx, work context.Context) (*Lease, error) {
	lease, err := t.take(ctx, work)
	if errors.Is(err, store.ErrConflict) || errors.Is(err, errTakeAgain) {
		return nil, nil
	}
	return lease, err
}

// takeFrontInstead takes the job at the front of the queue that this one waits in. It
// returns nil if the slot may not.
func (t *taking) takeFrontInstead(ctx, work context.Context) (*Lease, error) {
	s := t.slot
	if s == nil || t.delivery.lent || time.Now().Before(s.notBefore) {
		return nil, nil
	}
	s.target, s.kind = t.message.Job.Target(t.message.Kind), t.message.Kind
	front := *s
	front.keeper = t.delivery
	return t.q.takeFront(ctx, work, &front)
}

// slotContinues reports whether the slot of a job that has ended may continue with another
// one.
func (l *Lease) slotContinues() bool {
	m := l.message
	if l.d.lent || l.d.hasManyBehind() && targets.Indexed(m.Kind) {
		return true
	}
	if !l.mayContinue || !m.Kind.Exclusive() {
		return false
	}
	_, found := l.q.targets.Backlog(m.Kind).After(m.Job.Target(m.Kind), targets.Place{Seq: m.Seq, Order: l.job.Order})
	return found
}

// isFree reports whether a slot may take the job: nobody has it but a worker that has lost
// its keeper, and it does not wait for its next attempt.
func (t *taking) isFree(ctx context.Context) (bool, error) {
	j := &t.job
	if t.claim != records.NewJob && t.claim != records.Redelivered || j.Verdict != nil || j.CarriedByParts() {
		return false, nil
	}
	if j.Record.Retry != nil && t.q.now().Before(j.Record.Retry.At) {
		return false, nil
	}
	if j.Holder != "" && j.Via == 0 {
		return false, nil
	}
	held, err := t.heldVia(ctx)
	return !held, err
}

// untilRetry returns how long the job's next attempt must still wait: its lease could not
// set the delay of its message.
func (t *taking) untilRetry() time.Duration {
	if j := &t.job; j.Via != 0 && j.Holder == "" && j.Record.Retry != nil {
		return j.Record.Retry.At.Sub(t.q.now())
	}
	return 0
}

// heldVia reports whether another delivery than this one keeps the job's lease alive, or
// may do so again: its message is still on the stream.
func (t *taking) heldVia(ctx context.Context) (bool, error) {
	via := t.job.Via
	if t.job.Holder == "" || via == 0 || via == t.delivery.meta.Sequence.Stream {
		return false, nil
	}
	return t.q.targets.Backlog(t.message.Kind).Present(ctx, via)
}
