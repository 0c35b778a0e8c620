package targets

import (
	"context"
	"errors"
	"slices"
	"time"

	"usher"
	"usher/queues/records"
	"usher/queues/store"
)

// register lists the jobs on a target. Key targets.<target>.
type register struct {
	Live []registered `json:"live"`
	// Last is the last job that ran alone on the target. Replaying an older add would
	// add ids again that it has removed.
	Last *registered `json:"last,omitempty"`
	// Took is about how many seconds the last jobs in the register that were done took, by kind.
	Took map[usher.Kind]float64 `json:"took,omitempty"`
}

// noteTook notes how long a job took that is done.
func (r *register) noteTook(k usher.Kind, took time.Duration) {
	mean, known := r.Took[k]
	if !known {
		mean = took.Seconds()
	}
	if r.Took == nil {
		r.Took = map[usher.Kind]float64{}
	}
	r.Took[k] = mean + (took.Seconds()-mean)/4 // the last few jobs count most
}

// registered is a job in a register.
type registered struct {
	ID        string `json:"id"`
	Run       int    `json:"run"`
	Order     uint64 `json:"order"`
	Exclusive bool   `json:"alone,omitempty"`
}

func registeredOf(j *records.Job) registered {
	return registered{ID: j.Record.ID, Run: j.Run, Order: j.Order, Exclusive: j.Record.Kind.Exclusive()}
}

// Valid reports whether the register is one that usher writes.
func (r *register) Valid() bool { return r.Live != nil }

func targetKey(target string) string { return "targets." + store.Token(target) }

// Values returns, for the first token of the keys of registers, a function that returns a
// value to decode into.
func Values() map[string]func() any {
	return map[string]func() any{"targets": func() any { return new(register) }}
}

// Exclusive is a job that ran alone on a target. The zero value stands for none.
type Exclusive struct {
	Job   string
	Order uint64 // stream sequence of the job's first publish
}

// LastExclusive returns the newest job that ran alone on a target and changed it.
func (t *Targets) LastExclusive(ctx context.Context, target string) (Exclusive, error) {
	var reg register
	if _, _, err := t.state.Get(ctx, targetKey(target), &reg); err != nil || reg.Last == nil {
		return Exclusive{}, err
	}
	return Exclusive{Job: reg.Last.ID, Order: reg.Last.Order}, nil
}

// liveRegister reads a target's register and removes jobs that have ended. This repairs the
// register after a crash between the end of a job and Leave.
func (t *Targets) liveRegister(ctx context.Context, target string) (register, error) {
	reg, err := t.readRegister(ctx, targetKey(target))
	if err != nil {
		return reg, err
	}
	live := reg.Live[:0]
	for _, r := range reg.Live {
		j, _, found, err := t.records.Job(ctx, r.ID)
		if err != nil {
			return reg, err
		}
		if found && j.Run == r.Run && !j.State.Ended() {
			live = append(live, r)
		} else if err := t.unregister(ctx, target, r, found && j.HasChangedTarget(), j.Record.Kind, 0); err != nil {
			return reg, err
		}
	}
	reg.Live = live
	return reg, nil
}

// rebuildTime bounds the rebuilding of a register, which reads all records.
const rebuildTime = 2 * time.Minute

// readRegister reads the register of a target by its key. A damaged one is rebuilt from
// the records, because jobs that are missing in it would not be waited for.
func (t *Targets) readRegister(ctx context.Context, key string) (register, error) {
	for {
		var reg register
		stored, err := t.state.Find(ctx, key)
		if stored == nil || err != nil {
			return reg, err
		}
		if stored.Decode(&reg) == nil {
			return reg, nil
		}
		if reg, err = t.rebuildRegister(ctx, key, stored.Revision); !errors.Is(err, store.ErrConflict) {
			return reg, err
		}
	}
}

// Repair rebuilds the register at a key if it is damaged.
func (t *Targets) Repair(ctx context.Context, key string) error {
	_, err := t.readRegister(ctx, key)
	return err
}

