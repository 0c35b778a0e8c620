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
// Who is there is known from two places. A job whose message is not acked yet
// lies on the stream, waiting or running. A cut job's message is acked while
// its parts run, and a job that runs alone must be seen at once: these stand
// in a register per target. An add says that it runs (its record) and then
// looks at the register; a lone job writes the register and then looks at the
// records: so of two, one at least sees the other. Both look at the stream
// first: what leaves it meanwhile because it was cut is in the register then.

// register is who is on a target. Key targets.<target>.
type register struct {
	Live []tenant `json:"live"`
	// Last is the last job that ran alone here: replaying an older add would
	// put back what it took out.
	Last *tenant `json:"last,omitempty"`
}

type tenant struct {
	ID    string `json:"id"`
	Run   int    `json:"run"`
	Order uint64 `json:"order"`
	Alone bool   `json:"alone,omitempty"`
}

// Turn says whether the lease's job may work on its target now. Where it must
// wait, it returns what for; the job is to be given back then.
func (l *Lease) Turn(ctx context.Context) (waitsFor string, err error) {
	e := l.job
	if e == nil {
		return "", nil // a part runs on its job's turn
	}
	m := l.message
	if !m.kind.Alone() {
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

// before is a job that must go before m's on its target; nil where there is
// none. A lone job whose turn this is must stand in the register first.
func (q *Queue) before(ctx context.Context, e *jobEntry, m *message) (*tenant, error) {
	kinds := []string{m.kind.Family() + ".*"}
	if !m.kind.Alone() {
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
		if t.ID != m.id && (t.Alone || m.kind.Alone()) {
			return &t, nil
		}
	}
	return nil, nil
}

// keepsTurn reports whether a lone job has begun to change its target and has
// stood in the register since: everybody waits for it, an older job too, which
// would otherwise find the target half done.
func (q *Queue) keepsTurn(ctx context.Context, e *jobEntry, m *message) (bool, error) {
	if !m.kind.Alone() || !e.begun() {
		return false, nil
	}
	reg, err := q.tenants(ctx, m.job.Target(m.kind))
	return slices.ContainsFunc(reg.Live, func(t tenant) bool { return t.ID == m.id && t.Run == e.Run }), err
}

func (t *tenant) waits(m *message) string {
	return fmt.Sprintf("waits for job %s on %s", t.ID, m.job.Target(m.kind))
}

// Delays of a job that must wait on its target: the nearer its turn, the sooner
// it looks again, so that a long row moves on quickly and costs little.
const (
	delayPerJob   = 250 * time.Millisecond
	shortestDelay = 500 * time.Millisecond
	longestDelay  = 10 * time.Second
)

// delay is when a job of that order looks again whether t is out of its way.
func (t *tenant) delay(order uint64) time.Duration {
	if order <= t.Order {
		return shortestDelay
	}
	ahead := min(order-t.Order, uint64(longestDelay/delayPerJob))
	return max(time.Duration(ahead)*delayPerJob, shortestDelay)
}

// waitOnTarget gives a delivery back that nobody works for while another job
// must go first, and says so in its record. Nothing is written while it waits
// for the same job, so that a long row of them is cheap. It reports false where
// the job may be taken, or must be because its end has come.
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
	// A lone job that had its turn, and comes again, may still stand in the
	// register: who must go first would wait for it, and it for them.
	q.leaveTarget(ctx, e)
	delay := before.delay(e.Order)
	if deadline := m.job.Deadline; !deadline.IsZero() {
		if left := deadline.Sub(q.now()); left <= 0 {
			return false, nil // ends as that
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

// waitingBefore looks at the stream for a job on the same target that must go
// first: an older one, or, where we are to run alone, one that runs.
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
			if !older && !m.kind.Alone() {
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

// inTheWay reports whether a message's job has still to run, where it is older,
// or runs. A cancelled job's message lies on the stream until its delay is over.
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
	return false, nil // nothing is left of it
}

// tenants reads a target's register and takes out whose jobs have ended: a
// crash between a job's end and its leaving is healed here.
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

// targetOf is the job's target where it has an order.
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
	me := tenant{ID: e.Record.ID, Run: e.Run, Order: e.Order, Alone: e.Record.Kind.Alone()}
	return store.Change(ctx, q.state, targetKey(target), func(r *register, _ bool) bool {
		if slices.Contains(r.Live, me) {
			return false
		}
		r.Live = append(slices.DeleteFunc(r.Live, func(t tenant) bool { return t.ID == me.ID }), me)
		return true
	})
}

// leaveTarget takes the job out of its target's register. What fails here is
// healed by the next who reads the register.
func (q *Queue) leaveTarget(ctx context.Context, e *jobEntry) {
	target, ordered := e.targetOf()
	if !ordered || !e.cut() && !e.Record.Kind.Alone() {
		return // was never in it
	}
	me := tenant{ID: e.Record.ID, Run: e.Run, Order: e.Order, Alone: e.Record.Kind.Alone()}
	if err := q.unregister(ctx, target, me, e.changedTarget()); err != nil {
		q.logger.Warn("leaving a target, the next job there heals it", "job", e.Record.ID, "error", err)
	}
}

// changedTarget reports whether the job has done what it was to do, or a part of
// it, and not only for show.
func (e *jobEntry) changedTarget() bool {
	var job struct {
		DryRun bool `json:"dryRun"`
	}
	return (e.State == usher.Done || e.begun()) && json.Unmarshal(e.Record.Job, &job) == nil && !job.DryRun
}

// begun reports whether a lone job may have changed its target: it cleared it,
// or took ids out.
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

// eachWaiting calls visit with every message on the stream of jobs under a
// subject, waiting or running, until it returns false. Usually there are few:
// a message leaves the stream when its job ends.
func (q *Queue) eachWaiting(ctx context.Context, subject string, visit func(*message) bool) error {
	stream, err := q.js.Stream(ctx, q.names.JobsStream())
	if err != nil {
		return fmt.Errorf("read the stream of jobs: %w", err)
	}
	return eachMessage(ctx, stream, q.names.Subject(subject), 1, func(m *rawMessage) bool {
		return visit(q.read(m.Subject, m.Header, m.Data, m.Sequence, m.Time))
	})
}
