package operations

import (
	"math/rand/v2"

	"usher/internal/rtb"
)

// The days of the canned reports.
const (
	cannedFirst = "2014-03-10"
	cannedLast  = "2014-04-20"
)

// cannedMargin is the media margin of the canned reports, in percent.
const cannedMargin = 15

// story describes the canned reports of an initial campaign.
type story struct {
	from, to   string // first and last day; "": cannedFirst, cannedLast
	cpm        float64
	clickRate  float64
	engageRate float64
	spend      func(day, days int) float64 // gross spend on a day (from 0), as a share of the budget
	bad        int                         // the number of the creative with bad figures, from 1; 0: none
}

// steady returns a constant spend.
func steady(level float64) func(int, int) float64 {
	return func(int, int) float64 { return level }
}

// stories returns the stories of the initial campaigns by name. They show typical problems,
// which rules can find.
func stories() map[string]story {
	return map[string]story{
		"spring": {cpm: 1.8, clickRate: 0.0016, engageRate: 0.004, spend: steady(0.92)},
		"summer": {cpm: 2.1, clickRate: 0.0012, engageRate: 0.003, spend: func(day, _ int) float64 { // overspends, more every week
			return 0.95 + 0.08*float64(day/7)
		}},
		"autumn": {cpm: 1.5, clickRate: 0.0011, engageRate: 0.002, spend: func(day, _ int) float64 { // stalls on 5 April
			if day >= 26 {
				return 0.015
			}
			return 0.9
		}},
		"winter": {cpm: 2.4, clickRate: 0.0018, engageRate: 0.005, spend: steady(0.97), bad: 3},
		"launch": {from: "2014-03-24", cpm: 3.2, clickRate: 0.0022, engageRate: 0.006, spend: func(day, days int) float64 { // begins late, and slowly
			return min(0.98, 0.1+float64(day)/float64(days))
		}},
		"loyalty":  {cpm: 1.2, clickRate: 0.0031, engageRate: 0.007, spend: steady(0.36)}, // underspends
		"retarget": {cpm: 4.5, clickRate: 0.0064, engageRate: 0.012, spend: steady(0.95)},
		"video":    {cpm: 6.8, clickRate: 0.0009, engageRate: 0.031, spend: steady(0.9), bad: 5},
		"brand": {to: "2014-04-10", cpm: 2.9, clickRate: 0.0007, engageRate: 0.002, spend: func(day, days int) float64 { // ends early, and far above its budget
			if day >= days-3 {
				return 1.6
			}
			return 0.88
		}},
	}
}

// period returns the first and the last day of the story.
func (s story) period() (first, last string) {
	first, last = cannedFirst, cannedLast
	if s.from != "" {
		first = s.from
	}
	if s.to != "" {
		last = s.to
	}
	return first, last
}

// days returns the days of a campaign in a period, in order. budget is the daily budget.
func (s story) days(code string, c seededCampaign, budget float64, from, to string) []campaignDay {
	first, last := s.period()
	days := daysBetween(first, last)
	var list []campaignDay
	for i := range days {
		day := dayAfter(first, i)
		if day < from || day > to {
			continue
		}
		row := campaignDay{day: day, campaign: code, status: rtb.Active, margin: cannedMargin, days: days}
		for n := range c.creatives {
			part := share(int64(budget*10_000), n, c.creatives)
			row.creatives = append(row.creatives, s.creative(seedCreative(c.name, n), day, n+1 == s.bad, part, s.spend(i, days)))
		}
		list = append(list, row)
	}
	return list
}

// creative generates the figures of a creative on a day, which are the same every time.
// level is the spend as a share of the budget.
func (s story) creative(code, day string, bad bool, budget int64, level float64) creativeDay {
	const seed = "canned reports of the sandbox, first edition"
	r := rand.New(rand.NewPCG(mix(seed, code), mix(seed, day))) //nolint:gosec // a fixed seed is the point
	between := func(low, high float64) float64 { return low + (high-low)*r.Float64() }
	cpm, winRate, displayRate, clickRate := s.cpm*between(0.9, 1.1), between(0.18, 0.42), between(0.93, 0.99), s.clickRate*between(0.75, 1.25)
	if bad {
		cpm, displayRate, clickRate = cpm*1.4, displayRate*0.55, clickRate*0.02
	}
	f := figures{budget: budget}
	f.net = int64(float64(f.budget)*level*between(0.93, 1.05)/(1+cannedMargin/100.0)) / 20 * 20 // so that the amount of the margin is a whole number, too
	f.gross = f.net + f.net*cannedMargin/100
	f.impressions = int64(amount(f.net) / cpm * 1000)
	f.won = int64(float64(f.impressions) / displayRate)
	f.bids = int64(float64(f.won) / winRate)
	f.auctions = int64(float64(f.bids) * between(2.2, 5))
	f.clicks = int64(float64(f.impressions)*clickRate + r.Float64())
	f.uniqueClicks = int64(float64(f.clicks) * between(0.84, 0.98))
	f.engagements = int64(float64(f.impressions) * s.engageRate * between(0.8, 1.2))
	f.uniqueEngagements = int64(float64(f.engagements) * between(0.8, 0.97))
	return creativeDay{code: code, status: rtb.Active, figures: f}
}
