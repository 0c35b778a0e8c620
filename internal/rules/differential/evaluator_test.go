package differential_test

import (
	"slices"
	"strings"
	"time"
)

// run is one run of a file.
type run struct {
	file    *file
	others  []*file // of the same account
	account *account
	day     int                  // the running one
	at      time.Time            // for cooldowns, active_hours and the age of reports
	due     func(*rule) bool     // of the file; nil: all
	status  map[string]string    // of creatives
	owner   map[string]string    // the rule that paused a creative and may resume it
	paused  map[string]time.Time // when it did
	undone  map[string]bool      // creatives that are a person's after an undo
	changed map[string]time.Time // by rule and creative
	flips   map[string]int       // by rule, creative and day
	posted  map[string]time.Time // when a creative was last changed, by the clock of the test
	before  map[string]string    // statuses of the creatives that the run has changed

	isBacktest bool // every mode is act, and no rule has hours
	// flat are the metrics of a test case, over all windows but those before.
	flat, flatBefore row
	flatAge          float64 // days
	// only is the campaign of an event: its run is about no other one; "": all.
	only string
	// events replace today's row of a campaign in rules with window: today.
	events map[string]row
}

// vote returns what a rule wants of a creative: pause, resume, unknown or nothing.
func (r *run) vote(by *rule, campaign, creative string) string {
	if r.isOutside(by, r.at) {
		return "pause"
	}
	if by.hasOnlyHours() {
		return "resume"
	}
	vote := r.figuresSay(by, campaign, creative)
	entity := campaign
	if by.creativeLevel {
		entity = creative
	}
	if (vote == "pause" || vote == "resume") && r.age(entity)*24+1e-6 < float64(by.minAgeHours) {
		return ""
	}
	return vote
}

// age returns the days since the beginning of the day of an entity's first row in 90 days,
// or since the platform's latestUpdate, which is long ago.
func (r *run) age(entity string) float64 {
	if r.flat != nil {
		return r.flatAge
	}
	for first := r.day - 90; first <= r.day; first++ {
		if _, known := r.account.reports[entity][first]; known {
			return r.at.Sub(r.account.begin(first)).Hours() / 24
		}
	}
	return 90
}

// isOutside reports whether a time is outside a rule's hours. The end of a day is a moment
// before midnight.
func (r *run) isOutside(by *rule, at time.Time) bool {
	if by.hours == nil {
		return false
	}
	if at.Equal(r.account.begin(r.day + 1)) {
		at = at.Add(-time.Nanosecond)
	}
	clock, weekday := at.In(r.account.zone).Hour(), at.In(r.account.zone).Weekday()
	isOnDay := func(day time.Weekday) bool { return len(by.hours.days) == 0 || slices.Contains(by.hours.days, day) }
	if by.hours.from < by.hours.to {
		return clock < by.hours.from || clock >= by.hours.to || !isOnDay(weekday)
	}
	if clock < by.hours.to { // since the day before
		return !isOnDay((weekday + 6) % 7)
	}
	return clock < by.hours.from || !isOnDay(weekday)
}

// figuresSay returns what the conditions of a rule want of a creative.
func (r *run) figuresSay(by *rule, campaign, creative string) string {
	s := &scene{run: r, rule: by, campaign: campaign, entity: campaign, window: by.window, day: r.day}
	if by.creativeLevel {
		s.entity = creative
	}
	if !s.hasEnough(s.own(s.window)) {
		return "unknown"
	}
	s.first = "pause"
	switch s.holds(by.pause) {
	case maybe:
		return "unknown"
	case yes:
		for ago := 1; ago <= by.heldDays; ago++ {
			one := *s
			one.single, one.window, one.day = true, span{kind: "today"}, r.day-ago
			if !one.hasEnough(one.own(one.window)) || one.holds(by.pause) != yes {
				return ""
			}
		}
		return "pause"
	}
	if by.resume == nil && by.hours != nil {
		return "resume" // what the hours paused
	}
	if by.resume == nil {
		return ""
	}
	if s.first = "resume"; by.steps != nil {
		s.first = ""
	}
	return map[int]string{no: "", maybe: "unknown", yes: "resume"}[s.holds(by.resume)]
}

// anyType is the type of a creative in a test case that has none.
const anyType = "any"

// isOfType reports whether a type matches a pattern of types; "" is none.
func isOfType(pattern, kind string) bool {
	start, isPrefix := strings.CutSuffix(pattern, "*")
	return pattern == "" || kind == anyType || kind != "" && (kind == pattern || isPrefix && strings.HasPrefix(kind, start))
}

// covers reports whether a rule may have creatives of a campaign in scope.
func (r *run) covers(by *rule, campaign string) bool {
	return strings.HasSuffix(campaign, by.onlyCampaign) && (by.exceptCampaign == "" || !strings.HasSuffix(campaign, by.exceptCampaign))
}

// has reports whether a rule has a creative in scope.
func (r *run) has(by *rule, campaign, creative string) bool {
	if !r.covers(by, campaign) {
		return false
	}
	if l := by.file.label; by.labelled && (r.day < l.from || r.day > l.to || !strings.HasSuffix(creative, l.creatives)) {
		return false
	}
	return strings.HasSuffix(creative, by.creatives) && isOfType(by.types, r.account.types[creative])
}

// carryOut changes statuses, owners and the times of changes by the decisions, and by those
// that wait for approval if they are approved.
func (r *run) carryOut(decisions map[string]decision, approved bool) {
	for creative, d := range decisions {
		action := d.action
		if approved {
			action = ""
			if d.waits() {
				action = d.wants
			}
		}
		by, before := r.file.name+"/"+d.rule, r.status[creative]
		switch action {
		case "pause":
			r.status[creative], r.owner[creative], r.paused[creative] = "INACTIVE", by, r.at
		case "resume":
			r.status[creative] = "ACTIVE"
			delete(r.owner, creative)
		default:
			continue
		}
		r.before[creative] = before
		r.changed[by+" "+creative] = r.at
		r.flips[r.flipKey(by, creative)]++
	}
}

// isInCooldown reports whether a rule leaves alone what it changed at a time. A cooldown of whole days
// ends at the same time of the day, if that is earlier.
func (r *run) isInCooldown(by *rule, changed time.Time) bool {
	end := changed.Add(time.Duration(by.cooldown) * time.Hour)
	if same := changed.In(r.account.zone).AddDate(0, 0, by.cooldown/24); by.cooldown%24 == 0 && same.Before(end) {
		end = same
	}
	return by.cooldown > 0 && r.at.Before(end)
}

func (r *run) flipKey(rule, creative string) string {
	return rule + " " + creative + " " + dateOf(r.day)
}

func newRun(f *file, a *account, others ...*file) *run {
	r := &run{
		file: f, others: others, account: a, status: map[string]string{}, owner: map[string]string{}, paused: map[string]time.Time{},
		undone: map[string]bool{}, changed: map[string]time.Time{}, flips: map[string]int{}, posted: map[string]time.Time{}, before: map[string]string{},
	}
	for _, list := range a.creatives {
		for _, creative := range list {
			r.status[creative] = "ACTIVE"
		}
	}
	return r
}
