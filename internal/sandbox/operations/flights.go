package operations

import (
	"maps"
	"slices"
	"strings"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox/store"
)

// flight records how long a creative was ACTIVE in a campaign on each day. Live reports are
// computed from flights. A flight is kept when its creative is removed.
type flight struct {
	Campaign string            `json:"campaign"`
	Creative string            `json:"creative"`
	Since    time.Time         `json:"since"`         // when the creative was added
	From     time.Time         `json:"from,omitzero"` // since when it serves; zero: it does not serve
	Pace     float64           `json:"pace"`          // net spend per second, in 1/10,000 of the currency
	Days     map[string]served `json:"days"`          // by day in UTC, up to From
}

// served is the time that a creative served on a day, and its net spend.
type served struct {
	Millis int64   `json:"millis"`
	Net    float64 `json:"net"`
}

func flightKey(campaign, creative string) string { return campaign + "/" + creative }

// settled returns the flight with Days up to now.
func (f flight) settled(now time.Time) flight {
	f.Days = maps.Clone(f.Days)
	if f.Days == nil {
		f.Days = map[string]served{}
	}
	if f.From.IsZero() {
		return f
	}
	for at := f.From; at.Before(now); {
		midnight := at.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
		end := now
		if midnight.Before(end) {
			end = midnight
		}
		day, lasted := f.Days[dayOf(at)], end.Sub(at)
		day.Millis += lasted.Milliseconds()
		day.Net += f.Pace * lasted.Seconds()
		f.Days[dayOf(at)] = day
		at, f.From = end, end
	}
	return f
}

// updateFlight returns the change of a creative's flight for a new version of the creative
// or its campaign. Every change of one of them must include it.
func (s *State) updateFlight(plan campaign, cr creative, now time.Time) store.Change {
	key := flightKey(cr.Campaign, cr.Creative.Code)
	f, found := s.flights.Get(key)
	if !found {
		f = flight{Campaign: cr.Campaign, Creative: cr.Creative.Code, Since: now}
	}
	f = f.settled(now)
	f.Pace = s.pace(plan, cr.Creative.Code)
	approved := cr.Submitted.Add(max(s.config.ApprovalDelay, 0))
	switch {
	case cr.Creative.Status == rtb.Inactive:
		f.From = time.Time{}
	case cr.Creative.Status == rtb.Pending && approved.After(now):
		f.From = approved
	case f.From.IsZero() || f.From.After(now):
		f.From = now
	}
	return s.flights.Put(key, f)
}

// endFlight returns the change that ends a creative's flight because the creative was removed.
// Reports still have the days until now.
func (s *State) endFlight(campaign, creative string, now time.Time) store.Change {
	key := flightKey(campaign, creative)
	f := s.flights.Row(key).settled(now)
	f.From = time.Time{}
	return s.flights.Put(key, f)
}

// missingFlights returns the changes that create the flights of creatives that have none. These
// are the creatives of the initial state, which no operation has added.
func (s *State) missingFlights(now time.Time) []store.Change {
	var changes []store.Change
	for _, code := range s.creatives.Keys() {
		cr := s.creatives.Row(code)
		if !s.flights.Has(flightKey(cr.Campaign, code)) {
			changes = append(changes, s.updateFlight(s.campaigns.Row(cr.Campaign), cr, now))
		}
	}
	return changes
}

// flightsOf returns the settled flights of a campaign, sorted by creative, and the time at
// which the first one began.
func (s *State) flightsOf(code string, now time.Time) ([]flight, time.Time) {
	var list []flight
	since := now
	for _, f := range s.flights.All() {
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

// pace returns how fast a creative of a campaign spends (see flight.Pace). The
// campaign spends 80 to 115 % of its daily budget, but not more than its bid
// allows.
func (s *State) pace(plan campaign, creative string) float64 {
	bidding := plan.Definition.BiddingSettings
	perDay := bidding.Budget.Daily * 10_000 / float64(len(plan.Creatives)) * float64(80+mix("pace", creative)%36) / 100
	net := perDay / 86_400 / (1 + s.margin(plan.Advertiser)/100)
	bid := bidding.BiddingStrategy.MaxBid
	if most := impressionRate(creative) * bid * 10; bid > 0 && (net > most || bidding.Budget.Daily == 0) {
		net = most
	}
	return net
}

// impressionRate returns the impressions per second of a live creative. It is high enough
// for a person to see whether they grow.
func impressionRate(creative string) float64 { return float64(4 + mix("rate", creative)%9) }

// figures returns the figures of a creative. margin is in percent. No figure decreases with
// more time.
func (s served) figures(creative string, margin float64) figures {
	h := mix("figures", creative)
	random := func(low, spread uint64) int64 {
		h = h*6364136223846793005 + 1442695040888963407
		return int64(low + h>>33%spread)
	}
	f := figures{net: int64(s.Net)}
	f.gross = f.net + int64(float64(f.net)*margin/100)
	f.impressions = int64(float64(s.Millis) * impressionRate(creative) / 1000)
	f.won = f.impressions + f.impressions*random(2, 8)/100
	f.bids = f.won * 100 / random(20, 25)
	f.auctions = f.bids * random(2, 4)
	f.clicks = f.impressions * random(8, 40) / 10_000
	f.uniqueClicks = f.clicks * random(85, 12) / 100
	f.engagements = f.impressions * random(20, 60) / 10_000
	f.uniqueEngagements = f.engagements * random(80, 15) / 100
	return f
}
