package queues

import (
	"context"
	"fmt"
	"slices"
	"time"

	"usher"
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
// other. Both read the stream first: a job that leaves it because it was cut is then in
// the register.

// Turn returns what the lease's job must wait for on its target, or "" if it may work
// now. A job that must wait is to be returned by Retry.
func (l *Lease) Turn(ctx context.Context) (waitsFor string, err error) {
	e := l.job
	if e == nil {
		return "", nil // a part runs in its job's turn
	}
	m := l.message
	if !m.kind.Exclusive() {
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

// before returns a job that must run before m's on its target, or nil. A job that runs
// alone must be in the register before this call.
func (q *Queue) before(ctx context.Context, e *jobEntry, m *message) (*tenant, error) {
	kinds := []string{m.kind.Family() + ".*"}
	if !m.kind.Exclusive() {
		kinds = aloneKinds(m.kind)
	}
	t, err := q.waitingBefore(ctx, e, m, kinds...)
	if t == nil && err == nil {
		t, err = q.registeredBefore(ctx, m)
	}
	if t == nil || err != nil {
		return nil, err
	}
	for _, kind := range kinds {
		t.ahead += q.backlog(usher.Kind(kind)).before(m.job.Target(m.kind), e.Order)
	}
	return t, nil
}

// registeredBefore returns a job in the register that m's must wait for, or nil.
func (q *Queue) registeredBefore(ctx context.Context, m *message) (*tenant, error) {
	reg, err := q.tenants(ctx, m.job.Target(m.kind))
	if err != nil {
		return nil, err
	}
	for _, t := range reg.Live {
		if t.ID != m.id && (t.Alone || m.kind.Exclusive()) {
			return &t, nil
		}
	}
	return nil, nil
}

// keepsTurn reports whether a job that runs alone has begun to change its target and is
// still in the register. All other jobs wait for it, even older ones, which would
// otherwise find a half changed target.
func (q *Queue) keepsTurn(ctx context.Context, e *jobEntry, m *message) (bool, error) {
	if !m.kind.Exclusive() || !e.begun() {
		return false, nil
	}
	reg, err := q.tenants(ctx, m.job.Target(m.kind))
	return slices.ContainsFunc(reg.Live, func(t tenant) bool { return t.ID == m.id && t.Run == e.Run }), err
}

func (t *tenant) waits(m *message) string {
	return fmt.Sprintf("waits for job %s on %s", t.ID, m.job.Target(m.kind))
}

// Delays of a job that waits on its target. They grow with the number of jobs ahead, so
// that a long queue moves quickly and costs little.
const (
	delayPerJob   = 20 * time.Millisecond
	shortestDelay = 50 * time.Millisecond
	longestDelay  = 5 * time.Minute
)

// Bounds of the delay while the job in front runs: a quarter of its time so far, within
// them. The next job must not wait long after one that took long.
const (
	patiencePerJob   = 250 * time.Millisecond
	shortestPatience = 500 * time.Millisecond
	longestPatience  = 10 * time.Second
	shareOfTimeSoFar = 4
)

// delay returns the time after which a job that must wait for t checks again.
func (t *tenant) delay(now time.Time) time.Duration {
	delay := time.Duration(t.ahead) * delayPerJob
	if t.started != nil {
		patience := min(max(time.Duration(t.ahead)*patiencePerJob, shortestPatience), longestPatience)
		delay = max(delay, min(now.Sub(*t.started)/shareOfTimeSoFar, patience))
	}
	return min(max(delay, shortestDelay), longestDelay)
}

// waitOnTarget returns a delivery to the queue while another job must run first, and
// notes that in the record. It writes nothing while the job waits for the same job, so
// that a long queue is cheap. It reports false if the job may be taken, or must be taken
// because it is past its deadline or age.
func (q *Queue) waitOnTarget(ctx context.Context, d *delivery, m *message, e *jobEntry, revision uint64) (bool, error) {
	if !ordered(m.kind) || e.Holder != "" || e.Verdict != nil || q.now().Sub(e.Published) > q.options.Age {
		return false, nil
	}
	if keeps, err := q.keepsTurn(ctx, e, m); keeps || err != nil {
		return false, err
	}
	before, err := q.before(ctx, e, m)
	if err != nil || before == nil {
		return false, err
	}
	// A redelivered job that runs alone may still be in the register. The job that must
	// run first would wait for it, and it for that job.
	q.leaveTarget(ctx, e)
	delay := before.delay(q.now())
	if deadline := m.job.Deadline; !deadline.IsZero() {
		if left := deadline.Sub(q.now()); left <= 0 {
			return false, nil // it is taken and ends as deadline
		} else if left < delay {
			delay = left
		}
	}
	why := before.waits(m)
	if e.Record.Why == nil || *e.Record.Why != why {
		if e.State != usher.Retrying {
			e.State = usher.Queued
		}
		e.Record.Why, e.Record.Retry = &why, nil
		e.refresh(q)
		if _, err := q.state.CompareAndSet(ctx, jobKey(m.id), e, revision); err != nil {
			return false, err
		}
		q.announce(ctx, e)
	}
	return true, d.nak(delay)
}

func aloneKinds(k usher.Kind) []string {
	if k.Family() == "segment" {
		return []string{string(usher.SegmentRemove)}
	}
	return []string{string(usher.TargetReplace), string(usher.TargetClear)}
}

// waitingBefore searches the stream for a job on the same target that must run first: an
// older one or, for a job that runs alone, a running one.
func (q *Queue) waitingBefore(ctx context.Context, e *jobEntry, m *message, kinds ...string) (*tenant, error) {
	target := m.job.Target(m.kind)
	for _, kind := range kinds {
		b := q.backlog(usher.Kind(kind))
		if err := b.follow(ctx, m); err != nil {
			return nil, fmt.Errorf("read what waits on %s: %w", target, err)
		}
		for p, found := b.after(target, place{}); found; p, found = b.after(target, p) {
			older := p.order < e.Order
			if !older && !mayRunBefore(m, e.Order) {
				break
			}
			before, gone, err := q.inTheWay(ctx, b, p, m, older)
			if before != nil || err != nil {
				return before, err
			}
			if gone {
				b.remove(target, p)
			}
		}
	}
	return nil, nil
}

// mayRunBefore reports whether a newer job may run before m's, which runs alone. A newer
// job that was published after m's message has found it on the stream and waits, so that
// only a replay may find one.
func mayRunBefore(m *message, order uint64) bool { return m.kind.Exclusive() && m.seq > order }

// inTheWay returns the job at a place if it must still run and is older than m's, or is
// running. gone reports that there is no such job any more. The message of a cancelled job
// stays on the stream until its delay is over.
func (q *Queue) inTheWay(ctx context.Context, b *backlog, p place, m *message, older bool) (before *tenant, gone bool, err error) {
	if p.seq == m.seq || !older && p.seq > m.seq {
		return nil, false, nil
	}
	other, err := b.message(ctx, p)
	if err != nil || other == nil || other.invalid != nil {
		return nil, err == nil, err
	}
	if other.id == m.id {
		return nil, false, nil
	}
	var e jobEntry
	_, found, err := q.state.Get(ctx, jobKey(other.id), &e)
	if err != nil {
		return nil, false, err
	}
	before = &tenant{ID: other.id, Order: other.order, started: e.Record.Started}
	switch other.claim(&e, found) {
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
