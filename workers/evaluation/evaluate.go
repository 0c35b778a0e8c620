package evaluation

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/internal/rules/figures"
	"usher/workers"
)

const (
	decideTime   = time.Minute     // limits the decisions after everything was read
	maxClockSkew = 5 * time.Minute // how far the publisher's clock may be ahead
)

// evaluation is one evaluation of a rule file.
type evaluation struct {
	handler  *Handler
	job      *workers.Job   // nil: a question
	platform *rtb.Client    // the client of the file's account
	metrics  *usher.Metrics // of the event; nil: there is none

	set    *rules.Set
	others []*rules.Set // the other files of the account
	at     time.Time
	due    []string // the rules that may act; nil: all rules of the file

	figures   *rules.Figures
	all       []string                              // campaigns of the account, unless the job is an event
	campaigns []string                              // campaigns in the scope of a rule that is due
	rows      map[string][]string                   // creatives in the reports, by campaign
	delivered map[string]map[string]bool            // creatives that have numbers from outside, by campaign
	memory    map[string]map[string][]usher.Change  // by campaign and creative
	findings  map[string]map[string][]usher.Finding // before this evaluation, by campaign and creative
	unread    []usher.Decision                      // UNKNOWN decisions about campaigns whose creatives were not read
	tooOld    []string                              // why rules do not decide on the event's metrics
	creatives map[string]rules.Creative             // by code
	changed   map[string]time.Time                  // when jobs have last changed creatives that an event would change
	numbers   map[numberKey]rules.Number            // those that were read
	spent     map[entity]spend                      // of the rows that were read
	budgets   map[string]budget                     // by campaign, of its newest row
	stopped   string                                // the reason of the stop switch; "": it is off
	supposed  *rules.Run                            // as if all creatives were ACTIVE; nil: an event
}

// newEvaluation returns an evaluation of a set, in which no paused rule takes part.
func newEvaluation(h *Handler, job *workers.Job, set *rules.Set, paused map[string]usher.Setting) *evaluation {
	isPaused := func(key string) bool { _, ok := paused[key]; return ok }
	e := &evaluation{handler: h, job: job, metrics: job.Work.Job.Metrics, set: set.Without(isPaused), rows: map[string][]string{}, numbers: map[numberKey]rules.Number{}}
	for _, other := range h.Rules.All() {
		if other.Account == set.Account && other.Name != set.Name {
			e.others = append(e.others, other.Without(isPaused))
		}
	}
	e.platform = h.Platform(set.Account, e.isEvent())
	return e
}

// decide makes the evaluation of a job, unless it is too late for it or its metrics cannot be used.
func (e *evaluation) decide(ctx context.Context) (usher.Evaluation, error) {
	var err error
	if e.at, err = e.asOf(); err != nil {
		return usher.Evaluation{}, err
	}
	if why, err := e.catchUp(ctx); err != nil {
		return usher.Evaluation{}, err
	} else if why != "" {
		return e.refuse(ctx, why)
	}
	e.figures = rules.NewFigures(e.set, e.at, e.others...)
	if e.isEvent() {
		if why := e.refusal(); why != "" {
			e.job.Warnf(usher.WarnRefused, "%s", why)
			return e.refuse(ctx, why)
		}
	}
	return e.decideNow(ctx)
}

// decideNow reads what the rules need, decides as of e.at, and stores the decisions.
func (e *evaluation) decideNow(ctx context.Context) (usher.Evaluation, error) {
	var err error
	if e.isEvent() {
		err = e.readEvent()
	} else {
		err = e.readReports(ctx)
	}
	if err != nil {
		return usher.Evaluation{}, err
	}
	snapshot, err := e.snapshot(ctx)
	if err != nil {
		return usher.Evaluation{}, err
	}
	runs, err := e.run(ctx, snapshot)
	if err == nil && e.isEvent() && slices.ContainsFunc(runs, e.needsReports) {
		// Reports cost calls, so most pauses by an event are decided without them.
		if err = e.readEventReports(ctx); err == nil {
			snapshot.Figures = e.figures
			runs, err = e.run(ctx, snapshot)
		}
	}
	if err != nil {
		return usher.Evaluation{}, err
	}
	if err := e.readChanged(ctx, runs); err != nil {
		return usher.Evaluation{}, err
	}
	result, decisions, changes := e.decisions(runs)
	for _, campaign := range slices.Sorted(maps.Keys(changes)) {
		// Findings are stored before the decisions: if this worker crashes in between,
		// the next one still reports those that began in this evaluation.
		if err := e.handler.Store.ChangeFindings(ctx, campaign, changes[campaign]); err != nil {
			return usher.Evaluation{}, err
		}
	}
	stored, err := e.handler.Store.StoreAndEnact(ctx, result, decisions)
	if err == nil { // a pause does not wait for it
		if err := e.noteBlind(ctx, runs); err != nil {
			e.job.Warnf(usher.WarnNotChecked, "on what the rules are blind is not known: %v", err)
		}
	}
	return stored, err
}

// sets returns the files of the account.
func (e *evaluation) sets() []*rules.Set { return append([]*rules.Set{e.set}, e.others...) }

