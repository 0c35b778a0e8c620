package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"usher"
	"usher/queues/store"
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

// register lists the jobs on a target. Key targets.<target>.
type register struct {
	Live []tenant `json:"live"`
	// Last is the last job that ran alone on the target. Replaying an older add would
	// add ids again that it has removed.
	Last *tenant `json:"last,omitempty"`
}

type tenant struct {
	ID    string `json:"id"`
	Run   int    `json:"run"`
	Order uint64 `json:"order"`
	Alone bool   `json:"alone,omitempty"`
}

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
	if t, err := q.waitingBefore(ctx, e, m, kinds...); t != nil || err != nil {
		return t, err
	}
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
	delayPerJob   = 250 * time.Millisecond
	shortestDelay = 500 * time.Millisecond
	longestDelay  = 10 * time.Second
)

// delay returns the time after which a job of that order checks for t again.
func (t *tenant) delay(order uint64) time.Duration {
	if order <= t.Order {
		return shortestDelay
	}
	ahead := min(order-t.Order, uint64(longestDelay/delayPerJob))
	return max(time.Duration(ahead)*delayPerJob, shortestDelay)
}

// waitOnTarget returns a delivery to the queue while another job must run first, and
// notes that in the record. It writes nothing while the job waits for the same job, so
// that a long queue is cheap. It reports false if the job may be taken, or must be taken
// because it is past its deadline or age.
func (q *Queue) waitOnTarget(ctx context.Context, d *delivery, m *message, e *jobEntry, revision uint64) (bool, error) {
	family := m.kind.Family()
	if family != "segment" && family != "target" || e.Holder != "" || e.Verdict != nil || q.now().Sub(e.Published) > q.options.Age {
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
	delay := before.delay(e.Order)
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
	var before *tenant
	var unread error
	for _, kind := range kinds {
		err := q.eachWaiting(ctx, "usher.jobs."+kind, func(other *message) bool {
			if other.invalid != nil || other.id == m.id || other.job.Target(other.kind) != target {
				return true
			}
			older := other.order < e.Order
			if !older && !m.kind.Exclusive() {
				return true
			}
			inTheWay, err := q.inTheWay(ctx, other, older)
			if inTheWay {
				before = &tenant{ID: other.id, Order: other.order}
			}
			unread = err
			return !inTheWay && err == nil
		})
		if err = errors.Join(err, unread); err != nil || before != nil {
			return before, err
		}
	}
	return nil, nil
}

// inTheWay reports whether the job of a message must still run and is older, or is
// running. The message of a cancelled job stays on the stream until its delay is over.
func (q *Queue) inTheWay(ctx context.Context, other *message, older bool) (bool, error) {
	var e jobEntry
	_, found, err := q.state.Get(ctx, jobKey(other.id), &e)
	if err != nil || !found {
		return older, err
	}
	switch other.claim(&e, found) {
	case redelivered:
		return older || e.State == usher.Running, nil
	case nextRun, tooEarly:
		return older, nil
	}
	return false, nil // the job has ended
}

// tenants reads a target's register and removes jobs that have ended. This repairs the
// register after a crash between the end of a job and leaveTarget.
func (q *Queue) tenants(ctx context.Context, target string) (register, error) {
	var reg register
	if _, _, err := q.state.Get(ctx, targetKey(target), &reg); err != nil {
		return reg, err
	}
	live := reg.Live[:0]
	for _, t := range reg.Live {
		var e jobEntry
		_, found, err := q.state.Get(ctx, jobKey(t.ID), &e)
		if err != nil {
			return reg, err
		}
		if found && e.Run == t.Run && !e.State.Ended() {
			live = append(live, t)
		} else if err := q.unregister(ctx, target, t, found && e.changedTarget()); err != nil {
			return reg, err
		}
	}
	reg.Live = live
	return reg, nil
}

// targetOf returns the job's target and whether jobs on it have an order.
func (e *jobEntry) targetOf() (string, bool) {
	var job usher.Job
	if json.Unmarshal(e.Record.Job, &struct {
		Segment  *string `json:"segment"`
		Campaign *string `json:"campaign"`
	}{&job.Segment, &job.Campaign}) != nil {
		return "", false
	}
	family := e.Record.Kind.Family()
	return job.Target(e.Record.Kind), family == "segment" || family == "target"
}

// joinTarget writes the job into its target's register.
func (q *Queue) joinTarget(ctx context.Context, e *jobEntry) error {
	target, ordered := e.targetOf()
	if !ordered {
		return nil
	}
	me := tenant{ID: e.Record.ID, Run: e.Run, Order: e.Order, Alone: e.Record.Kind.Exclusive()}
	return store.Change(ctx, q.state, targetKey(target), func(r *register, _ bool) bool {
		if slices.Contains(r.Live, me) {
			return false
		}
		r.Live = append(slices.DeleteFunc(r.Live, func(t tenant) bool { return t.ID == me.ID }), me)
		return true
	})
}

// leaveTarget removes the job from its target's register. If that fails, the next call
// of tenants repairs it.
func (q *Queue) leaveTarget(ctx context.Context, e *jobEntry) {
	target, ordered := e.targetOf()
	if !ordered || !e.cut() && !e.Record.Kind.Exclusive() {
		return // it was never in the register
	}
	me := tenant{ID: e.Record.ID, Run: e.Run, Order: e.Order, Alone: e.Record.Kind.Exclusive()}
	if err := q.unregister(ctx, target, me, e.changedTarget()); err != nil {
		q.logger.Warn("leaving a target failed; the next job on it repairs the register", "job", e.Record.ID, "error", err)
	}
}

// changedTarget reports whether the job has changed its target, completely or in part.
func (e *jobEntry) changedTarget() bool {
	var job struct {
		DryRun bool `json:"dryRun"`
	}
	return (e.State == usher.Done || e.begun()) && json.Unmarshal(e.Record.Job, &job) == nil && !job.DryRun
}

// begun reports whether a job that runs alone may have cleared its target or removed
// ids.
func (e *jobEntry) begun() bool {
	switch e.Progress.Phase {
	case usher.PhaseClear, usher.PhaseAdd:
		return true
	case usher.PhaseCount:
		return false
	}
	return e.Progress.Checkpoint.Batches > 0
}

func (q *Queue) unregister(ctx context.Context, target string, who tenant, changed bool) error {
	return store.Change(ctx, q.state, targetKey(target), func(r *register, found bool) bool {
		n := len(r.Live)
		r.Live = slices.DeleteFunc(r.Live, func(t tenant) bool { return t.ID == who.ID && t.Run == who.Run })
		last := changed && who.Alone && (r.Last == nil || r.Last.Order < who.Order)
		if last {
			r.Last = &who
		}
		return found && (len(r.Live) != n || last)
	})
}

// eachWaiting calls visit with every message of a subject on the stream of jobs, waiting
// or running, until visit returns false. A message leaves the stream when its job ends,
// so there are usually few.
func (q *Queue) eachWaiting(ctx context.Context, subject string, visit func(*message) bool) error {
	stream, err := q.js.Stream(ctx, q.names.JobsStream())
	if err != nil {
		return fmt.Errorf("read the stream of jobs: %w", err)
	}
	return eachMessage(ctx, stream, q.names.Subject(subject), 1, func(m *rawMessage) bool {
		return visit(q.read(m.Subject, m.Header, m.Data, m.Sequence, m.Time))
	})
}
