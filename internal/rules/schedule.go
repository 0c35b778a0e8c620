package rules

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/goccy/go-yaml/ast"

	"usher"
	"usher/internal/rules/calendar"
	"usher/internal/rules/document"
	"usher/internal/rules/figures"
)

// schedule reads a schedule.
func (r *reader) schedule(rule *Rule, n ast.Node) {
	text, ok := r.Text(n, "schedule")
	if !ok {
		return
	}
	schedule, err := calendar.ParseSchedule(text, r.set.Zone)
	if err == nil {
		rule.Schedule = schedule
		return
	}
	at := document.PlaceOf(n)
	var advice *calendar.Advice
	if errors.As(err, &advice) && advice.Column > 0 {
		_, placeIn := r.condition(n, "schedule")
		at = placeIn(1, advice.Column-1)
	}
	r.advise(at, err)
}

// advise adds an error of the calendar with its hint.
func (r *reader) advise(at document.Place, err error) {
	var advice *calendar.Advice
	hint := ""
	if errors.As(err, &advice) {
		hint = advice.Hint
	}
	r.Errorf(at, hint, "%v", err)
}

// lintSchedule finds schedules that are due at other times than a reader expects, or
// more often than there are new figures. given are the places of the rule's keys, at
// that of the schedule.
func (r *reader) lintSchedule(rule *Rule, given map[string]document.Place, at document.Place) {
	s := rule.Schedule
	if s == nil {
		if _, ok := given["schedule"]; !ok && (rule.Window.Kind != figures.Today || rule.Scope.Level != figures.CampaignLevel) {
			r.Warnf(document.At(rule.Line, given["name"].Column), `write schedule: "0 7 * * *", which is daily at 7`,
				"nothing evaluates the rule by itself: it has no schedule, and events are for rules on campaigns with window: today")
		}
		return
	}
	ofCompleteDays := rule.Window.Kind == figures.Yesterday || rule.Window.Kind == figures.LastDays
	if perDay := len(s.TimesOfDay()); ofCompleteDays && rule.Hours == nil && perDay > 24 && !s.IsEveryMinute() {
		r.Warnf(at, `write schedule: "0 7 * * *"`, "the rule is due %d times a day, but the complete days of window: %s change once a day", perDay, rule.Window)
	}
	for _, advice := range s.Advice() {
		r.Warnf(at, advice.Hint, "%s", advice.Message)
	}
	if rule.MaxAge > 0 && ofCompleteDays {
		r.lintAge(rule, given["max_report_age"])
	}
}

// lintAge finds a max_report_age that the report of yesterday exceeds when the rule is
// due. The age of a report counts from the end of its day.
func (r *reader) lintAge(rule *Rule, at document.Place) {
	times := rule.Schedule.TimesOfDay()
	exceeded := 0
	var most time.Duration
	for _, age := range times {
		if age > rule.MaxAge {
			exceeded++
			most = age
		}
	}
	const hint = "write max_report_age: 24h or more"
	switch exceeded {
	case 0:
	case len(times):
		r.Errorf(at, hint, "the rule never has figures: yesterday's report is %s old when the rule is due", durationText(times[0]))
	default:
		r.Warnf(at, hint, "the rule has no figures at %d of %d times of a day: yesterday's report is up to %s old", exceeded, len(times), durationText(most))
	}
}

// activeHours reads hours, such as 08:00-22:00.
func (r *reader) activeHours(n ast.Node) *calendar.Hours {
	text, ok := r.Text(n, "active_hours")
	if !ok {
		return nil
	}
	h, err := calendar.ParseHours(text, r.set.Zone)
	if err != nil {
		r.advise(document.PlaceOf(n), err)
		return nil
	}
	return h
}

// activeDays reads weekdays, such as [mon, tue, wed, thu, fri].
func (r *reader) activeDays(n ast.Node) []string {
	var days []string
	before := len(r.Problems)
	r.Items(n, "active_days", func(item ast.Node) {
		day := r.Word(item, "weekday", weekdaysElsewhere(), calendar.Weekdays()...)
		switch {
		case slices.Contains(days, day):
			r.Errorf(document.PlaceOf(item), "remove it", "active_days has %s twice", day)
		case day != "":
			days = append(days, day)
		}
	})
	switch {
	case len(r.Problems) > before:
	case len(days) == 0:
		r.Errorf(document.PlaceOf(n), "write active_days: [mon, tue, wed, thu, fri]", "active_days has no weekday")
	case len(days) == len(calendar.Weekdays()):
		r.Errorf(document.PlaceOf(n), "remove active_days, or one of the days", "active_days has every day: no time is outside")
	}
	return days
}

