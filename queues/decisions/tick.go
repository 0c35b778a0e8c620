package decisions

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/store"
)

// tickID is the id of a tick's job, the same in every worker.
func tickID(file, rule string, at time.Time) string {
	return fitID("rule-"+file+"-"+rule, "-"+at.UTC().Format("20060102T1504Z"))
}

// PublishTick publishes the job of a tick. It runs once, however many workers
// publish it.
func (r *Store) PublishTick(ctx context.Context, file, rule string, at time.Time) error {
	at = at.UTC()
	id := tickID(file, rule, at)
	// The server forgets message IDs after an hour; the record stays.
	if _, found, err := r.queue.Reruns().Latest(ctx, id); err != nil || found {
		return err
	}
	job := usher.Job{ID: id, Rules: file, Rule: rule, AsOf: at.Format(time.RFC3339)}
	return r.queue.PublishJobs(ctx, []queues.NewJob{{Kind: usher.RulesEvaluate, Job: job}})
}

// IsTick reports whether a job is that of a tick. A run that somebody else has asked for as of a time
// is none: recorded as one, it would let the schedule go on from then.
func (r *Store) IsTick(id, file, rule string, at time.Time) bool { return id == tickID(file, rule, at) }

// RecordTick records a tick as evaluated, unless a later one is recorded. A tick without an evaluation
// marks the start of a schedule: that of a new rule, or one that differs from the recorded one.
func (r *Store) RecordTick(ctx context.Context, t usher.Tick) error {
	return store.Change(ctx, r.bucket, tickKey(t.File, t.Rule), func(v *usher.Tick, found bool) bool {
		switch {
		case !found:
		case t.Evaluation == "" && v.Schedule == "": // that of 1.0.0 counts as the same
			v.Schedule = t.Schedule
			return t.Schedule != ""
		case t.Evaluation == "" && v.Schedule == t.Schedule, t.Evaluation != "" && !v.At.Before(t.At):
			return false
		case t.Evaluation != "" && v.Schedule != "": // this worker may still have the file before
			t.Schedule = v.Schedule
		}
		*v = t
		return true
	})
}

// ForgetTicks removes what is recorded of the rules of a file that have no schedule any more, so that
// one that gets it back begins anew.
func (r *Store) ForgetTicks(ctx context.Context, file string, scheduled func(rule string) bool) error {
	var gone []string
	err := store.EachValue(ctx, r.bucket, tickKey(file, "")+"*", func(e *store.Entry, t *usher.Tick) {
		if !scheduled(t.Rule) {
			gone = append(gone, e.Key)
		}
	})
	for _, key := range gone {
		err = errors.Join(err, r.bucket.Delete(ctx, key))
	}
	return err
}

// LastTick returns the last tick of a rule that was evaluated, and reports whether
// there is one. A new rule has none.
func (r *Store) LastTick(ctx context.Context, file, rule string) (t usher.Tick, found bool, err error) {
	_, found, err = r.bucket.Get(ctx, tickKey(file, rule), &t)
	return t, found, err
}
