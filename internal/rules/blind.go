package rules

import (
	"fmt"
	"strings"

	"usher/internal/rules/figures"
)

// Blindness is a campaign or creative on which a rule cannot decide because its report lacks rows
// or numbers, has several currencies, or is too old: it is UNKNOWN, or a day of for is.
type Blindness struct {
	Rule     string
	Level    figures.Level
	Campaign string
	Creative string // "": the campaign or, of a rule on creatives, those of its creatives without a row
	Missing  string // such as "the report has 5 of 7 days of the last 7 days"
}

// Blind returns on what the rules that were due are blind. A rule in mode observe, and one that
// is evaluated by events only, is none of them.
func (r *Run) Blind() []Blindness {
	var list []Blindness
	for k := range r.voters {
		v := &r.voters[k]
		if !v.due || v.rule.Mode == Observe || v.rule.Schedule == nil && v.rule.TakesEvents() {
			continue
		}
		list = append(list, r.blindOf(v)...)
	}
	return list
}

// blindOf returns on what a voter is blind: of a rule on campaigns, each campaign once.
func (r *Run) blindOf(v *voter) []Blindness {
	var list []Blindness
	for i := range r.inScopeOf(v) {
		campaign, level := r.creatives[i].Campaign, v.rule.Scope.Level
		if v.isTogether() {
			level = figures.CampaignLevel // it is blind on each campaign
		}
		isKnown := level == figures.CampaignLevel && len(list) > 0 && list[len(list)-1].Campaign == campaign
		if isKnown || !r.isBlind(v, i) {
			continue
		}
		b := Blindness{Rule: v.rule.Name, Level: level, Campaign: campaign, Missing: r.missing(v, i)}
		if level == figures.CreativeLevel {
			b.Creative = r.creatives[i].Code
		}
		list = append(list, b)
	}
	return list
}

// missing says what a voter that is blind on the i-th creative lacks.
func (r *Run) missing(v *voter, i int) string {
	if day := r.blindDay(v, i); day != nil {
		e := r.evidenceOf(day, i)
		return fmt.Sprintf("for depends on %s: %s", e.windowDays(), strings.TrimPrefix(e.dayReason(), "unknown: "))
	}
	return strings.TrimPrefix(r.evidenceOf(v, i).voteReason(), "unknown: ")
}

// blindDay returns the newest day of for on which a voter is blind on the i-th creative, or nil.
// pause_when holds now and on all other days, so that the rule pauses if it held on these, too.
func (r *Run) blindDay(v *voter, i int) *voter {
	if v.vote(r.places[i]) != tooShort {
		return nil
	}
	var blind *voter
	for k := range v.days {
		day := &v.days[k]
		switch {
		case day.vote(r.places[i]) == wantsPause:
		case !r.isBlind(day, i):
			return nil
		case blind == nil:
			blind = day
		}
	}
	return blind
}

// isBlind reports whether a voter cannot decide on the i-th creative because something is missing.
func (r *Run) isBlind(v *voter, i int) bool {
	vote := v.vote(r.places[i])
	e := &r.snapshot.Figures.Windows(v.file, v.rule.Scope.Level)[v.rule.at]
	switch vote {
	case tooShort:
		return r.blindDay(v, i) != nil
	case noRows, tooFewDays, tooOld:
		return !e.IsEmpty()
	case unknown:
		return v.evaluation.Explain(int(v.index(r.places[i]))).LacksRows()
	}
	return false
}
