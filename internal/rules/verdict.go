package rules

import (
	"context"
	"path"
	"slices"
	"time"

	"usher"
)

// verdict is a rule's result for a campaign or creative, before any guard.
type verdict uint8

const (
	quiet       verdict = iota // neither condition holds
	wantsPause                 // pause_when holds, whatever resume_when is
	wantsResume                // resume_when holds, and pause_when is false
	unknown                    // a metric that decides is UNKNOWN
	noRows                     // the window has no row: UNKNOWN
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

// covers reports whether a campaign is in the rule's scope.
func (rule *Rule) covers(campaign string) bool {
	matches := func(glob string) bool {
		ok, _ := path.Match(glob, campaign) // Load refuses a bad pattern
		return ok
	}
	return slices.ContainsFunc(rule.Scope.Campaigns, matches) && !slices.ContainsFunc(rule.Scope.Exclude, matches)
}

// Reads reports whether a run of the due rules (nil: all) needs reports of a
// campaign at a level.
func (s *Set) Reads(l Level, campaign string, due []string) bool {
	return slices.ContainsFunc(s.Rules, func(rule *Rule) bool {
		return rule.Scope.Level == l && rule.isDue(due) && rule.covers(campaign)
	})
}

// Covers reports whether a campaign is in the scope of one of the due rules
// (nil: all).
func (s *Set) Covers(campaign string, due []string) bool {
	return s.Reads(CampaignLevel, campaign, due) || s.Reads(CreativeLevel, campaign, due)
}

func (rule *Rule) isDue(due []string) bool { return due == nil || slices.Contains(due, rule.Name) }

// ahead returns the hours that projectedSpend looks ahead.
func (rule *Rule) ahead(f *Figures) float64 {
	ahead := rule.Lag
	if rule.Schedule != nil {
		if next := rule.Schedule.Next(f.at); !next.IsZero() {
			ahead += next.Sub(f.at)
		}
	}
	if rule.Window.kind == today {
		ahead = min(ahead, midnight(f.day+1, f.set.Zone).Sub(f.at))
	}
	return max(ahead.Hours(), 0)
}

// verdicts evaluates a rule over all entities of its level, in the order of the
// level's index. The caller sets e.ahead.
func (rule *Rule) verdicts(ctx context.Context, f *Figures, e *evaluation) ([]verdict, error) {
	level := &f.levels[levelOf(rule.Scope.Level)]
	list := make([]verdict, len(level.index))
	oldest := rule.oldestDay(f)
	e.windows, e.registers = level.windows, nil
	for e.low = 0; e.low < len(list); e.low = e.high {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		e.high = min(e.low+blockSize, len(list))
		block := list[e.low:e.high]
		rule.evaluate(e, block)
		rule.requireData(e, &level.windows[rule.slot], oldest, block)
	}
	return list, nil
}

// evaluate sets the verdicts of a block by the conditions.
func (rule *Rule) evaluate(e *evaluation, block []verdict) {
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
	for i, newest := range window.report[e.low:e.high] {
		switch {
		case newest == 0:
			block[i] = noRows
		case newest < oldest:
			block[i] = tooOld
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
func (rule *Rule) oldestDay(f *Figures) int {
	if rule.MaxAge == 0 {
		return 0
	}
	day := f.day
	for f.at.Sub(midnight(day, f.set.Zone)) <= rule.MaxAge+time.Nanosecond && day > firstDay {
		day--
	}
	return day
}
