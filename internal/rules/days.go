package rules

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"usher"
	"usher/internal/readable"
	"usher/internal/rules/document"
	"usher/internal/rules/figures"
)

// MaxForDays is the largest number of days of the key for.
const MaxForDays = 30

// forDays reads the key for, such as 3 days.
func (r *reader) forDays(n ast.Node) int {
	text, ok := r.Text(n, "for")
	if !ok {
		return 0
	}
	if words := strings.Fields(text); len(words) == 2 && (words[1] == "days" || words[1] == "day") {
		if days, err := strconv.Atoi(words[0]); err == nil && days >= 1 && days <= MaxForDays {
			return days
		}
	}
	days, err := strconv.Atoi(regexp.MustCompile(`^[-0-9]*`).FindString(text))
	if err != nil || !slices.Contains([]string{"", "d", "day", "days"}, strings.ToLower(strings.TrimLeft(text, "-0123456789 "))) {
		days = 3
	}
	r.Errorf(document.PlaceOf(n), "write "+readable.Count(min(max(days, 1), MaxForDays), "day"), "for must be a number of days from 1 to %d, and this is %q", MaxForDays, text)
	return 0
}

// addDays adds the rules by which pause_when is evaluated on each day of for. at
// is the place of that key.
func (r *reader) addDays(rule *Rule, days int, at document.Place) {
	if days == 0 || rule.Pause == nil || !r.isDaily(rule, at) {
		return
	}
	if rule.Window.Length() == 1 && rule.Window.Kind != figures.Today && days == 1 {
		r.Warnf(at, "write 2 days or more, or remove for", "for: 1 day has no effect: the window %s is that day", rule.Window)
	}
	for ago := 1; ago <= days; ago++ {
		rule.days = append(rule.days, r.set.ruleOn(rule, figures.Window{Kind: figures.DaysAgo, Days: ago}))
	}
}

// isDaily reports whether pause_when can be evaluated on a single day. It adds an error
// otherwise.
func (r *reader) isDaily(rule *Rule, at document.Place) bool {
	if rule.Window.Kind == figures.Lifetime {
		r.Errorf(at, "write window: yesterday or last 7 days, or remove for", "for evaluates %s on single days, and lifetime is all days", rule.downKey())
		return false
	}
	name := rule.Pause.NotDaily()
	if name != "" {
		r.Errorf(at, "remove for, or compare with a number or with campaign.ctr", "for evaluates %s on single days, and %s is not a metric of one day", rule.downKey(), name)
	}
	return name == ""
}

// ruleOn returns the rule that has the pause_when and the min_data of a rule on a single
// day.
func (s *Set) ruleOn(rule *Rule, day figures.Window) *Rule {
	pause := rule.Pause.Over(day, &s.columns)
	on := &Rule{Name: rule.Name, Scope: rule.Scope, Window: day, MinData: rule.MinData, Pause: pause, before: -1}
	on.at = s.columns.Add(rule.Scope.Level, day, false, rule.dataFields()...)
	return on
}

// requireDays replaces the vote wantsPause by tooShort where pause_when did not hold
// on each day of for.
func (v *voter) requireDays(ctx context.Context, f *Figures) error {
	if !slices.Contains(v.votes, wantsPause) {
		return nil
	}
	for _, rule := range v.rule.days {
		day := voter{rule: rule, file: v.file, level: v.level, only: v.only}
		if err := day.evaluate(ctx, f); err != nil {
			return err
		}
		v.days = append(v.days, day)
		for at, vote := range day.votes {
			if v.votes[at] == wantsPause && vote != wantsPause {
				v.votes[at] = tooShort
			}
		}
	}
	return nil
}

// NeedsDays reports whether the decision of a rule that is due depends on days of for or
// min_age, which an event does not have.
func (r *Run) NeedsDays() bool {
	for k := range r.voters {
		v := &r.voters[k]
		for i := range r.inScopeOf(v) {
			vote := v.vote(r.places[i])
			if v.due && (vote == tooShort || v.rule.MinAge > 0 && vote != quiet) {
				return true
			}
		}
	}
	return false
}

