package rules

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// Hours are the hours of each day in which a rule lets creatives be ACTIVE, on the
// clock of the account's zone.
type Hours struct {
	text     string
	from, to int // minutes of the day, to excluded; from > to: over midnight
	zone     *time.Location
}

func (h *Hours) String() string { return h.text }

// contains reports whether a time is within the hours. nil contains every time.
func (h *Hours) contains(at time.Time) bool {
	if h == nil {
		return true
	}
	clock := at.In(h.zone)
	minute := clock.Hour()*60 + clock.Minute()
	if h.from < h.to {
		return h.from <= minute && minute < h.to
	}
	return minute >= h.from || minute < h.to
}

// activeHours reads hours, such as 08:00-22:00.
func (r *reader) activeHours(n ast.Node) *Hours {
	text, ok := r.text(n, "active_hours")
	if !ok {
		return nil
	}
	from, to, isRange := strings.Cut(text, "-")
	h := &Hours{text: text, zone: r.set.Zone}
	var fromOK, toOK bool
	h.from, fromOK = minuteOf(from)
	h.to, toOK = minuteOf(to)
	switch {
	case !isRange || !fromOK || !toOK || h.from == minutesPerDay:
		r.errorf(placeOf(n), hoursHint(text), "active_hours must be two times of the day, and this is %q", text)
		return nil
	case h.from == h.to, h.from == 0 && h.to == minutesPerDay:
		r.errorf(placeOf(n), `write "08:00-22:00", or remove active_hours if the rule has none`, "active_hours %q have no end: no time is outside", text)
		return nil
	}
	return h
}

const minutesPerDay = 24 * 60

// minuteOf returns the minute of the day of a time such as 08:00, up to 24:00.
func minuteOf(text string) (int, bool) {
	if !regexp.MustCompile(`^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$`).MatchString(text) {
		return 0, false
	}
	hour, _ := strconv.Atoi(text[:2])
	minute, _ := strconv.Atoi(text[3:])
	return hour*60 + minute, true
}

// hoursHint returns the hours that were probably meant by a text, such as 8-22.
func hoursHint(text string) string {
	found := regexp.MustCompile(`^\s*(\d{1,2})(?:[:.](\d{2}))?\s*(?:-|–|—|to|until)\s*(\d{1,2})(?:[:.](\d{2}))?\s*$`).FindStringSubmatch(text)
	if found == nil {
		return `write "08:00-22:00"`
	}
	clock := func(hour, minute string) string { return fmt.Sprintf("%02s:%02s", hour, minute) }
	from, to := clock(found[1], found[2]), clock(found[3], found[4])
	_, fromOK := minuteOf(from)
	if _, toOK := minuteOf(to); !fromOK || !toOK || from == "24:00" {
		return `write "08:00-22:00"`
	}
	return fmt.Sprintf("write %q", from+"-"+to)
}

// requireForHours adds errors for keys that are missing in a rule, or that have no effect
// because it has active_hours and no pause_when.
func (r *reader) requireForHours(given map[string]place, at place) {
	_, hours := given["active_hours"]
	_, pauses := given["pause_when"]
	for _, key := range []string{"for", "min_age"} {
		if place, ok := given[key]; ok && hours {
			r.errorf(place, "write two rules: one with active_hours, and one with pause_when and "+key, "%s and active_hours are in one rule, and hours pause whatever the figures and the age are", key)
		}
	}
	if !hours || pauses {
		r.require(given, at,
			required{"window", "write window: today, yesterday, last 7 days, this month or lifetime"},
			required{"pause_when", "write pause_when: and a condition, such as grossMediaSpend >= 0.95 * budget; a rule resumes only what it paused"})
		return
	}
	for _, key := range []string{"resume_when", "min_data", "min_days", "max_report_age", "report_lag"} {
		if place, ok := given[key]; ok {
			r.errorf(place, "write pause_when: and a condition, or remove "+key, "%s has no effect: the rule has active_hours alone, which need no figures", key)
		}
	}
}

// lintHours finds schedules that are not due soon after the hours begin or end. given
// are the places of the rule's keys.
func (r *reader) lintHours(rule *Rule, given map[string]place) {
	if rule.Hours == nil {
		return
	}
	const hint = `write schedule: "*/15 * * * *"`
	if rule.Schedule == nil {
		r.warnf(given["active_hours"], hint, "nothing evaluates the rule when active_hours begin or end: it has no schedule")
		return
	}
	for _, edge := range []struct {
		minute int
		verb   string
	}{{rule.Hours.from, "begin"}, {rule.Hours.to % minutesPerDay, "end"}} {
		if !rule.Schedule.isDueWithin(edge.minute, 60) {
			r.warnf(given["active_hours"], hint, "the rule is not due within an hour after active_hours %s at %02d:%02d", edge.verb, edge.minute/60, edge.minute%60)
			return
		}
	}
}

// isDueWithin reports whether the schedule, on a day on which it is due, is due within a
// number of minutes from a minute of the day.
func (s *Schedule) isDueWithin(from, minutes int) bool {
	for minute := from; minute < from+minutes; minute++ {
		if s.hours[minute/60%24] && s.minutes[minute%60] {
			return true
		}
	}
	return false
}

// hoursReason says that the time of the run is outside or inside the hours.
func (e evidence) hoursReason() string {
	side := "inside"
	if e.outside {
		side = "outside"
	}
	h := e.rule.Hours
	return fmt.Sprintf("%s active_hours %s (it is %s in %s)", side, h, e.time.In(h.zone).Format("15:04"), h.zone)
}

// pausedInside reports whether a rule without resume_when paused the i-th creative
// because of pause_when: inside its hours. Outside them, the hours alone pause.
func (r *Run) pausedInside(rule *Rule, i int) bool {
	did, known := r.memory(i).Rules[r.set.Key(rule.Name)]
	return rule.Pause != nil && rule.Resume == nil && known && rule.Hours.contains(did.Changed)
}
