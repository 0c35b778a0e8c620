package evaluation

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/internal/rules/figures"
	"usher/workers"
)

// maxReaders is the number of concurrent calls when many campaigns are read.
// More would not help, because the rate limit is the bottleneck.
const maxReaders = 8

// ReadReports reads the reports that an evaluation needs and calls add for each row, one
// row at a time, in no particular order. One call reads the rows of all campaigns. The
// rows of creatives take one call for each of the given campaigns, which are those in the
// scope of rules on creatives; a campaign that no longer exists has no rows.
//
// A row without the code of its campaign or creative belongs to nothing that is known: it is
// left out, and ReadReports returns how many such rows there are.
func ReadReports(ctx context.Context, platform *rtb.Client, needs []figures.Need, campaigns []string, add func(figures.Row) error) (unnamed int, err error) {
	for _, need := range needs {
		var n int
		if need.Level == figures.CreativeLevel {
			n, err = readCreativeRows(ctx, platform, need, campaigns, add)
		} else {
			n, err = readCampaignRows(ctx, platform, need, add)
		}
		unnamed += n
		if err != nil {
			return unnamed, err
		}
	}
	return unnamed, nil
}

func readCampaignRows(ctx context.Context, platform *rtb.Client, need figures.Need, add func(figures.Row) error) (unnamed int, err error) {
	all, err := platform.Reporting.Campaigns(ctx, need.From, need.To)
	if err != nil {
		return 0, fmt.Errorf("read report of campaigns from %s to %s: %w", need.From, need.To, err)
	}
	rows := slices.DeleteFunc(all, func(row rtb.CampaignRow) bool { return row.CampaignCode == "" })
	return len(all) - len(rows), eachDay(func(yield func(figures.Row) bool) {
		for _, row := range rows {
			if !yield(figures.Row{Date: row.ReportDate, Campaign: row.CampaignCode, Currency: row.CurrencyCode, Values: fieldValues(row.Metrics)}) {
				return
			}
		}
	}, add)
}

func readCreativeRows(ctx context.Context, platform *rtb.Client, need figures.Need, campaigns []string, add func(figures.Row) error) (unnamed int, err error) {
	var mu sync.Mutex // guards add and unnamed
	err = eachCampaign(ctx, campaigns, func(ctx context.Context, campaign string) error {
		days, err := platform.Reporting.Campaign(ctx, campaign, need.From, need.To)
		if workers.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read report of campaign %s from %s to %s: %w", campaign, need.From, need.To, err)
		}
		mu.Lock()
		defer mu.Unlock()
		for i := range days {
			all := days[i].Creatives
			days[i].Creatives = slices.DeleteFunc(all, func(cr rtb.CreativeRow) bool { return cr.CreativeCode == "" })
			unnamed += len(all) - len(days[i].Creatives)
		}
		return eachDay(func(yield func(figures.Row) bool) {
			for _, day := range days {
				for _, cr := range day.Creatives {
					currency := cmp.Or(cr.CurrencyCode, day.CurrencyCode)
					if !yield(figures.Row{Date: day.ReportDate, Campaign: campaign, Creative: cr.CreativeCode, Currency: currency, Values: fieldValues(cr.Metrics)}) {
						return
					}
				}
			}
		}, add)
	})
	return unnamed, err
}

// eachDay calls add once for each day of a campaign or creative: rows of a report that are
// about the same day are merged, because a repeated row would count twice. It stops at the
// first error.
func eachDay(rows iter.Seq[figures.Row], add func(figures.Row) error) error {
	type key struct{ date, campaign, creative string }
	seen, repeated := map[key]bool{}, map[key]figures.Row{}
	for row := range rows {
		k := key{row.Date, row.Campaign, row.Creative}
		switch merged, again := repeated[k]; {
		case again:
			repeated[k] = merged.Merge(&row)
		case seen[k]:
			repeated[k] = row
		}
		seen[k] = true
	}
	clear(seen)
	for row := range rows {
		k := key{row.Date, row.Campaign, row.Creative}
		if merged, again := repeated[k]; again {
			if seen[k] {
				continue
			}
			seen[k] = true
			row = row.Merge(&merged)
		}
		if err := add(row); err != nil {
			return err
		}
	}
	return nil
}

// ReadCreatives reads the statuses of the creatives of campaigns by one call for each
// campaign. If a rule of the sets selects creatives by type, a second call reads their
// types. A campaign that no longer exists has no creatives.
func ReadCreatives(ctx context.Context, platform *rtb.Client, campaigns []string, sets ...*rules.Set) ([]rules.Creative, error) {
	var mu sync.Mutex
	var creatives []rules.Creative
	err := eachCampaign(ctx, campaigns, func(ctx context.Context, campaign string) error {
		list, err := platform.Campaigns.Status(ctx, campaign)
		if workers.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read statuses of campaign %s: %w", campaign, err)
		}
		types := map[string]string{}
		if slices.ContainsFunc(sets, func(s *rules.Set) bool { return s.ReadsTypes(campaign) }) {
			definition, err := platform.Campaigns.Get(ctx, campaign)
			if err != nil && !workers.IsNotFound(err) {
				return fmt.Errorf("read types of the creatives of campaign %s: %w", campaign, err)
			}
			for _, cr := range definition.Creatives {
				types[cr.Code] = cr.Type
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for _, cr := range list {
			creatives = append(creatives, rules.Creative{Campaign: campaign, Code: cr.CreativeCode, Type: types[cr.CreativeCode], Status: cr.ApprovalStatus, LatestUpdate: cr.LatestUpdate})
		}
		return nil
	})
	return creatives, err
}

// eachCampaign calls do for every campaign, several at once. After an error it starts no
// further call. It returns the first error once all calls have returned.
func eachCampaign(ctx context.Context, campaigns []string, do func(context.Context, string) error) error {
	reading, reads := errgroup.WithContext(ctx)
	reading.SetLimit(maxReaders)
	for _, campaign := range campaigns {
		reading.Go(func() error {
			if reads.Err() != nil {
				return context.Cause(reads)
			}
			return do(reads, campaign)
		})
	}
	err := reading.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// fieldValues maps the numbers of a report to the fields of rules.
func fieldValues(m rtb.Metrics) [figures.Fields]float64 {
	return [figures.Fields]float64{
		figures.Auctions: m.Auctions, figures.BidsPlaced: m.BidsPlaced, figures.Won: m.Won,
		figures.Impressions: m.Impressions, figures.Clicks: m.Clicks, figures.Engagements: m.Engagements,
		figures.UniqueClicks: m.UniqueClicks, figures.UniqueEngagements: m.UniqueEngagements,
		figures.NetMediaSpend: m.NetMediaSpend, figures.GrossMediaSpend: m.GrossMediaSpend,
		figures.Budget: m.Budget, figures.MediaMargin: m.MediaMargin, figures.LifetimeBudget: m.LifetimeBudget,
	}
}
