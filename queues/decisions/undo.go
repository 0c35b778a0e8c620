package decisions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"usher"
	"usher/queues/audit"
	"usher/queues/settings"
	"usher/queues/status"
)

// Skipped is a creative that an undo does not change.
type Skipped struct {
	Campaign string `json:"campaign"`
	Creative string `json:"creative"`
	// Field is the number of the campaign that is not changed; "": it is a creative.
	Field usher.BiddingField `json:"field,omitempty"`
	Why   string             `json:"why"` // without a subject: "was not changed by the run"
	// Job is the job of the run that may still change it, because it has not ended; "": none.
	Job string `json:"job,omitempty"`
}

// ErrStopped means that an undo was not begun, because the stop switch is on.
var ErrStopped = errors.New("the stop switch is on, so its jobs would change nothing: undo it once 'usher stop-switch off' has turned it off")

// Undo takes back what an evaluation changed, unless somebody changed the creative
// since: it resumes what the evaluation paused and pauses what it resumed. An undo
// is itself an evaluation, whose jobs check the creatives again under the lock. It
// does not cover what the evaluation has not changed yet, and names the jobs that may
// still change it; a later undo covers it. If
// there is nothing to take back, Undo returns an empty evaluation. Rules leave alone
// what it takes back until somebody releases it. If the stop switch is on, the error is ErrStopped.
func (i Interventions) Undo(ctx context.Context, id, by, reason string) (usher.Evaluation, []Skipped, error) {
	e, reversed, skipped, err := i.planUndo(ctx, id, by, reason)
	if err != nil || len(reversed) == 0 {
		return e, skipped, err
	}
	switch why, stopped, err := i.store.queue.Settings().Stopped(ctx); {
	case err != nil:
		return usher.Evaluation{}, skipped, fmt.Errorf("undo run %s: %w", id, err)
	case stopped:
		return usher.Evaluation{}, skipped, fmt.Errorf("undo run %s: %w (it is on because: %s)", id, ErrStopped, cmp.Or(why, "no reason was given"))
	}
	if err := i.keepUndone(ctx, &e, reversed); err != nil {
		return usher.Evaluation{}, skipped, err
	}
	e, err = i.store.StoreAndEnact(ctx, e, reversed)
	return e, skipped, err
}

// keepAtOnce is the number of settings that an undo makes at the same time.
const keepAtOnce = 16

// keepUndone keeps rules from what an undo is about to take back, before they could change it again.
func (i Interventions) keepUndone(ctx context.Context, e *usher.Evaluation, reversed []usher.StoredDecision) error {
	act := audit.Act{Actor: e.By, Reason: reversed[0].Reason}
	kept, err := i.store.queue.Settings().Kept(ctx)
	if err != nil {
		return fmt.Errorf("keep rules from what run %s changed: %w", e.UndoOf, err)
	}
	var keeping errgroup.Group
	keeping.SetLimit(keepAtOnce)
	for _, code := range slices.Compact(slices.Sorted(codesOf(reversed))) {
		if s, found := kept[code]; found && s.Until.IsZero() {
			continue // until it is released, as it is
		}
		keeping.Go(func() error {
			return i.store.queue.Settings().Set(ctx, usher.Setting{Kind: usher.RuleKeep, Name: code}, act)
		})
	}
	if err := keeping.Wait(); err != nil {
		return fmt.Errorf("keep rules from what run %s changed: %w", e.UndoOf, err)
	}
	return nil
}

// codesOf returns the codes under which people keep rules from what decisions are about.
func codesOf(decisions []usher.StoredDecision) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range decisions {
			if !yield(cmp.Or(decisions[i].Creative, decisions[i].Campaign)) {
				return
			}
		}
	}
}

// PlanUndo returns the evaluation that Undo would store and what it would skip, and changes nothing.
func (i Interventions) PlanUndo(ctx context.Context, id, by, reason string) (usher.Evaluation, []Skipped, error) {
	e, _, skipped, err := i.planUndo(ctx, id, by, reason)
	return e, skipped, err
}

// planUndo returns an undo, its decisions, and what it skips.
func (i Interventions) planUndo(ctx context.Context, id, by, reason string) (e usher.Evaluation, reversed []usher.StoredDecision, skipped []Skipped, err error) {
	for planned := ""; ; planned = e.ID {
		e, reversed, skipped, err = i.planByMemory(ctx, id, by, reason)
		if err != nil || len(reversed) == 0 {
			return e, reversed, skipped, err
		}
		first := e.ID
		if e.ID, err = i.store.nextUndo(ctx, first); err != nil || e.ID == first || e.ID == planned {
			return e, reversed, skipped, err
		}
		// The jobs of an earlier undo have ended. What they have changed is in the memory by now.
	}
}

// maxUndos is the number of undos that take back the same changes. More than one is needed if their jobs
// have not changed anything.
const maxUndos = 100

