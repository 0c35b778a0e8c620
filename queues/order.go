package queues

import (
	"context"
	"fmt"
	"slices"
	"time"

	"usher"
	"usher/queues/message"
)

// On one segment or campaign target, adds run beside adds; remove, replace and
// clear run alone and in order. The order is the stream sequence of a job's
// first publish.
//
// The jobs on a target are found in two places. A job whose message is not
// acknowledged is on the stream, waiting or running. Jobs whose message is acknowledged
// because they were cut, and jobs that run alone, are in a register for each target. An
// add writes its record and then reads the register; a job that runs alone writes the
// register and then reads the records. So of two concurrent jobs at least one sees the
// other. Both read the stream first, so a job that was cut in between is found in the
// register.

// Turn returns what the lease's job must wait for on its target, or "" if it may work
// now. A job that must wait is to be returned by Retry.
func (l *Lease) Turn(ctx context.Context) (waitsFor string, err error) {
	e := l.job
	if e == nil {
		return "", nil // a part runs in its job's turn
	}
	m := l.message
	if !m.Kind.Exclusive() {
		before, err := l.q.before(ctx, e, m)
		if before == nil {
			return "", err
		}
		return before.waits(m), nil
	}
	if keeps, err := l.q.keepsTurn(ctx, e, m); keeps || err != nil {
		return "", err
	}
	if err := l.q.joinTarget(ctx, e); err != nil {
		return "", err
	}
	before, err := l.q.before(ctx, e, m)
	if before == nil && err == nil {
		return "", nil
	}
	l.q.leaveTarget(ctx, e)
	if err != nil {
		return "", err
	}
	return before.waits(m), nil
}

// obstacle is what a job waits for on its target.
type obstacle struct {
	id      string     // of the nearest job that must run first
	ahead   int        // jobs on the stream that must run first; 0: the nearest was cut
	started *time.Time // when the one in front was first taken, or nil
}

// before returns what must run before m's job on its target, or nil. A job that runs
// alone must be in the register before this call.
func (q *Queue) before(ctx context.Context, e *jobEntry, m *message.Message) (*obstacle, error) {
	if err := q.families[m.Kind.Family()].follow(ctx, m); err != nil {
		return nil, fmt.Errorf("read what waits on %s: %w", m.Job.Target(m.Kind), err)
	}
	return q.knownBefore(ctx, e, m)
}

// knownBefore is like before, but does not read messages published after m, which may be
// replays of older jobs.
func (q *Queue) knownBefore(ctx context.Context, e *jobEntry, m *message.Message) (*obstacle, error) {
	for _, b := range q.backlogsBefore(m) {
		if before, err := q.waitingBefore(ctx, b, e, m); before != nil || err != nil {
			return before, err
		}
	}
	return q.registeredBefore(ctx, m)
}

// registeredBefore returns a job in the register that m's must wait for, or nil.
func (q *Queue) registeredBefore(ctx context.Context, m *message.Message) (*obstacle, error) {
	reg, err := q.tenants(ctx, m.Job.Target(m.Kind))
	if err != nil {
		return nil, err
	}
	for _, t := range reg.Live {
		if t.ID != m.ID && (t.Alone || m.Kind.Exclusive()) {
			return &obstacle{id: t.ID, started: t.started}, nil
		}
	}
	return nil, nil
}

// keepsTurn reports whether a job that runs alone has begun to change its target and is
// still in the register. All other jobs wait for it, even older ones, which would
// otherwise find a half changed target.
func (q *Queue) keepsTurn(ctx context.Context, e *jobEntry, m *message.Message) (bool, error) {
	if !m.Kind.Exclusive() || !e.begun() {
		return false, nil
	}
	reg, err := q.tenants(ctx, m.Job.Target(m.Kind))
	return slices.ContainsFunc(reg.Live, func(t tenant) bool { return t.ID == m.ID && t.Run == e.Run }), err
}

func (o *obstacle) waits(m *message.Message) string {
	return fmt.Sprintf("waits for job %s on %s", o.id, m.Job.Target(m.Kind))
}

// Delays of a job that waits on its target. They grow with the number of jobs ahead and
// with the time that a check takes, so that a long queue moves quickly and all its checks
// together take less than the time of one slot: NATS delivers messages again before it
// delivers new ones, so that more checks would keep new jobs out.
const (
	delayPerJob    = 20 * time.Millisecond
	longestPerJob  = time.Second
	checksPerDelay = 16 // the delay per job is as long as so many checks, within these bounds
	shortestDelay  = 50 * time.Millisecond
	longestDelay   = 5 * time.Minute
)

