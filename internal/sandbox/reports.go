package sandbox

import (
	"slices"
	"strings"
	"time"

	"usher/internal/rtb"
)

// checkPeriod checks the dates of a report.
func checkPeriod(start, end string) error {
	if err := checkDate("startDate", start); err != nil {
		return err
	}
	if err := checkDate("endDate", end); err != nil {
		return err
	}
	if end < start {
		return invalid("endDate", "must not be before startDate")
	}
	return nil
}

// margin is the media margin of an advertiser, in percent.
func (w *world) margin(advertiser string) float64 {
	if margin := w.advertisers.rows[advertiser].Model.Margins.MediaMargin; margin != nil {
		return *margin
	}
	return 0
}

// currency is the currency of an advertiser's account.
func (w *world) currency(advertiser string) string {
	return w.advertisers.rows[advertiser].Model.CurrencyCode
}

// reported are the days of an advertiser's campaigns from a day to a day, the
// canned ones and the live ones, in the order of the days and then of the codes.
func (w *world) reported(advertiser, from, to string, now time.Time) []campaignDay {
	list := w.cannedDays(advertiser, from, to)
	for _, code := range w.campaigns.keys() {
		if w.campaigns.rows[code].Advertiser == advertiser {
			list = append(list, w.liveDays(code, from, to, now)...)
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

// cannedDays are the days of the canned reports, which the advertiser of the
// start has.
func (w *world) cannedDays(advertiser, from, to string) []campaignDay {
	if advertiser != w.o.Advertiser {
		return nil
	}
	var list []campaignDay
	told := stories()
	for i, c := range seedCampaigns() {
		list = append(list, told[c.name].canned(advertiser+"-"+c.name, c.name, c.creatives, seedBudget(i), from, to)...)
	}
	return list
}

// liveDays are a campaign's days since it was made, as far as they lie in the
// period and are not canned.
func (w *world) liveDays(code, from, to string, now time.Time) []campaignDay {
	plan := w.campaigns.rows[code]
	flights, since := w.flightsOf(code, now)
	if len(flights) == 0 {
		return nil
	}
	status := w.campaignServes(plan, now)
	var list []campaignDay
	for day := max(from, dayOf(since)); day <= min(to, dayOf(now)); day = dayAfter(day, 1) {
		if plan.Advertiser == w.o.Advertiser && day >= cannedFirst && day <= cannedLast {
			continue
		}
		row := campaignDay{day: day, campaign: code, status: status, margin: w.margin(plan.Advertiser), days: span(dayOf(since), day)}
		for _, f := range flights {
			if at := slices.Index(plan.Creatives, f.Creative); at >= 0 || f.Days[day].Millis > 0 {
				row.creatives = append(row.creatives, w.liveDay(plan, f, at, day, now))
			}
		}
		list = append(list, row)
	}
	return list
}

// flightsOf are the flights of a campaign, settled, by creative, and when the
// first of them began.
func (w *world) flightsOf(code string, now time.Time) ([]flight, time.Time) {
	var list []flight
	since := now
	for _, f := range w.flights.rows {
		if f.Campaign == code {
			list = append(list, f.settled(now))
			if f.Since.Before(since) {
				since = f.Since
			}
		}
	}
	slices.SortFunc(list, func(a, b flight) int { return strings.Compare(a.Creative, b.Creative) })
	return list, since
}

// liveDay is what a creative, the at-th of its campaign, did on a day. One that
// was taken out since has at below 0 and no budget.
func (w *world) liveDay(plan campaign, f flight, at int, day string, now time.Time) creativeDay {
	made := creativeDay{code: f.Creative, status: rtb.Inactive, figures: f.Days[day].figures(f.Creative, w.margin(plan.Advertiser))}
	if at >= 0 {
		made.status, _ = w.creatives.rows[f.Creative].status(now, w.o.ApprovalDelay)
		made.budget = share(int64(plan.Definition.BiddingSettings.Budget.Daily*10_000), at, len(plan.Creatives))
	}
	return made
}

// campaignServes is ACTIVE where one of the campaign's creatives is.
func (w *world) campaignServes(plan campaign, now time.Time) string {
	for _, code := range plan.Creatives {
		if status, _ := w.creatives.rows[code].status(now, w.o.ApprovalDelay); status == rtb.Active {
			return rtb.Active
		}
	}
	return rtb.Inactive
}

func (w *world) reportCampaigns(c *call, in rtb.Period) (rtb.CampaignRowsAnswer, error) {
	if err := checkPeriod(in.StartDate, in.EndDate); err != nil {
		return rtb.CampaignRowsAnswer{}, err
	}
	rows := []rtb.CampaignRow{}
	for _, day := range w.reported(c.advertiser, in.StartDate, in.EndDate, c.now) {
		rows = append(rows, day.row(c.advertiser, w.currency(c.advertiser)))
	}
	return rtb.CampaignRowsAnswer{Reports: rows}, nil
}

func (w *world) reportCampaign(c *call, in rtb.CampaignPeriod) (rtb.CampaignDetailsAnswer, error) {
	plan, err := w.ownCampaign(c, in.CampaignCode)
	if err != nil {
		return rtb.CampaignDetailsAnswer{}, err
	}
	if err := checkPeriod(in.StartDate, in.EndDate); err != nil {
		return rtb.CampaignDetailsAnswer{}, err
	}
	rows := []rtb.CampaignDetail{}
	for _, day := range w.reported(plan.Advertiser, in.StartDate, in.EndDate, c.now) {
		if day.campaign == in.CampaignCode {
			rows = append(rows, day.detail(plan.Advertiser, w.currency(plan.Advertiser)))
		}
	}
	return rtb.CampaignDetailsAnswer{Reports: rows}, nil
}
