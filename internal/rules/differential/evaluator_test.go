package differential_test

import (
	"slices"
	"strings"
)

// run is one run of a file.
type run struct {
	file    *file
	account *account
	day     int               // the running one
	at      float64           // in hours, for cooldowns, active_hours and the age of reports
	due     func(*rule) bool  // nil: all
	status  map[string]string // of creatives
	owner   map[string]string // the rule that paused a creative and may resume it
	changed map[string]float64
	flips   map[string]int // by rule, creative and day
	// byCondition are the creatives that a rule paused inside its hours.
	byCondition map[string]bool
	isBacktest  bool // every mode is act, and no rule has hours
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
	if r.isOutside(by) {
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
			return r.at/24 - float64(first)
		}
	}
	return 90
}

// isOutside reports whether the run is outside a rule's hours. At the end of a day, 24:00
// is a moment before midnight.
func (r *run) isOutside(by *rule) bool {
	if by.hours == nil {
		return false
	}
	clock := r.at - float64(r.day)*24
	if by.hours.from < by.hours.to {
		return clock < float64(by.hours.from) || clock >= float64(by.hours.to)
	}
	return clock < float64(by.hours.from) && clock >= float64(by.hours.to)
}

// figuresSay returns what the conditions of a rule want of a creative.
func (r *run) figuresSay(by *rule, campaign, creative string) string {
	s := &scene{run: r, rule: by, campaign: campaign, entity: campaign, window: by.window, day: r.day}
	if by.creativeLevel {
		s.entity = creative
	}
	if own := s.sum(s.entity, s.window); !s.isKnown(own) || s.isOld(own) {
		return "unknown"
	}
	switch s.holds(by.pause) {
	case maybe:
		return "unknown"
	case yes:
		for ago := 1; ago <= by.heldDays; ago++ {
			one := *s
			one.single, one.window, one.day = true, span{kind: "today"}, r.day-ago
			if !one.isKnown(one.sum(one.entity, one.window)) || one.holds(by.pause) != yes {
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
	return (by.onlyCampaign == "" || campaign == r.account.code+"-"+by.onlyCampaign) && (by.exceptCampaign == "" || campaign != r.account.code+"-"+by.exceptCampaign)
}

// has reports whether a rule has a creative in scope.
func (r *run) has(by *rule, campaign, creative string) bool {
	if !r.covers(by, campaign) {
		return false
	}
	if l := r.file.label; by.labelled && (r.day < l.from || r.day > l.to || !strings.HasSuffix(creative, l.creatives)) {
		return false
	}
	return strings.HasSuffix(creative, by.creatives) && isOfType(by.types, r.account.types[creative])
}

// carryOut changes statuses, owners and the times of changes by the decisions.
func (r *run) carryOut(decisions map[string]decision) {
	for creative, d := range decisions {
		switch d.action {
		case "pause":
			r.status[creative], r.owner[creative] = "INACTIVE", d.rule
			r.byCondition[creative] = !r.isOutside(r.ruleNamed(d.rule))
		case "resume":
			r.status[creative] = "ACTIVE"
			delete(r.owner, creative)
		default:
			continue
		}
		r.changed[d.rule+" "+creative] = r.at
		r.flips[r.flipKey(d.rule, creative)]++
	}
}

func (r *run) flipKey(rule, creative string) string {
	return rule + " " + creative + " " + dateOf(r.day)
}

func (r *run) ruleNamed(name string) *rule {
	return r.file.rules[slices.IndexFunc(r.file.rules, func(by *rule) bool { return by.name == name })]
}

func newRun(f *file, a *account) *run {
	r := &run{file: f, account: a, status: map[string]string{}, owner: map[string]string{}, changed: map[string]float64{}, flips: map[string]int{}, byCondition: map[string]bool{}}
	for _, list := range a.creatives {
		for _, creative := range list {
			r.status[creative] = "ACTIVE"
		}
	}
	return r
}
