package operations

import (
	"slices"
	"strings"
	"time"

	"usher/internal/rtb"
)

// margin returns the media margin of an advertiser in percent.
func (s *State) margin(advertiser string) float64 {
	if margin := s.advertisers.Row(advertiser).Model.Margins.MediaMargin; margin != nil {
		return *margin
	}
	return 0
}

// currency returns the currency of an advertiser's account.
func (s *State) currency(advertiser string) string {
	return s.advertisers.Row(advertiser).Model.CurrencyCode
}

// campaignDays returns the canned and the live days of an advertiser's campaigns
// in a period, in the order of days and then of codes.
func (s *State) campaignDays(advertiser, from, to string, now time.Time) []campaignDay {
	list := s.cannedDays(advertiser, from, to)
	for _, code := range s.campaigns.Keys() {
		if s.campaigns.Row(code).Advertiser == advertiser {
			list = append(list, s.liveDays(code, from, to, now)...)
		}
	}
	slices.SortStableFunc(list, func(a, b campaignDay) int {
		if order := strings.Compare(a.day, b.day); order != 0 {
			return order
		}
		return strings.Compare(a.campaign, b.campaign)
	})
	return list
}

// cannedDays returns the days of the canned reports in a period. Only the initial advertiser
// has canned reports.
func (s *State) cannedDays(advertiser, from, to string) []campaignDay {
	if advertiser != s.config.Advertiser {
		return nil
	}
	var list []campaignDay
	all := stories()
	for i, c := range seedCampaigns() {
		list = append(list, all[c.name].days(advertiser+"-"+c.name, c, seedBudget(i), from, to)...)
	}
	return list
}

// liveDays returns the days of a campaign in a period since it was created, without those of
// the canned reports.
func (s *State) liveDays(code, from, to string, now time.Time) []campaignDay {
	plan := s.campaigns.Row(code)
	flights, since := s.flightsOf(code, now)
	if len(flights) == 0 {
		return nil
	}
	status := s.servingStatus(plan, now)
	var list []campaignDay
	for day := max(from, dayOf(since)); day <= min(to, dayOf(now)); day = dayAfter(day, 1) {
		if plan.Advertiser == s.config.Advertiser && day >= cannedFirst && day <= cannedLast {
			continue
		}
		row := campaignDay{day: day, campaign: code, status: status, margin: s.margin(plan.Advertiser), days: daysBetween(dayOf(since), day)}
		for _, f := range flights {
			if at := slices.Index(plan.Creatives, f.Creative); at >= 0 || f.Days[day].Millis > 0 {
				row.creatives = append(row.creatives, s.liveDay(plan, f, at, day, now))
			}
		}
		list = append(list, row)
	}
	return list
}

// liveDay returns the figures of a creative on a day. at is its index in the campaign; it is
// negative for a removed creative, which has no budget.
func (s *State) liveDay(plan campaign, f flight, at int, day string, now time.Time) creativeDay {
	row := creativeDay{code: f.Creative, status: rtb.Inactive, figures: f.Days[day].figures(f.Creative, s.margin(plan.Advertiser))}
	if at >= 0 {
		row.status, _ = s.creatives.Row(f.Creative).status(now, s.config.ApprovalDelay)
		row.budget = share(int64(plan.Definition.BiddingSettings.Budget.Daily*10_000), at, len(plan.Creatives))
	}
	return row
}

// servingStatus returns ACTIVE if one of the campaign's creatives is ACTIVE.
func (s *State) servingStatus(plan campaign, now time.Time) string {
	for _, code := range plan.Creatives {
		if status, _ := s.creatives.Row(code).status(now, s.config.ApprovalDelay); status == rtb.Active {
			return rtb.Active
		}
	}
	return rtb.Inactive
}

func (s *State) reportCampaigns(c *Call, in rtb.Period) (rtb.CampaignRowsAnswer, error) {
	if err := checkPeriod(in.StartDate, in.EndDate); err != nil {
		return rtb.CampaignRowsAnswer{}, err
	}
	rows := []rtb.CampaignRow{}
	for _, day := range s.campaignDays(c.Advertiser, in.StartDate, in.EndDate, c.Now) {
		rows = append(rows, day.row(c.Advertiser, s.currency(c.Advertiser)))
	}
	return rtb.CampaignRowsAnswer{Reports: rows}, nil
}

func (s *State) reportCampaign(c *Call, in rtb.CampaignPeriod) (rtb.CampaignDetailsAnswer, error) {
	plan, err := s.findCampaign(c, in.CampaignCode)
	if err != nil {
		return rtb.CampaignDetailsAnswer{}, err
	}
	if err := checkPeriod(in.StartDate, in.EndDate); err != nil {
		return rtb.CampaignDetailsAnswer{}, err
	}
	rows := []rtb.CampaignDetail{}
	for _, day := range s.campaignDays(plan.Advertiser, in.StartDate, in.EndDate, c.Now) {
		if day.campaign == in.CampaignCode {
			rows = append(rows, day.detail(plan.Advertiser, s.currency(plan.Advertiser)))
		}
	}
	return rtb.CampaignDetailsAnswer{Reports: rows}, nil
}

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
