package evaluation

import (
	"context"
	"fmt"
	"slices"

	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// Rules that are not due vote, too: a pause that they want blocks resumes, and keep_active
// counts it.

// readVotes reads the rows of creatives by which rules that are not due vote in the given
// campaigns, if their votes matter there. Some votes depend on the currencies of further
// campaigns, whose rows it reads, too.
func (e *evaluation) readVotes(ctx context.Context, campaigns []string) error {
	matter := slices.DeleteFunc(slices.Clone(campaigns), func(campaign string) bool {
		return !e.keepsActive() && !e.hasOwned(campaign) || !e.votes(figures.CreativeLevel, campaign)
	})
	wanted := matter
	if !e.isEvent() && slices.ContainsFunc(matter, e.votesByCurrency) {
		mixed, err := e.mixedCampaigns(ctx)
		if err != nil {
			return err
		}
		wanted = slices.Compact(slices.Sorted(slices.Values(slices.Concat(matter, mixed))))
	}
	unread := slices.DeleteFunc(wanted, func(campaign string) bool { return e.set.Reads(figures.CreativeLevel, campaign, e.due) })
	if len(unread) == 0 {
		return nil
	}
	return e.readRows(ctx, unread, figures.CreativeLevel)
}

// mixedCampaigns returns the campaigns in the scopes of rules whose votes depend on
// currencies, if these campaigns have several. One report of all campaigns shows that.
func (e *evaluation) mixedCampaigns(ctx context.Context) ([]string, error) {
	if e.all == nil { // a question has not listed them
		var err error
		if e.all, err = e.platform.Campaigns.List(ctx); err != nil {
			return nil, fmt.Errorf("list campaigns of %s: %w", e.set.Account, err)
		}
	}
	var campaigns []string
	inScope, currencies := map[string]bool{}, map[string]bool{}
	for _, campaign := range e.all {
		if inScope[campaign] = e.votesByCurrency(campaign); inScope[campaign] {
			campaigns = append(campaigns, campaign)
		}
	}
	for _, need := range e.figures.Needs() {
		if need.Level != figures.CreativeLevel {
			continue
		}
		_, err := readCampaignRows(ctx, e.platform, need, func(row figures.Row) error {
			if inScope[row.Campaign] && row.Currency != "" {
				currencies[row.Currency] = true
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(currencies) < 2 {
		return nil, nil
	}
	return campaigns, nil
}

// votes reports whether a rule of a level in any file may want creatives of a campaign paused
// although it is not due.
func (e *evaluation) votes(l figures.Level, campaign string) bool {
	return e.anyVotes(func(s *rules.Set, due []string) bool { return s.Votes(l, campaign, due) })
}

// votesByCurrency reports whether the vote of such a rule on creatives depends on the
// currencies of all campaigns in its scope.
func (e *evaluation) votesByCurrency(campaign string) bool {
	return e.anyVotes(func(s *rules.Set, due []string) bool { return s.VotesByCurrency(figures.CreativeLevel, campaign, due) })
}

// anyVotes reports whether a condition holds for a file and its rules that are due. No rule
// of another file is.
func (e *evaluation) anyVotes(condition func(s *rules.Set, due []string) bool) bool {
	return condition(e.set, e.due) || slices.ContainsFunc(e.others, func(other *rules.Set) bool { return condition(other, []string{}) })
}

// keepsActive reports whether a rule that is due has keep_active.
func (e *evaluation) keepsActive() bool {
	return slices.ContainsFunc(e.set.Rules, func(r *rules.Rule) bool {
		return r.Scope.KeepActive > 0 && (e.due == nil || slices.Contains(e.due, r.Name))
	})
}
