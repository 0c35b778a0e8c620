package decisions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"usher"
	"usher/internal/readable"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/store"
)

// Errors of an approval.
var (
	ErrNothingNamed  = errors.New("none of its held decisions is named: reject the run to drop all")
	ErrNoDecision    = errors.New("the run holds no decision on it: usher rules runs show lists those that it holds")
	ErrNotApprovable = errors.New("an approval cannot carry it out")
	ErrTooManyLeft   = fmt.Errorf("more than %d decisions would be left out: reject the run, and narrow the rule", maxLeftOut)
	ErrOutdated      = errors.New("nothing of it can be carried out any more: reject the run, and let the rule decide anew")
	ErrUndecided     = errors.New("it stays held, because nothing of it can be decided now")
)

// Interventions are what people do about decisions of rules: approve and reject them, undo
// them, and let rules act again after an undo.
type Interventions struct {
	store *Store
	// Again decides again on held decisions, as of the same time and by the report as it is now, and
	// returns the decisions by usher.StoredDecision.Subject. If the rules of the evaluation are gone
	// or have changed, its error wraps ErrOutdated. nil: an approval carries out what was decided.
	Again func(ctx context.Context, e usher.Evaluation, held []usher.StoredDecision) (map[string]usher.Decision, error)
}

// Interventions returns the interventions of people in the stored evaluations.
func (r *Store) Interventions() Interventions { return Interventions{store: r} }

// maxLeftOut is the maximum number of decisions that an approval leaves out.
const maxLeftOut = 1000

// Approve publishes the jobs of an evaluation's held decisions. by is the person who
// approves. Approving again publishes the jobs that were not published because of a crash.
//
// The decisions are made again first, see Again. What the rules no longer want is left out, and
// what is UNKNOWN now stays held; the evaluation has a warning about each.
//
// Unless only is nil, it approves the decisions that only names, by creative or by
// usher.StoredDecision.Subject, and drops the others. A name that fits no held decision is an
// error, because it may be misspelt, and the decision that it stands for would be dropped. So is
// the name of a decision that no approval can carry out.
func (i Interventions) Approve(ctx context.Context, id, by, reason string, only []string) (usher.Evaluation, error) {
	e, err := i.store.Evaluation(ctx, id)
	if err != nil {
		return e, err
	}
	decisions, err := i.store.Decisions(ctx, id)
	if err != nil {
		return e, err
	}
	var a approvalPlan
	if a.leftOut, err = leftOutOf(&e, decisions, only); err != nil {
		return e, err
	}
	if e.State == usher.EvaluationHeld {
		if err := i.decideAgain(ctx, &a, &e, decisions); err != nil {
			return e, fmt.Errorf("approve run %s: %w", id, err)
		}
	}
	state := usher.EvaluationApproved
	if len(a.waiting) > 0 {
		state = usher.EvaluationHeld
	}
	planned := e
	planned.State = state
	a.apply(&planned)
	added := slices.DeleteFunc(jobsOf(&planned, decisions), func(j queues.NewJob) bool { return slices.Contains(e.Jobs, j.Job.ID) })
	if err := i.store.renameTaken(ctx, &planned, added); err != nil {
		return e, err
	}
	e, err = i.conclude(ctx, id, state, by, reason, func(e *usher.Evaluation) {
		a.apply(e)
		e.Renamed = planned.Renamed
		e.Jobs = idsOf(jobsOf(e, decisions))
	})
	if err != nil {
		return e, err
	}
	return e, i.store.Enact(ctx, e)
}

// approvalPlan is what an approval changes in an evaluation.
type approvalPlan struct {
	leftOut  []string // subjects
	waiting  []string // subjects that stay held
	warnings []usher.Warning
}

