package backtest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/calendar"
	"usher/internal/rules/figures"
)

// Input is the period of a backtest, and what the platform reports.
type Input struct {
	From, To string // YYYY-MM-DD, both included
	// Rows are the reports of all days that Needs returns, in any order.
	Rows []figures.Row
	// Creatives are all creatives. Their status is ignored: all begin ACTIVE.
	Creatives []rules.Creative
	// Numbers are those of the campaigns now, by field. Budgets begin as the reports have
	// them.
	Numbers map[usher.BiddingField][]rules.Number
	// Outcomes returns the numbers from outside that were known at a time; nil: there are none.
	Outcomes func(need figures.OutcomeNeed, at time.Time) *figures.Outcomes
}

// simulation is the state of a running backtest.
type simulation struct {
	set       *rules.Set
	creatives []rules.Creative // of campaigns in scope
	inScope   map[string]bool  // creatives that a rule, or whose campaign a rule has in scope on some day
	memory    map[string]usher.CreativeMemory
	rows      map[calendar.Day][]figures.Row // by day
	sharing   map[string]int                 // the number of creatives by campaign
	findings  map[string]usher.Finding       // by creative
	paused    map[string]*CreativeSummary
	numbers   map[usher.BiddingField][]rules.Number
	changed   map[string]*NumberSummary // by memory key
	outcomes  func(need figures.OutcomeNeed, at time.Time) *figures.Outcomes
	out       *Outcome
}

// Needs returns the days that a backtest of a set reads for a period, including those
// before it for the windows.
func Needs(s *rules.Set, from, to string) ([]figures.Need, error) {
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
	needs := rules.NewFigures(s, first).Needs()
	for i := range needs {
		// The period itself is needed as well, for the spend.
		needs[i].To = max(rules.NewFigures(s, last).Needs()[i].To, to)
		needs[i].From = min(needs[i].From, from)
	}
	return needs, nil
}

// Run runs a set at the end of each day of a period in the past, so that
// today is the complete day. A rule with a schedule decides only on days on which it is due. A creative that a rule paused stays paused until the rule
// resumes it; the reports do not change. Every rule is in mode act, and nobody
// approves held decisions. active_hours and active_days are ignored, because each day has one run; for
// the same reason, what until ends is resumed at the end of that day.
func Run(ctx context.Context, s *rules.Set, in Input) (*Outcome, error) {
	first, err := calendar.ParseDay(in.From)
	if err != nil {
		return nil, err
	}
	last, err := calendar.ParseDay(in.To)
	if err != nil {
		return nil, err
	}
	run, err := simulate(s, in)
	if err != nil {
		return nil, err
	}
	run.out.Summary = Summary{From: in.From, To: in.To, Days: int(last-first) + 1, Campaigns: len(run.sharing), Creatives: run.scoped(), Rules: []RuleSummary{}, WholeDay: run.set.ReadsToday(), KnownThen: run.set.ReadsOutcomes()}
	if run.set.Targets != nil {
		run.out.Summary.Targets = run.set.Targets.Name
	}
	for _, rule := range run.set.Rules {
		run.out.Summary.Rules = append(run.out.Summary.Rules, RuleSummary{Rule: rule.Name, Field: rule.Field()})
	}
	run.out.Summary.note(s.Rules)
	for day := first; day <= last; day++ {
		if calendar.Count(day, day, s.Zone) == 0 {
			continue
		}
		due := run.dueOn(day)
		run.noteSchedules(due)
		if err := run.runDay(ctx, day, due); err != nil {
			return nil, err
		}
	}
	run.out.Summary.ByCreative = []CreativeSummary{}
	for _, sums := range run.paused {
		run.out.Summary.ByCreative = append(run.out.Summary.ByCreative, *sums)
	}
	slices.SortFunc(run.out.Summary.ByCreative, func(a, b CreativeSummary) int {
		return cmp.Or(strings.Compare(a.Campaign, b.Campaign), strings.Compare(a.Creative, b.Creative))
	})
	run.out.Summary.ByNumber = run.numberSums()
	run.out.Summary.round()
	return run.out, nil
}

