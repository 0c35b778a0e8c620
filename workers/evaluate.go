package workers

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
)

// RuleSets are the configured rule files.
type RuleSets interface {
	// All are the files as they are now, by name.
	All() []*rules.Set
}

// Evaluations are what rules decided, what they remember, and how it is done.
type Evaluations interface {
	Evaluated(ctx context.Context, id string) (e usher.Evaluation, found bool, err error)
	// Memory is campaign → creative → its changes, oldest first.
	Memory(ctx context.Context, campaigns []string) (map[string]map[string][]usher.Change, error)
	// Decide keeps an evaluation and its decisions, and publishes the jobs that
	// carry it out. Where one of its id is kept, that one holds and is returned.
	Decide(ctx context.Context, e usher.Evaluation, rulings []usher.Ruling) (usher.Evaluation, error)
	// Enact publishes the jobs of an evaluation that is kept; again is well.
	Enact(ctx context.Context, e usher.Evaluation) error
	// Ticked notes a tick as evaluated.
	Ticked(ctx context.Context, t usher.Tick) error
}

// Times of an evaluation.
const (
	decideTime = time.Minute // of deciding itself, once everything is read
	ahead      = 5 * time.Minute
)

// rulesEvaluate decides by a rule file, once a job: an evaluation that is on
// record is only carried out. So every step may be repeated.
func (j *job) rulesEvaluate(ctx context.Context) error {
	set, err := j.ruleSet()
	if err != nil {
		return err
	}
	e, found, err := j.Evaluations.Evaluated(ctx, j.ID)
	if err != nil {
		return err
	}
	if found {
		err = j.Evaluations.Enact(ctx, e)
	} else {
		e, err = (&evaluation{job: j, ctx: ctx, set: set}).decide()
	}
	if err != nil {
		return err
	}
	if j.Job.Rule == "" || j.Job.AsOf == "" {
		return nil
	}
	return j.Evaluations.Ticked(ctx, usher.Tick{File: set.Name, Rule: j.Job.Rule, At: e.AsOf, Evaluation: e.ID})
}

// ruleSet is the configured rule file that the job names.
func (j *job) ruleSet() (*rules.Set, error) {
	var names []string
	for _, set := range j.Rules.All() {
		names = append(names, set.Name)
		if set.Name != j.Job.Rules {
			continue
		}
		if j.Job.Advertiser != "" && j.Job.Advertiser != set.Account {
			return nil, usher.Refuse(usher.InvalidJob, "leave advertiser out: a rule file names its account",
				"evaluate rules %s: they are about advertiser %s, not %s", set.Name, set.Account, j.Job.Advertiser)
		}
		if j.Job.Rule != "" && ruleOf(set, j.Job.Rule) == nil {
			// Not for ever: while a new file is rolled out, not all workers have it.
			return nil, fmt.Errorf("evaluate rules %s: there is no rule %s in this worker's file", set.Name, j.Job.Rule)
		}
		return set, nil
	}
	known := "none is configured: see rules.files"
	if len(names) > 0 {
		known = "configured in rules.files are " + strings.Join(names, ", ")
	}
	return nil, usher.Refuse(usher.NotFound, known, "evaluate rules: there is no rule file %s", j.Job.Rules)
}

func ruleOf(set *rules.Set, name string) *rules.Rule {
	for _, rule := range set.Rules {
		if rule.Name == name {
			return rule
		}
	}
	return nil
}

// evaluation is one run of a rule file on its way to its decisions.
type evaluation struct {
	*job
	ctx context.Context
	set *rules.Set
	at  time.Time
	due []string // the rules that vote; nil: all

	platform  *rtb.Client // of the file's account
	figures   *rules.Figures
	campaigns []string // in scope
	// rows are the creatives that the reports name, by campaign.
	rows     map[string][]string
	memory   map[string]map[string][]usher.Change
	remarks  []usher.Decision // on campaigns whose creatives were not read
	creative map[string]rules.Creative
}

// decide reads what the rules need and keeps what they decide.
func (v *evaluation) decide() (usher.Evaluation, error) {
	var err error
	if v.at, err = v.asOf(); err != nil {
		return usher.Evaluation{}, err
	}
	v.figures = rules.NewFigures(v.set, v.at)
	v.platform = v.Platform(v.set.Account, v.isEvent())
	if v.isEvent() {
		err = v.takeEvent()
	} else {
		err = v.readReports()
	}
	if err != nil {
		return usher.Evaluation{}, err
	}
	snapshot, err := v.snapshot()
	if err != nil {
		return usher.Evaluation{}, err
	}
	run, err := v.run(snapshot)
	if err == nil && v.isEvent() && run.Counts()[usher.Unknown] > 0 {
		// The event does not have all that a condition reads, such as the budget:
		// the report may, at the price of a call.
		if snapshot.Figures, err = v.supplement(); err == nil {
			run, err = v.run(snapshot)
		}
	}
	if err != nil {
		return usher.Evaluation{}, err
	}
	e, rulings := v.ruled(run)
	return v.Evaluations.Decide(v.ctx, e, rulings)
}