// apply changes an evaluation, whose State, By, Reason and Judged are those of the approval.
func (a *approvalPlan) apply(e *usher.Evaluation) {
	e.LeftOut = slices.Concat(e.LeftOut, a.leftOut)
	e.Warnings = slices.Concat(e.Warnings, a.warnings)
	if len(a.waiting) == 0 {
		return
	}
	part := usher.PartialApproval{By: e.By, Reason: e.Reason, Waiting: a.waiting, LeftOut: a.leftOut}
	if e.Judged != nil {
		part.At = *e.Judged
	}
	e.Approvals = append(slices.Clone(e.Approvals), part)
}

// decideAgain adds to a plan what the rules no longer want, and what is UNKNOWN now.
func (i Interventions) decideAgain(ctx context.Context, a *approvalPlan, e *usher.Evaluation, decisions []usher.StoredDecision) error {
	held := Waiting(e, decisions)
	held = slices.DeleteFunc(held, func(d usher.StoredDecision) bool { return slices.Contains(a.leftOut, d.Subject()) })
	if i.Again == nil || len(held) == 0 {
		return nil
	}
	now, err := i.Again(ctx, *e, held)
	if err != nil {
		return err
	}
	unknown := ""
	for k := range held {
		d := &held[k]
		switch is, why := Compare(d, now); is {
		case Gone, Changed:
			code := usher.WarnNoLonger
			if is == Changed {
				code = usher.WarnChangedMeanwhile
			}
			a.leftOut = append(a.leftOut, d.Subject())
			a.warnings = append(a.warnings, usher.Warning{Code: code, Description: LeftOut(d, is, why), Count: 1})
		case Undecided:
			unknown = why
			a.waiting = append(a.waiting, d.Subject())
			a.warnings = append(a.warnings, usher.Warning{Code: usher.WarnUnknown, Description: fmt.Sprintf("%s of %s stays held: %s", d.Wants, d.Subject(), why), Count: 1})
		}
	}
	switch {
	case len(a.waiting) == len(held):
		return fmt.Errorf("%w: %s", ErrUndecided, unknown)
	case len(a.leftOut) > maxLeftOut || len(a.waiting) > maxLeftOut:
		return ErrTooManyLeft
	}
	return nil
}

// Waiting returns the decisions of a held evaluation that an approval would carry out.
func Waiting(e *usher.Evaluation, decisions []usher.StoredDecision) []usher.StoredDecision {
	return slices.DeleteFunc(slices.Clone(decisions), func(d usher.StoredDecision) bool {
		return !d.Approvable() || d.Left || e.ApprovalOf(&d) > 0
	})
}

// Standing says whether a held decision is still wanted.
type Standing string

// The standings.
const (
	Wanted    Standing = "wanted"
	Gone      Standing = "no_longer"
	Changed   Standing = "changed" // the budget or bid was, after the decision
	Undecided Standing = "unknown"
)

// Compare compares a held decision with those that are made now, by subject, and says why it is
// not wanted as it was.
func Compare(d *usher.StoredDecision, now map[string]usher.Decision) (is Standing, why string) {
	n, found := now[d.Subject()]
	if !found {
		return Gone, "no rule of the file has it in scope now"
	}
	wants := n.Action
	if n.Approvable() {
		wants = n.Wants
	}
	switch {
	case wants == d.Wants && (d.Bidding == nil || n.Bidding != nil && *n.Bidding == *d.Bidding):
		return Wanted, ""
	case n.Action == usher.Unknown:
		return Undecided, n.Reason
	case (wants.Changes() || n.Guard == usher.GuardHandsOff) && d.Bidding != nil && n.Bidding != nil && n.Bidding.Before() != d.Bidding.Before():
		return Changed, fmt.Sprintf("the %s was changed after the decision, from %s to %s", d.Bidding.Field, d.Bidding.Before(), n.Bidding.Before())
	}
	return Gone, n.Reason
}

// LeftOut says that an approval leaves a decision out, and why.
func LeftOut(d *usher.StoredDecision, is Standing, why string) string {
	verb := "no longer wanted"
	if is == Changed {
		verb = "out of date"
	}
	return fmt.Sprintf("%s of %s is %s: %s", d.Wants, d.Subject(), verb, why)
}

