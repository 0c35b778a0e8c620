package evaluation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/internal/rules/calendar"
	"usher/internal/rules/figures"
)

// Question asks what the rules of a file want on a few campaigns, outside of a run: whether an
// approval still holds, or whether a rule would take back what a person does. It changes nothing.
type Question struct {
	Platform  *rtb.Client
	Set       *rules.Set
	Others    []*rules.Set // the other files of the account, which vote as in a run
	At        time.Time    // the time of the decision
	Due       []string     // the rules that decide; nil: all
	Campaigns []string
	// Metrics are those of the event on which the rules decided: they are the figures of the running day, as
	// in the run. nil: no event.
	Metrics *usher.Metrics
	// Resumed reports whether a creative is taken for ACTIVE, because a person is about to resume it.
	// nil: none is.
	Resumed func(creative string) bool
	// Memory is what rules remember of the campaigns: campaign → creative → changes.
	Memory map[string]map[string][]usher.Change
	Kept   map[string]usher.Setting // what people keep rules from changing
	// Outcomes returns numbers from outside, as Handler.Outcomes does.
	Outcomes func(ctx context.Context, account string, need figures.OutcomeNeed) (*figures.Outcomes, error)
	// Actions are the fields of biddingSettings that the configuration lets rules change.
	Actions []usher.BiddingField
}

// Decide reads the reports and statuses as they are now, and returns the decisions.
func (q *Question) Decide(ctx context.Context) ([]usher.Decision, error) {
	// Only what an evaluation reads is used: a question has no job.
	e := &evaluation{
		platform: q.Platform, set: q.Set, others: q.Others, at: q.At, due: q.Due, campaigns: q.Campaigns,
		figures: rules.NewFigures(q.Set, q.At, q.Others...), rows: map[string][]string{}, memory: q.Memory, metrics: q.Metrics,
	}
	read := e.figures
	if err := e.addOutcomes(ctx, q.Outcomes); err != nil {
		return nil, err
	}
	detailed := slices.DeleteFunc(slices.Clone(q.Campaigns), func(c string) bool { return !q.Set.Reads(figures.CreativeLevel, c, q.Due) })
	if err := e.readRows(ctx, detailed, figures.CampaignLevel, figures.CreativeLevel); err != nil {
		return nil, err
	}
	if err := e.readVotes(ctx, q.Campaigns); err != nil {
		return nil, err
	}
	if err := ReadPresent(ctx, q.Platform, read, q.Campaigns); err != nil {
		return nil, err
	}
	if err := e.applyMetrics(); err != nil {
		return nil, err
	}
	creatives, err := ReadCreatives(ctx, q.Platform, q.Campaigns, e.sets()...)
	if err != nil {
		return nil, err
	}
	campaignOf := map[string]string{}
	for i := range creatives {
		c := &creatives[i]
		campaignOf[c.Code] = c.Campaign
		if q.Resumed != nil && c.Status == rtb.Inactive && q.Resumed(c.Code) {
			c.Status = rtb.Active
		}
	}
	snapshot := rules.Snapshot{
		Campaign: e.only(), Figures: read, Creatives: creatives, Due: q.Due, Kept: q.Kept,
		Memory: func(code string) usher.CreativeMemory {
			return usher.NewCreativeMemory(q.Memory[campaignOf[code]][code], q.Set.Zone)
		},
	}
	ctx, cancel := context.WithTimeout(ctx, decideTime)
	defer cancel()
	run, err := q.Set.Decide(ctx, snapshot)
	if err != nil {
		return nil, fmt.Errorf("evaluate rules %s: %w", q.Set.Name, err)
	}
	decisions := slices.Collect(run.Decisions(nil))
	for _, field := range q.Set.Changes(q.Due) {
		s := snapshot
		s.Creatives = nil
		s.Disabled = func(field usher.BiddingField) bool { return !slices.Contains(q.Actions, field) }
		s.Memory = func(campaign string) usher.CreativeMemory {
			return usher.NewCreativeMemory(q.Memory[campaign][field.MemoryKey()], q.Set.Zone)
		}
		run, _, err := DecideNumbers(ctx, q.Platform, q.Set, field, q.Campaigns, s)
		if err != nil {
			return nil, fmt.Errorf("evaluate rules %s: %w", q.Set.Name, err)
		}
		decisions = slices.AppendSeq(decisions, run.Decisions(nil))
	}
	return decisions, nil
}

// Stake is what was spent on what a run would change, by currency.
type Stake struct {
	From  string             `json:"from"` // YYYY-MM-DD
	To    string             `json:"to"`
	Gross map[string]float64 `json:"gross"` // by currency; "": the report names none
	Of    int                `json:"of"`    // days
	// Known are the days of which the report has a row of everything: on others, more may have been spent.
	Known int `json:"known"`
}

// stakeDays are the days whose spend is at stake.
const stakeDays = 7

// ReadStake returns what was spent on the subjects of decisions in the last days until a time:
// on creatives, or on campaigns whose budget or bid would change.
func ReadStake(ctx context.Context, platform *rtb.Client, zone *time.Location, at time.Time, decisions []usher.StoredDecision) (Stake, error) {
	last := calendar.DayOf(at.In(zone))
	stake := Stake{From: (last - stakeDays + 1).String(), To: last.String(), Gross: map[string]float64{}, Of: stakeDays}
	known := map[string]map[entity]bool{} // by day
	concerned := map[entity]bool{}
	var detailed []string
	for i := range decisions {
		d := &decisions[i]
		if d.Bidding == nil && !slices.Contains(detailed, d.Campaign) {
			detailed = append(detailed, d.Campaign)
		}
		concerned[entity{d.Campaign, d.Creative}] = true
	}
	var needs []figures.Need
	if len(detailed) > 0 {
		needs = append(needs, figures.Need{Level: figures.CreativeLevel, From: stake.From, To: stake.To})
	}
	if slices.ContainsFunc(decisions, func(d usher.StoredDecision) bool { return d.Bidding != nil }) {
		needs = append(needs, figures.Need{Level: figures.CampaignLevel, From: stake.From, To: stake.To})
	}
	_, err := ReadReports(ctx, platform, needs, detailed, func(row figures.Row) error {
		of, spent := entity{row.Campaign, row.Creative}, row.Values[figures.GrossMediaSpend]
		if !concerned[of] || math.IsNaN(spent) {
			return nil
		}
		if known[row.Date] == nil {
			known[row.Date] = map[entity]bool{}
		}
		known[row.Date][of] = true
		if spent > 0 {
			stake.Gross[row.Currency] += spent
		}
		return nil
	})
	for _, day := range known {
		if len(day) == len(concerned) {
			stake.Known++
		}
	}
	return stake, err
}
