package evaluation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
)

// present caches what runs have read of campaigns as they are now, if there are many of them.
type present struct {
	mu      sync.Mutex
	active  map[presentKey]seen[bool] // whether campaigns without rows lately are active
	budgets map[presentKey]seen[rules.Number]
}

type presentKey struct{ account, campaign string }

type seen[V any] struct {
	value V
	at    time.Time
}

const (
	// presentTTL is how long something is not read again if it takes more than manyCalls.
	presentTTL = time.Hour
	manyCalls  = 100
)

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
	active, err := recall(&p.mu, &p.active, account, f.Silent(campaigns), now, func(unknown []string) (map[string]bool, error) {
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
	budgets, err := recall(&p.mu, &p.budgets, account, f.LackingBudgets(campaigns), now, func(unknown []string) (map[string]rules.Number, error) {
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
func recall[V any](mu *sync.Mutex, known *map[presentKey]seen[V], account string, campaigns []string, now time.Time, read func(unknown []string) (map[string]V, error)) (map[string]V, error) {
	if len(campaigns) == 0 {
		return nil, nil
	}
	found := map[string]V{}
	unknown := campaigns
	if len(campaigns) > manyCalls {
		mu.Lock()
		unknown = slices.DeleteFunc(slices.Clone(campaigns), func(campaign string) bool {
			s, isKnown := (*known)[presentKey{account, campaign}]
			isFresh := isKnown && now.Sub(s.at) < presentTTL
			if isFresh {
				found[campaign] = s.value
			}
			return isFresh
		})
		mu.Unlock()
	}
	values, err := read(unknown)
	if err != nil {
		return nil, err
	}
	mu.Lock()
	defer mu.Unlock()
	if *known == nil {
		*known = map[presentKey]seen[V]{}
	}
	for _, campaign := range unknown {
		found[campaign] = values[campaign]
		(*known)[presentKey{account, campaign}] = seen[V]{values[campaign], now}
	}
	return found, nil
}
