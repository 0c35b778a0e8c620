package backtest

import (
	"slices"
	"time"

	"usher"
	"usher/internal/rules/calendar"
	"usher/internal/rules/figures"
)

const (
	// daysBefore are the days before a pause of which one must show what the creative spends.
	daysBefore = 7
	// minServed is how long a creative must have served on that day. The spend of a shorter time says
	// little about a day.
	minServed = 6 * time.Hour
)

// Real is what rules have really done, and what the platform reports.
type Real struct {
	Zone  *time.Location // in which the reports' days begin
	Since time.Time      // what was saved before does not count
	Now   time.Time
	// Paused are all known times in which creatives were paused, by whomever.
	Paused []usher.PausedTime
	Rows   []figures.Row // of creatives, for the days of SavedNeed
	// Unread says why the reports of a campaign were not read.
	Unread map[string]string
}

// Saving is an estimate of what pauses of a rule have kept from being spent.
type Saving struct {
	Pauses   int                `json:"pauses"`   // those that are counted
	Gross    map[string]float64 `json:"gross"`    // by currency; "": the report names none
	NotKnown []NotKnown         `json:"notKnown"` // those that are not counted
}

// NotKnown are pauses of which it is not known what they have saved.
type NotKnown struct {
	Why    string `json:"why"`
	Pauses int    `json:"pauses"`
}

// Add adds pauses of which it is not known what they have saved.
func (s *Saving) Add(why string, pauses int) {
	i := slices.IndexFunc(s.NotKnown, func(n NotKnown) bool { return n.Why == why })
	if i < 0 {
		i, s.NotKnown = len(s.NotKnown), append(s.NotKnown, NotKnown{Why: why})
	}
	s.NotKnown[i].Pauses += pauses
}

// SavedNeed returns the days whose rows of creatives Saved reads for pauses, the oldest of which began
// at a time.
func SavedNeed(zone *time.Location, oldest, now time.Time) figures.Need {
	first := calendar.DayOf(oldest.In(zone)) - daysBefore
	return figures.Need{Level: figures.CreativeLevel, From: first.String(), To: calendar.DayOf(now.In(zone)).String()}
}

// Saved estimates what pauses by rules have saved, by rule. Run counts the real spend of the days on
// which a creative would have been paused. Of a real pause there is none, so the last complete day
// before it on which the creative served stands for each day of the pause, which lasts from its
// read-back until the creative was resumed, or until now. Of a pause that began before Since, the time
// from Since on counts. What the report has of whole days of the pause all the same was not saved.
func Saved(real Real, pauses []usher.PausedTime) map[string]*Saving {
	r := realSpend{Real: real, rows: map[creativeDay]figures.Row{}, paused: map[[2]string][]usher.PausedTime{}}
	for _, row := range real.Rows {
		if day, err := calendar.ParseDay(row.Date); err == nil && row.Creative != "" && row.Values[figures.GrossMediaSpend] >= 0 {
			r.rows[creativeDay{row.Campaign, row.Creative, day}] = row
		}
	}
	for _, p := range real.Paused {
		of := [2]string{p.Campaign, p.Creative}
		r.paused[of] = append(r.paused[of], p)
	}
	all := map[string]*Saving{}
	for i := range pauses {
		p := &pauses[i]
		s := all[p.Rule]
		if s == nil {
			s = &Saving{Gross: map[string]float64{}, NotKnown: []NotKnown{}}
			all[p.Rule] = s
		}
		saved, currency, why := r.savedBy(p)
		if why != "" {
			s.Add(why, 1)
			continue
		}
		s.Pauses++
		s.Gross[currency] = figures.Round(s.Gross[currency] + saved)
	}
	return all
}

// realSpend has what creatives have spent, and when they were paused.
type realSpend struct {
	Real
	rows   map[creativeDay]figures.Row
	paused map[[2]string][]usher.PausedTime // by campaign and creative
}

type creativeDay struct {
	campaign, creative string
	day                calendar.Day
}

// savedBy estimates what a pause has saved, or says why that is not known.
func (r *realSpend) savedBy(p *usher.PausedTime) (saved float64, currency, why string) {
	if why := r.Unread[p.Campaign]; why != "" {
		return 0, "", why
	}
	switch {
	case p.Elsewhere:
		return 0, "", "somebody has resumed the creative on the platform itself, and it is not known when"
	case p.Unsure:
		return 0, "", "somebody has resumed the creative, and it is not known whether the pause had lasted until then"
	}
	row, served, why := r.lastServed(p)
	if why != "" {
		return 0, "", why
	}
	from, to := p.From, r.end(p)
	if from.Before(r.Since) {
		from = r.Since
	}
	saved = row.Values[figures.GrossMediaSpend] * float64(to.Sub(from)) / float64(served)
	for day := calendar.DayOf(from.In(r.Zone)) + 1; !(day + 1).Begin(r.Zone).After(to); day++ {
		saved -= r.rows[creativeDay{p.Campaign, p.Creative, day}].Values[figures.GrossMediaSpend]
	}
	return max(saved, 0), row.Currency, ""
}

// lastServed returns the row of the last complete day before a pause on which its creative served, and
// for how long it did.
func (r *realSpend) lastServed(p *usher.PausedTime) (row figures.Row, served time.Duration, why string) {
	pause := calendar.DayOf(p.From.In(r.Zone))
	why = "the report has no spend of the creative on the 7 days before the pause"
	for day := pause - 1; day >= pause-daysBefore; day-- {
		row, found := r.rows[creativeDay{p.Campaign, p.Creative, day}]
		if !found {
			continue
		}
		if served := r.served(p, day); served >= minServed {
			return row, served, ""
		}
		why = "the creative served for less than 6 hours on each of the 7 days before the pause"
	}
	return row, 0, why
}

// served returns for how long the creative of a pause was not paused on a day.
func (r *realSpend) served(of *usher.PausedTime, day calendar.Day) time.Duration {
	begin, end := day.Begin(r.Zone), (day + 1).Begin(r.Zone)
	served := end.Sub(begin)
	for i := range r.paused[[2]string{of.Campaign, of.Creative}] {
		p := &r.paused[[2]string{of.Campaign, of.Creative}][i]
		from, to := p.From, r.end(p)
		if from.Before(begin) {
			from = begin
		}
		if to.After(end) {
			to = end
		}
		served -= max(to.Sub(from), 0)
	}
	return served
}

// end returns the end of a pause, or now if it lasts.
func (r *realSpend) end(p *usher.PausedTime) time.Time {
	if p.To.IsZero() {
		return r.Now
	}
	return p.To
}
