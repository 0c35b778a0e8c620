package evaluation

import (
	"fmt"
	"strings"
	"time"

	"usher"
	"usher/internal/rules"
)

// rulings returns the evaluation of its runs, the decisions to store, and the findings that
// began or ended, by campaign.
func (e *evaluation) rulings(runs []*rules.Run) (usher.Evaluation, []usher.Ruling, map[string][]usher.FindingChange) {
	result := e.newResult()
	var rulings []usher.Ruling
	changes := map[string][]usher.FindingChange{}
	compareFindings := func(d *usher.Decision) {
		found := e.set.Tell(d, e.due, e.findings[d.Campaign][d.MemoryKey()], result.ID, result.At)
		if len(found) > 0 {
			changes[d.Campaign] = append(changes[d.Campaign], found...)
		}
		delete(e.findings[d.Campaign], d.MemoryKey())
	}
	add := func(d usher.Decision) {
		compareFindings(&d)
		result.Counts[d.Action]++
		if d.Notice != "" {
			result.Notices++
		}
		if d.Action == usher.None && d.Guard == "" {
			return
		}
		rulings = append(rulings, e.ruling(d))
		if d.Action == usher.Held && d.Guard.Approvable() {
			result.State, result.Why = usher.EvaluationHeld, d.Reason
		}
	}
	for _, run := range runs {
		for d := range run.Decisions(nil) {
			add(e.unlessStale(d))
		}
	}
	for _, d := range e.unread {
		add(d)
	}
	for campaign, creatives := range e.findings { // the findings on creatives without a decision
		for creative := range creatives {
			compareFindings(&usher.Decision{Campaign: campaign, Creative: creative})
		}
	}
	if why := overCaps(runs); why != "" {
		result.State, result.Why = usher.EvaluationHeld, why
	}
	if result.Why == "" {
		result.Why = strings.Join(e.tooOld, "; ")
	}
	return result, rulings, changes
}

// overCaps says which rules are over their caps in one of the runs, or nothing.
func overCaps(runs []*rules.Run) string {
	var list []string
	for _, run := range runs {
		if why := run.OverCaps(); why != "" {
			list = append(list, why)
		}
	}
	return strings.Join(list, "; ")
}

// ruling returns a decision with the state of the creative or number that the rules saw.
func (e *evaluation) ruling(d usher.Decision) usher.Ruling {
	if d.Bidding == nil {
		c := e.creatives[d.Creative]
		return usher.Ruling{Decision: d, Seen: usher.CreativeState{Status: c.Status, LatestUpdate: c.LatestUpdate}}
	}
	r := usher.Ruling{Decision: d, Seen: usher.CreativeState{Status: e.numbers[numberKey{d.Bidding.Field, d.Campaign}].State()}}
	if changes := e.memory[d.Campaign][d.MemoryKey()]; len(changes) > 0 {
		r.LastJob = changes[len(changes)-1].Job
	}
	return r
}

// newResult returns the evaluation before anything is decided.
func (e *evaluation) newResult() usher.Evaluation {
	return usher.Evaluation{
		ID: e.job.Work.ID, File: e.set.Name, Rule: e.job.Work.Job.Rule, Account: e.set.Account, Version: e.set.Version, AsOf: e.at.UTC(), At: e.job.Now().UTC(),
		State: usher.EvaluationDone, Counts: map[usher.Action]int{}, Event: e.isEvent(),
	}
}

// unlessStale makes a decision UNKNOWN if the metrics of the event are older
// than usher's last change of the creative.
func (e *evaluation) unlessStale(d usher.Decision) usher.Decision {
	if !e.isEvent() || !d.Action.Changes() && d.Action != usher.Notify {
		return d
	}
	changes := e.memory[d.Campaign][d.MemoryKey()]
	if len(changes) == 0 {
		return d
	}
	measured := e.job.Work.Job.Metrics.At
	if last := changes[len(changes)-1]; last.At.After(measured) {
		d.Action, d.Wants, d.Notice = usher.Unknown, "", ""
		d.Reason = fmt.Sprintf("the metrics are of %s, before the change at %s: too old to act on",
			measured.UTC().Format(time.RFC3339), last.At.UTC().Format(time.RFC3339))
	}
	return d
}
