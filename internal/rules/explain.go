package rules

import (
	"iter"

	"usher"
)

// Decisions yields the run's decisions by campaign and creative. If which is not
// nil, it yields only those for whose action which returns true. Explanations are
// made here, because most decisions are none and are never shown.
func (r *Run) Decisions(which func(usher.Action) bool) iter.Seq[usher.Decision] {
	return func(yield func(usher.Decision) bool) {
		var inScope []bool // by voter, of the current campaign
		campaign := ""
		for i, c := range r.choices {
			if c.rule < 0 || which != nil && !which(c.action) {
				continue
			}
			if inScope == nil || r.creatives[i].Campaign != campaign {
				campaign = r.creatives[i].Campaign
				inScope = r.votersOf(campaign)
			}
			if !yield(r.decision(i, inScope)) {
				return
			}
		}
	}
}

// Counts returns the number of decisions by action.
func (r *Run) Counts() map[usher.Action]int {
	counts := map[usher.Action]int{}
	for _, c := range r.choices {
		if c.rule >= 0 {
			counts[c.action]++
		}
	}
	return counts
}

// decision explains the i-th choice. inScope says which voters have its campaign in
// scope.
func (r *Run) decision(i int, inScope []bool) usher.Decision {
	c, creative := r.choices[i], r.creatives[i]
	e := r.evidenceOf(c.rule, creative)
	d := usher.Decision{
		Date: r.set.Day(r.snapshot.Figures.at), Campaign: creative.Campaign, Creative: creative.Code, Rule: e.rule.Name,
		Action: c.action, Wants: c.wants, Guard: c.guard, Metrics: e.metrics(), Report: e.report(),
		Reason: r.reason(c, creative, e),
	}
	if condition := e.condition(); condition != nil {
		d.Values = e.values(condition.root)
	}
	if votes := r.votes(creative, inScope); len(votes) > 1 {
		d.Votes = votes
	}
	return d
}

// votes returns the votes of all rules that want a change of a creative, or are
// UNKNOWN.
func (r *Run) votes(c Creative, inScope []bool) []usher.Vote {
	var list []usher.Vote
	places := r.snapshot.Figures.places(c)
	for k := range r.voters {
		if !inScope[k] {
			continue
		}
		if action := r.voters[k].vote(places).action(); action != usher.None {
			list = append(list, usher.Vote{Rule: r.set.Rules[r.voters[k].rule].Name, Action: action})
		}
	}
	return list
}
