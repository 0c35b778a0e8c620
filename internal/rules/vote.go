package rules

import (
	"context"
	"slices"
	"time"

	"usher"
	"usher/internal/rules/calendar"
	"usher/internal/rules/condition"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// vote is a rule's result for a campaign or creative, before any guard.
type vote uint8

const (
	quiet       vote = iota // neither condition holds
	wantsPause              // pause_when holds, whatever resume_when is, or it is outside active_hours
	wantsResume             // pause_when is false, and resume_when holds or active_hours let it resume
	tooShort                // pause_when holds, but did not on each day of for
	tooYoung                // a condition holds, but min_age is not reached
	unknown                 // a metric that decides is UNKNOWN
	noRows                  // the window has no row: UNKNOWN
	tooFewDays              // too few days of the window have a row: UNKNOWN
	tooLittle               // min_data is not reached: UNKNOWN
	tooOld                  // max_report_age is exceeded: UNKNOWN
)

// isUnknown reports whether the vote is UNKNOWN.
func (v vote) isUnknown() bool { return v >= unknown }

// action returns the action that the vote wants.
func (v vote) action() usher.Action {
	switch {
	case v == wantsPause:
		return usher.Pause
	case v == wantsResume:
		return usher.Resume
	case v.isUnknown():
		return usher.Unknown
	}
	return usher.None
}

// TakesEvents reports whether the rule decides by the metrics of events, which are those of a
// campaign on the running day.
func (rule *Rule) TakesEvents() bool {
	readsToday := rule.Pause != nil && rule.Window.Kind == figures.Today // without pause_when, active_hours read nothing
	return readsToday && rule.Scope.Level == figures.CampaignLevel
}

// ReadsToday returns the names of the rules that decide by the window today. Without another
// condition than active_hours, a rule reads no window.
func (s *Set) ReadsToday() []string {
	var names []string
	for _, rule := range s.Rules {
		conditions := rule.conditions()
		reads := rule.Window.Kind == figures.Today && len(conditions) > 0
		if reads || slices.ContainsFunc(conditions, (*condition.Condition).ReadsToday) {
			names = append(names, rule.Name)
		}
	}
	return names
}

// Reads reports whether a run of the due rules (nil: all) needs reports of a
// campaign at a level.
func (s *Set) Reads(l figures.Level, campaign string, due []string) bool {
	return slices.ContainsFunc(s.Rules, func(rule *Rule) bool {
		return rule.Scope.Level.Index() == l.Index() && rule.isDue(due) && rule.covers(campaign)
	})
}

// Covers reports whether one of the due rules (nil: all) has creatives of a campaign in
// scope on some day.
func (s *Set) Covers(campaign string, due []string) bool {
	return s.Reads(figures.CampaignLevel, campaign, due) || s.Reads(figures.CreativeLevel, campaign, due)
}

// Votes reports whether a rule of a level that is enabled, but not among the due ones
// (nil: all are due), has a campaign in scope.
func (s *Set) Votes(l figures.Level, campaign string, due []string) bool {
	return slices.ContainsFunc(s.Rules, func(rule *Rule) bool { return rule.votes(l, campaign, due) })
}

// VotesByCurrency reports whether the vote of such a rule depends on the currencies of all
// campaigns in its scope, because pause_when compares an amount with a plain number.
func (s *Set) VotesByCurrency(l figures.Level, campaign string, due []string) bool {
	return slices.ContainsFunc(s.Rules, func(rule *Rule) bool {
		return rule.votes(l, campaign, due) && rule.Pause != nil && rule.Pause.Root.NeedsOneCurrency()
	})
}

func (rule *Rule) votes(l figures.Level, campaign string, due []string) bool {
	return rule.Bidding == nil && rule.Scope.Level.Index() == l.Index() && rule.enabled() && !rule.isDue(due) && rule.covers(campaign)
}

func (rule *Rule) isDue(due []string) bool { return due == nil || slices.Contains(due, rule.Name) }

// enabled reports whether the rule may change creatives, alone or once a person has
// approved it.
func (rule *Rule) enabled() bool { return rule.Mode == Act || rule.Mode == Approve }

// ahead returns the hours that projectedSpend looks ahead from a time on a day.
func (rule *Rule) ahead(at time.Time, day calendar.Day, zone *time.Location) float64 {
	ahead := rule.Lag
	if rule.Schedule != nil {
		if next := rule.Schedule.Next(at); !next.IsZero() {
			ahead += next.Sub(at)
		}
	}
	if rule.Window.IsRunning() {
		ahead = min(ahead, (day + 1).Begin(zone).Sub(at))
	}
	return max(ahead.Hours(), 0)
}

// evaluate sets the votes of the voter's rule on all that have figures at its level, by
// their places.
func (v *voter) evaluate(ctx context.Context, f *Figures) error {
	covers := func(campaign string) bool { return (v.only == "" || campaign == v.only) && v.rule.covers(campaign) }
	rule, zone := v.rule, f.sets[v.file].Zone
	oldest := rule.oldestDay(f.At(), f.Day(v.file), zone)
	v.evaluation = f.data.Evaluate(expression.Reader{
		File: v.file, Level: rule.Scope.Level, Conditions: rule.expressions(), Window: rule.at, Before: rule.before,
		MinDays: rule.MinDays, MinData: rule.MinData, Ahead: rule.ahead(f.At(), f.Day(v.file), zone), Oldest: oldest, Covers: covers,
		Rule: f.sets[v.file].Key(rule.Name), InScope: func(campaign string) bool { return rule.coversOn(campaign, f.Day(v.file)) },
		Targets: f.sets[v.file].Targets,
	})
	v.votes = make([]vote, v.places(f))
	window := &f.Windows(v.file, rule.Scope.Level)[rule.at]
	for low, high := range v.evaluation.Blocks() {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		block := v.votes[low:high]
		rule.evaluate(v.evaluation, block)
		if rule.Scope.Level == figures.AccountLevel {
			rule.requireTogether(v.evaluation, oldest, block)
			continue
		}
		rule.requireData(window, low, oldest, block)
	}
	return v.requireDays(ctx, f)
}

// evaluate sets the votes of a block by the conditions.
func (rule *Rule) evaluate(e *expression.Evaluation, block []vote) {
	if rule.Pause != nil {
		for i, value := range e.Run(rule.Pause.Root, expression.FirstDayPauses) {
			block[i] = voteOf(value, wantsPause)
		}
	}
	if rule.Resume == nil {
		return
	}
	for i, value := range e.Run(rule.Resume.Root, rule.resumeOnFirstDay()) {
		if block[i] == quiet {
			block[i] = voteOf(value, wantsResume)
		}
	}
}

// resumeOnFirstDay says how resume_when or increase_when takes a window without a complete day.
func (rule *Rule) resumeOnFirstDay() expression.FirstDay {
	if rule.Bidding != nil {
		return expression.FirstDayUnknown
	}
	return expression.FirstDayResumes
}

// requireData makes the votes of a block UNKNOWN that have too little data, and says of those
// that are UNKNOWN whether rows are missing or older than a day. window is that of the rule,
// low the first place.
func (rule *Rule) requireData(window *figures.Sums, low int, oldest calendar.Day, block []vote) {
	for _, least := range rule.MinData {
		for i, v := range window.Known(least.Field)[low : low+len(block)] {
			if !(v >= least.Least) { // true for NaN
				block[i] = tooLittle
			}
		}
	}
	required, readsOwn := window.Required(rule.MinDays), rule.readsOwnReports()
	for i := range block {
		newest := window.Newest(low + i)
		switch {
		case newest == 0 && rule.Window.Kind == figures.DaysAgo: // a day of for
			block[i] = noRows
		case !block[i].isUnknown() || block[i] == unknown && !readsOwn:
		case newest == 0:
			block[i] = noRows
		case newest < oldest:
			block[i] = tooOld
		case window.Days(low+i) < required:
			block[i] = tooFewDays
		}
	}
}

// requireTogether is requireData for the one vote of a rule of level account.
func (rule *Rule) requireTogether(e *expression.Evaluation, oldest calendar.Day, block []vote) {
	newest, hasData := e.Together()
	switch {
	case !hasData:
		block[0] = tooLittle
	case newest == 0 && rule.Window.Kind == figures.DaysAgo: // a day of for
		block[0] = noRows
	case !block[0].isUnknown() || !rule.readsOwnReports():
	case newest == 0:
		block[0] = noRows
	case newest < oldest:
		block[0] = tooOld
	}
}

// readsOwnReports reports whether a condition reads figures that the report has of the campaign or
// creative itself, not only those of its campaign or of the account.
func (rule *Rule) readsOwnReports() bool {
	return slices.ContainsFunc(rule.expressions(), func(x *expression.Expression) bool {
		return slices.ContainsFunc(x.Columns(), func(column *expression.Expression) bool {
			isOwn := column.Source.Whose == expression.Own || column.Source.Whose == expression.OfScope
			return isOwn && !column.Source.Field.IsOutcome()
		})
	})
}

// readsOthers reports whether a condition reads figures of the creative's campaign or of the
// account, an outcome or a target.
func (rule *Rule) readsOthers() bool {
	return slices.ContainsFunc(rule.expressions(), func(x *expression.Expression) bool {
		return slices.ContainsFunc(x.Columns(), func(column *expression.Expression) bool {
			return column.Source.Whose != expression.Own || column.Source.Field.IsOutcome()
		}) || x.ReadsTargets()
	})
}

// voteOf returns wanted if a condition holds.
func voteOf(value float64, wanted vote) vote {
	switch value {
	case 1:
		return wanted
	case 0:
		return quiet
	}
	return unknown
}

// oldestDay returns the first day whose report is not too old. The age of a report
// counts from the end of its day.
func (rule *Rule) oldestDay(at time.Time, day calendar.Day, zone *time.Location) calendar.Day {
	if rule.MaxAge == 0 {
		return 0
	}
	for day > 0 && at.Sub(day.Begin(zone)) <= rule.MaxAge+time.Nanosecond {
		day--
	}
	return day
}
