package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/queues/decisions"
	"usher/queues/lanes"
	"usher/queues/outcomes"
	"usher/queues/presence"
	"usher/workers/evaluation"
)

// Approval is what has become of the decisions of a run that wait for approval.
type Approval struct {
	Decisions map[string]usher.Decision // as they are now, by usher.StoredDecision.Subject
	Stake     evaluation.Stake          // what was spent on what the run would change
}

// Approval decides again on decisions of a run that wait: as of the same time, by the report as it is
// now. If the rules are gone or have changed, the error wraps decisions.ErrOutdated. The metrics
// of an event were given to its run and may be in no report, so they stay as they are.
func (r *Reviewer) Approval(ctx context.Context, e *usher.Evaluation, held []usher.StoredDecision) (*Approval, error) {
	set, err := r.set(e)
	if err != nil {
		return nil, err
	}
	platform, err := r.Platform(e.Account)
	if err != nil {
		return nil, err
	}
	now, err := r.decide(ctx, platform, set, e, held)
	if err != nil {
		return nil, fmt.Errorf("decide again: %w", err)
	}
	if err := r.refuse(ctx, now); err != nil {
		return nil, err
	}
	review := &Approval{Decisions: map[string]usher.Decision{}}
	for i := range now {
		d := usher.StoredDecision{Decision: now[i]}
		review.Decisions[d.Subject()] = now[i]
	}
	review.Stake, err = evaluation.ReadStake(ctx, platform, set.Zone, r.Queue.Now(), held)
	return review, err
}

// set returns the rules of an evaluation.
func (r *Reviewer) set(e *usher.Evaluation) (*rules.Set, error) {
	i := slices.IndexFunc(r.Rules, func(s *rules.Set) bool { return s.Name == e.File })
	switch {
	case i < 0:
		return nil, fmt.Errorf("no worker uses the rule file %s any more: %w", e.File, decisions.ErrOutdated)
	case e.Version != "" && r.Rules[i].Version != e.Version:
		changed := e.File
		if table := r.Rules[i].Targets; table != nil {
			changed += " or its " + table.Name
		}
		return nil, fmt.Errorf("the rule file %s was changed after the decision: %w", changed, decisions.ErrOutdated)
	}
	return r.Rules[i], nil
}

// decide decides again on held decisions. Those of a rule that a person has paused are UNKNOWN.
func (r *Reviewer) decide(ctx context.Context, platform *rtb.Client, set *rules.Set, e *usher.Evaluation, held []usher.StoredDecision) ([]usher.Decision, error) {
	paused, err := r.Queue.Settings().List(ctx, usher.RulePause)
	if err != nil {
		return nil, err
	}
	isPaused := func(d *usher.Decision) bool { _, is := paused[set.Key(d.Rule)]; return is }
	var now []usher.Decision
	active := slices.DeleteFunc(slices.Clone(held), func(d usher.StoredDecision) bool { return isPaused(&d.Decision) })
	if len(active) > 0 {
		if now, err = r.decideActive(ctx, platform, set, paused, e, active); err != nil {
			return nil, err
		}
	}
	for i := range held {
		if d := held[i].Decision; isPaused(&d) {
			setting := paused[set.Key(d.Rule)]
			d.Action, d.Wants, d.Guard = usher.Unknown, "", ""
			d.Reason = fmt.Sprintf("rule %s has been %s; resume it before you approve, or reject the run", set.Key(d.Rule), setting.String())
			now = append(now, d)
		}
	}
	return now, nil
}

