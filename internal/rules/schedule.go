package rules

import (
	"errors"
	"time"

	"github.com/goccy/go-yaml/ast"

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
	if perDay := len(s.TimesOfDay()); ofCompleteDays && perDay > 24 && !s.IsEveryMinute() {
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
