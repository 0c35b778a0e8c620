package rules

import (
	"context"
	"fmt"
	"slices"

	"usher"
)

// Backtest is what a set is tried on: days that have passed.
type Backtest struct {
	From, To string // YYYY-MM-DD, both included
	// Rows are the reports of all days that Needs names, in any order.
	Rows []Row
	// Creatives are those that there are; where they stand does not matter: all
	// begin ACTIVE.
	Creatives []Creative
}

// Outcome is what a backtest found. Decisions are by day, then by campaign and
// creative.
type Outcome struct {
	Decisions []usher.Decision `json:"decisions"`
	Summary   Summary          `json:"summary"`
}

// Summary adds a backtest up. Spend is gross, in the account's currency. Saved
// is what paused creatives spent in truth on the days after their pause, up to
// and including the day of their resume; Missed is what they achieved for it.
type Summary struct {
	From      string        `json:"from"`
	To        string        `json:"to"`
	Days      int           `json:"days"`
	Campaigns int           `json:"campaigns"`
	Creatives int           `json:"creatives"`
	Pauses    int           `json:"pauses"`
	Resumes   int           `json:"resumes"`
	Flips     int           `json:"flips"` // pauses and resumes
	Held      int           `json:"held"`
	Unknown   int           `json:"unknown"`
	Spend     float64       `json:"spend"` // in truth
	Saved     float64       `json:"saved"`
	Missed    Missed        `json:"missed"`
	Rules     []RuleSummary `json:"rules"`
	ByDay     []DaySummary  `json:"byDay"`
}

// Missed is what would not have been achieved.
type Missed struct {
	Impressions float64 `json:"impressions"`
	Clicks      float64 `json:"clicks"`
	Engagements float64 `json:"engagements"`
}

// RuleSummary adds one rule's decisions up.
type RuleSummary struct {
	Rule    string  `json:"rule"`
	Pauses  int     `json:"pauses"`
	Resumes int     `json:"resumes"`
	Held    int     `json:"held"`
	Unknown int     `json:"unknown"`
	Saved   float64 `json:"saved"`
	Missed  Missed  `json:"missed"`
}

// DaySummary is one day of a backtest.
type DaySummary struct {
	Date    string  `json:"date"`
	Spend   float64 `json:"spend"` // in truth
	Saved   float64 `json:"saved"`
	Paused  int     `json:"paused"` // creatives, at the day's end
	Pauses  int     `json:"pauses"`
	Resumes int     `json:"resumes"`
}

// backtest is one while it runs.
type backtest struct {
	set       *Set
	creatives []Creative
	memory    map[string]usher.CreativeMemory
	rows      map[int][]Row // by day
	sharing   map[string]int
	out       *Outcome
}

// Needs are the days that a backtest from a day to a day reads, those before
// its first one for the windows included.
func (s *Set) Needs(from, to string) ([]Need, error) {
	first, err := s.EndOf(from)
	if err != nil {
		return nil, err
	}
	last, err := s.EndOf(to)
	if err != nil {
		return nil, err
	}
	if last.Before(first) {
		return nil, fmt.Errorf("a backtest to %s cannot begin on %s", to, from)
	}
	needs := NewFigures(s, first).Needs()
	for i := range needs {
		// The days themselves, too: what they spent is added up.
		needs[i].To = max(NewFigures(s, last).Needs()[i].To, to)
		needs[i].From = min(needs[i].From, from)
	}
	return needs, nil
}

// Backtest runs the set once a day over days that have passed, as of each day's
// end, so that today is the whole day. What a rule paused stays paused until it
// resumes it; the reports stay what they were. Every rule acts, whatever its
// mode is, and nobody approves what is held.
func (s *Set) Backtest(ctx context.Context, b Backtest) (*Outcome, error) {
	first, err := parseDay(b.From)
	if err != nil {
		return nil, err
	}
	last, err := parseDay(b.To)
	if err != nil {
		return nil, err
	}
	run := &backtest{set: s.acting(), memory: map[string]usher.CreativeMemory{}, rows: map[int][]Row{}, sharing: map[string]int{}, out: &Outcome{Decisions: []usher.Decision{}}}
	for _, row := range b.Rows {
		day, err := parseDay(row.Date)
		if err != nil {
			return nil, fmt.Errorf("report row of campaign %s: %w", row.Campaign, err)
		}
		run.rows[day] = append(run.rows[day], row)
	}
	for _, c := range b.Creatives {
		if s.Covers(c.Campaign, nil) {
			c.Status = active
			run.creatives = append(run.creatives, c)
			run.sharing[c.Campaign]++
		}
	}
	run.out.Summary = Summary{From: b.From, To: b.To, Days: last - first + 1, Campaigns: len(run.sharing), Creatives: len(run.creatives)}
	for _, rule := range s.Rules {
		run.out.Summary.Rules = append(run.out.Summary.Rules, RuleSummary{Rule: rule.Name})
	}
	for day := first; day <= last; day++ {
		if err := run.oneDay(ctx, day); err != nil {
			return nil, err
		}
	}
	run.out.Summary.round()
	return run.out, nil
}