// nextUndo returns the id of an undo that has not been made yet, or has jobs that have not ended: first, or
// one that follows it.
func (r *Store) nextUndo(ctx context.Context, first string) (string, error) {
	id := first
	for n := 2; n <= maxUndos; n++ {
		ended, err := r.haveJobsEnded(ctx, id)
		if err != nil || !ended {
			return id, err
		}
		id = fitID(first, "-"+strconv.Itoa(n))
	}
	return id, nil
}

// haveJobsEnded reports whether all jobs of an evaluation have ended. Those that are not on record may still
// have to be published.
func (r *Store) haveJobsEnded(ctx context.Context, id string) (bool, error) {
	e, found, err := r.FindEvaluation(ctx, id)
	if err != nil || !found {
		return false, err
	}
	for _, job := range e.Jobs {
		record, err := r.queue.Status().Record(ctx, job)
		switch {
		case errors.Is(err, status.ErrNoJob):
			return false, nil
		case err != nil:
			return false, fmt.Errorf("read job %s of run %s: %w", job, id, err)
		case !record.State.Ended():
			return false, nil
		}
	}
	return true, nil
}

// planByMemory returns the first undo of the changes that the memory of rules has now, its decisions, and
// what it skips.
func (i Interventions) planByMemory(ctx context.Context, id, by, reason string) (usher.Evaluation, []usher.StoredDecision, []Skipped, error) {
	act := audit.Act{Actor: by, Reason: reason}.Masked()
	r := i.store
	undone, err := r.Evaluation(ctx, id)
	if err != nil {
		return undone, nil, nil, err
	}
	decisions, err := r.Decisions(ctx, id)
	if err != nil {
		return undone, nil, nil, err
	}
	decisions = slices.DeleteFunc(decisions, func(d usher.StoredDecision) bool { return d.JobKind(true) == "" })
	var campaigns []string
	for _, d := range decisions {
		campaigns = append(campaigns, d.Campaign)
	}
	campaigns = slices.Compact(campaigns) // decisions are in the order of campaigns
	memory, err := r.Memory(ctx, campaigns)
	if err != nil {
		return undone, nil, nil, err
	}
	later, err := r.changesSince(ctx, campaigns, undone.At)
	if err != nil {
		return undone, nil, nil, err
	}
	open, err := r.openJobs(ctx, &undone, decisions)
	if err != nil {
		return undone, nil, nil, err
	}
	var reversed []usher.StoredDecision
	skipped := []Skipped{}
	for _, d := range decisions {
		changes := memory[d.Campaign][d.MemoryKey()]
		back, why := reverse(&d, id, changes)
		if a := later[d.Creative]; back != nil && a != nil && a.At.After(changes[len(changes)-1].At) && a.Job != changes[len(changes)-1].Job {
			back, why = nil, "was changed later by job "+a.Job
		}
		if back == nil {
			job := open[d.Subject()]
			if hasChanged(id, changes) {
				job = ""
			}
			skipped = append(skipped, newSkipped(&d, why, job))
			continue
		}
		back.Reason = strings.TrimSuffix("undo of "+id+": "+act.Reason, ": ")
		reversed = append(reversed, *back)
	}
	if len(reversed) == 0 {
		return usher.Evaluation{}, nil, skipped, nil
	}
	e := usher.Evaluation{
		ID: undoID(id, reversed), File: undone.File, Account: undone.Account, AsOf: undone.AsOf, At: r.queue.Now().UTC(),
		State: usher.EvaluationDone, Counts: map[usher.Action]int{}, By: act.Actor, Reason: act.Reason, UndoOf: id,
	}
	for _, d := range reversed {
		e.Counts[d.Action]++
	}
	return e, reversed, skipped, nil
}

// newSkipped returns what an undo skips of a decision. job is the job that may still carry it out; "": none.
func newSkipped(d *usher.StoredDecision, why, job string) Skipped {
	s := Skipped{Campaign: d.Campaign, Creative: d.Creative, Why: why, Job: job}
	if job != "" {
		s.Why = "is not changed yet: job " + job + " has not ended"
	}
	if d.Bidding != nil {
		s.Field = d.Bidding.Field
	}
	return s
}

// hasChanged reports whether a run has made one of the changes of a creative.
func hasChanged(id string, changes []usher.Change) bool {
	return slices.ContainsFunc(changes, func(c usher.Change) bool { return c.Evaluation == id && !c.Claimed })
}

// reverse returns the decision that takes d back. If d cannot be taken back, it
// returns nil and the reason. changes are those that rules remember of the
// creative.
func reverse(d *usher.StoredDecision, id string, changes []usher.Change) (back *usher.StoredDecision, why string) {
	at := slices.IndexFunc(changes, func(c usher.Change) bool { return c.Evaluation == id })
	if at < 0 {
		return nil, "was not changed by the run"
	}
	switch last := changes[len(changes)-1]; {
	case last.Keeps:
		return nil, "was paused later by job " + last.Job + ", too"
	case last.After == usher.Released:
		return nil, "was released since"
	case last.Evaluation != id:
		return nil, "was changed later by run " + last.Evaluation
	}
	c := changes[at]
	r := *d
	r.Rule, r.Wants, r.Guard, r.Cause, r.Action = "", "", "", "", usher.Resume
	switch {
	case d.JobKind(true) == usher.CampaignResume:
		r.Action = usher.Pause
	case c.Claimed:
		return nil, "may not have been changed by the run: its job did not succeed"
	case c.Bidding != nil:
		r.Bidding = &usher.BiddingChange{Field: c.Bidding.Field, From: c.Bidding.To, To: c.Bidding.From, Currency: c.Bidding.Currency}
		r.Action, r.LastJob = r.Bidding.Action(), c.Job
	}
	r.Seen = usher.CreativeState{Status: c.After, LatestUpdate: c.LatestUpdate}
	r.Metrics, r.Values, r.Votes = nil, nil, nil // they explain the change, not the undo
	return &r, ""
}

