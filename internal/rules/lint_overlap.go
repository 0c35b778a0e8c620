package rules

import (
	"fmt"

	"usher/internal/rules/analysis"
	"usher/internal/rules/document"
)

// lintOverlap finds figures with which both conditions of the rule hold, and conditions
// without a gap between them.
func (r *reader) lintOverlap(rule *Rule, at document.Place) {
	down, up := rule.downKey(), rule.upKey()
	hint := "leave a gap between them, such as pause_when: grossMediaSpend >= 0.95 * budget, resume_when: grossMediaSpend < 0.80 * budget"
	wins, repeats := "the pause wins, and as soon as pause_when does not hold the creative is resumed", "pauses and resumes the creative repeatedly"
	if rule.Bidding != nil {
		hint = "leave a gap between them, such as decrease_when: cpc > 2, increase_when: cpc < 1.60"
		wins, repeats = "the decrease wins", "changes the "+rule.Bidding.Field.String()+" back and forth"
	}
	overlap := analysis.FindOverlap(rule.Pause.Root, rule.Resume.Root)
	switch {
	case overlap.Example != "" && overlap.Shared:
		r.Errorf(at, hint, "%s and %s overlap: with %s both hold", down, up, overlap.Example)
	case overlap.Example != "":
		r.Warnf(at, hint, "%s and %s can hold at once: with %s %s", down, up, overlap.Example, wins)
	case !overlap.HasGap:
		r.Warnf(at, hint, "there is no gap between %s and %s: a value near the threshold %s", down, up, repeats)
	}
}

// reach is a rule with the figures with which it does not pause, and those with which
// its resume_when holds.
type reach struct {
	rule               *Rule
	notPaused, resumed analysis.Region
}

// lintTogether finds rules that together pause every creative, and a rule that wants
// paused whatever another one resumes.
func (r *reader) lintTogether() {
	var list []reach
	for _, rule := range r.set.Rules {
		if r.places[rule] == nil || !rule.enabled() || rule.Pause == nil || rule.Bidding != nil {
			continue // it is not valid, it changes no creative, or it has hours alone
		}
		this := reach{rule: rule}
		this.notPaused = analysis.Where(rule.Pause.Root, false)
		if rule.Resume != nil {
			this.resumed = analysis.Where(rule.Resume.Root, true)
		}
		for _, other := range list {
			if rule.Scope.Level == other.rule.Scope.Level && rule.Window == other.rule.Window && rule.Scope.overlaps(other.rule.Scope) {
				r.lintPair(other, this)
			}
		}
		list = append(list, this)
	}
	r.Rule = ""
}

// lintNumbers finds pairs of rules that change the same number.
func (r *reader) lintNumbers() {
	for n, rule := range r.set.Rules {
		for _, other := range r.set.Rules[:n] {
			if rule.sharesNumber(other) {
				r.Rule = rule.Name
				r.Warnf(rule.Bidding.at, shareHint, "%s", rule.shareText(other.Name))
			}
		}
	}
	r.Rule = ""
}

// shareHint is what to do about rules that share a number.
const shareHint = "write decrease_when and increase_when into one rule, or exclude the campaigns of one rule from the scope of the other"

// sharesNumber reports whether two rules may change the same number of one campaign.
func (rule *Rule) sharesNumber(other *Rule) bool {
	return rule.Bidding != nil && other.Bidding != nil && rule.Bidding.Field == other.Bidding.Field &&
		rule.enabled() && other.enabled() && rule.Scope.overlaps(other.Scope)
}

// shareText says what happens to a number that another rule changes, too.
func (rule *Rule) shareText(other string) string {
	return fmt.Sprintf("rules %s and %s change the %s of the same campaigns: the one that sets it first keeps it, and the other leaves it alone from then on (hands_off)", other, rule.Name, rule.Bidding.Field)
}

// lintPair does so for two rules, in the order of the file.
func (r *reader) lintPair(a, b reach) {
	if a.notPaused.IsDisjoint(b.notPaused) {
		r.Rule = b.rule.Name
		r.Warnf(r.places[b.rule]["pause_when"], "leave figures with which neither pauses",
			"pause_when: the rules %s and %s together pause every creative that both read", a.rule.Name, b.rule.Name)
	}
	for _, pair := range [][2]reach{{a, b}, {b, a}} {
		if resumes, pauses := pair[0], pair[1]; resumes.resumed.IsDisjoint(pauses.notPaused) {
			r.Rule = resumes.rule.Name
			r.Warnf(r.places[resumes.rule]["resume_when"], fmt.Sprintf("choose a resume_when that can hold while pause_when of %s does not", pauses.rule.Name),
				"resume_when: rule %s wants paused whatever this resumes, so nothing is resumed", pauses.rule.Name)
		} else if example := resumes.rule.resumesWhatPauses(pauses.rule); example != "" {
			r.Rule = resumes.rule.Name
			r.Warnf(r.places[resumes.rule]["resume_when"], resumesHint, "resume_when: with %s, this would resume what rule %s wants paused: the pause wins, and the creative stays paused", example, pauses.rule.Name)
		}
	}
}