// Undecided reports whether a rule that is due is UNKNOWN on a creative that no rule before
// it pauses: with more figures, that rule may decide.
func (r *Run) Undecided() bool {
	for k := range r.voters {
		v := &r.voters[k]
		for i := range r.inScopeOf(v) {
			c := r.choices[i]
			if v.due && v.vote(r.places[i]).isUnknown() && (c.action != usher.Pause && c.action != usher.Decrease || c.voter > k) {
				return true
			}
		}
	}
	return false
}

// daysReason says on which days of for pause_when held. It returns nothing for a rule
// without for.
func (e evidence) daysReason() string {
	if len(e.days) == 0 {
		return ""
	}
	last := len(e.days) - 1
	held, broken := 0, -1
	for n := last; n >= 0; n-- {
		if e.days[n].vote == wantsPause {
			held++
		} else {
			broken = n
		}
	}
	switch {
	case broken >= 0:
		day := e.days[broken]
		return fmt.Sprintf(", but held on %d of %s: not on %s (%s)", held, readable.Count(len(e.days), "day"), day.windowDays(), day.dayReason())
	case last == 0:
		return ", and held on " + e.days[0].windowDays()
	}
	return fmt.Sprintf(", and held on each day from %s to %s", e.days[last].windowDays(), e.days[0].windowDays())
}

// dayReason says why pause_when did not hold on a day.
func (e evidence) dayReason() string {
	switch e.vote {
	case quiet:
		return e.explainer.Compared(e.rule.Pause.Root)
	case noRows:
		return "unknown: the report has no row"
	}
	return e.voteReason()
}

// unknownAge is the age of a campaign or creative that has neither a row nor a latestUpdate
// that can be read.
const unknownAge time.Duration = -1

// minAge reads the key min_age.
func (r *reader) minAge(rule *Rule, n ast.Node) {
	rule.MinAge = r.Duration(n, "min_age")
	if rule.MinAge > figures.FirstRowDays*24*time.Hour {
		r.Errorf(document.PlaceOf(n), fmt.Sprintf("write %dd or less", figures.FirstRowDays), "min_age is %s, and first rows are looked for in the last %d days", ageText(rule.MinAge), figures.FirstRowDays)
	}
}

// requireAge replaces votes that want a change by tooYoung where the campaign or
// creative is younger than min_age.
func (r *Run) requireAge(v *voter) {
	if v.rule.MinAge == 0 {
		return
	}
	v.ages = map[int32]time.Duration{}
	for i := range r.inCampaignsOf(v) { // a campaign without rows is as old as its oldest creative
		if at := r.places[i][v.level]; at >= 0 {
			age := r.age(v, i)
			if known, found := v.ages[at]; !found || age > known {
				v.ages[at] = age
			}
		}
	}
	for at, age := range v.ages {
		if wants := v.votes[at]; (wants == wantsPause || wants == wantsResume) && age+time.Nanosecond < v.rule.MinAge {
			v.votes[at] = tooYoung
		}
	}
}

// age returns how old the i-th creative or its campaign is: since the day of its first
// report row in 90 days, otherwise since the creative's latestUpdate, which is read as
// UTC.
func (r *Run) age(v *voter, i int) time.Duration {
	f := r.snapshot.Figures
	windows := f.Windows(v.file, v.rule.Scope.Level)
	if oldest := windows[v.rule.ages].Oldest(int(r.places[i][v.level])); oldest > 0 {
		return f.At().Sub(oldest.Begin(f.sets[v.file].Zone))
	}
	for _, layout := range []string{"2006-01-02T15:04:05", time.DateOnly} {
		if updated, err := time.Parse(layout, r.creatives[i].LatestUpdate); err == nil {
			return max(f.At().Sub(updated), 0)
		}
	}
	return unknownAge
}

// ageReason says why something is too young.
func (e evidence) ageReason() string {
	age := e.age + time.Nanosecond // at Set.EndOf a day
	old := fmt.Sprintf("%d hours old", int(age.Hours()))
	switch {
	case e.age == unknownAge:
		old = "its age is not known"
	case age >= 24*time.Hour:
		old = readable.Count(int(age.Hours()/24), "day") + " old"
	}
	return old + ", and min_age is " + ageText(e.rule.MinAge)
}
