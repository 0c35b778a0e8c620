package operations

import (
	"maps"
	"slices"
	"strings"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox/store"
)

// flight records how long a creative was ACTIVE in a campaign, day by day. Live
// reports are made of it. It stays when the creative is removed.
type flight struct {
	Campaign string            `json:"campaign"`
	Creative string            `json:"creative"`
	Since    time.Time         `json:"since"`         // the creative was added
	From     time.Time         `json:"from,omitzero"` // it has served since; zero: it does not serve
	Pace     float64           `json:"pace"`          // net spend a second, in 1/10,000 of the currency
	Days     map[string]served `json:"days"`          // by day in UTC, until From
}

// served is what a creative did on a day.
type served struct {
	Millis int64   `json:"millis"`
	Net    float64 `json:"net"`
}

func flightKey(campaign, creative string) string { return campaign + "/" + creative }

// settled returns the flight with all that it served until now in Days.
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

// updateFlight returns the change of a creative's flight after the creative
// became cr in a campaign. Every change of a creative or its campaign needs it.
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

// endFlight returns the change of a creative's flight after the creative was
// removed.
func (s *State) endFlight(campaign, creative string, now time.Time) store.Change {
	key := flightKey(campaign, creative)
	f := s.flights.Row(key).settled(now)
	f.From = time.Time{}
	return s.flights.Put(key, f)
}

// missingFlights returns the flights of creatives that have none yet: those at
// the start, and those of a data directory that an older version wrote.
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

// flightsOf returns the settled flights of a campaign by creative, and the time
// when the first one began.
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

// impressionRate returns the impressions of a live creative a second: enough for
// a person to see that they grow, and that they stop.
func impressionRate(creative string) float64 { return float64(4 + mix("rate", creative)%9) }

// figures returns what a creative did, at a margin in percent. With more time,
// no figure falls.
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
