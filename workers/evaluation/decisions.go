package evaluation

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rules"
)

// decisions returns the evaluation of its runs, the decisions to store, and the findings that
// began or ended, by campaign.
func (e *evaluation) decisions(runs []*rules.Run) (usher.Evaluation, []usher.StoredDecision, map[string][]usher.FindingChange) {
	c := collector{evaluation: e, result: e.newResult(), changes: map[string][]usher.FindingChange{}}
	for _, run := range runs {
		for d := range run.Decisions(nil) {
			c.add(e.unlessStale(d))
		}
	}
	for _, d := range e.unread {
		c.add(d)
	}
	for campaign, creatives := range e.findings { // the findings on creatives without a decision
		for creative := range creatives {
			c.compareFindings(&usher.Decision{Campaign: campaign, Creative: creative})
		}
	}
	if why := overCaps(runs); why != "" {
		c.result.State, c.result.Why = usher.EvaluationHeld, why
	}
	if n := c.result.Guards[usher.GuardStop]; n > 0 {
		c.result.Warnings = append(c.result.Warnings, usher.Warning{Code: usher.WarnStopped, Count: int64(n), Description: fmt.Sprintf("the stop switch was on (%s), so nothing was changed: the next run after it is off decides anew", e.stopped)})
	}
	if c.result.Why == "" {
		c.result.Why = strings.Join(e.tooOld, "; ")
	}
	return c.result, c.decisions, c.changes
}

// collector collects what an evaluation stores of its decisions.
type collector struct {
	evaluation *evaluation
	result     usher.Evaluation
	decisions  []usher.StoredDecision
	changes    map[string][]usher.FindingChange // by campaign
	asking     []string                         // the rules whose decisions wait for approval
}

// add adds a decision. A decision that changes nothing and that no guard made is only
// counted.
func (c *collector) add(d usher.Decision) {
	c.compareFindings(&d)
	c.result.Counts[d.Action]++
	if d.Guard != "" && (d.Action == usher.Held || d.Action == usher.None) {
		c.result.Guards[d.Guard]++
	}
	if d.Notice != "" {
		c.result.Notices++
	}
	if d.Action == usher.None && d.Guard == "" {
		return
	}
	c.decisions = append(c.decisions, c.evaluation.decision(d))
	if d.Approvable() {
		c.hold(&d)
	}
}

// hold holds the evaluation for a decision. Why is its reason, unless another one has a different reason.
func (c *collector) hold(d *usher.Decision) {
	isFirst := c.result.State != usher.EvaluationHeld
	c.result.State = usher.EvaluationHeld
	if !slices.Contains(c.asking, d.Rule) {
		c.asking = append(c.asking, d.Rule)
	}
	switch {
	case isFirst || c.result.Why == d.Reason:
		c.result.Why = d.Reason
	case len(c.asking) > 1:
		c.result.Why = "rules " + strings.Join(c.asking, ", ") + " ask for approval of each change"
	default:
		c.result.Why = "rule " + d.Rule + " asks for approval of each change"
	}
}

// compareFindings adds the findings that began or ended with a decision, and removes the
// notice of a decision that was reported before.
func (c *collector) compareFindings(d *usher.Decision) {
	e := c.evaluation
	found := e.set.CompareFindings(d, e.due, e.findings[d.Campaign][d.MemoryKey()], c.result.ID, c.result.At)
	if len(found) > 0 {
		c.changes[d.Campaign] = append(c.changes[d.Campaign], found...)
	}
	delete(e.findings[d.Campaign], d.MemoryKey())
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

// decision returns a decision with the state of the creative or number that the rules saw.
func (e *evaluation) decision(d usher.Decision) usher.StoredDecision {
	if d.Bidding == nil {
		c := e.creatives[d.Creative]
		r := usher.StoredDecision{Decision: d, Seen: usher.CreativeState{Status: c.Status, LatestUpdate: c.LatestUpdate}}
		if rule := e.set.Find(d.Rule); rule != nil && (d.Action == usher.Pause || d.Wants == usher.Pause) {
			r.KeepActive = rule.Scope.KeepActive
		}
		return r
	}
	r := usher.StoredDecision{Decision: d, Seen: usher.CreativeState{Status: e.numbers[numberKey{d.Bidding.Field, d.Campaign}].State()}}
	if changes := e.memory[d.Campaign][d.MemoryKey()]; len(changes) > 0 {
		r.LastJob = changes[len(changes)-1].Job
	} else {
		r.Against = e.against(d.Campaign, d.Bidding)
	}
	return r
}

// against returns how somebody has changed a budget since the day of the newest row of the report, if a
// change by a rule, which is the first one, goes back towards what it was. Reports have no bids.
func (e *evaluation) against(campaign string, change *usher.BiddingChange) string {
	row, found := e.budgets[campaign]
	isBack := row.value > change.From && change.To > change.From || row.value < change.From && change.To < change.From
	if !found || !isBack || change.Field != usher.BudgetField || row.currency != change.Currency {
		return ""
	}
	return usher.BiddingState(row.value, row.currency) + " → " + change.Before()
}

// newResult returns the evaluation before anything is decided.
func (e *evaluation) newResult() usher.Evaluation {
	return usher.Evaluation{
		ID: e.job.Work.ID, File: e.set.Name, Rule: e.job.Work.Job.Rule, Account: e.set.Account, Version: e.set.Version, AsOf: e.at.UTC(), At: e.job.Now().UTC(),
		State: usher.EvaluationDone, Counts: map[usher.Action]int{}, Guards: map[usher.Guard]int{}, Event: e.isEvent(),
	}
}

// unlessStale makes a decision UNKNOWN if the metrics of the event are older
// than usher's last change of the creative.
func (e *evaluation) unlessStale(d usher.Decision) usher.Decision {
	if !e.isEvent() || !acts(d.Action) {
		return d
	}
	last := e.changed[d.Creative]
	if changes := e.memory[d.Campaign][d.MemoryKey()]; len(changes) > 0 && changes[len(changes)-1].At.After(last) {
		last = changes[len(changes)-1].At
	}
	if measured := e.metrics.At; last.After(measured) {
		d.Action, d.Wants, d.Cause, d.Notice = usher.Unknown, "", "", ""
		d.Reason = fmt.Sprintf("the metrics are of %s, before the change at %s: too old to act on",
			measured.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339))
	}
	return d
}

// acts reports whether an action changes something or tells people.
func acts(a usher.Action) bool { return a.Changes() || a == usher.Notify }

// readChanged reads when jobs have last changed the creatives that an event would change. Rules remember
// only what rules have changed, and not that a person has resumed a creative since it was measured.
func (e *evaluation) readChanged(ctx context.Context, runs []*rules.Run) error {
	if !e.isEvent() {
		return nil
	}
	var creatives []string
	for _, run := range runs {
		for d := range run.Decisions(acts) {
			if d.Creative != "" {
				creatives = append(creatives, d.Creative)
			}
		}
	}
	if len(creatives) == 0 {
		return nil
	}
	entries, err := e.job.Lease.Entries(ctx, creatives)
	if err != nil {
		return fmt.Errorf("read when creatives were changed: %w", err)
	}
	e.changed = map[string]time.Time{}
	for code := range entries {
		e.changed[code] = entries[code].ChangedAt
	}
	return nil
}
