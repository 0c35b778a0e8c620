package decisions

import (
	"context"
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

// RecordTick records a tick as evaluated, unless a later one is recorded. A tick
// without an evaluation marks the start of a new rule's schedule. A run that somebody else has asked
// for is no tick: one as of a past time would let the schedule begin then.
func (r *Store) RecordTick(ctx context.Context, t usher.Tick) error {
	if t.Evaluation != "" && t.Evaluation != tickID(t.File, t.Rule, t.At) {
		return nil
	}
	return store.Change(ctx, r.bucket, tickKey(t.File, t.Rule), func(v *usher.Tick, found bool) bool {
		if found && (t.Evaluation == "" || !v.At.Before(t.At)) {
			return false
		}
		*v = t
		return true
	})
}

// LastTick returns the last tick of a rule that was evaluated, and reports whether
// there is one. A new rule has none.
func (r *Store) LastTick(ctx context.Context, file, rule string) (t usher.Tick, found bool, err error) {
	_, found, err = r.bucket.Get(ctx, tickKey(file, rule), &t)
	return t, found, err
}
