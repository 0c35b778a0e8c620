package rules

import (
	"context"
	"slices"
	"time"

	"usher"
)

// verdict is a rule's result for a campaign or creative, before any guard.
type verdict uint8

const (
	quiet       verdict = iota // neither condition holds
	wantsPause                 // pause_when holds, whatever resume_when is, or it is outside active_hours
	wantsResume                // pause_when is false, and resume_when holds or active_hours let it resume
	tooShort                   // pause_when holds, but did not on each day of for
	tooYoung                   // a condition holds, but min_age is not reached
	unknown                    // a metric that decides is UNKNOWN
	noRows                     // the window has no row: UNKNOWN
	tooFewDays                 // too few days of the window have a row: UNKNOWN
	tooLittle                  // min_data is not reached: UNKNOWN
	tooOld                     // max_report_age is exceeded: UNKNOWN
)

// isUnknown reports whether the verdict is UNKNOWN.
func (v verdict) isUnknown() bool { return v >= unknown }

// action returns the action that the verdict wants.
func (v verdict) action() usher.Action {
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

// Reads reports whether a run of the due rules (nil: all) needs reports of a
// campaign at a level.
func (s *Set) Reads(l Level, campaign string, due []string) bool {
	return slices.ContainsFunc(s.Rules, func(rule *Rule) bool {
		return rule.Scope.Level == l && rule.isDue(due) && rule.covers(campaign)
	})
}

// Covers reports whether one of the due rules (nil: all) has creatives of a campaign in
// scope on some day.
func (s *Set) Covers(campaign string, due []string) bool {
	return s.Reads(CampaignLevel, campaign, due) || s.Reads(CreativeLevel, campaign, due)
}

// Votes reports whether a rule of a level that is enabled, but not among the due ones
// (nil: all are due), has a campaign in scope.
func (s *Set) Votes(l Level, campaign string, due []string) bool {
	return slices.ContainsFunc(s.Rules, func(rule *Rule) bool {
		return rule.Scope.Level == l && rule.enabled() && !rule.isDue(due) && rule.covers(campaign)
	})
}

func (rule *Rule) isDue(due []string) bool { return due == nil || slices.Contains(due, rule.Name) }

// enabled reports whether the rule may change creatives, alone or once a person has
// approved it.
func (rule *Rule) enabled() bool { return rule.Mode == Act || rule.Mode == Approve }

// ahead returns the hours that projectedSpend looks ahead from a time on a day.
func (rule *Rule) ahead(at time.Time, day int, zone *time.Location) float64 {
	ahead := rule.Lag
	if rule.Schedule != nil {
		if next := rule.Schedule.Next(at); !next.IsZero() {
			ahead += next.Sub(at)
		}
	}
	if rule.Window.running() {
		ahead = min(ahead, midnight(day+1, zone).Sub(at))
	}
	return max(ahead.Hours(), 0)
}

// evaluate sets the verdicts of the voter's rule on all entities of its level, in the
// order of the level's index.
func (v *voter) evaluate(ctx context.Context, f *Figures) error {
	v.evaluation = v.newEvaluation(f)
	v.verdicts = make([]verdict, len(f.levels[v.level].index))
	oldest := v.rule.oldestDay(f.at, f.files[v.file])
	e := v.evaluation
	for e.low = 0; e.low < len(v.verdicts); e.low = e.high {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		e.high = min(e.low+blockSize, len(v.verdicts))
		e.hidePrevious(v.rule)
		block := v.verdicts[e.low:e.high]
		v.rule.evaluate(&e, block)
		v.rule.requireData(&e, &e.windows[v.rule.slot], oldest, block)
	}
	return v.requireHeld(ctx, f)
}

// newEvaluation returns the evaluation of the voter's rule, before its first block.
func (v *voter) newEvaluation(f *Figures) evaluation {
	file := f.files[v.file]
	e := evaluation{
		windows: f.windowsOf(v.file, v.level), ahead: v.rule.ahead(f.at, file.day, file.set.Zone), month: monthHours(file.day, file.set.Zone),
		before: v.rule.before, currencies: len(f.currencies) > 1, relations: f.relationsOf(v),
	}
	e.several = e.currencies && v.rule.hasSeveralCurrencies(f, v.level, e.windows)
	return e
}

// hidePrevious makes the window before the rule's UNKNOWN for the entities of the block
// of which it has too few days or too little data.
func (e *evaluation) hidePrevious(rule *Rule) {
	e.hidden = nil
	if e.before < 0 {
		return
	}
	w := &e.windows[e.before]
	e.hidden = make([]bool, e.high-e.low)
	for i := range e.hidden {
		e.hidden[i] = int(w.days[e.low+i]) < w.requires(rule.MinDays)
		for _, least := range rule.MinData {
			if !(w.columns[least.Field][e.low+i] >= least.Least) { // true for NaN
				e.hidden[i] = true
			}
		}
	}
}

// evaluate sets the verdicts of a block by the conditions.
func (rule *Rule) evaluate(e *evaluation, block []verdict) {
	if rule.Pause == nil {
		return
	}
	for i, value := range e.run(rule.Pause.root, 0) {
		block[i] = verdictOf(value, wantsPause)
	}
	if rule.Resume == nil {
		return
	}
	for i, value := range e.run(rule.Resume.root, 0) {
		if block[i] == quiet {
			block[i] = verdictOf(value, wantsResume)
		}
	}
}

// requireData sets the verdicts of a block that have too little data, data that
// is older than a day, or none. window is that of the rule.
func (rule *Rule) requireData(e *evaluation, window *windowSums, oldest int, block []verdict) {
	for _, least := range rule.MinData {
		for i, v := range window.columns[least.Field][e.low:e.high] {
			if !(v >= least.Least) { // true for NaN
				block[i] = tooLittle
			}
		}
	}
	need := window.requires(rule.MinDays)
	for i, newest := range window.report[e.low:e.high] {
		switch {
		case newest == 0:
			block[i] = noRows
		case newest < oldest:
			block[i] = tooOld
		case int(window.days[e.low+i]) < need:
			block[i] = tooFewDays
		}
	}
}

// verdictOf returns wanted if a condition holds.
func verdictOf(value float64, wanted verdict) verdict {
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
func (rule *Rule) oldestDay(at time.Time, file fileWindows) int {
	if rule.MaxAge == 0 {
		return 0
	}
	day := file.day
	for at.Sub(midnight(day, file.set.Zone)) <= rule.MaxAge+time.Nanosecond && day > firstDay {
		day--
	}
	return day
}
