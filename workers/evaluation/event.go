package evaluation

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// isEvent reports whether the evaluation is on metrics of a campaign that a job carries.
func (e *evaluation) isEvent() bool { return e.metrics != nil }

// only returns the only campaign that the evaluation is about, or "".
func (e *evaluation) only() string {
	if e.metrics == nil {
		return ""
	}
	return e.metrics.Campaign
}

const (
	// eventAge is the age above which metrics are refused, unless the rule has a
	// max_report_age.
	eventAge = 15 * time.Minute
	// maxMetric is the largest number that a metric can be.
	maxMetric = 1e12
)

// refusal returns why the event's metrics are refused, or "". They are if a number cannot
// be a metric, or if they are not of today.
func (e *evaluation) refusal() string {
	m := e.metrics
	for _, name := range slices.Sorted(maps.Keys(m.Values)) {
		if v := m.Values[name]; math.IsNaN(v) || v < 0 || v > maxMetric {
			return fmt.Sprintf("the metric %s is %g, and metrics are from 0 to %g", name, v, float64(maxMetric))
		}
	}
	now := e.job.Now()
	if day, today := e.set.Day(m.At), e.set.Day(now); day != today {
		return fmt.Sprintf("the metrics are of %s, and today is %s", day, today)
	}
	if m.At.After(now.Add(maxClockSkew)) {
		return fmt.Sprintf("the metrics are of %s, which is in the future", m.At.UTC().Format(time.RFC3339))
	}
	return ""
}

// readEvent uses the job's metrics as the row of the current day. The rules that read
// no other row are due, unless the metrics are too old for them.
func (e *evaluation) readEvent() error {
	m, only := e.metrics, e.job.Work.Job.Rule
	e.due = []string{}
	for _, rule := range e.set.Rules {
		if !rule.TakesEvents() || only != "" && only != rule.Name {
			continue
		}
		if age, most := e.job.Now().Sub(m.At), cmp.Or(rule.MaxAge, eventAge); age > most {
			e.tooOld = append(e.tooOld, fmt.Sprintf("rule %s takes no metrics older than %s, and these are of %s", rule.Name, most, m.At.UTC().Format(time.RFC3339)))
			continue
		}
		e.due = append(e.due, rule.Name)
	}
	for _, why := range e.tooOld {
		e.job.Warnf(usher.WarnTooOld, "%s", why)
	}
	if len(e.tooOld) > 0 && len(e.due) == 0 {
		return nil
	}
	if e.set.Covers(m.Campaign, e.due) {
		e.campaigns = []string{m.Campaign}
	} else {
		e.job.Warnf(usher.WarnOutOfScope, "no campaign rule of %s with window today has %s in scope", e.set.Name, m.Campaign)
	}
	if e.handler.Outcomes != nil {
		// They are read only if a decision depends on them, see needsReports. Until then, it is not even known
		// whether they are negative.
		if err := e.figures.AddOutcomes(&figures.Outcomes{AllSigned: true}); err != nil {
			return err
		}
	}
	return e.applyMetrics()
}

// needsReports reports whether the run depends on more than the event's metrics. It does if a
// condition reads a metric that the event lacks, such as the budget or a number from outside; if a rule has the key
// "for" or "min_age" (the condition must have held, or the creative must have had rows, for some
// days), which take the rows of earlier days; or if a resume, an increase or the guard
// keep_active depends on what other rules want.
func (e *evaluation) needsReports(run *rules.Run) bool {
	counts := run.Counts()
	if run.Undecided() || run.NeedsDays() || counts[usher.Increase] > 0 {
		return true
	}
	campaign := e.metrics.Campaign
	if !e.votes(figures.CampaignLevel, campaign) && !e.votes(figures.CreativeLevel, campaign) {
		return false
	}
	return counts[usher.Resume]+counts[usher.Held]+counts[usher.Notify] > 0 || counts[usher.Pause] > 0 && e.keepsActive()
}

// readEventReports reads the reports and overrides today's numbers by the event's metrics.
func (e *evaluation) readEventReports(ctx context.Context) error {
	e.figures = rules.NewFigures(e.set, e.at, e.others...)
	if err := e.readOutcomes(ctx); err != nil {
		return err
	}
	if err := e.readRows(ctx, nil, figures.CampaignLevel); err != nil {
		return err
	}
	if err := e.readVotes(ctx, e.campaigns); err != nil {
		return err
	}
	if err := e.readPresent(ctx); err != nil {
		return err
	}
	return e.applyMetrics()
}

// applyMetrics overrides the report's numbers with those of the event, if it is one.
func (e *evaluation) applyMetrics() error {
	if !e.isEvent() {
		return nil
	}
	values := maps.Clone(e.metrics.Values)
	for name := range values {
		known := slices.ContainsFunc(allFields(), func(f figures.Field) bool { return f.String() == name })
		if !known {
			delete(values, name)
		}
		if !known && e.job != nil {
			e.job.Warnf(usher.WarnUnknownMetric, "the metric %s is not a field of the platform's report: left out", name)
		}
	}
	return e.figures.SetToday(e.metrics.Campaign, values)
}

func allFields() []figures.Field {
	all := make([]figures.Field, figures.Fields)
	for i := range all {
		all[i] = figures.Field(i)
	}
	return all
}
