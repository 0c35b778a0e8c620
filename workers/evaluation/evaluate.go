package evaluation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/workers"
)

const (
	decideTime   = time.Minute     // for deciding, once everything is read
	maxClockSkew = 5 * time.Minute // of the publisher
)

// evaluation is one evaluation of a rule file.
type evaluation struct {
	handler  *Handler
	job      *workers.Job
	platform *rtb.Client // the client of the file's account

	set *rules.Set
	at  time.Time
	due []string // the rules that take part; nil: all

	figures   *rules.Figures
	campaigns []string            // in scope
	rows      map[string][]string // creatives in the reports, by campaign
	memory    map[string]map[string][]usher.Change
	remarks   []usher.Decision // about campaigns whose creatives were not read
	creatives map[string]rules.Creative
}

func newEvaluation(h *Handler, job *workers.Job, set *rules.Set) *evaluation {
	e := &evaluation{handler: h, job: job, set: set}
	e.platform = h.Platform(set.Account, e.isEvent())
	return e
}

// decide reads what the rules need and keeps what they decide.
func (e *evaluation) decide(ctx context.Context) (usher.Evaluation, error) {
	var err error
	if e.at, err = e.asOf(); err != nil {
		return usher.Evaluation{}, err
	}
	e.figures = rules.NewFigures(e.set, e.at)
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
	run, err := e.run(ctx, snapshot)
	if err == nil && e.isEvent() && run.Counts()[usher.Unknown] > 0 {
		// The event lacks something that a condition reads, such as the budget.
		// The report may have it, and costs a call.
		if snapshot.Figures, err = e.supplementedFigures(ctx); err == nil {
			run, err = e.run(ctx, snapshot)
		}
	}
	if err != nil {
		return usher.Evaluation{}, err
	}
	result, rulings := e.rulings(run)
	return e.handler.Store.Decide(ctx, result, rulings)
}

func (e *evaluation) run(ctx context.Context, s rules.Snapshot) (*rules.Run, error) {
	ctx, cancel := context.WithTimeout(ctx, decideTime)
	defer cancel()
	run, err := e.set.Decide(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("evaluate rules %s: %w", e.set.Name, err)
	}
	return run, nil
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

// readReports reads the list of campaigns, and the days of the reports that the
// rules need.
func (e *evaluation) readReports(ctx context.Context) error {
	e.due = e.participants()
	all, err := e.platform.Campaigns.List(ctx)
	if err != nil {
		return fmt.Errorf("list campaigns of %s: %w", e.set.Account, err)
	}
	var detailed []string // campaigns whose creatives' rows are needed
	for _, campaign := range all {
		if e.set.Covers(campaign, e.due) {
			e.campaigns = append(e.campaigns, campaign)
		}
		if e.set.Reads(rules.CreativeLevel, campaign, e.due) {
			detailed = append(detailed, campaign)
		}
	}
	needs := slices.DeleteFunc(e.figures.Needs(), func(n rules.Need) bool { return !e.participates(n.Level) })
	e.rows = map[string][]string{}
	return ReadReports(ctx, e.platform, needs, detailed, func(row rules.Row) error {
		if row.Creative != "" && !slices.Contains(e.rows[row.Campaign], row.Creative) {
			e.rows[row.Campaign] = append(e.rows[row.Campaign], row.Creative)
		}
		return e.figures.Add(row)
	})
}

// participants returns the rules that take part if one of them is due: that
// one and, so that it resumes nothing that another rule wants paused, the rules
// that read the same reports. nil means all.
func (e *evaluation) participants() []string {
	if e.job.Work.Job.Rule == "" {
		return nil
	}
	due := findRule(e.set, e.job.Work.Job.Rule)
	names := []string{due.Name}
	for _, rule := range e.set.Rules {
		if rule != due && due.Resume != nil && rule.Scope.Level == due.Scope.Level {
			names = append(names, rule.Name)
		}
	}
	return names
}

// participates reports whether a rule of a level takes part.
func (e *evaluation) participates(level rules.Level) bool {
	return slices.ContainsFunc(e.set.Rules, func(r *rules.Rule) bool {
		return r.Scope.Level == level && (e.due == nil || slices.Contains(e.due, r.Name))
	})
}
