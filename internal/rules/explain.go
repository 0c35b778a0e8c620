package rules

import (
	"iter"
	"strings"
	"time"

	"usher"
	"usher/internal/rules/calendar"
	"usher/internal/rules/condition"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// Decisions yields the run's decisions by campaign and creative. If which is not
// nil, it yields only those for whose action which returns true. Explanations are
// made here, because most decisions are none and are never shown.
func (r *Run) Decisions(which func(usher.Action) bool) iter.Seq[usher.Decision] {
	return func(yield func(usher.Decision) bool) {
		for n, campaign := range r.campaigns {
			for i := campaign.low; i < campaign.high; i++ {
				c := r.choices[i]
				if c.voter < 0 || which != nil && !which(c.action) {
					continue
				}
				if !yield(r.decision(i, n)) {
					return
				}
			}
		}
	}
}

// Counts returns the number of decisions by action.
func (r *Run) Counts() map[usher.Action]int {
	counts := map[usher.Action]int{}
	for _, c := range r.choices {
		if c.voter >= 0 {
			counts[c.action]++
		}
	}
	return counts
}

// OverCaps says which rules are over their caps, so that a person must approve what
// they want. It returns nothing if none is.
func (r *Run) OverCaps() string {
	var list []string
	for k := range r.voters {
		if v := &r.voters[k]; v.over {
			list = append(list, "rule "+v.rule.Name+" "+r.capText(v))
		}
	}
	return strings.Join(list, "; ")
}

// decision explains the i-th choice, in the n-th campaign.
func (r *Run) decision(i, n int) usher.Decision {
	c, creative := r.choices[i], r.creatives[i]
	e := r.evidenceOf(&r.voters[c.voter], i)
	d := usher.Decision{
		Date: r.set.Day(r.snapshot.Figures.At()), Campaign: creative.Campaign, Creative: creative.Code, Rule: e.rule.Name,
		Action: c.action, Wants: c.wants, Guard: c.guard, Metrics: e.explainer.Metrics(), Report: e.report(),
		Reason: r.reason(c, i, e),
	}
	if d.Action == usher.Pause || d.Wants == usher.Pause {
		d.Cause = e.cause()
	}
	if r.voters[c.voter].isTogether() {
		d.Level = string(figures.AccountLevel)
	}
	if r.field != "" {
		change, _ := r.changeOf(&r.voters[c.voter], i, e.vote)
		d.Bidding = &change
	}
	if holds := e.condition(); holds != nil {
		d.Values = e.explainer.Values(holds.Root)
	}
	if isReported(c.action) {
		d.Notice = e.rule.Notify
	}
	if votes := r.votes(i, n); len(votes) > 1 {
		d.Votes = votes
	}
	return d
}

// votes returns the votes of all rules that want a change of the i-th creative, in the
// n-th campaign, and of those that are due and UNKNOWN.
func (r *Run) votes(i, n int) []usher.Vote {
	var list []usher.Vote
	for k := range r.voters {
		v := &r.voters[k]
		if !v.has(i, n) {
			continue
		}
		if action := v.action(r.vote(v, i)); action != usher.None && (v.due || action != usher.Unknown) {
			list = append(list, usher.Vote{Rule: r.key(v), Action: action, Guard: v.guard(action)})
		}
	}
	return list
}

// guard returns the guard that holds all changes of the voter, if there is one.
func (v *voter) guard(wanted usher.Action) usher.Guard {
	switch {
	case !wanted.Changes() || !v.due:
	case v.rule.Mode == Observe:
		return usher.GuardObserve
	case v.rule.Mode == Notify:
		return usher.GuardNotify
	case v.over:
		return usher.GuardCap
	case v.rule.Mode == Approve:
		return usher.GuardApproval
	}
	return ""
}

// evidence is the vote of a rule of the run's set on a creative, with the figures
// behind it.
type evidence struct {
	rule      *Rule
	day       calendar.Day  // the running day
	window    *figures.Sums // of the rule
	at        int           // in the window; -1: no figures, or those of the account
	newest    calendar.Day  // with a row of the window; 0: none
	vote      vote
	time      time.Time // of the run
	outside   bool      // the rule's hours
	explainer expression.Explainer
	age       time.Duration // if the rule has a min_age
	days      []evidence    // by the days of for, if pause_when holds
	until     string        // why until lets it be resumed; "": it does not
}

// evidenceOf returns the evidence of a voter on the i-th creative.
func (r *Run) evidenceOf(v *voter, i int) evidence {
	f, at := r.snapshot.Figures, r.places[i][v.level]
	explained := at
	if v.isTogether() {
		at, explained = -1, 0
	}
	e := evidence{
		rule: v.rule, day: f.Day(v.file), window: &f.Windows(v.file, v.rule.Scope.Level)[v.rule.at], at: int(at), vote: r.vote(v, i),
		time: f.At(), outside: v.outside, explainer: v.evaluation.Explain(int(explained)), age: v.ages[at],
	}
	if v.isTogether() {
		e.newest, _ = v.evaluation.Together()
	} else if at >= 0 {
		e.newest = e.window.Newest(int(at))
	}
	e.explainer = e.explainer.On(expression.FirstDayPauses)
	if e.vote == wantsResume || v.rule.Pause == nil {
		e.explainer = e.explainer.On(v.rule.resumeOnFirstDay())
	}
	if e.vote == wantsResume && r.hasPassed(v, i) {
		e.until = r.untilReason(v.rule, i)
	}
	if !e.outside && (e.vote == wantsPause || e.vote == tooShort) {
		for k := range v.days {
			e.days = append(e.days, r.evidenceOf(&v.days[k], i))
		}
	}
	return e
}

// condition returns the condition that holds, or nil. Hours are no condition.
func (e evidence) condition() *condition.Condition {
	switch {
	case e.vote == wantsPause && !e.outside:
		return e.rule.Pause
	case e.vote == wantsResume && e.until == "":
		return e.rule.Resume
	}
	return nil
}

// report returns the newest date with a report row, or nothing.
func (e evidence) report() string {
	if e.newest == 0 {
		return ""
	}
	return e.newest.String()
}
