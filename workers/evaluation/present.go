package evaluation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
)

// present caches what runs have read of campaigns as they are now, if there are many of them.
type present struct {
	active  cache[presentKey, bool] // whether campaigns without rows lately are active
	budgets cache[presentKey, rules.Number]
}

type presentKey struct{ account, campaign string }

// manyCalls is the number of campaigns above which what is known of them is not read again.
const manyCalls = 100

// ReadPresent reads what reports with holes need of campaigns as they are now: which of those without
// rows lately are active, and the budgets of those that lack days. campaigns are those on which rules
// decide; if conditions sum campaigns, those of the account are listed.
func ReadPresent(ctx context.Context, platform *rtb.Client, f *rules.Figures, campaigns []string) error {
	return (&present{}).read(ctx, platform, f, "", campaigns, time.Time{})
}

func (p *present) read(ctx context.Context, platform *rtb.Client, f *rules.Figures, account string, campaigns []string, now time.Time) error {
	if f.SumsCampaigns() {
		var err error
		if campaigns, err = platform.Campaigns.List(ctx); err != nil {
			return fmt.Errorf("list campaigns: %w", err)
		}
	}
	active, err := recall(&p.active, account, f.Silent(campaigns), now, func(unknown []string) (map[string]bool, error) {
		creatives, err := ReadCreatives(ctx, platform, unknown)
		found := map[string]bool{}
		for _, c := range creatives {
			found[c.Campaign] = found[c.Campaign] || c.Status == rtb.Active
		}
		return found, err
	})
	if err != nil {
		return err
	}
	for campaign, is := range active {
		if is {
			f.SetActive(campaign)
		}
	}
	budgets, err := recall(&p.budgets, account, f.LackingBudgets(campaigns), now, func(unknown []string) (map[string]rules.Number, error) {
		numbers, err := ReadNumbers(ctx, platform, usher.BudgetField, unknown)
		found := map[string]rules.Number{}
		for _, n := range numbers {
			found[n.Campaign] = n
		}
		return found, err
	})
	for campaign, n := range budgets {
		if n.Currency != "" && !math.IsNaN(n.Value) {
			f.SetBudget(campaign, n.Value, n.Currency)
		}
	}
	return err
}

// recall returns something of campaigns by campaign. It reads what is not known, and if these are not
// many, all of it.
func recall[V any](known *cache[presentKey, V], account string, campaigns []string, now time.Time, read func(unknown []string) (map[string]V, error)) (map[string]V, error) {
	if len(campaigns) == 0 {
		return nil, nil
	}
	found := map[string]V{}
	unknown := campaigns
	if len(campaigns) > manyCalls {
		unknown = slices.DeleteFunc(slices.Clone(campaigns), func(campaign string) bool {
			value, fresh := known.get(presentKey{account, campaign}, now)
			if fresh {
				found[campaign] = value
			}
			return fresh
		})
	}
	values, err := read(unknown)
	if err != nil {
		return nil, err
	}
	for _, campaign := range unknown {
		found[campaign] = values[campaign]
		known.put(presentKey{account, campaign}, values[campaign], now)
	}
	return found, nil
}
