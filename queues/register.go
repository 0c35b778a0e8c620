package queues

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"usher"
	"usher/queues/store"
)

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

	started *time.Time // when it was first taken, or nil
}

// tenants reads a target's register and removes jobs that have ended. This repairs the
// register after a crash between the end of a job and leaveTarget.
func (q *Queue) tenants(ctx context.Context, target string) (register, error) {
	reg, err := q.registerAt(ctx, targetKey(target))
	if err != nil {
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
			t.started = e.Record.Started
			live = append(live, t)
		} else if err := q.unregister(ctx, target, t, found && e.changedTarget()); err != nil {
			return reg, err
		}
	}
	reg.Live = live
	return reg, nil
}

// rebuildTime bounds the rebuilding of a register, which reads all records.
const rebuildTime = 2 * time.Minute

// registerAt reads the register of a target by its key. A damaged one is built anew from
// the records, because jobs that are missing in it would not be waited for.
func (q *Queue) registerAt(ctx context.Context, key string) (register, error) {
	for {
		var reg register
		stored, err := q.state.Find(ctx, key)
		if stored == nil || err != nil {
			return reg, err
		}
		if stored.Decode(&reg) == nil {
			return reg, nil
		}
		if reg, err = q.rebuildRegister(ctx, key, stored.Revision); !errors.Is(err, store.ErrConflict) {
			return reg, err
		}
	}
}

// rebuildRegister replaces a damaged register by what the records say. It does not end
// with ctx, because no job on the target runs before it has ended.
func (q *Queue) rebuildRegister(ctx context.Context, key string, revision uint64) (register, error) {
	q.logger.Error("the register of a target is damaged: it is built anew from the records of its jobs", "key", key)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rebuildTime)
	defer cancel()
	reg, err := q.registerOfRecords(ctx, key)
	if err == nil {
		_, err = q.state.CompareAndSet(ctx, key, &reg, revision)
	}
	return reg, err
}

// registerOfRecords returns the register of a target as the records of its jobs have it.
func (q *Queue) registerOfRecords(ctx context.Context, key string) (register, error) {
	reg := register{Live: []tenant{}}
	err := store.EachValue(ctx, q.state, "jobs.>", func(_ *store.Entry, e *jobEntry) {
		if of, ordered := e.targetOf(); !ordered || targetKey(of) != key || !e.cut() && !e.Record.Kind.Exclusive() {
			return
		}
		who := tenant{ID: e.Record.ID, Run: e.Run, Order: e.Order, Alone: e.Record.Kind.Exclusive()}
		if !e.State.Ended() {
			reg.Live = append(reg.Live, who)
		}
		if who.Alone && e.changedTarget() && (reg.Last == nil || reg.Last.Order < who.Order) {
			reg.Last = &who
		}
	})
	return reg, err
}

// Valid reports whether the register is one that usher writes.
func (r *register) Valid() bool { return r.Live != nil }

// ordered reports whether jobs of a kind have an order on their target.
func ordered(k usher.Kind) bool {
	family := k.Family()
	return family == "segment" || family == "target"
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
	return job.Target(e.Record.Kind), ordered(e.Record.Kind)
}

// joinTarget writes the job into its target's register.
func (q *Queue) joinTarget(ctx context.Context, e *jobEntry) error {
	target, ordered := e.targetOf()
	if !ordered {
		return nil
	}
	me := tenant{ID: e.Record.ID, Run: e.Run, Order: e.Order, Alone: e.Record.Kind.Exclusive()}
	var unread error
	err := store.Change(ctx, q.state, targetKey(target), func(r *register, found bool) bool {
		if !found {
			if _, unread = q.registerAt(ctx, targetKey(target)); unread != nil { // repairs a damaged one
				return false
			}
		}
		if slices.Contains(r.Live, me) {
			return false
		}
		r.Live = append(slices.DeleteFunc(r.Live, func(t tenant) bool { return t.ID == me.ID }), me)
		return true
	})
	return errors.Join(err, unread)
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