// round takes the dust of sums of decimal fractions off every amount.
func (s *Summary) round() {
	s.Spend, s.Saved = rounded(s.Spend), rounded(s.Saved)
	for i := range s.Rules {
		s.Rules[i].Saved = rounded(s.Rules[i].Saved)
		s.Rules[i].Missed.round()
	}
	for i := range s.ByDay {
		s.ByDay[i].Spend, s.ByDay[i].Saved = rounded(s.ByDay[i].Spend), rounded(s.ByDay[i].Saved)
	}
	s.Missed.round()
}

func (m *Missed) round() {
	m.Impressions, m.Clicks, m.Engagements = rounded(m.Impressions), rounded(m.Clicks), rounded(m.Engagements)
}

// acting is the set with rules that all act.
func (s *Set) acting() *Set {
	made := *s
	made.Rules = nil
	for _, rule := range s.Rules {
		acts := *rule
		acts.Mode = Act
		made.Rules = append(made.Rules, &acts)
	}
	return &made
}

// oneDay accounts for what was paused when the day began, and decides at its
// end.
func (b *backtest) oneDay(ctx context.Context, day int) error {
	date := dayText(day)
	total := DaySummary{Date: date}
	b.account(day, &total)
	at, err := b.set.EndOf(date)
	if err != nil {
		return err
	}
	figures := NewFigures(b.set, at)
	for of := range figures.days() {
		for _, row := range b.rows[of] {
			if err := figures.Add(row); err != nil {
				return err
			}
		}
	}
	run, err := b.set.Decide(ctx, Snapshot{Figures: figures, Creatives: b.creatives, Memory: func(code string) usher.CreativeMemory { return b.memory[code] }})
	if err != nil {
		return err
	}
	decided := map[string]usher.Decision{}
	for d := range run.Decisions(nil) {
		b.out.Decisions = append(b.out.Decisions, d)
		decided[d.Creative] = d
		b.count(d, &total)
	}
	for i := range b.creatives {
		c := &b.creatives[i]
		d := decided[c.Code]
		rule := b.set.Key(d.Rule)
		switch d.Action {
		case usher.Pause:
			c.Status, c.LatestUpdate = inactive, date
			b.memory[c.Code] = b.memory[c.Code].Changed(rule, at, date, &usher.Ownership{Rule: rule, Run: date, At: at, Status: inactive, LatestUpdate: date})
		case usher.Resume:
			c.Status, c.LatestUpdate = active, date
			b.memory[c.Code] = b.memory[c.Code].Changed(rule, at, date, nil)
		}
		if c.Status == inactive {
			total.Paused++
		}
	}
	b.out.Summary.ByDay = append(b.out.Summary.ByDay, total)
	return nil
}

// count adds a decision to what it counts in.
func (b *backtest) count(d usher.Decision, day *DaySummary) {
	all := &b.out.Summary
	rule := &all.Rules[slices.IndexFunc(b.set.Rules, func(r *Rule) bool { return r.Name == d.Rule })]
	switch d.Action {
	case usher.Pause:
		all.Pauses++
		all.Flips++
		rule.Pauses++
		day.Pauses++
	case usher.Resume:
		all.Resumes++
		all.Flips++
		rule.Resumes++
		day.Resumes++
	case usher.Held:
		all.Held++
		rule.Held++
	case usher.Unknown:
		all.Unknown++
		rule.Unknown++
	}
}

// account adds up what was spent on a day, and what would not have been. Where
// only campaigns are reported, each of a campaign's creatives has the same share.
func (b *backtest) account(day int, total *DaySummary) {
	all := &b.out.Summary
	did := map[entity][Fields]float64{}
	for _, row := range b.rows[day] {
		did[entity{row.Campaign, row.Creative}] = row.Values
	}
	for _, c := range b.creatives {
		values, own := did[entity{c.Campaign, c.Code}]
		if !own {
			values = did[entity{campaign: c.Campaign}]
			for f := range values {
				values[f] /= float64(b.sharing[c.Campaign])
			}
		}
		total.Spend += values[GrossMediaSpend]
		all.Spend += values[GrossMediaSpend]
		if c.Status != inactive {
			continue
		}
		total.Saved += values[GrossMediaSpend]
		all.Saved += values[GrossMediaSpend]
		all.Missed.add(values)
		owner := b.memory[c.Code].Owner.Rule
		i := slices.IndexFunc(b.set.Rules, func(r *Rule) bool { return b.set.Key(r.Name) == owner })
		all.Rules[i].Saved += values[GrossMediaSpend]
		all.Rules[i].Missed.add(values)
	}
}

func (m *Missed) add(values [Fields]float64) {
	m.Impressions += values[Impressions]
	m.Clicks += values[Clicks]
	m.Engagements += values[Engagements]
}
