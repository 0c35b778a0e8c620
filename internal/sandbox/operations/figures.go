package operations

import "usher/internal/rtb"

// figures are the figures of a creative or a campaign on a day. They are whole numbers, so
// that the figures of creatives add up exactly to those of their campaign.
type figures struct {
	auctions, bids, won, impressions int64
	clicks, uniqueClicks             int64
	engagements, uniqueEngagements   int64
	net, gross, budget               int64 // in 1/10,000 of the advertiser's currency
}

// amount returns money in 1/10,000 of a currency as an amount of the currency.
func amount(units int64) float64 { return float64(units) / 10_000 }

func (f figures) plus(g figures) figures {
	return figures{
		auctions: f.auctions + g.auctions, bids: f.bids + g.bids, won: f.won + g.won, impressions: f.impressions + g.impressions,
		clicks: f.clicks + g.clicks, uniqueClicks: f.uniqueClicks + g.uniqueClicks,
		engagements: f.engagements + g.engagements, uniqueEngagements: f.uniqueEngagements + g.uniqueEngagements,
		net: f.net + g.net, gross: f.gross + g.gross, budget: f.budget + g.budget,
	}
}

// metrics returns the figures in the form of reports. The lifetime budget is the budget
// times a number of days.
func (f figures) metrics(currency string, margin float64, days int) rtb.Metrics {
	return rtb.Metrics{
		CurrencyCode: currency,
		Auctions:     float64(f.auctions), BidsPlaced: float64(f.bids), Won: float64(f.won), Impressions: float64(f.impressions),
		Clicks: float64(f.clicks), UniqueClicks: float64(f.uniqueClicks),
		Engagements: float64(f.engagements), UniqueEngagements: float64(f.uniqueEngagements),
		WinRate: ratio(f.won, f.bids), DisplayRate: ratio(f.impressions, f.won),
		NetMediaSpend: amount(f.net), GrossMediaSpend: amount(f.gross), MediaMargin: margin,
		Budget: amount(f.budget), LifetimeBudget: amount(f.budget * int64(days)),
	}
}

// ratio returns part / whole, and 0 if whole is 0.
func ratio(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// share returns part i (from 0) of total, divided into n parts that add up to total.
func share(total int64, i, n int) int64 {
	return total*int64(i+1)/int64(n) - total*int64(i)/int64(n)
}

// campaignDay is a campaign's row of a report.
type campaignDay struct {
	day, campaign, status string
	margin                float64 // percent on top of the net spend
	days                  int     // the number of days in the lifetime budget
	creatives             []creativeDay
}

type creativeDay struct {
	code, status string
	figures
}

// sum returns the figures of all creatives together.
func (d campaignDay) sum() figures {
	var all figures
	for _, cr := range d.creatives {
		all = all.plus(cr.figures)
	}
	return all
}

// row returns the day for the report of all campaigns.
func (d campaignDay) row(advertiser, currency string) rtb.CampaignRow {
	return rtb.CampaignRow{
		ReportDate: d.day, AdvertiserCode: advertiser, CampaignCode: d.campaign, Status: d.status,
		Metrics: d.sum().metrics(currency, d.margin, d.days),
	}
}

// detail returns the day for the report of one campaign.
func (d campaignDay) detail(advertiser, currency string) rtb.CampaignDetail {
	detail := rtb.CampaignDetail{CampaignRow: d.row(advertiser, currency), Creatives: []rtb.CreativeRow{}}
	for _, cr := range d.creatives {
		detail.Creatives = append(detail.Creatives, rtb.CreativeRow{
			CreativeCode: cr.code, ApprovalStatus: cr.status, Metrics: cr.metrics(currency, d.margin, d.days),
		})
	}
	return detail
}