// rebuildRegister replaces a damaged register by what the records say. It does not end
// with ctx, because no job on the target runs before it has ended.
func (t *Targets) rebuildRegister(ctx context.Context, key string, revision uint64) (register, error) {
	t.logger.Error("the register of a target is damaged: it is rebuilt from the records of its jobs", "key", key)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rebuildTime)
	defer cancel()
	reg, err := t.registerFromRecords(ctx, key)
	if err == nil {
		_, err = t.state.CompareAndSet(ctx, key, &reg, revision)
	}
	return reg, err
}

// registerFromRecords returns the register of a target that the records of its jobs imply.
func (t *Targets) registerFromRecords(ctx context.Context, key string) (register, error) {
	reg := register{Live: []registered{}}
	err := store.EachValue(ctx, t.state, "jobs.>", func(_ *store.Entry, j *records.Job) {
		target, registers := registeredTarget(j)
		if !registers || targetKey(target) != key {
			return
		}
		job := registeredOf(j)
		// A job that was never taken waits for others, and must not be waited for.
		if !j.State.Ended() && j.Record.Started != nil {
			reg.Live = append(reg.Live, job)
		}
		if job.Exclusive && j.HasChangedTarget() && (reg.Last == nil || reg.Last.Order < job.Order) {
			reg.Last = &job
		}
	})
	return reg, err
}

// registeredTarget returns the target of a job, and whether the job belongs into its
// register once it runs: it was cut or runs alone.
func registeredTarget(j *records.Job) (target string, registers bool) {
	target = j.Target()
	return target, target != "" && Ordered(j.Record.Kind) && (j.IsCut() || j.Record.Kind.Exclusive())
}

// Join writes the job into its target's register.
func (t *Targets) Join(ctx context.Context, j *records.Job) error {
	target := j.Target()
	if target == "" || !Ordered(j.Record.Kind) {
		return nil
	}
	job := registeredOf(j)
	var unread error
	err := store.Change(ctx, t.state, targetKey(target), func(r *register, found bool) bool {
		if !found {
			if unread = t.Repair(ctx, targetKey(target)); unread != nil {
				return false
			}
		}
		if slices.Contains(r.Live, job) {
			return false
		}
		r.Live = append(slices.DeleteFunc(r.Live, func(other registered) bool { return other.ID == job.ID }), job)
		return true
	})
	return errors.Join(err, unread)
}

// NoteChange records that a job changes a target while another job is in its register.
func (t *Targets) NoteChange(ctx context.Context, target string, e Exclusive, run int) error {
	var unread error
	err := store.Change(ctx, t.state, targetKey(target), func(r *register, found bool) bool {
		if !found {
			unread = errors.Join(t.Repair(ctx, targetKey(target)), errUnregistered)
			return false
		}
		if r.Last != nil && r.Last.Order >= e.Order {
			return false
		}
		r.Last = &registered{ID: e.Job, Run: run, Order: e.Order, Exclusive: true}
		return true
	})
	return errors.Join(err, unread)
}

var errUnregistered = errors.New("the register of the target was damaged")

// Leave removes the job from its target's register. If that fails, the next reader of the
// register repairs it.
func (t *Targets) Leave(ctx context.Context, j *records.Job) {
	target, registers := registeredTarget(j)
	if !registers {
		return
	}
	took := time.Duration(0)
	if started, finished := j.Record.Started, j.Record.Finished; j.State == usher.Done && started != nil && finished != nil {
		took = finished.Sub(*started)
	}
	if err := t.unregister(ctx, target, registeredOf(j), j.HasChangedTarget(), j.Record.Kind, took); err != nil {
		t.logger.Warn("leaving a target failed; the next job on it repairs the register", "job", j.Record.ID, "error", err)
	}
}

// unregister removes a job of a kind from a register. took is 0 if the job is not done, or how long it
// took is not known.
func (t *Targets) unregister(ctx context.Context, target string, job registered, changed bool, kind usher.Kind, took time.Duration) error {
	return store.Change(ctx, t.state, targetKey(target), func(r *register, found bool) bool {
		n := len(r.Live)
		r.Live = slices.DeleteFunc(r.Live, func(other registered) bool { return other.ID == job.ID && other.Run == job.Run })
		last := changed && job.Exclusive && (r.Last == nil || r.Last.Order < job.Order)
		if last {
			r.Last = &job
		}
		left := len(r.Live) != n
		if left && took > 0 {
			r.noteTook(kind, took)
		}
		return found && (left || last)
	})
}
