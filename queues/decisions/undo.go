package decisions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues/audit"
)

// Skipped is a creative that an undo does not change.
type Skipped struct {
	Campaign string `json:"campaign"`
	Creative string `json:"creative"`
	// Field is the number of the campaign that is not changed; "": it is a creative.
	Field usher.BiddingField `json:"field,omitempty"`
	Why   string             `json:"why"` // without a subject: "was not changed by the run"
}

// Undo takes back what an evaluation changed, unless somebody changed the creative
// since: it resumes what the evaluation paused and pauses what it resumed. An undo
// is itself an evaluation, whose jobs check the creatives again under the lock. It
// does not cover what the evaluation has not changed yet; a later undo does. If
// there is nothing to take back, Undo returns an empty evaluation.
func (i Interventions) Undo(ctx context.Context, id, by, reason string) (usher.Evaluation, []Skipped, error) {
	act := audit.Act{Actor: by, Reason: reason}.Masked()
	r := i.store
	undone, err := r.Evaluation(ctx, id)
	if err != nil {
		return undone, nil, err
	}
	decisions, err := r.Decisions(ctx, id)
	if err != nil {
		return undone, nil, err
	}
	decisions = slices.DeleteFunc(decisions, func(d usher.StoredDecision) bool { return d.JobKind(true) == "" })
	var campaigns []string
	for _, d := range decisions {
		campaigns = append(campaigns, d.Campaign)
	}
	campaigns = slices.Compact(campaigns) // decisions are in the order of campaigns
	memory, err := r.Memory(ctx, campaigns)
	if err != nil {
		return undone, nil, err
	}
	later, err := r.changesSince(ctx, campaigns, undone.At)
	if err != nil {
		return undone, nil, err
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
			l := Skipped{Campaign: d.Campaign, Creative: d.Creative, Why: why}
			if d.Bidding != nil {
				l.Field = d.Bidding.Field
			}
			skipped = append(skipped, l)
			continue
		}
		back.Reason = strings.TrimSuffix("undo of "+id+": "+act.Reason, ": ")
		reversed = append(reversed, *back)
	}
	if len(reversed) == 0 {
		return usher.Evaluation{}, skipped, nil
	}
	e := usher.Evaluation{
		ID: undoID(id, reversed), File: undone.File, Account: undone.Account, AsOf: undone.AsOf, At: r.queue.Now().UTC(),
		State: usher.EvaluationDone, Counts: map[usher.Action]int{}, By: act.Actor, Reason: act.Reason, UndoOf: id,
	}
	for _, d := range reversed {
		e.Counts[d.Action]++
	}
	e, err = r.StoreAndEnact(ctx, e, reversed)
	return e, skipped, err
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
	r.Rule, r.Wants, r.Guard, r.Action = "", "", "", usher.Resume
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
// takes effect once; an undo of more changes has another.
func undoID(id string, reversed []usher.StoredDecision) string {
	var text strings.Builder
	for _, d := range reversed {
		fmt.Fprintln(&text, d.Campaign, d.Creative, d.Seen)
	}
	return fitID(usher.UndoID(id), "-"+shortHash(text.String()))
}
