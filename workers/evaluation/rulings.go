package evaluation

import (
	"fmt"
	"strings"
	"time"

	"usher"
	"usher/internal/rules"
)

// rulings returns the evaluation of a run, the decisions to store, and the findings that
// began or ended, by campaign.
func (e *evaluation) rulings(run *rules.Run) (usher.Evaluation, []usher.Ruling, map[string][]usher.FindingChange) {
	result := e.newResult()
	var rulings []usher.Ruling
	changes := map[string][]usher.FindingChange{}
	compareFindings := func(d *usher.Decision) {
		found := e.set.Tell(d, e.due, e.findings[d.Campaign][d.Creative], result.ID, result.At)
		if len(found) > 0 {
			changes[d.Campaign] = append(changes[d.Campaign], found...)
		}
		delete(e.findings[d.Campaign], d.Creative)
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
		c := e.creatives[d.Creative]
		rulings = append(rulings, usher.Ruling{Decision: d, Seen: usher.CreativeState{Status: c.Status, LatestUpdate: c.LatestUpdate}})
		if d.Action == usher.Held && d.Guard.Approvable() {
			result.State, result.Why = usher.EvaluationHeld, d.Reason
		}
	}
	for d := range run.Decisions(nil) {
		add(e.unlessStale(d))
	}
	for _, d := range e.unread {
		add(d)
	}
	for campaign, creatives := range e.findings { // the findings on creatives without a decision
		for creative := range creatives {
			compareFindings(&usher.Decision{Campaign: campaign, Creative: creative})
		}
	}
	if why := run.OverCaps(); why != "" {
		result.State, result.Why = usher.EvaluationHeld, why
	}
	if result.Why == "" {
		result.Why = strings.Join(e.tooOld, "; ")
	}
	return result, rulings, changes
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
	if !e.isEvent() || d.Action != usher.Pause && d.Action != usher.Resume && d.Action != usher.Notify {
		return d
	}
	changes := e.memory[d.Campaign][d.Creative]
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
