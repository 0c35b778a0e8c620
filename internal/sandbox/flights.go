package sandbox

import (
	"maps"
	"time"

	"usher/internal/rtb"
)

// flight is how long a creative was ACTIVE in a campaign, day by day: what live
// reports are made of. It stays when the creative goes.
type flight struct {
	Campaign string            `json:"campaign"`
	Creative string            `json:"creative"`
	Since    time.Time         `json:"since"`         // it was there from then on
	From     time.Time         `json:"from,omitzero"` // serves since then; zero: does not
	Pace     float64           `json:"pace"`          // net spend a second, in 1/10,000 of the currency
	Days     map[string]served `json:"days"`          // by day in UTC, until From
}

// served is what came together on a day.
type served struct {
	Millis int64   `json:"millis"`
	Net    float64 `json:"net"`
}

func flightKey(campaign, creative string) string { return campaign + "/" + creative }

// settled is the flight with everything in Days that it served until now.
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

// fly is the change of a creative's flight after the creative became cr, in a
// campaign as plan says. Whatever changes a creative or its campaign calls it.
func (w *world) fly(plan campaign, cr creative, now time.Time) change {
	key := flightKey(cr.Campaign, cr.Creative.Code)
	f, found := w.flights.rows[key]
	if !found {
		f = flight{Campaign: cr.Campaign, Creative: cr.Creative.Code, Since: now}
	}
	f = f.settled(now)
	f.Pace = w.paceOf(plan, cr.Creative.Code)
	approved := cr.Submitted.Add(max(w.o.ApprovalDelay, 0))
	switch {
	case cr.Creative.Status == rtb.Inactive:
		f.From = time.Time{}
	case cr.Creative.Status == rtb.Pending && approved.After(now):
		f.From = approved
	case f.From.IsZero() || f.From.After(now):
		f.From = now
	}
	return w.flights.put(key, f)
}

// land is the change of the flight of a creative that is taken out.
func (w *world) land(campaign, creative string, now time.Time) change {
	key := flightKey(campaign, creative)
	f := w.flights.rows[key].settled(now)
	f.From = time.Time{}
	return w.flights.put(key, f)
}

// missingFlights are the flights of creatives that have none yet: those at the
// start, and those of a data directory from before there were flights.
func (w *world) missingFlights(now time.Time) []change {
	var changes []change
	for _, code := range w.creatives.keys() {
		cr := w.creatives.rows[code]
		if _, found := w.flights.rows[flightKey(cr.Campaign, code)]; !found {
			changes = append(changes, w.fly(w.campaigns.rows[cr.Campaign], cr, now))
		}
	}
	return changes
}

// paceOf is how fast a creative of a campaign spends (see flight.Pace): so that the campaign comes
// to between 80 and 115 % of its daily budget, but no more than its bid allows.
func (w *world) paceOf(plan campaign, creative string) float64 {
	bidding := plan.Definition.BiddingSettings
	perDay := bidding.Budget.Daily * 10_000 / float64(len(plan.Creatives)) * float64(80+mix("pace", creative)%36) / 100
	net := perDay / 86_400 / (1 + w.margin(plan.Advertiser)/100)
	bid := bidding.BiddingStrategy.MaxBid
	if most := impressionRate(creative) * bid * 10; bid > 0 && (net > most || bidding.Budget.Daily == 0) {
		net = most
	}
	return net
}

// impressionRate is how many impressions a live creative has a second: enough
// for a person to see them grow, and to see that they no longer do.
func impressionRate(creative string) float64 { return float64(4 + mix("rate", creative)%9) }

// figures are what came together as a report has it, at a margin in percent.
// Each of them only grows.
func (s served) figures(creative string, margin float64) figures {
	h := mix("figures", creative)
	part := func(low, spread uint64) int64 {
		h = h*6364136223846793005 + 1442695040888963407
		return int64(low + h>>33%spread)
	}
	f := figures{net: int64(s.Net)}
	f.gross = f.net + int64(float64(f.net)*margin/100)
	f.impressions = int64(float64(s.Millis) * impressionRate(creative) / 1000)
	f.won = f.impressions + f.impressions*part(2, 8)/100
	f.bids = f.won * 100 / part(20, 25)
	f.auctions = f.bids * part(2, 4)
	f.clicks = f.impressions * part(8, 40) / 10_000
	f.uniqueClicks = f.clicks * part(85, 12) / 100
	f.engagements = f.impressions * part(20, 60) / 10_000
	f.uniqueEngagements = f.engagements * part(80, 15) / 100
	return f
}
