package rules

import (
	"fmt"
	"time"

	"usher/internal/rules/calendar"
	"usher/internal/rules/document"
)

// The values of the key until.
const (
	untilTomorrow  = "tomorrow"
	untilMonday    = "monday"
	untilNextMonth = "next_month"
)

// untilElsewhere maps the words of other tools to those of until.
var untilElsewhere = map[string]string{
	"next day": untilTomorrow, "next_day": untilTomorrow, "midnight": untilTomorrow, "1d": untilTomorrow, "24h": untilTomorrow,
	"next week": untilMonday, "next_week": untilMonday, "mon": untilMonday, "next month": untilNextMonth, "month": untilNextMonth, "end of month": untilNextMonth,
}

// lintUntil finds schedules with which nothing is resumed when the day begins. given are the
// places of the rule's keys.
func (r *reader) lintUntil(rule *Rule, given map[string]document.Place) {
	if rule.Until == "" {
		return
	}
	const hint = `write schedule: "0 0,7 * * *", which is due at midnight, too`
	switch {
	case rule.Schedule == nil:
		r.Warnf(given["until"], hint, "nothing resumes what the rule has paused when the day begins: it has no schedule")
	case !rule.Schedule.IsDueAfterMidnight():
		r.Warnf(given["until"], hint, "the rule is not due within an hour after midnight, when until: %s ends", rule.Until)
	}
}

// untilDay returns the day at whose beginning the rule resumes what it paused at a time.
func (rule *Rule) untilDay(paused time.Time, zone *time.Location) calendar.Day {
	day := calendar.DayOf(paused.In(zone))
	switch rule.Until {
	case untilMonday:
		return day.Week() + 7
	case untilNextMonth:
		return day.NextMonth()
	}
	return day + 1
}

// vote returns the vote of a voter on the i-th creative. What the rule paused is resumed when its
// until has passed, unless the rule wants it paused.
func (r *Run) vote(v *voter, i int) vote {
	of := v.vote(r.places[i])
	if of != wantsPause && r.hasPassed(v, i) {
		return wantsResume
	}
	return of
}

// hasPassed reports whether a voter's rule has paused the i-th creative, and its until has passed.
func (r *Run) hasPassed(v *voter, i int) bool {
	if v.rule.Until == "" || v.file != 0 || r.creatives[i].Status != Inactive {
		return false
	}
	owner := r.memory(i).Owner
	if owner == nil || !r.set.Owns(v.rule, owner.Rule) {
		return false
	}
	at := r.snapshot.Figures.At()
	return !at.Before(v.rule.untilDay(r.pausedAt(v.rule, i), r.set.Zone).Begin(r.set.Zone))
}

// pausedAt returns when a rule paused the i-th creative, which it owns.
func (r *Run) pausedAt(rule *Rule, i int) time.Time {
	if last, known := r.lastChange(rule, i); known {
		return last.Changed
	}
	return r.memory(i).Owner.At
}

// untilReason says why the i-th creative is resumed.
func (r *Run) untilReason(rule *Rule, i int) string {
	paused := r.pausedAt(rule, i)
	return fmt.Sprintf("it was paused on %s until %s, which has begun: until: %s", r.set.Day(paused), rule.untilDay(paused, r.set.Zone), rule.Until)
}