// simulate returns the backtest of a set before its first day.
func simulate(s *rules.Set, in Input) (*simulation, error) {
	run := &simulation{outcomes: in.Outcomes, set: allActing(s), inScope: map[string]bool{}, memory: map[string]usher.CreativeMemory{}, rows: map[calendar.Day][]figures.Row{}, sharing: map[string]int{}, findings: map[string]usher.Finding{}, paused: map[string]*CreativeSummary{}, changed: map[string]*NumberSummary{}, out: &Outcome{Decisions: []usher.Decision{}}}
	for _, row := range in.Rows {
		day, err := calendar.ParseDay(row.Date)
		if err != nil {
			return nil, fmt.Errorf("report row of campaign %s: %w", row.Campaign, err)
		}
		run.rows[day] = append(run.rows[day], row)
	}
	run.numbers = map[usher.BiddingField][]rules.Number{}
	for field, numbers := range in.Numbers {
		run.numbers[field] = slices.DeleteFunc(slices.Clone(numbers), func(n rules.Number) bool { return !s.Covers(n.Campaign, nil) })
	}
	for _, c := range in.Creatives {
		if s.Covers(c.Campaign, nil) {
			c.Status = rules.Active
			run.creatives = append(run.creatives, c)
			run.inScope[c.Code] = s.Has(c, nil, time.Time{}) || s.ChangesNumberOf(c.Campaign)
			run.sharing[c.Campaign]++
		}
	}
	return run, nil
}

// scoped returns the number of creatives that a rule has in scope.
func (b *simulation) scoped() int {
	n := 0
	for _, c := range b.creatives {
		if b.inScope[c.Code] {
			n++
		}
	}
	return n
}

// allActing returns the set with all rules that have a condition, in mode act and
// without hours.
func allActing(s *rules.Set) *rules.Set {
	set := *s
	set.Rules = nil
	for _, rule := range s.Rules {
		if rule.Pause == nil && rule.Bidding == nil {
			continue
		}
		acting := *rule
		acting.Mode, acting.Hours = rules.Act, nil
		set.Rules = append(set.Rules, &acting)
	}
	return &set
}

// dueOn returns the rules that decide on a day: those that are due on it, and those without a
// schedule. nil: all.
func (b *simulation) dueOn(day calendar.Day) []string {
	due := []string{}
	for _, rule := range b.set.Rules {
		if isDueOn(rule, day, b.set.Zone) {
			due = append(due, rule.Name)
		}
	}
	if len(due) == len(b.set.Rules) {
		return nil
	}
	return due
}

func isDueOn(rule *rules.Rule, day calendar.Day, zone *time.Location) bool {
	if rule.Schedule == nil {
		return true
	}
	next := rule.Schedule.Next(day.Begin(zone).Add(-time.Nanosecond))
	return !next.IsZero() && next.Before((day + 1).Begin(zone))
}

// noteSchedules notes the rules that are not due on a day.
func (b *simulation) noteSchedules(due []string) {
	for _, rule := range b.set.Rules {
		if due != nil && !slices.Contains(due, rule.Name) && !slices.Contains(b.out.Summary.NotDaily, rule.Name) {
			b.out.Summary.NotDaily = append(b.out.Summary.NotDaily, rule.Name)
		}
	}
}

// runDay adds up the spend of a day with the creatives that were paused when it
// began, and decides at its end by the rules that are due; nil: all.
func (b *simulation) runDay(ctx context.Context, day calendar.Day, due []string) error {
	date := day.String()
	total := DaySummary{Date: date}
	b.addSpend(day, &total)
	at, err := b.set.EndOf(date)
	if err != nil {
		return err
	}
	f := rules.NewFigures(b.set, at)
	if b.outcomes != nil {
		if err := f.AddOutcomes(b.outcomes(f.OutcomeNeeds(), at)); err != nil {
			return err
		}
	}
	for of := range f.Days() {
		for _, row := range b.rows[of] {
			if err := f.Add(row); err != nil {
				return err
			}
		}
	}
	run, err := b.set.Decide(ctx, rules.Snapshot{Figures: f, Creatives: b.creatives, Due: due, Memory: func(code string) usher.CreativeMemory { return b.memory[code] }})
	if err != nil {
		return err
	}
	decisions := map[string]usher.Decision{}
	for d := range run.Decisions(nil) {
		b.dropRepeatedNotice(&d, due, at)
		b.out.Decisions = append(b.out.Decisions, d)
		decisions[d.Creative] = d
		b.count(d, &total)
	}
	for i := range b.creatives {
		c := &b.creatives[i]
		b.act(c, decisions[c.Code], at, date)
		if c.Status == rules.Inactive {
			total.Paused++
		}
	}
	if err := b.runNumbers(ctx, day, due, f, &total); err != nil {
		return err
	}
	b.out.Summary.ByDay = append(b.out.Summary.ByDay, total)
	return nil
}

