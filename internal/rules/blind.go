package rules

import (
	"strings"

	"usher/internal/rules/figures"
)

// Blindness is a campaign or creative on which a rule is UNKNOWN because its report lacks rows
// or numbers, or is too old.
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
		b := Blindness{Rule: v.rule.Name, Level: level, Campaign: campaign, Missing: strings.TrimPrefix(r.evidenceOf(v, i).voteReason(), "unknown: ")}
		if level == figures.CreativeLevel {
			b.Creative = r.creatives[i].Code
		}
		list = append(list, b)
	}
	return list
}

// isBlind reports whether a voter is UNKNOWN on the i-th creative because something is missing.
func (r *Run) isBlind(v *voter, i int) bool {
	vote := v.vote(r.places[i])
	e := &r.snapshot.Figures.Windows(v.file, v.rule.Scope.Level)[v.rule.at]
	switch vote {
	case noRows, tooFewDays, tooOld:
		return !e.IsEmpty()
	case unknown:
		return v.evaluation.Explain(int(v.index(r.places[i]))).LacksRows()
	}
	return false
}
