package sandbox

import (
	"math/rand/v2"
	"time"

	"usher/internal/rtb"
)

// The days of the canned reports.
const (
	cannedFirst = "2014-03-10"
	cannedLast  = "2014-04-20"
)

// cannedMargin is the media margin of the canned reports, in percent.
const cannedMargin = 15

// story is how a seeded campaign went in the canned reports.
type story struct {
	from, to   string // its days
	cpm        float64
	clickRate  float64
	engageRate float64
	level      func(day, of int) float64 // gross spend against the budget on a day, counted from 0
	bad        int                       // the creative that does badly, counted from 1; 0: none
}

// steady is a level that does not change.
func steady(level float64) func(int, int) float64 {
	return func(int, int) float64 { return level }
}

// stories are how the seeded campaigns went: what an advertiser meets in a
// year, so that rules have something to find.
func stories() map[string]story {
	return map[string]story{
		"spring": {cpm: 1.8, clickRate: 0.0016, engageRate: 0.004, level: steady(0.92)},
		"summer": {cpm: 2.1, clickRate: 0.0012, engageRate: 0.003, level: func(day, _ int) float64 { // overspends, more every week
			return 0.95 + 0.08*float64(day/7)
		}},
		"autumn": {cpm: 1.5, clickRate: 0.0011, engageRate: 0.002, level: func(day, _ int) float64 { // stalls on 5 April
			if day >= 26 {
				return 0.015
			}
			return 0.9
		}},
		"winter": {cpm: 2.4, clickRate: 0.0018, engageRate: 0.005, level: steady(0.97), bad: 3},
		"launch": {from: "2014-03-24", cpm: 3.2, clickRate: 0.0022, engageRate: 0.006, level: func(day, of int) float64 { // begins late, and slowly
			return min(0.98, 0.1+float64(day)/float64(of))
		}},
		"loyalty":  {cpm: 1.2, clickRate: 0.0031, engageRate: 0.007, level: steady(0.36)}, // underspends
		"retarget": {cpm: 4.5, clickRate: 0.0064, engageRate: 0.012, level: steady(0.95)},
		"video":    {cpm: 6.8, clickRate: 0.0009, engageRate: 0.031, level: steady(0.9), bad: 5},
		"brand": {to: "2014-04-10", cpm: 2.9, clickRate: 0.0007, engageRate: 0.002, level: func(day, of int) float64 { // ends early, the last days far above budget
			if day >= of-3 {
				return 1.6
			}
			return 0.88
		}},
	}
}

// days are the first and last day of the story.
func (s story) days() (first, last string) {
	first, last = cannedFirst, cannedLast
	if s.from != "" {
		first = s.from
	}
	if s.to != "" {
		last = s.to
	}
	return first, last
}

// canned yields the canned days of a seeded campaign from a day to a day, in
// order. budget is what it may spend a day.
func (s story) canned(code, name string, creatives int, budget float64, from, to string) []campaignDay {
	first, last := s.days()
	length := span(first, last)
	var list []campaignDay
	for i := range length {
		day := dayAfter(first, i)
		if day < from || day > to {
			continue
		}
		row := campaignDay{day: day, campaign: code, status: rtb.Active, margin: cannedMargin, days: length}
		for n := range creatives {
			row.creatives = append(row.creatives, s.creative(creativeName(name, n), day, n, creatives, s.level(i, length), budget))
		}
		list = append(list, row)
	}
	return list
}

// creative makes up what a creative did on a day: the same every time.
func (s story) creative(code, day string, n, of int, level, budget float64) creativeDay {
	const seed = "canned reports of the sandbox, first edition"
	r := rand.New(rand.NewPCG(mix(seed, code), mix(seed, day))) //nolint:gosec // a fixed seed is the point
	between := func(low, high float64) float64 { return low + (high-low)*r.Float64() }
	cpm, winRate, displayRate, clickRate := s.cpm*between(0.9, 1.1), between(0.18, 0.42), between(0.93, 0.99), s.clickRate*between(0.75, 1.25)
	if n+1 == s.bad {
		cpm, displayRate, clickRate = cpm*1.4, displayRate*0.55, clickRate*0.02
	}
	f := figures{budget: share(int64(budget*10_000), n, of)}
	f.net = int64(float64(f.budget)*level*between(0.93, 1.05)/(1+cannedMargin/100.0)) / 20 * 20 // so that the margin is whole, too
	f.gross = f.net + f.net*cannedMargin/100
	f.impressions = int64(money(f.net) / cpm * 1000)
	f.won = int64(float64(f.impressions) / displayRate)
	f.bids = int64(float64(f.won) / winRate)
	f.auctions = int64(float64(f.bids) * between(2.2, 5))
	f.clicks = int64(float64(f.impressions)*clickRate + r.Float64())
	f.uniqueClicks = int64(float64(f.clicks) * between(0.84, 0.98))
	f.engagements = int64(float64(f.impressions) * s.engageRate * between(0.8, 1.2))
	f.uniqueEngagements = int64(float64(f.engagements) * between(0.8, 0.97))
	return creativeDay{code: code, status: rtb.Active, figures: f}
}

// dayAfter is the day n days after another.
func dayAfter(day string, n int) string {
	t, _ := time.Parse(time.DateOnly, day) // checked where it came in
	return dayOf(t.AddDate(0, 0, n))
}

// span is how many days there are from first to last, both counted.
func span(first, last string) int {
	a, _ := time.Parse(time.DateOnly, first) // checked where they came in
	b, _ := time.Parse(time.DateOnly, last)
	return int(b.Sub(a).Hours()/24) + 1
}
