package workers

import (
	"context"
	"fmt"
	"sync"

	"usher/internal/rtb"
	"usher/internal/rules"
)

// readers is how many calls a reading of many campaigns has in flight: the rate
// limit is what holds it back, not the way to the platform and back.
const readers = 8

// ReadReports reads the days that a run of rules needs and hands every row to
// add, never two at once, in no order. Campaigns' rows take one call, whatever
// the windows are. Creatives' rows take a call for each of campaigns, which are
// those that rules on creatives have in scope; one that is not there any more
// has no rows.
func ReadReports(ctx context.Context, platform *rtb.Client, needs []rules.Need, campaigns []string, add func(rules.Row) error) error {
	for _, need := range needs {
		var err error
		if need.Level == rules.CreativeLevel {
			err = readCreatives(ctx, platform, need, campaigns, add)
		} else {
			err = readCampaigns(ctx, platform, need, add)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func readCampaigns(ctx context.Context, platform *rtb.Client, need rules.Need, add func(rules.Row) error) error {
	rows, err := platform.Reporting.Campaigns(ctx, need.From, need.To)
	if err != nil {
		return fmt.Errorf("read report of campaigns from %s to %s: %w", need.From, need.To, err)
	}
	for _, row := range rows {
		if err := add(rules.Row{Date: row.ReportDate, Campaign: row.CampaignCode, Values: valuesOf(row.Metrics)}); err != nil {
			return err
		}
	}
	return nil
}

func readCreatives(ctx context.Context, platform *rtb.Client, need rules.Need, campaigns []string, add func(rules.Row) error) error {
	var adding sync.Mutex
	return eachOf(ctx, campaigns, func(ctx context.Context, campaign string) error {
		days, err := platform.Reporting.Campaign(ctx, campaign, need.From, need.To)
		if isNotFound(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read report of campaign %s from %s to %s: %w", campaign, need.From, need.To, err)
		}
		adding.Lock()
		defer adding.Unlock()
		for _, day := range days {
			for _, cr := range day.Creatives {
				if err := add(rules.Row{Date: day.ReportDate, Campaign: campaign, Creative: cr.CreativeCode, Values: valuesOf(cr.Metrics)}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// ReadCreatives reads where the creatives of campaigns stand: a call for each
// campaign. A campaign that is not there any more has none.
func ReadCreatives(ctx context.Context, platform *rtb.Client, campaigns []string) ([]rules.Creative, error) {
	var creatives []rules.Creative
	var adding sync.Mutex
	err := eachOf(ctx, campaigns, func(ctx context.Context, campaign string) error {
		list, err := platform.Campaigns.Status(ctx, campaign)
		if isNotFound(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read statuses of campaign %s: %w", campaign, err)
		}
		adding.Lock()
		defer adding.Unlock()
		for _, cr := range list {
			creatives = append(creatives, rules.Creative{Campaign: campaign, Code: cr.CreativeCode, Status: cr.ApprovalStatus, LatestUpdate: cr.LatestUpdate})
		}
		return nil
	})
	return creatives, err
}

// eachOf runs do for every campaign, several at once, until one fails; it returns
// when all have.
func eachOf(ctx context.Context, campaigns []string, do func(context.Context, string) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan string)
	var running sync.WaitGroup
	for range min(readers, len(campaigns)) {
		running.Go(func() {
			for campaign := range next {
				if err := do(ctx, campaign); err != nil {
					cancel(err) // the first one counts
				}
			}
		})
	}
	for _, campaign := range campaigns {
		if ctx.Err() != nil {
			break
		}
		select {
		case next <- campaign:
		case <-ctx.Done():
		}
	}
	close(next)
	running.Wait()
	return context.Cause(ctx)
}

// valuesOf are a report's numbers as rules know them.
func valuesOf(m rtb.Metrics) [rules.Fields]float64 {
	return [rules.Fields]float64{
		rules.Auctions: float64(m.Auctions), rules.BidsPlaced: float64(m.BidsPlaced), rules.Won: float64(m.Won),
		rules.Impressions: float64(m.Impressions), rules.Clicks: float64(m.Clicks), rules.Engagements: float64(m.Engagements),
		rules.UniqueClicks: float64(m.UniqueClicks), rules.UniqueEngagements: float64(m.UniqueEngagements),
		rules.NetMediaSpend: m.NetMediaSpend, rules.GrossMediaSpend: m.GrossMediaSpend,
		rules.Budget: m.Budget, rules.MediaMargin: m.MediaMargin, rules.LifetimeBudget: m.LifetimeBudget,
	}
}