// run decides on the creatives, and then on each number that a rule may change.
func (e *evaluation) run(ctx context.Context, s rules.Snapshot) ([]*rules.Run, error) {
	decideCtx, cancel := context.WithTimeout(ctx, decideTime)
	defer cancel()
	run, err := e.set.Decide(decideCtx, s)
	if err != nil {
		return nil, fmt.Errorf("evaluate rules %s: %w", e.set.Name, err)
	}
	runs := []*rules.Run{run}
	for _, field := range e.set.Changes(e.due) {
		run, err := e.decideNumbers(ctx, field, s)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// asOf returns the time that the rules are evaluated for.
func (e *evaluation) asOf() (time.Time, error) {
	now := e.job.Now()
	at, job := now, &e.job.Work.Job
	switch {
	case job.AsOf != "":
		var err error
		if at, err = time.Parse(time.RFC3339, job.AsOf); err != nil {
			return at, usher.Refuse(usher.InvalidJob, "write RFC 3339, such as 2026-03-01T12:00:00+01:00", "evaluate rules: asOf is not a time")
		}
	case e.isEvent():
		at = job.Metrics.At
	}
	if at.After(now.Add(maxClockSkew)) {
		return at, usher.Refuse(usher.InvalidJob, "check the publisher's clock", "evaluate rules as of %s: this is in the future", at.Format(time.RFC3339))
	}
	return at, nil
}

// refuse stores an evaluation without decisions.
func (e *evaluation) refuse(ctx context.Context, why string) (usher.Evaluation, error) {
	result := e.newResult()
	result.Why = why
	return e.handler.Store.StoreAndEnact(ctx, result, nil)
}

// readReports reads the list of campaigns, and the reports of the days that the rules
// need: one for all campaigns, and one for each campaign in the scope of a rule on
// creatives that is due.
func (e *evaluation) readReports(ctx context.Context) error {
	if e.job.Work.Job.Rule != "" {
		e.due = []string{e.job.Work.Job.Rule}
	}
	var err error
	if e.all, err = e.platform.Campaigns.List(ctx); err != nil {
		return fmt.Errorf("list campaigns of %s: %w", e.set.Account, err)
	}
	var detailed []string // campaigns for which the rows of creatives are needed
	for _, campaign := range e.all {
		if e.set.Covers(campaign, e.due) {
			e.campaigns = append(e.campaigns, campaign)
		}
		if e.set.Reads(figures.CreativeLevel, campaign, e.due) {
			detailed = append(detailed, campaign)
		}
	}
	if err := e.readOutcomes(ctx); err != nil {
		return err
	}
	if err := e.readRows(ctx, detailed, figures.CampaignLevel, figures.CreativeLevel); err != nil {
		return err
	}
	return e.readPresent(ctx)
}

// readPresent reads what reports with holes need of the campaigns as they are now.
func (e *evaluation) readPresent(ctx context.Context) error {
	return e.handler.present.read(ctx, e.platform, e.figures, e.set.Account, e.campaigns, e.job.Now())
}

// readOutcomes reads the numbers from outside that the rules need, as they are known now.
func (e *evaluation) readOutcomes(ctx context.Context) error {
	return e.addOutcomes(ctx, e.handler.Outcomes)
}

// addOutcomes adds the numbers from outside that the rules of the account need. read may be nil.
func (e *evaluation) addOutcomes(ctx context.Context, read func(ctx context.Context, account string, need figures.OutcomeNeed) (*figures.Outcomes, error)) error {
	need := e.figures.OutcomeNeeds()
	if len(need.Names) == 0 || read == nil {
		return nil
	}
	found, err := read(ctx, e.set.Account, need)
	if err != nil {
		return err
	}
	e.delivered = map[string]map[string]bool{}
	for _, row := range found.Rows {
		if row.Creative == "" {
			continue
		}
		if e.delivered[row.Campaign] == nil {
			e.delivered[row.Campaign] = map[string]bool{}
		}
		e.delivered[row.Campaign][row.Creative] = true
	}
	return e.figures.AddOutcomes(found)
}

// readRows reads the rows that the rules need at the given levels: those of all
// campaigns, and those of the creatives of the given campaigns.
func (e *evaluation) readRows(ctx context.Context, campaigns []string, levels ...figures.Level) error {
	needs := slices.DeleteFunc(e.figures.Needs(), func(n figures.Need) bool { return !slices.Contains(levels, n.Level) })
	unnamed, err := ReadReports(ctx, e.platform, needs, campaigns, func(row figures.Row) error {
		if row.Creative != "" && !slices.Contains(e.rows[row.Campaign], row.Creative) {
			e.rows[row.Campaign] = append(e.rows[row.Campaign], row.Creative)
		}
		e.addSpend(row)
		return e.figures.Add(row)
	})
	if unnamed > 0 && e.job != nil {
		e.job.AddWarnings(usher.Warning{Code: usher.WarnNoCode, Count: int64(unnamed), Description: "rows of the platform's report have no code of a campaign or creative: left out"})
	}
	return err
}
