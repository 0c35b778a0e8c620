package evaluation

import (
	"context"
	"maps"
	"slices"

	"usher/internal/rules"
)

// isEvent reports whether the job carries metrics of a campaign.
func (e *evaluation) isEvent() bool { return e.job.Work.Job.Metrics != nil }

// readEvent uses the job's metrics as the row of the current day. The rules
// that read no other row take part.
func (e *evaluation) readEvent() error {
	m, only := e.job.Work.Job.Metrics, e.job.Work.Job.Rule
	e.due = []string{}
	for _, rule := range e.set.Rules {
		if rule.Scope.Level == rules.CampaignLevel && rule.Window.String() == "today" && (only == "" || only == rule.Name) {
			e.due = append(e.due, rule.Name)
		}
	}
	if e.set.Covers(m.Campaign, e.due) {
		e.campaigns = []string{m.Campaign}
	} else {
		e.job.Warnf("out_of_scope", "no campaign rule of %s with window today has %s in scope", e.set.Name, m.Campaign)
	}
	return e.applyMetrics()
}

// supplementedFigures returns the report's figures with the event's metrics in
// their place.
func (e *evaluation) supplementedFigures(ctx context.Context) (*rules.Figures, error) {
	e.figures = rules.NewFigures(e.set, e.at)
	needs := slices.DeleteFunc(e.figures.Needs(), func(n rules.Need) bool { return n.Level != rules.CampaignLevel })
	if err := ReadReports(ctx, e.platform, needs, nil, e.figures.Add); err != nil {
		return nil, err
	}
	return e.figures, e.applyMetrics()
}

// applyMetrics overrides the report's numbers with those that the job carries.
func (e *evaluation) applyMetrics() error {
	values := maps.Clone(e.job.Work.Job.Metrics.Values)
	for name := range values {
		known := slices.ContainsFunc(allFields(), func(f rules.Field) bool { return f.String() == name })
		if !known {
			e.job.Warnf("unknown_metric", "the metric %s is no field of the platform's report: left out", name)
			delete(values, name)
		}
	}
	return e.figures.SetToday(e.job.Work.Job.Metrics.Campaign, values)
}

func allFields() []rules.Field {
	all := make([]rules.Field, rules.Fields)
	for i := range all {
		all[i] = rules.Field(i)
	}
	return all
}
