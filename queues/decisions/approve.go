package decisions

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/store"
)

// Errors of an approval in part.
var (
	ErrNothingNamed  = errors.New("none of its held decisions is named: reject the run to drop all")
	ErrNoDecision    = errors.New("the run holds no decision on it: usher rules runs show lists those that it holds")
	ErrNotApprovable = errors.New("an approval cannot carry it out")
	ErrTooManyLeft   = fmt.Errorf("more than %d decisions would be left out: reject the run, and narrow the rule", maxLeftOut)
)

// Interventions are what people do about decisions of rules: approve and reject them, undo
// them, and let rules act again after an undo.
type Interventions struct{ store *Store }

// Interventions returns the interventions of people in the stored evaluations.
func (r *Store) Interventions() Interventions { return Interventions{r} }

// maxLeftOut is the maximum number of decisions that an approval leaves out.
const maxLeftOut = 1000

// Approve publishes the jobs of an evaluation's held decisions. by is the person who
// approves. Approving again publishes the jobs that were not published because of a crash.
//
// Unless only is nil, it approves the decisions that only names, by creative or by
// usher.StoredDecision.Subject, and drops the others. A name that fits no held decision is an
// error, because it may be misspelt, and the decision that it stands for would be dropped. So is
// the name of a decision that no approval can carry out.
func (i Interventions) Approve(ctx context.Context, id, by, reason string, only []string) (usher.Evaluation, error) {
	decisions, err := i.store.Decisions(ctx, id)
	if err != nil {
		return usher.Evaluation{}, err
	}
	leftOut, err := leftOutOf(id, decisions, only)
	if err != nil {
		return usher.Evaluation{}, err
	}
	markLeft(decisions, leftOut)
	renamed, err := i.renameApproved(ctx, id, decisions)
	if err != nil {
		return usher.Evaluation{}, err
	}
	e, err := i.conclude(ctx, id, usher.EvaluationApproved, by, reason, func(e *usher.Evaluation) {
		e.LeftOut, e.Renamed = leftOut, renamed
		e.Jobs = idsOf(jobsOf(e, decisions))
	})
	if err != nil {
		return e, err
	}
	return e, i.store.Enact(ctx, e)
}

// renameApproved renames the jobs of the held decisions whose ids are on record, and returns all
// ids that are renamed.
func (i Interventions) renameApproved(ctx context.Context, id string, decisions []usher.StoredDecision) (map[string]string, error) {
	e, err := i.store.Evaluation(ctx, id)
	if err != nil {
		return nil, err
	}
	e.State = usher.EvaluationApproved
	added := slices.DeleteFunc(jobsOf(&e, decisions), func(j queues.NewJob) bool { return slices.Contains(e.Jobs, j.Job.ID) })
	err = i.store.renameTaken(ctx, &e, added)
	return e.Renamed, err
}

// leftOutOf returns the subjects of the held decisions that an approval would carry out and that
// only does not name.
func leftOutOf(id string, decisions []usher.StoredDecision, only []string) ([]string, error) {
	if only == nil {
		return nil, nil
	}
	if len(only) == 0 {
		return nil, fmt.Errorf("approve run %s in part: %w", id, ErrNothingNamed)
	}
	var left []string
	fits := map[string]bool{}
	reasons := map[string]string{} // of the decisions that no approval carries out
	for i := range decisions {
		d := &decisions[i]
		switch {
		case d.Approvable():
			fits[d.Subject()], fits[d.Creative] = true, true
			if !slices.Contains(only, d.Subject()) && !slices.Contains(only, d.Creative) {
				left = append(left, d.Subject())
			}
		case d.Action == usher.Held:
			reasons[d.Subject()], reasons[d.Creative] = d.Reason, d.Reason
		}
	}
	for _, name := range only {
		reason, held := reasons[name]
		switch {
		case name != "" && fits[name]:
		case name != "" && held:
			return nil, fmt.Errorf("approve %q of run %s: %w: the rule %s", name, id, ErrNotApprovable, reason)
		default:
			return nil, fmt.Errorf("approve %q of run %s: %w", name, id, ErrNoDecision)
		}
	}
	if len(left) > maxLeftOut {
		return nil, fmt.Errorf("approve run %s in part: %w", id, ErrTooManyLeft)
	}
	return left, nil
}

// Reject drops the held decisions of an evaluation.
func (i Interventions) Reject(ctx context.Context, id, by, reason string) (usher.Evaluation, error) {
	return i.conclude(ctx, id, usher.EvaluationRejected, by, reason, func(*usher.Evaluation) {})
}

// conclude moves a held evaluation to another state and completes it with finish. It
// is no error if the evaluation has that state already.
func (i Interventions) conclude(ctx context.Context, id string, state usher.EvaluationState, by, reason string, finish func(*usher.Evaluation)) (usher.Evaluation, error) {
	act := audit.Act{Actor: by, Reason: reason}.Masked()
	var concluded usher.Evaluation
	var refused error
	err := store.Change(ctx, i.store.bucket, evaluationKey(id), func(e *evaluationEntry, found bool) bool {
		concluded, refused = e.Evaluation, nil
		switch {
		case !found:
			refused = fmt.Errorf("evaluation %q: %w", id, ErrNoEvaluation)
			return false
		case e.State == state:
			return false
		case e.State != usher.EvaluationHeld:
			refused = fmt.Errorf("run %s is %s: %w", id, e.State, ErrNotHeld)
			return false
		}
		now := i.store.queue.Now().UTC()
		e.State, e.By, e.Reason, e.Judged = state, act.Actor, act.Reason, &now
		finish(&e.Evaluation)
		concluded = e.Evaluation
		return true
	})
	return concluded, errors.Join(err, refused)
}
