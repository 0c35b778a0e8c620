package rules

import (
	"context"
	"path"
	"slices"
	"time"

	"usher"
)

// verdict is what a rule says of a campaign or creative, before any guard.
type verdict uint8

const (
	quiet       verdict = iota // neither condition holds
	wantsPause                 // pause_when holds, whatever resume_when says
	wantsResume                // resume_when holds and pause_when surely does not
	unknown                    // a metric that decides is not known
	noRows                     // the window has no row: unknown, too
	tooLittle                  // min_data is not met: unknown, too
	tooOld                     // max_report_age is exceeded: unknown, too
)

// isUnknown reports whether the rule cannot know.
func (v verdict) isUnknown() bool { return v >= unknown }

// covers reports whether a campaign is in the rule's scope.
func (rule *Rule) covers(campaign string) bool {
	matches := func(glob string) bool {
		ok, _ := path.Match(glob, campaign) // a bad pattern was found at load
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

// ahead is how many hours projectedSpend looks ahead of a moment.
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

// verdicts evaluates a rule over all that its level has figures of, in the
// order of the figures' index. e has what the rule looks ahead.
func (rule *Rule) verdicts(ctx context.Context, f *Figures, e *evaluation) ([]verdict, error) {
	level := &f.levels[levelOf(rule.Scope.Level)]
	list := make([]verdict, len(level.index))
	e.windows = level.windows
	own := &level.windows[rule.slot]
	oldest := rule.oldest(f)
	e.registers = nil
	for e.low = 0; e.low < len(list); e.low = e.high {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		e.high = min(e.low+blockSize, len(list))
		block := list[e.low:e.high]
		for i, holds := range e.run(rule.Pause.root, 0) {
			block[i] = said(holds, wantsPause)
		}
		if rule.Resume != nil {
			for i, holds := range e.run(rule.Resume.root, 0) {
				if block[i] == quiet {
					block[i] = said(holds, wantsResume)
				}
			}
		}
		for _, least := range rule.MinData {
			for i, v := range own.columns[least.Field][e.low:e.high] {
				if !(v >= least.Least) { // NaN is too little, too
					block[i] = tooLittle
				}
			}
		}
		for i, newest := range own.report[e.low:e.high] {
			switch {
			case newest == 0:
				block[i] = noRows
			case newest < oldest:
				block[i] = tooOld
			}
		}
	}
	return list, nil
}

// said is the verdict of a condition: of one that holds, that.
func said(holds float64, that verdict) verdict {
	switch holds {
	case 1:
		return that
	case 0:
		return quiet
	}
	return unknown
}

// oldest is the first day whose report is young enough: a report ages from the
// end of its day.
func (rule *Rule) oldest(f *Figures) int {
	if rule.MaxAge == 0 {
		return 0
	}
	day := f.day
	for f.at.Sub(midnight(day, f.set.Zone)) <= rule.MaxAge+time.Nanosecond && day > firstDay {
		day--
	}
	return day
}

// actionOf is what a verdict wants.
func actionOf(v verdict) usher.Action {
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