// decideActive decides again on held decisions of rules that are not paused, with all rules of the
// account that are not paused, as a run does.
func (r *Reviewer) decideActive(ctx context.Context, platform *rtb.Client, set *rules.Set, paused map[string]usher.Setting, e *usher.Evaluation, held []usher.StoredDecision) ([]usher.Decision, error) {
	kept, err := r.Queue.Settings().Kept(ctx)
	if err != nil {
		return nil, err
	}
	store := decisions.New(r.Queue, nil)
	var metrics *usher.Metrics
	if e.Event {
		if metrics, err = store.EventMetrics(ctx, e); err != nil {
			return nil, err
		}
		if metrics == nil {
			return decideWithoutMetrics(held, kept, set), nil
		}
	}
	var campaigns []string
	for i := range held {
		campaigns = append(campaigns, held[i].Campaign)
	}
	campaigns = slices.Compact(slices.Sorted(slices.Values(campaigns)))
	memory, err := store.Memory(ctx, campaigns)
	if err != nil {
		return nil, err
	}
	q := evaluation.Question{
		Platform: platform, Set: withoutPaused(set, paused), Others: r.others(set, paused), At: e.AsOf, Campaigns: campaigns, Metrics: metrics,
		Memory: memory, Kept: kept, Outcomes: outcomes.New(r.Queue).Now, Actions: usher.BiddingFields(),
	}
	switch {
	case e.Event: // not all rules decide on events; the others only vote
		for i := range held {
			q.Due = append(q.Due, held[i].Rule)
		}
		q.Due = slices.Compact(slices.Sorted(slices.Values(q.Due)))
	case e.Rule != "":
		q.Due = []string{e.Rule}
	}
	return q.Decide(ctx)
}

// refuse makes UNKNOWN the changes of numbers that a worker would not carry out, so that they stay held.
func (r *Reviewer) refuse(ctx context.Context, now []usher.Decision) error {
	if !slices.ContainsFunc(now, func(d usher.Decision) bool { return d.Bidding != nil }) {
		return nil
	}
	workers, err := r.campaignWorkers(ctx)
	if err != nil {
		return err
	}
	for i := range now {
		d := &now[i]
		if d.Bidding == nil || !d.Approvable() && d.Action != usher.Decrease && d.Action != usher.Increase {
			continue
		}
		if why := refusal(workers, d.Bidding.Field); why != "" {
			d.Action, d.Wants, d.Guard, d.Reason = usher.Unknown, "", "", why
		}
	}
	return nil
}

// campaignWorkers returns the workers that run jobs of campaigns, with what they let rules change.
func (r *Reviewer) campaignWorkers(ctx context.Context) ([]presence.Answer, error) {
	workers, err := r.Queue.Presence().Workers(ctx)
	if err != nil && !errors.Is(err, presence.ErrNoAnswer) {
		return nil, fmt.Errorf("ask the workers what they let rules change: %w", err)
	}
	return slices.DeleteFunc(workers, func(w presence.Answer) bool { return w.Slots[lanes.Campaign] == 0 }), nil
}

// refusal says why changes of a field could be dropped: any of the workers may get their jobs. "": all let
// rules change it.
func refusal(workers []presence.Answer, field usher.BiddingField) string {
	var without []string
	for i := range workers {
		if !slices.Contains(workers[i].Actions, field) {
			without = append(without, workers[i].Worker)
		}
	}
	switch {
	case len(workers) == 0:
		return fmt.Sprintf("no worker that runs jobs of campaigns says that it lets rules change a %s: start one with %s in actions (USHER_ACTIONS), and approve then", field, field.Key())
	case len(without) > 0:
		return fmt.Sprintf("rules may not change a %s on all workers: add %s to actions of worker %s (USHER_ACTIONS), start it again, and approve then", field, field.Key(), strings.Join(without, " and of "))
	}
	return ""
}

// decideWithoutMetrics returns the decisions of an event whose metrics are not on record any more, except those
// that a person keeps rules from. What another rule may prevent, a resume or an increase, is UNKNOWN.
func decideWithoutMetrics(held []usher.StoredDecision, kept map[string]usher.Setting, set *rules.Set) []usher.Decision {
	var now []usher.Decision
	for i := range held {
		d := held[i].Decision
		code := d.Creative
		if d.Bidding != nil {
			code = d.Campaign
		}
		s, found := kept[code]
		switch {
		case found:
			d.Action, d.Wants, d.Guard, d.Reason = usher.None, "", usher.GuardKept, s.KeptText(set.Zone)
		case d.Wants == usher.Resume || d.Wants == usher.Increase:
			d.Action, d.Wants, d.Guard = usher.Unknown, "", ""
			d.Reason = "the metrics of the event are not on record any more, so it is not known whether another rule prevents it now; reject the run, and let the rule decide anew"
		}
		now = append(now, d)
	}
	return now
}
