package queues

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/queues/lanes"
	"usher/queues/store"
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
// If the worker crashes, NATS delivers the keeper's message again. Whoever gets it takes
// over the job that names it; until then the job's own message waits.

// longestSuccession is how long a slot goes on with one target. It then takes other work
// for as long.
const longestSuccession = 2 * time.Second

// succession is what one slot does on one target.
type succession struct {
	keeper *delivery // not settled; nil: there is no succession
	ended  bool      // the keeper's own job has ended
	last   *Lease    // that the slot took
	lane   lanes.Lane
	target string
	family string

	elsewhere bool // the target is none that the slot was delivered a job of
	began     time.Time
	rests     time.Time // when the next succession may begin
}

// fate is who settles the message of a job that has ended.
type fate = int32

const (
	fateOpen fate = iota
	fateSlot      // its slot, which may go on with the next job first
	fateOwn       // the lease itself, because its slot has gone on without it
)

// note notes the lease that the slot returns, so that it can go on after it.
func (s *succession) note(l *Lease, d *delivery) {
	s.last = l
	switch {
	case !l.d.lent:
		s.keeper = nil // the lease settles it
	case s.keeper == nil:
		s.keeper, s.ended, s.began = d, false, time.Now()
	}
	if l.message != nil && l.message.Kind.Exclusive() {
		s.target, s.family = l.message.Job.Target(l.message.Kind), l.message.Kind.Family()
		l.mayFollow = time.Now().After(s.rests)
	}
}

// next returns a lease on the next job of the target if the slot may go on with it.
// Otherwise it settles the keeper and returns nil.
func (s *succession) next(ctx, work context.Context, q *Queue) *Lease {
	last := s.last
	s.last = nil
	if last == nil {
		return nil
	}
	mayFollow := (last.d.lent || last.mayFollow) && s.target != ""
	ended := !last.fate.CompareAndSwap(fateOpen, fateOwn)
	switch {
	case ended && !last.d.lent:
		s.keeper, s.ended = last.d, true
		if s.began.IsZero() {
			s.began = time.Now()
		}
	case !last.isSettled():
		s.keeper = nil // the lease still needs its heartbeats; NATS delivers it again some day
	}
	if s.keeper == nil {
		s.began = time.Time{}
		return nil
	}
	if ended && ctx.Err() == nil && s.keeper.keep(ctx) {
		lease, err := q.takeElsewhere(ctx, work, s)
		if lease == nil && err == nil && mayFollow && time.Since(s.began) < longestSuccession {
			lease, err = q.takeFront(ctx, work, s)
		}
		if err != nil && ctx.Err() == nil {
			q.logger.Warn("taking the next job of a target, its message comes again", "target", s.target, "error", err)
		}
		if lease != nil {
			return lease
		}
	}
	s.end(ctx, q)
	return nil
}

// end settles the keeper.
func (s *succession) end(ctx context.Context, q *Queue) {
	now := time.Now()
	s.rests = now.Add(now.Sub(s.began))
	keeper := s.keeper
	s.keeper, s.began = nil, time.Time{}
	var err error
	if s.ended {
		err = keeper.ack(context.WithoutCancel(ctx))
	} else {
		err = keeper.nak(shortestDelay)
	}
	if err != nil {
		q.logger.Warn("settling the message of a job that has ended, it comes again", "target", s.target, "error", err)
	}
}

