package review

import (
	"context"
	"fmt"
	"slices"

	"usher"
	"usher/internal/rules"
	"usher/queues/decisions"
	"usher/queues/outcomes"
	"usher/workers/evaluation"
)

// Preview returns what the rules of a file would do now, on all campaigns in their scopes, and sends
// nothing. Rules that people have paused take no part, and numbers that the workers would not let rules
// change are held, as after an approval.
func (r *Reviewer) Preview(ctx context.Context, set *rules.Set) ([]usher.Decision, error) {
	paused, err := r.Queue.Settings().List(ctx, usher.RulePause)
	if err != nil {
		return nil, err
	}
	set = withoutPaused(set, paused)
	kept, err := r.Queue.Settings().Kept(ctx)
	if err != nil {
		return nil, err
	}
	platform, err := r.Platform(set.Account)
	if err != nil {
		return nil, err
	}
	campaigns, err := platform.Campaigns.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("list campaigns of %s: %w", set.Account, err)
	}
	campaigns = slices.DeleteFunc(campaigns, func(code string) bool { return !set.Covers(code, nil) })
	memory, err := decisions.New(r.Queue, nil).Memory(ctx, campaigns)
	if err != nil {
		return nil, err
	}
	var actions []usher.BiddingField
	if fields := set.Changes(nil); len(fields) > 0 {
		workers, err := r.campaignWorkers(ctx)
		if err != nil {
			return nil, err
		}
		actions = slices.DeleteFunc(slices.Clone(fields), func(f usher.BiddingField) bool { return refusal(workers, f) != "" })
	}
	q := evaluation.Question{
		Platform: platform, Set: set, Others: r.others(set, paused), At: r.Queue.Now(), Campaigns: campaigns,
		Memory: memory, Kept: kept, Outcomes: outcomes.New(r.Queue).Now, Actions: actions,
	}
	return q.Decide(ctx)
}
