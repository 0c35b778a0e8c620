package rulings

import (
	"context"
	"fmt"
	"slices"
	"time"

	"usher"
	"usher/queues/audit"
)

// Release hands a creative back to rules after an undo, in all campaigns in which it
// was undone, and returns these. It is audited. If no undo keeps rules from changing
// the creative, the error is ErrNotUndone.
func (r *Rulings) Release(ctx context.Context, creative string, act audit.Act) ([]string, error) {
	act = act.Masked()
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