// changesSince returns the last change of status of each creative of campaigns since a time, as
// the audit has it.
func (r *Store) changesSince(ctx context.Context, campaigns []string, since time.Time) (map[string]*usher.Audit, error) {
	last := map[string]*usher.Audit{}
	for _, campaign := range campaigns {
		err := r.queue.Audit().Each(ctx, audit.Filter{Campaign: campaign, Since: since}, func(a usher.Audit) error {
			if changesStatus(&a) {
				last[a.Creative] = &a
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read the audit of campaign %s: %w", campaign, err)
		}
	}
	return last, nil
}

// undoID names an undo by what it takes back. The same undo has the same id, so it
// takes effect once, see nextUndo; an undo of more changes has another.
func undoID(id string, reversed []usher.StoredDecision) string {
	var text strings.Builder
	for _, d := range reversed {
		fmt.Fprintln(&text, d.Campaign, d.Creative, d.Seen)
	}
	return fitID(usher.UndoID(id), "-"+shortHash(text.String()))
}

// Released is what a person has handed back to rules.
type Released struct {
	Creative  string               `json:"creative,omitempty"` // "": it is a campaign, or usher has not changed it yet
	Campaigns []string             `json:"campaigns"`          // of the creative, as far as usher has changed it there
	Fields    []usher.BiddingField `json:"fields,omitempty"`   // of the campaign
}

// Release lets rules change a creative, or the budget and bid of a campaign, again: it ends that
// somebody keeps rules from it and, of a number that somebody has changed since a rule set it, that
// rules leave it alone. It is audited. If rules may change it anyway, the error is ErrNotKept.
func (i Interventions) Release(ctx context.Context, code string, act audit.Act) (Released, error) {
	r, act := i.store, act.Masked()
	released, err := i.changedAs(ctx, code)
	if err != nil {
		return released, err
	}
	err = r.queue.Settings().TakeBack(ctx, usher.RuleKeep, code, act)
	kept := !errors.Is(err, settings.ErrNotSet)
	if kept && err != nil {
		return released, err
	}
	fields, err := i.disown(ctx, code, act)
	switch {
	case err != nil:
		return released, err
	case !kept && len(fields) == 0:
		return released, fmt.Errorf("%q: %w", code, ErrNotKept)
	case !kept:
		released.Fields = fields
	}
	return released, nil
}

// changedAs returns as what usher has changed something with a code: a creative, or a campaign.
func (i Interventions) changedAs(ctx context.Context, code string) (Released, error) {
	released := Released{Campaigns: []string{}}
	isCampaign := false
	err := i.store.queue.Audit().Each(ctx, audit.Filter{}, func(a usher.Audit) error {
		isCampaign = isCampaign || a.Campaign == code
		if a.Creative == code && a.Campaign != "" && !slices.Contains(released.Campaigns, a.Campaign) {
			released.Campaigns = append(released.Campaigns, a.Campaign)
		}
		return nil
	})
	switch {
	case len(released.Campaigns) > 0:
		released.Creative = code
	case isCampaign:
		released.Campaigns, released.Fields = []string{code}, usher.BiddingFields()
	}
	return released, err
}

// disown lets rules change the numbers of a campaign that somebody else has changed since a rule
// set them, and returns these.
func (i Interventions) disown(ctx context.Context, campaign string, act audit.Act) ([]usher.BiddingField, error) {
	r := i.store
	memory, err := r.Memory(ctx, []string{campaign})
	if err != nil {
		return nil, err
	}
	var released []usher.BiddingField
	for _, field := range usher.BiddingFields() {
		owner := usher.NewCreativeMemory(memory[campaign][field.MemoryKey()], time.UTC).Owner
		if owner == nil {
			continue
		}
		a := usher.Audit{
			At: r.queue.Now().UTC(), Actor: act.Actor, Reason: act.Reason, Campaign: campaign,
			Before: owner.Status, Wanted: usher.Released, After: usher.Released, Evaluation: "release", Bidding: &usher.BiddingChange{Field: field},
		}
		if err := r.queue.Audit().Append(ctx, campaign, a, ""); err != nil {
			return nil, fmt.Errorf("release the %s of campaign %s: %w", field, campaign, err)
		}
		if err := r.Remember(ctx, a); err != nil {
			return nil, err
		}
		released = append(released, field)
	}
	return released, nil
}