func (v *evaluation) run(s rules.Snapshot) (*rules.Run, error) {
	ctx, cancel := context.WithTimeout(v.ctx, decideTime)
	defer cancel()
	run, err := v.set.Decide(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("evaluate rules %s: %w", v.set.Name, err)
	}
	return run, nil
}

// supplement are the report's figures with the event's in their place.
func (v *evaluation) supplement() (*rules.Figures, error) {
	v.figures = rules.NewFigures(v.set, v.at)
	needs := slices.DeleteFunc(v.figures.Needs(), func(n rules.Need) bool { return n.Level != rules.CampaignLevel })
	if err := ReadReports(v.ctx, v.platform, needs, nil, v.figures.Add); err != nil {
		return nil, err
	}
	return v.figures, v.know()
}

// isEvent reports whether the job carries the numbers that it is about.
func (v *evaluation) isEvent() bool { return v.Job.Metrics != nil }

// asOf is the moment that the rules are evaluated as of.
func (v *evaluation) asOf() (time.Time, error) {
	now := v.Now()
	at := now
	switch {
	case v.Job.AsOf != "":
		var err error
		if at, err = time.Parse(time.RFC3339, v.Job.AsOf); err != nil {
			return at, usher.Refuse(usher.InvalidJob, "write RFC 3339, such as 2026-03-01T12:00:00+01:00", "evaluate rules as of %q: not a time", v.Job.AsOf)
		}
	case v.isEvent():
		at = v.Job.Metrics.At
	}
	if at.After(now.Add(ahead)) {
		return at, usher.Refuse(usher.InvalidJob, "check the publisher's clock", "evaluate rules as of %s: that is yet to come", at.Format(time.RFC3339))
	}
	return at, nil
}

// readReports reads which campaigns there are, and the days that rules need.
func (v *evaluation) readReports() error {
	v.due = v.voters()
	all, err := v.platform.Campaigns.List(v.ctx)
	if err != nil {
		return fmt.Errorf("list campaigns of %s: %w", v.set.Account, err)
	}
	var detailed []string
	for _, campaign := range all {
		if v.set.Covers(campaign, v.due) {
			v.campaigns = append(v.campaigns, campaign)
		}
		if v.set.Reads(rules.CreativeLevel, campaign, v.due) {
			detailed = append(detailed, campaign)
		}
	}
	needs := slices.DeleteFunc(v.figures.Needs(), func(n rules.Need) bool { return !v.votes(n.Level) })
	v.rows = map[string][]string{}
	return ReadReports(v.ctx, v.platform, needs, detailed, func(row rules.Row) error {
		if row.Creative != "" && !slices.Contains(v.rows[row.Campaign], row.Creative) {
			v.rows[row.Campaign] = append(v.rows[row.Campaign], row.Creative)
		}
		return v.figures.Add(row)
	})
}

// voters are the rules that have a say where one of them is due: that one, and,
// so that it resumes nothing that another wants paused, those that look at the
// same reports. nil is all.
func (v *evaluation) voters() []string {
	if v.Job.Rule == "" {
		return nil
	}
	due := ruleOf(v.set, v.Job.Rule)
	voters := []string{due.Name}
	for _, rule := range v.set.Rules {
		if rule != due && due.Resume != nil && rule.Scope.Level == due.Scope.Level {
			voters = append(voters, rule.Name)
		}
	}
	return voters
}

// votes reports whether a rule of a level has a say.
func (v *evaluation) votes(level rules.Level) bool {
	return slices.ContainsFunc(v.set.Rules, func(r *rules.Rule) bool {
		return r.Scope.Level == level && (v.due == nil || slices.Contains(v.due, r.Name))
	})
}

// takeEvent takes the numbers that the job carries as the running day's row of
// its campaign, for the rules that look at that alone.
func (v *evaluation) takeEvent() error {
	m := v.Job.Metrics
	v.due = []string{}
	for _, rule := range v.set.Rules {
		if rule.Scope.Level == rules.CampaignLevel && rule.Window.String() == "today" && (v.Job.Rule == "" || v.Job.Rule == rule.Name) {
			v.due = append(v.due, rule.Name)
		}
	}
	if v.set.Covers(m.Campaign, v.due) {
		v.campaigns = []string{m.Campaign}
	} else {
		v.warnf("out_of_scope", "no campaign rule of %s with window today has %s in scope", v.set.Name, m.Campaign)
	}
	return v.know()
}

// know puts the numbers that the job carries in the place of the report's.
func (v *evaluation) know() error {
	values := maps.Clone(v.Job.Metrics.Values)
	for name := range values {
		known := slices.ContainsFunc(allFields(), func(f rules.Field) bool { return f.String() == name })
		if !known {
			v.warnf("unknown_metric", "the metric %s is no field of the platform's report: left out", name)
			delete(values, name)
		}
	}
	return v.figures.Know(v.Job.Metrics.Campaign, values)
}

func allFields() []rules.Field {
	all := make([]rules.Field, rules.Fields)
	for i := range all {
		all[i] = rules.Field(i)
	}
	return all
}