// leftOutOf returns the subjects of the held decisions that an approval would carry out and that
// only does not name. While an evaluation is held, what an earlier approval has carried out or left out is
// none of them.
func leftOutOf(e *usher.Evaluation, decisions []usher.StoredDecision, only []string) ([]string, error) {
	if only == nil {
		return nil, nil
	}
	id := e.ID
	if len(only) == 0 {
		return nil, fmt.Errorf("approve run %s in part: %w", id, ErrNothingNamed)
	}
	var left []string
	fits := map[string]bool{}
	reasons := map[string]string{} // of the decisions that no approval carries out
	for i := range decisions {
		d := &decisions[i]
		switch {
		case e.State == usher.EvaluationHeld && (d.Left || e.ApprovalOf(d) > 0):
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

// conclude moves a held evaluation to a state, which may be held, completes it with finish, and records that
// in the audit. It is no error if the evaluation has that other state already.
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
		case e.State == state && state != usher.EvaluationHeld:
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
	if err := errors.Join(err, refused); err != nil {
		return concluded, err
	}
	return concluded, i.record(ctx, id)
}

// record writes the last approval or rejection of an evaluation to the audit. It does so once, also if it is
// repeated after a crash.
func (i Interventions) record(ctx context.Context, id string) error {
	var e evaluationEntry
	if _, _, err := i.store.bucket.Get(ctx, evaluationKey(id), &e); err != nil {
		return fmt.Errorf("record what became of run %s: %w", id, err)
	}
	if e.Judged == nil || e.Audited != nil && e.Audited.Equal(*e.Judged) {
		return nil
	}
	decisions, err := i.store.Decisions(ctx, id)
	if err != nil {
		return err
	}
	judgement := judgementOf(&e.Evaluation, decisions)
	entry := usher.Audit{
		At: i.store.queue.Now().UTC(), Job: id, Run: 1, Actor: e.By, Reason: e.Reason,
		Before: string(usher.EvaluationHeld), Wanted: judgement, After: judgement,
	}
	// No job's id begins with a slash.
	err = i.store.queue.Audit().Append(ctx, audit.Settings, entry, fmt.Sprintf("/run/%s/%d", id, e.Judged.UnixMicro()))
	if err == nil {
		err = store.Change(ctx, i.store.bucket, evaluationKey(id), func(now *evaluationEntry, found bool) bool {
			now.Audited = e.Judged
			return found
		})
	}
	if err != nil {
		return fmt.Errorf("run %s is %s, but that is not in the audit; repeat the command: %w", id, e.State, err)
	}
	return nil
}

// maxListed is the number of decisions that an audit entry lists.
const maxListed = 10

// judgementOf says what became of the held decisions of an evaluation when somebody approved or rejected it last:
// "run approved: 3 decisions, without A/a-1, A/a-2".
func judgementOf(e *usher.Evaluation, decisions []usher.StoredDecision) string {
	if e.State == usher.EvaluationRejected {
		return "run rejected: " + readable.Count(len(Waiting(e, decisions)), "decision")
	}
	last, earlier := len(e.Approvals)+1, 0
	if e.State == usher.EvaluationHeld {
		last--
	}
	for _, part := range e.Approvals[:last-1] {
		earlier += len(part.LeftOut)
	}
	carried := 0
	for k := range decisions {
		if e.ApprovalOf(&decisions[k]) == last {
			carried++
		}
	}
	text := "run approved: " + readable.Count(carried, "decision")
	if left := e.LeftOut[earlier:]; len(left) > 0 {
		text += ", without " + strings.Join(left[:min(len(left), maxListed)], ", ")
		if more := len(left) - maxListed; more > 0 {
			text += " and " + readable.Number(int64(more)) + " more"
		}
	}
	if e.State == usher.EvaluationHeld {
		text += "; " + readable.Count(len(e.Approvals[last-1].Waiting), "decision") + " held further"
	}
	return text
}