// weekdaysElsewhere maps the names of weekdays of other tools, in lower case.
func weekdaysElsewhere() map[string]string {
	names := map[string]string{}
	for n, name := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		short := calendar.Weekdays()[n]
		names[name], names[fmt.Sprint(n+1)] = short, short
	}
	return names
}

// requireForHours adds errors for keys that are missing in a rule, or that have no effect
// because it has active_hours and no pause_when.
func (r *reader) requireForHours(given map[string]document.Place, at document.Place) {
	_, hours := given["active_hours"]
	if _, days := given["active_days"]; days {
		hours = true
	}
	_, pauses := given["pause_when"]
	for _, key := range []string{"for", "min_age"} {
		if place, ok := given[key]; ok && hours {
			r.Errorf(place, "write two rules: one with active_hours, and one with pause_when and "+key, "%s and active_hours are in one rule, and hours pause whatever the figures and the age are", key)
		}
	}
	if !hours || pauses {
		r.Require(given, at,
			document.Required{Key: "window", Hint: "write window: today, yesterday, last 7 days, this week, this month or lifetime"},
			document.Required{Key: "pause_when", Hint: "write pause_when: and a condition, such as grossMediaSpend >= 0.95 * budget; a rule resumes only what it paused"})
		return
	}
	for _, key := range []string{"resume_when", "min_data", "min_days", "max_report_age", "report_lag"} {
		if place, ok := given[key]; ok {
			r.Errorf(place, "write pause_when: and a condition, or remove "+key, "%s has no effect: the rule has active_hours alone, which need no figures", key)
		}
	}
}

// lintHours finds schedules that are not due soon after the hours begin or end. given
// are the places of the rule's keys.
func (r *reader) lintHours(rule *Rule, given map[string]document.Place) {
	if rule.Hours == nil {
		return
	}
	const hint = `write schedule: "*/15 * * * *"`
	at, key := given["active_hours"], "active_hours"
	if rule.Hours.String() == "" {
		at, key = given["active_days"], "active_days"
	}
	if rule.Schedule == nil {
		r.Warnf(at, hint, "nothing evaluates the rule when %s begin or end: it has no schedule", key)
		return
	}
	if edge := rule.Hours.MissedBy(rule.Schedule); edge != "" {
		r.Warnf(at, hint, "the rule is not due within an hour after %s %s", key, edge)
	}
}

// hoursReason says that the time of the run is outside or inside the hours.
func (e evidence) hoursReason() string {
	side := "inside"
	if e.outside {
		side = "outside"
	}
	return fmt.Sprintf("%s %s (it is %s)", side, e.rule.Hours.Describe(), e.rule.Hours.Clock(e.time))
}

// cause returns why the rule wants a pause. Outside its hours, these alone pause.
func (e evidence) cause() usher.Cause {
	if e.outside {
		return usher.CauseHours
	}
	return usher.CauseCondition
}

// staysPaused reports whether hours do not resume the i-th creative, which the rule owns: pause_when
// paused it, and the rule has no resume_when. The cause is stored with the pause, because somebody may
// have changed the hours since.
//
// A pause that a worker of 1.0.2 or older made has no cause. It counts as one by pause_when if it was
// decided inside the present hours: if all of them did, nothing would resume what hours paused before
// the upgrade. This is wrong only if somebody has changed the hours between the pause and the resume.
func (r *Run) staysPaused(rule *Rule, i int) bool {
	if rule.Resume != nil {
		return false
	}
	if cause := r.memory(i).Owner.Cause; cause != "" {
		return cause == usher.CauseCondition
	}
	did, known := r.lastChange(rule, i)
	decided := did.Changed
	if !did.AsOf.IsZero() {
		decided = did.AsOf
	}
	return rule.Pause != nil && known && rule.Hours.Contains(decided)
}
