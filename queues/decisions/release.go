package decisions

import (
	"context"
	"fmt"
	"slices"
	"time"

	"usher"
	"usher/queues/audit"
)

// Release lets rules change a creative again after an undo, in all campaigns in which it was
// undone, and returns these campaigns. It is audited. If no undo keeps rules from changing the
// creative, the error is ErrNotUndone.
func (i Interventions) Release(ctx context.Context, creative string, act audit.Act) ([]string, error) {
	r, act := i.store, act.Masked()
	var campaigns []string
	err := r.queue.Audit().Each(ctx, audit.Filter{Creative: creative}, func(a usher.Audit) error {
		if a.Evaluation != "" && !slices.Contains(campaigns, a.Campaign) {
			campaigns = append(campaigns, a.Campaign)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	memory, err := r.Memory(ctx, campaigns)
	if err != nil {
		return nil, err
	}
	campaigns = slices.DeleteFunc(campaigns, func(campaign string) bool {
		return !usher.NewCreativeMemory(memory[campaign][creative], time.UTC).Undone
	})
	if len(campaigns) == 0 {
		return nil, fmt.Errorf("creative %q: %w", creative, ErrNotUndone)
	}
	for _, campaign := range campaigns {
		a := usher.Audit{
			At: r.queue.Now().UTC(), Actor: act.Actor, Reason: act.Reason, Campaign: campaign, Creative: creative,
			Before: "undone", Wanted: usher.Released, After: usher.Released, Evaluation: "release",
		}
		if err := r.queue.Audit().Append(ctx, campaign, a, ""); err != nil {
			return nil, fmt.Errorf("release creative %s: %w", creative, err)
		}
		if err := r.Remember(ctx, a); err != nil {
			return nil, err
		}
	}
	return campaigns, nil
}

// ReleaseNumbers lets rules change the budget and the bid of a campaign again, after an undo
// or after somebody else has changed what a rule set, and returns which of the two it
// released. It is audited. If rules may change both anyway, the error is ErrNotUndone.
func (i Interventions) ReleaseNumbers(ctx context.Context, campaign string, act audit.Act) ([]usher.BiddingField, error) {
	r, act := i.store, act.Masked()
	memory, err := r.Memory(ctx, []string{campaign})
	if err != nil {
		return nil, err
	}
	var released []usher.BiddingField
	for _, field := range usher.BiddingFields() {
		before := usher.NewCreativeMemory(memory[campaign][field.MemoryKey()], time.UTC)
		if !before.Undone && before.Owner == nil {
			continue
		}
		a := usher.Audit{
			At: r.queue.Now().UTC(), Actor: act.Actor, Reason: act.Reason, Campaign: campaign,
			Before: "undone", Wanted: usher.Released, After: usher.Released, Evaluation: "release", Bidding: &usher.BiddingChange{Field: field},
		}
		if before.Owner != nil {
			a.Before = before.Owner.Status
		}
		if err := r.queue.Audit().Append(ctx, campaign, a, ""); err != nil {
			return nil, fmt.Errorf("release the %s of campaign %s: %w", field, campaign, err)
		}
		if err := r.Remember(ctx, a); err != nil {
			return nil, err
		}
		released = append(released, field)
	}
	if len(released) == 0 {
		return nil, fmt.Errorf("campaign %q: %w", campaign, ErrNotUndone)
	}
	return released, nil
}
