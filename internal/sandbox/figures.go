package sandbox

import (
	"fmt"

	"usher/internal/rtb"
)

// figures are what a creative or campaign did on a day. They are whole numbers,
// so that creatives add up to their campaign to the last cent.
type figures struct {
	auctions, bids, won, impressions int64
	clicks, uniqueClicks             int64
	engagements, uniqueEngagements   int64
	net, gross, budget               int64 // in 1/10,000 of the advertiser's currency
}

// money is such a count as an amount of the currency.
func money(units int64) float64 { return float64(units) / 10_000 }

func (f figures) plus(g figures) figures {
	return figures{
		auctions: f.auctions + g.auctions, bids: f.bids + g.bids, won: f.won + g.won, impressions: f.impressions + g.impressions,
		clicks: f.clicks + g.clicks, uniqueClicks: f.uniqueClicks + g.uniqueClicks,
		engagements: f.engagements + g.engagements, uniqueEngagements: f.uniqueEngagements + g.uniqueEngagements,
		net: f.net + g.net, gross: f.gross + g.gross, budget: f.budget + g.budget,
	}
}

// metrics are the figures as reports show them. days is how many days the
// budget is for in a campaign's life.
func (f figures) metrics(currency string, margin float64, days int) rtb.Metrics {
	return rtb.Metrics{
		CurrencyCode: currency,
		Auctions:     rtb.Count(f.auctions), BidsPlaced: rtb.Count(f.bids), Won: rtb.Count(f.won), Impressions: rtb.Count(f.impressions),
		Clicks: rtb.Count(f.clicks), UniqueClicks: rtb.Count(f.uniqueClicks),
		Engagements: rtb.Count(f.engagements), UniqueEngagements: rtb.Count(f.uniqueEngagements),
		WinRate: ratio(f.won, f.bids), DisplayRate: ratio(f.impressions, f.won),
		NetMediaSpend: money(f.net), GrossMediaSpend: money(f.gross), MediaMargin: margin,
		Budget: money(f.budget), LifetimeBudget: money(f.budget * int64(days)),
	}
}

// ratio is a part of a whole; of nothing it is 0.
func ratio(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// share is the part of total that the i-th of n has: the parts add up.
func share(total int64, i, n int) int64 {
	return total*int64(i+1)/int64(n) - total*int64(i)/int64(n)
}

// campaignDay is a campaign's row of a report.
type campaignDay struct {
	day, campaign, status string
	margin                float64 // percent on top of the net spend
	days                  int     // that its lifetime budget is for
	creatives             []creativeDay
}

type creativeDay struct {
	code, status string
	figures
}

// sum is what the campaign's creatives did together.
func (d campaignDay) sum() figures {
	var all figures
	for _, cr := range d.creatives {
		all = all.plus(cr.figures)
	}
	return all
}

// row is the day as the report of all campaigns shows it.
func (d campaignDay) row(advertiser, currency string) rtb.CampaignRow {
	return rtb.CampaignRow{
		ReportDate: d.day, AdvertiserCode: advertiser, CampaignCode: d.campaign, Status: d.status,
		Metrics: d.sum().metrics(currency, d.margin, d.days),
	}
}

// detail is the day as the report of one campaign shows it.
func (d campaignDay) detail(advertiser, currency string) rtb.CampaignDetail {
	detail := rtb.CampaignDetail{CampaignRow: d.row(advertiser, currency), Creatives: []rtb.CreativeRow{}}
	for _, cr := range d.creatives {
		detail.Creatives = append(detail.Creatives, rtb.CreativeRow{
			CreativeCode: cr.code, ApprovalStatus: cr.status, Metrics: cr.metrics(currency, d.margin, d.days),
		})
	}
	return detail
}

// creativeName is the code of a seeded campaign's i-th creative.
func creativeName(campaign string, i int) string { return fmt.Sprintf("%s-%d", campaign, i+1) }
