package rules

import (
	"fmt"
	"time"

	"github.com/goccy/go-yaml/ast"

	"usher/internal/rules/document"
	"usher/internal/rules/figures"
	"usher/internal/rules/number"
)

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

// requireAge replaces verdicts that want a change by tooYoung where the campaign or
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
		if wants := v.verdicts[at]; (wants == wantsPause || wants == wantsResume) && age+time.Nanosecond < v.rule.MinAge {
			v.verdicts[at] = tooYoung
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
		old = number.Days(int(age.Hours()/24)) + " old"
	}
	return old + ", and min_age is " + ageText(e.rule.MinAge)
}
