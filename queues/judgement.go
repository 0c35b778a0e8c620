package queues

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"usher"
	"usher/queues/store"
)

// ErrNotHeld means that an evaluation does not wait for approval.
var ErrNotHeld = errors.New("nothing of it waits for approval")

// Approve has what is held of an evaluation carried out. By is who says so.
// Approving again publishes again what a crash may have kept from being
// published.
func (q *Queue) Approve(ctx context.Context, id, by, reason string) (usher.Evaluation, error) {
	decisions, err := q.Decisions(ctx, id)
	if err != nil {
		return usher.Evaluation{}, err
	}
	e, err := q.judge(ctx, id, usher.EvaluationApproved, by, reason, func(e *usher.Evaluation) {
		e.Jobs = ordersOf(e, decisions).ids()
	})
	if err != nil {
		return e, err
	}
	return e, q.Enact(ctx, e)
}

// Reject has what is held of an evaluation not done.
func (q *Queue) Reject(ctx context.Context, id, by, reason string) (usher.Evaluation, error) {
	return q.judge(ctx, id, usher.EvaluationRejected, by, reason, func(*usher.Evaluation) {})
}

// judge moves a held evaluation to another state; saying the same again is
// well.
func (q *Queue) judge(ctx context.Context, id string, state usher.EvaluationState, by, reason string, more func(*usher.Evaluation)) (usher.Evaluation, error) {
	var judged usher.Evaluation
	var refused error
	err := store.Change(ctx, q.rules, evaluationKey(id), func(e *evaluationEntry, found bool) bool {
		judged, refused = e.Evaluation, nil
		switch {
		case !found:
			refused = fmt.Errorf("evaluation %q: %w", id, ErrNoEvaluation)
			return false
		case e.State == state:
			return false
		case e.State != usher.EvaluationHeld:
			refused = fmt.Errorf("evaluation %s is %s: %w", id, e.State, ErrNotHeld)
			return false
		}
		now := q.now().UTC()
		e.State, e.By, e.Reason, e.Judged = state, by, reason, &now
		more(&e.Evaluation)
		judged = e.Evaluation
		return true
	})
	return judged, errors.Join(err, refused)
}

// Left is a creative that an undo leaves as it is.
type Left struct {
	Campaign string `json:"campaign"`
	Creative string `json:"creative"`
	Why      string `json:"why"`
}

// Undo takes back what an evaluation changed, where nobody touched it since:
// what it paused is resumed, what it resumed is paused. That is an evaluation
// of its own, whose jobs look at the creatives under the lock once more. What
// the evaluation has not changed yet is not undone; undo it again then. Where
// there is nothing to take back, the evaluation that it returns is empty.
func (q *Queue) Undo(ctx context.Context, id, by, reason string) (usher.Evaluation, []Left, error) {
	undone, err := q.Evaluation(ctx, id)
	if err != nil {
		return undone, nil, err
	}
	decisions, err := q.Decisions(ctx, id)
	if err != nil {
		return undone, nil, err
	}
	var campaigns []string
	for _, d := range decisions {
		if d.Carries(true) != "" && !slices.Contains(campaigns, d.Campaign) {
			campaigns = append(campaigns, d.Campaign)
		}
	}
	memory, err := q.Memory(ctx, campaigns)
	if err != nil {
		return undone, nil, err
	}
	var back []usher.Ruling
	left := []Left{}
	for _, d := range decisions {
		if d.Carries(true) == "" {
			continue
		}
		reverse, why := undo(&d, id, memory[d.Campaign][d.Creative])
		if reverse == nil {
			left = append(left, Left{d.Campaign, d.Creative, why})
			continue
		}
		reverse.Reason = strings.TrimSuffix("undo of "+id+": "+reason, ": ")
		back = append(back, *reverse)
	}
	if len(back) == 0 {
		return usher.Evaluation{}, left, nil
	}
	e := usher.Evaluation{
		ID: undoID(id, back), File: undone.File, Account: undone.Account, AsOf: undone.AsOf, At: q.now().UTC(),
		State: usher.EvaluationDone, Counts: map[usher.Action]int{}, By: by, Reason: reason, UndoOf: id,
	}
	for _, d := range back {
		e.Counts[d.Action]++
	}
	e, err = q.Decide(ctx, e, back)
	return e, left, err
}

// undo is the decision that takes d back; nil and why where it is not to be.
func undo(d *usher.Ruling, id string, changes []usher.Change) (reverse *usher.Ruling, why string) {
	at := slices.IndexFunc(changes, func(c usher.Change) bool { return c.Evaluation == id })
	if at < 0 {
		return nil, "was not changed by it"
	}
	if last := changes[len(changes)-1]; last.Evaluation != id {
		return nil, "was changed since, by " + last.Evaluation
	}
	c := changes[at]
	r := *d
	r.Rule, r.Wants, r.Guard, r.Action = "", "", "", usher.Resume
	if d.Carries(true) == usher.CampaignResume {
		r.Action = usher.Pause
	}
	r.Seen = usher.Seen{Status: c.After, LatestUpdate: c.LatestUpdate}
	r.Metrics, r.Values, r.Votes = nil, nil, nil // of why it was changed, not of why it is taken back
	return &r, ""
}

// undoID names the undoing of what is there to be undone: the same twice, so
// that it takes effect once, and another where there is more to undo.
func undoID(id string, back []usher.Ruling) string {
	var all strings.Builder
	for _, d := range back {
		fmt.Fprintln(&all, d.Campaign, d.Creative, d.Seen)
	}
	return fitID("undo-"+id, "-"+shortSum(all.String()))
}