// Bounds of the delay while the job in front runs: a quarter of its time so far, within
// them. The next job must not wait long after one that took long.
const (
	patiencePerJob   = 250 * time.Millisecond
	shortestPatience = 500 * time.Millisecond
	longestPatience  = 10 * time.Second
	shareOfTimeSoFar = 4
)

// delay returns the time after which a job that must wait checks again, if a check takes
// a time of check.
func (o *obstacle) delay(now time.Time, check time.Duration) time.Duration {
	perJob := min(max(checksPerDelay*check, delayPerJob), longestPerJob)
	delay := time.Duration(o.ahead) * perJob
	if o.started != nil {
		patience := min(max(time.Duration(o.ahead)*patiencePerJob, shortestPatience), longestPatience)
		delay = max(delay, min(now.Sub(*o.started)/shareOfTimeSoFar, patience))
	}
	return min(max(delay, shortestDelay), longestDelay)
}

// mustWait returns what a job must wait for on its target, and how long before it checks
// again. It returns nil if the job may be taken, or must be taken because it is past its
// deadline or age.
func (q *Queue) mustWait(ctx context.Context, m *message.Message, e *jobEntry) (*obstacle, time.Duration, error) {
	if !ordered(m.Kind) || e.Holder != "" || e.Verdict != nil || q.now().Sub(e.Published) > q.options.Age {
		return nil, 0, nil
	}
	begun := time.Now()
	if keeps, err := q.keepsTurn(ctx, e, m); keeps || err != nil {
		return nil, 0, err
	}
	before, err := q.before(ctx, e, m)
	if err != nil || before == nil {
		return nil, 0, err
	}
	if e.Record.Started != nil {
		// A redelivered job that runs alone may still be in the register. The job that must
		// run first would wait for it, and it for that job.
		q.leaveTarget(ctx, e)
	}
	delay := before.delay(q.now(), time.Since(begun))
	if deadline := m.Job.Deadline; !deadline.IsZero() {
		if left := deadline.Sub(q.now()); left <= 0 {
			return nil, 0, nil // it is taken and ends as deadline
		} else if left < delay {
			delay = left
		}
	}
	return before, delay, nil
}

// wait returns the delivery to the queue, and notes in the record what the job waits for.
// It writes nothing while the job waits for the same job, which is the one right before
// it, so that a long queue is cheap.
func (t *taking) wait(ctx context.Context, before *obstacle, delay time.Duration) error {
	q, e := t.q, &t.entry
	why := before.waits(t.message)
	if e.Record.Why == nil || *e.Record.Why != why {
		if e.State != usher.Retrying {
			e.State = usher.Queued
		}
		e.Record.Why, e.Record.Retry = &why, nil
		e.refresh(q)
		if _, err := q.state.CompareAndSet(ctx, jobKey(t.message.ID), e, t.revision); err != nil {
			return err
		}
		q.announce(ctx, e)
	}
	return t.delivery.nak(delay)
}

// backlogsBefore returns the backlogs of the kinds that a message's job may have to wait
// for.
func (q *Queue) backlogsBefore(m *message.Message) []*backlog {
	switch {
	case m.Kind.Exclusive():
		return []*backlog{q.backlog(usher.Kind(m.Kind.Family() + ".*"))}
	case m.Kind.Family() == "segment":
		return []*backlog{q.backlog(usher.SegmentRemove)}
	}
	return []*backlog{q.backlog(usher.TargetReplace), q.backlog(usher.TargetClear)}
}

// readUpTo reads the stream up to a message on a target.
func (q *Queue) readUpTo(ctx context.Context, m *message.Message, target string) error {
	f := q.families[m.Kind.Family()]
	if f.has(m.Seq) {
		return nil
	}
	if err := f.follow(ctx, m); err != nil {
		return fmt.Errorf("read what waits on %s: %w", target, err)
	}
	return nil
}

// Numbers of jobs ahead from which the first delivery of a job, and further ones, are not
// worth a look at its record.
const (
	farBehind     = 100
	veryFarBehind = 1000
)

// putOff returns the delivery of a job that is far behind on its target, and reads and
// writes no record, so that a burst of such jobs soon lets newer ones pass. A later
// delivery tells in the record what the job waits for.
func (q *Queue) putOff(ctx context.Context, d *delivery, m *message.Message) (bool, error) {
	if m.Run > 1 || !m.Job.Deadline.IsZero() {
		return false, nil
	}
	delay, err := q.putOffFor(ctx, m, m.Job.Target(m.Kind), d.meta.NumDelivered, map[string]bool{})
	if delay == 0 || err != nil {
		return false, err
	}
	return true, d.nak(delay)
}

