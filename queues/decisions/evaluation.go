package decisions

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues/status"
	"usher/queues/store"
)

// StoreAndEnact writes the decisions of an evaluation first, one value for each
// campaign, and then the evaluation, which makes them valid. The first evaluation of an
// id wins: a redelivery, or a worker that lost its lease, finds it and carries that one
// out. So a crash causes no second set of decisions.

// evaluationEntry is an evaluation as it is stored. Key evaluations.<id>.
type evaluationEntry struct {
	usher.Evaluation
	Set string `json:"set"` // names the valid decision sets
	// Decisions has the decisions if they are few and on one campaign, as those of an
	// event are. Without decision sets, a pause needs one write less.
	Decisions []usher.StoredDecision `json:"decisions,omitempty"`
	// Audited is the Judged of the approval or rejection that is in the audit.
	Audited *time.Time `json:"audited,omitempty"`
}

// Valid reports whether usher can have written the entry.
func (e *evaluationEntry) Valid() bool { return e.ID != "" && e.State != "" }

// StoreAndEnact stores an evaluation with its decisions and publishes the jobs that carry
// it out. If an evaluation with the same id is already on record, StoreAndEnact stores
// nothing, publishes the jobs of that one, and returns it.
func (r *Store) StoreAndEnact(ctx context.Context, e usher.Evaluation, decisions []usher.StoredDecision) (usher.Evaluation, error) {
	kept := worthKeeping(decisions)
	if err := r.renameTaken(ctx, &e, jobsOf(&e, kept)); err != nil {
		return e, err
	}
	jobs := jobsOf(&e, kept)
	e.Jobs = idsOf(jobs)
	entry := evaluationEntry{Evaluation: e, Set: rand.Text()[:8]}
	if err := r.storeDecisions(ctx, &entry, kept); err != nil {
		return e, err
	}
	if err := r.storeNotice(ctx, &e, kept); err != nil {
		return e, err
	}
	_, err := r.bucket.CompareAndSet(ctx, evaluationKey(e.ID), &entry, 0)
	if errors.Is(err, store.ErrConflict) {
		if e, err = r.Evaluation(ctx, e.ID); err != nil {
			return e, err
		}
		return e, r.Enact(ctx, e)
	}
	if err != nil {
		return e, err
	}
	for _, d := range decisions {
		r.decisions.WithLabelValues(string(d.Action)).Inc()
	}
	return e, r.queue.PublishJobs(ctx, jobs)
}

// Warn adds a warning to an evaluation, unless it has it, or has many.
func (r *Store) Warn(ctx context.Context, id string, w usher.Warning) error {
	const most = 100
	err := store.Change(ctx, r.bucket, evaluationKey(id), func(e *evaluationEntry, found bool) bool {
		if !found || len(e.Warnings) >= most || slices.Contains(e.Warnings, w) {
			return false
		}
		e.Warnings = append(e.Warnings, w)
		return true
	})
	if err != nil {
		return fmt.Errorf("warn of evaluation %s: %w", id, err)
	}
	return nil
}

// Enact publishes the jobs of an evaluation that is on record. It takes effect
// once, however often it is repeated.
func (r *Store) Enact(ctx context.Context, e usher.Evaluation) error {
	if e.State == usher.EvaluationRejected {
		return nil
	}
	decisions, err := r.Decisions(ctx, e.ID)
	if err != nil {
		return err
	}
	return r.queue.PublishJobs(ctx, jobsOf(&e, decisions))
}

// Evaluation returns an evaluation, or ErrNoEvaluation.
func (r *Store) Evaluation(ctx context.Context, id string) (usher.Evaluation, error) {
	e, err := r.entry(ctx, id)
	return e.Evaluation, err
}

// FindEvaluation returns an evaluation and reports whether it is on record.
func (r *Store) FindEvaluation(ctx context.Context, id string) (e usher.Evaluation, found bool, err error) {
	e, err = r.Evaluation(ctx, id)
	if errors.Is(err, ErrNoEvaluation) {
		return e, false, nil
	}
	return e, err == nil, err
}

