package rules

import (
	"time"

	"usher/internal/rules/calendar"
	"usher/internal/rules/condition"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// evidence is the verdict of a rule of the run's set on a creative, with the figures
// behind it.
type evidence struct {
	rule      *Rule
	day       calendar.Day  // the running day
	window    *figures.Sums // of the rule
	at        int           // in the window; -1: no figures
	verdict   verdict
	time      time.Time // of the run
	outside   bool      // the rule's hours
	explainer expression.Explainer
	age       time.Duration // if the rule has a min_age
	held      []evidence    // by the days of for, if pause_when holds
}

// evidenceOf returns the evidence of a voter on the i-th creative.
func (r *Run) evidenceOf(v *voter, i int) evidence {
	f, at := r.snapshot.Figures, r.places[i][v.level]
	e := evidence{
		rule: v.rule, day: f.Day(v.file), window: &f.Windows(v.file, v.rule.Scope.Level)[v.rule.at], at: int(at), verdict: v.vote(r.places[i]),
		time: f.At(), outside: v.outside, explainer: v.evaluation.Explain(int(at)), age: v.ages[at],
	}
	if !e.outside && (e.verdict == wantsPause || e.verdict == tooShort) {
		for k := range v.held {
			e.held = append(e.held, r.evidenceOf(&v.held[k], i))
		}
	}
	return e
}

// condition returns the condition that holds, or nil. Hours are no condition.
func (e evidence) condition() *condition.Condition {
	switch {
	case e.verdict == wantsPause && !e.outside:
		return e.rule.Pause
	case e.verdict == wantsResume:
		return e.rule.Resume
	}
	return nil
}

// report returns the newest date with a report row, or nothing.
func (e evidence) report() string {
	if e.at < 0 || e.window.Newest(e.at) == 0 {
		return ""
	}
	return e.window.Newest(e.at).String()
}