// putOffFor returns for how long a delivery is put off, 0 for not at all.
func (q *Queue) putOffFor(ctx context.Context, m *message.Message, target string, delivered uint64, fronts map[string]bool) (time.Duration, error) {
	if !ordered(m.Kind) || q.now().Sub(m.Published) > q.options.Age {
		return 0, nil
	}
	far := farBehind
	if delivered > 1 {
		far = veryFarBehind
	}
	ahead, err := q.aheadOf(ctx, m, target, fronts)
	if err != nil || ahead < far {
		return 0, err
	}
	return (&obstacle{ahead: ahead}).delay(q.now(), 0), nil
}

// aheadOf returns about how many jobs on the stream must run before a message's job. Of a
// target that is not yet in fronts, it first forgets the jobs that have left the stream.
func (q *Queue) aheadOf(ctx context.Context, m *message.Message, target string, fronts map[string]bool) (int, error) {
	if err := q.readUpTo(ctx, m, target); err != nil {
		return 0, err
	}
	ahead := 0
	for _, b := range q.backlogsBefore(m) {
		front := string(b.pattern) + " " + target
		if b.before(target, m.Order) >= farBehind && !fronts[front] {
			if err := b.removeGone(ctx, target); err != nil {
				return 0, fmt.Errorf("read what waits on %s: %w", target, err)
			}
			fronts[front] = true
		}
		ahead += b.before(target, m.Order)
	}
	return ahead, nil
}

// waitingBefore searches the stream for jobs on the same target that must run before m's:
// older ones and, for a job that runs alone, newer ones that are running.
func (q *Queue) waitingBefore(ctx context.Context, b *backlog, e *jobEntry, m *message.Message) (*obstacle, error) {
	target := m.Job.Target(m.Kind)
	own := place{order: e.Order}
	nearest, err := q.firstBefore(ctx, b, e, m, own, b.previous)
	if err != nil {
		return nil, err
	}
	if nearest == nil {
		return q.firstBefore(ctx, b, e, m, own, b.after)
	}
	front, err := q.firstBefore(ctx, b, e, m, place{}, b.after)
	if front != nil {
		nearest.started = front.started
	}
	nearest.ahead = b.before(target, e.Order)
	return nearest, err
}

// firstBefore returns the first job that must run before m's, of those that step goes
// through, or nil. It removes from the backlog what it finds to be gone.
func (q *Queue) firstBefore(ctx context.Context, b *backlog, e *jobEntry, m *message.Message, from place, step func(target string, p place) (place, bool)) (*obstacle, error) {
	target := m.Job.Target(m.Kind)
	for p, found := step(target, from); found; p, found = step(target, p) {
		older := p.order < e.Order
		if !older && !mayRunBefore(m, e.Order) {
			break
		}
		before, gone, err := q.runsBefore(ctx, b, p, m, older)
		if before != nil || err != nil {
			return before, err
		}
		if gone {
			b.remove(target, p)
		}
	}
	return nil, nil
}

// mayRunBefore reports whether a newer job may run before m's, which runs alone. A newer
// job that was published after m's message has found it on the stream and waits, so that
// only a replay may find one.
func mayRunBefore(m *message.Message, order uint64) bool { return m.Kind.Exclusive() && m.Seq > order }

// runsBefore returns the job at a place if it must still run and is older than m's, or is
// running. gone reports that there is no such job any more. The message of a cancelled job
// stays on the stream until its delay is over.
func (q *Queue) runsBefore(ctx context.Context, b *backlog, p place, m *message.Message, older bool) (before *obstacle, gone bool, err error) {
	if p.seq == m.Seq || !older && p.seq > m.Seq {
		return nil, false, nil
	}
	other, err := b.message(ctx, p)
	if err != nil || other == nil || other.Invalid != nil {
		return nil, err == nil, err
	}
	if other.ID == m.ID {
		return nil, false, nil
	}
	var e jobEntry
	_, found, err := q.state.Get(ctx, jobKey(other.ID), &e)
	if err != nil {
		return nil, false, err
	}
	before = &obstacle{id: other.ID, started: e.Record.Started}
	switch e.claimOf(other, found) {
	case newJob, nextRun, tooEarly:
		if older {
			return before, false, nil
		}
	case redelivered:
		if older || e.State == usher.Running {
			return before, false, nil
		}
	default:
		return nil, true, nil
	}
	return nil, false, nil
}