// takeFront takes the job at the front of a target's queue if nobody has it, and if it runs
// alone or the target is elsewhere. It returns nil if there is no such job, or if it is that
// of the keeper.
func (q *Queue) takeFront(ctx, work context.Context, s *succession) (*Lease, error) {
	ctx, cancel := context.WithTimeout(ctx, q.options.AckWait/2)
	defer cancel()
	if pause, err := q.Lanes().Paused(ctx, s.lane); pause != nil || err != nil {
		return nil, err
	}
	b := q.backlog(usher.Kind(s.family + ".*"))
	held := 0
	for p, found := b.after(s.target, place{}); found && held < mostHeld; p, found = b.after(s.target, p) {
		t, err := q.readFront(ctx, b, s, p)
		if err != nil {
			return nil, err
		}
		if t == nil {
			b.remove(s.target, p)
			continue
		}
		alone := t.message.Kind.Exclusive()
		if t.message.Seq == s.keeper.meta.Sequence.Stream || !alone && !s.elsewhere {
			return nil, nil
		}
		free, err := t.isFree(ctx)
		if err != nil {
			return nil, err
		}
		if free {
			return t.takeFree(ctx, work)
		}
		s.lookAgain(b.of, t)
		if alone {
			return nil, nil
		}
		held++ // adds run beside adds
	}
	return nil, nil
}

// readFront reads the job at a place of a target's queue, and its record. It returns nil if
// the job has ended or left the stream.
func (q *Queue) readFront(ctx context.Context, b *backlog, s *succession, p place) (*taking, error) {
	m, err := b.message(ctx, p)
	if err != nil || m == nil || m.Invalid != nil {
		return nil, err
	}
	t := &taking{q: q, delivery: s.keeper.lend(), message: m}
	_, found, err := q.state.Get(ctx, jobKey(m.ID), &t.entry)
	if err != nil {
		return nil, err
	}
	if t.claim = t.entry.claimOf(m, found); t.claim == superfluous || t.claim == otherJob {
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

// takeInstead takes the job at the front of the queue that this one waits in. It returns
// nil if the slot may not.
func (t *taking) takeInstead(ctx, work context.Context) (*Lease, error) {
	s := t.succession
	if s == nil || t.delivery.lent || time.Now().Before(s.rests) {
		return nil, nil
	}
	s.target, s.family = t.message.Job.Target(t.message.Kind), t.message.Kind.Family()
	front := *s
	front.keeper = t.delivery
	return t.q.takeFront(ctx, work, &front)
}

// followed reports whether the slot of a job that has ended may go on with another one.
func (l *Lease) followed() bool {
	m := l.message
	if l.d.lent || l.d.isOfMany() && ordered(m.Kind) {
		return true
	}
	if !l.mayFollow || !m.Kind.Exclusive() {
		return false
	}
	_, found := l.q.backlog(usher.Kind(m.Kind.Family()+".*")).after(m.Job.Target(m.Kind), place{seq: m.Seq, order: l.job.Order})
	return found
}

// isFree reports whether a slot may take the job: nobody has it but a worker that has lost
// its keeper, and it does not wait for its next attempt.
func (t *taking) isFree(ctx context.Context) (bool, error) {
	e := &t.entry
	if t.claim != newJob && t.claim != redelivered || e.Verdict != nil || e.carriedByParts() {
		return false, nil
	}
	if e.Record.Retry != nil && t.q.now().Before(e.Record.Retry.At) {
		return false, nil
	}
	if e.Holder != "" && e.Via == 0 {
		return false, nil
	}
	held, err := t.heldVia(ctx)
	return !held, err
}

// untilRetry returns how long the job's next attempt must still wait: its lease could not
// set the delay of its message.
func (t *taking) untilRetry() time.Duration {
	if e := &t.entry; e.Via != 0 && e.Holder == "" && e.Record.Retry != nil {
		return e.Record.Retry.At.Sub(t.q.now())
	}
	return 0
}

// heldVia reports whether another delivery than this one keeps the job's lease alive, or
// may do so again: its message is still on the stream.
func (t *taking) heldVia(ctx context.Context) (bool, error) {
	via := t.entry.Via
	if t.entry.Holder == "" || via == 0 || via == t.delivery.meta.Sequence.Stream {
		return false, nil
	}
	raw, err := t.q.backlog(usher.Kind(t.message.Kind.Family()+".*")).raw(ctx, place{seq: via})
	return raw != nil, err
}