// EventMetrics returns the metrics on which the evaluation of an event decided, as its job has them; nil: they
// are not on record any more, or somebody has edited the job since.
func (r *Store) EventMetrics(ctx context.Context, e *usher.Evaluation) (*usher.Metrics, error) {
	record, err := r.queue.Status().Record(ctx, e.ID)
	switch {
	case errors.Is(err, status.ErrNoJob):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the metrics of run %s: %w", e.ID, err)
	}
	if record.Kind != usher.RulesEvaluate || record.Edited != nil {
		return nil, nil
	}
	var job usher.Job
	if err := json.Unmarshal(record.Job, &job); err != nil {
		return nil, fmt.Errorf("read the metrics of run %s: %w", e.ID, err)
	}
	return job.Metrics, nil
}

func (r *Store) entry(ctx context.Context, id string) (evaluationEntry, error) {
	var e evaluationEntry
	_, found, err := r.bucket.Get(ctx, evaluationKey(id), &e)
	if err == nil && !found {
		err = fmt.Errorf("evaluation %q: %w", id, ErrNoEvaluation)
	}
	return e, err
}

func (r *Store) eachEntry(ctx context.Context, visit func(key string, e *evaluationEntry)) error {
	return store.EachValue(ctx, r.bucket, "evaluations.*", func(stored *store.Entry, e *evaluationEntry) { visit(stored.Key, e) })
}

// Evaluations returns the evaluations on record, newest first, at most limit if it
// is not 0.
func (r *Store) Evaluations(ctx context.Context, limit int) ([]usher.Evaluation, error) {
	all := []usher.Evaluation{}
	err := r.eachEntry(ctx, func(_ string, e *evaluationEntry) { all = append(all, e.Evaluation) })
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b usher.Evaluation) int {
		return cmp.Or(b.At.Compare(a.At), strings.Compare(a.ID, b.ID))
	})
	if limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	return all, nil
}

// idleLife is how long an evaluation is kept that is done and has neither jobs nor notices. Others
// are kept as long as records of jobs, and those that wait for approval until somebody decides.
const idleLife = 2 * 24 * time.Hour

// forgetEvery is how often old evaluations are deleted.
const forgetEvery = time.Hour

// RunForget deletes old evaluations at once and then every hour, until ctx ends. One worker at
// a time does, whether it has rule files or not: jobs and people evaluate rules, too.
func (r *Store) RunForget(ctx context.Context, logger *slog.Logger) {
	for {
		if _, err := r.ForgetEvaluations(ctx); err != nil && ctx.Err() == nil {
			logger.Warn("deleting old evaluations, trying again in an hour", "error", err)
		}
		if usher.Sleep(ctx, forgetEvery) != nil {
			return
		}
	}
}

// ForgetEvaluations deletes old evaluations with their decisions and returns how many it
// deleted. It keeps those that wait for approval, whatever their age.
func (r *Store) ForgetEvaluations(ctx context.Context) (int, error) {
	var old []string
	err := r.eachEntry(ctx, func(key string, e *evaluationEntry) {
		since := e.At
		if e.Judged != nil {
			since = *e.Judged // its jobs begin then, and people undo them
		}
		age := r.queue.Now().Sub(since)
		idle := len(e.Jobs) == 0 && e.Notices == 0 && e.State == usher.EvaluationDone
		if e.State != usher.EvaluationHeld && (age > usher.RecordLife || idle && age > idleLife) {
			old = append(old, strings.TrimPrefix(key, evaluationKey("")))
		}
	})
	if err != nil {
		return 0, err
	}
	for i, token := range old {
		for _, pattern := range []string{"evaluations." + token, "notices." + token, setKey{token, "*", "*"}.String()} {
			if err := r.bucket.Purge(ctx, pattern); err != nil {
				return i, fmt.Errorf("forget evaluation %s: %w", token, err)
			}
		}
	}
	return len(old), nil
}