// dropRepeatedNotice removes the notice of a decision that was reported on a day before.
func (b *simulation) dropRepeatedNotice(d *usher.Decision, due []string, at time.Time) {
	var known []usher.Finding
	about := d.Campaign + " " + d.MemoryKey()
	if f, found := b.findings[about]; found {
		known = append(known, f)
	}
	for _, change := range b.set.CompareFindings(d, due, known, d.Date, at) {
		if delete(b.findings, about); !change.Ended {
			b.findings[about] = change.Finding
		}
	}
}

// act carries out a decision.
func (b *simulation) act(c *rules.Creative, d usher.Decision, at time.Time, date string) {
	rule := b.set.Key(d.Rule)
	switch d.Action {
	case usher.Pause:
		c.Status, c.LatestUpdate = rules.Inactive, date
		owner := &usher.Ownership{Rule: rule, Run: date, At: at, Status: rules.Inactive, LatestUpdate: date, Cause: d.Cause}
		b.memory[c.Code] = b.memory[c.Code].WithChange(rule, at, date, owner)
	case usher.Resume:
		c.Status, c.LatestUpdate = rules.Active, date
		b.memory[c.Code] = b.memory[c.Code].WithChange(rule, at, date, nil)
	}
}

// count adds a decision to the sums.
func (b *simulation) count(d usher.Decision, day *DaySummary) {
	all := &b.out.Summary
	rule := &all.Rules[slices.IndexFunc(b.set.Rules, func(r *rules.Rule) bool { return r.Name == d.Rule })]
	if d.Notice != "" {
		rule.Notices++
	}
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
	case usher.Decrease:
		all.Decreases++
		rule.Decreases++
	case usher.Increase:
		all.Increases++
		rule.Increases++
	case usher.Held:
		all.Held++
		rule.Held++
	case usher.Unknown:
		all.Unknown++
		rule.Unknown++
	}
}

// valuesOf returns a function that returns the values of a creative on a day, and whether the report
// has its spend. If only campaigns have rows, each of a campaign's creatives has an equal share.
func (b *simulation) valuesOf(day calendar.Day) func(rules.Creative) (values [figures.Fields]float64, known bool) {
	rows := map[[2]string][figures.Fields]float64{} // by campaign and creative
	unknown := map[[2]string]bool{}                 // rows without spend
	for _, row := range b.rows[day] {
		unknown[[2]string{row.Campaign, row.Creative}] = math.IsNaN(row.Values[figures.GrossMediaSpend])
		for f, v := range row.Values {
			if math.IsNaN(v) {
				row.Values[f] = 0 // what the report does not have cannot be summed
			}
		}
		rows[[2]string{row.Campaign, row.Creative}] = row.Values
	}
	return func(c rules.Creative) ([figures.Fields]float64, bool) {
		key := [2]string{c.Campaign, c.Code}
		values, hasRow := rows[key]
		if !hasRow {
			key[1] = ""
			values, hasRow = rows[key]
			for f := range values {
				values[f] /= float64(b.sharing[c.Campaign])
			}
		}
		return values, hasRow && !unknown[key]
	}
}

// addSpend adds the spend of a day, and that of paused creatives as saved.
func (b *simulation) addSpend(day calendar.Day, total *DaySummary) {
	all := &b.out.Summary
	valuesOf := b.valuesOf(day)
	lacking := map[string]bool{} // campaigns
	for _, c := range b.creatives {
		if !b.inScope[c.Code] {
			continue
		}
		values, known := valuesOf(c)
		if !known {
			all.Lacking++
			if !lacking[c.Campaign] {
				lacking[c.Campaign] = true
				all.noteGap(c.Campaign)
			}
		}
		total.Spend += values[figures.GrossMediaSpend]
		all.Spend += values[figures.GrossMediaSpend]
		if c.Status != rules.Inactive {
			continue
		}
		total.Saved += values[figures.GrossMediaSpend]
		all.Saved += values[figures.GrossMediaSpend]
		all.Missed.add(values)
		owner := b.memory[c.Code].Owner.Rule
		i := slices.IndexFunc(b.set.Rules, func(r *rules.Rule) bool { return b.set.Key(r.Name) == owner })
		if !known {
			all.SavedLacking++
			all.Rules[i].Lacking++
		}
		all.Rules[i].Saved += values[figures.GrossMediaSpend]
		all.Rules[i].Missed.add(values)
		sums := b.paused[c.Code]
		if sums == nil {
			sums = &CreativeSummary{Campaign: c.Campaign, Creative: c.Code}
			b.paused[c.Code] = sums
		}
		sums.Days++
		sums.Saved += values[figures.GrossMediaSpend]
		sums.Missed.add(values)
	}
}
