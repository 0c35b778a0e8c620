package outcomes

import (
	"context"
	"fmt"
	"slices"

	"usher/internal/exports"
	"usher/internal/outcomes"
	"usher/internal/rtb"
	"usher/workers/evaluation"
)

// Read reads a table with the campaigns that the platform lists for its account. It reads the creatives of
// those campaigns only that have rows of creatives, because that takes a call for each campaign.
func Read(ctx context.Context, client *rtb.Client, table *exports.Table, o outcomes.Options) (*outcomes.Delivery, error) {
	all, err := client.Campaigns.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("read campaigns of account %s: %w", o.Account, err)
	}
	campaigns := map[string][]string{}
	for _, code := range all {
		campaigns[code] = nil
	}
	with := slices.DeleteFunc(outcomes.WithCreatives(table), func(code string) bool { return !slices.Contains(all, code) })
	creatives, err := evaluation.ReadCreatives(ctx, client, with)
	if err != nil {
		return nil, fmt.Errorf("read creatives of account %s: %w", o.Account, err)
	}
	for i := range creatives {
		c := &creatives[i]
		campaigns[c.Campaign] = append(campaigns[c.Campaign], c.Code)
	}
	return outcomes.Read(table, o, campaigns)
}
