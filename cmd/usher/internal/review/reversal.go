package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/queues/decisions"
	"usher/queues/outcomes"
	"usher/workers/evaluation"
)

// Reversal is what a rule would do in its next run about creatives that a person resumes.
type Reversal struct {
	Rule      string     `json:"rule"` // <rule file>/<rule>
	Creatives []string   `json:"creatives"`
	Asks      bool       `json:"asks"`   // it would ask for an approval of the pause
	Reason    string     `json:"reason"` // with the numbers
	Next      *time.Time `json:"next"`   // the rule's next run; null: it has no schedule
}

// Reversals returns which creatives of a campaign rules would pause in their next runs if they were
// ACTIVE, by the reports as they are now, one for each rule and reason. creatives are those that a
// person resumes; nil: all.
func (r *Reviewer) Reversals(ctx context.Context, campaign string, creatives []string) ([]Reversal, error) {
	kept, err := r.Queue.Settings().Kept(ctx)
	if err != nil {
		return nil, err
	}
	paused, err := r.Queue.Settings().List(ctx, usher.RulePause)
	if err != nil {
		return nil, err
	}
	memory, err := decisions.New(r.Queue, nil).Memory(ctx, []string{campaign})
	if err != nil {
		return nil, err
	}
	all := []Reversal{}
	for _, set := range r.pausing(campaign, paused) {
		q := evaluation.Question{
			Set: set, Others: r.others(set, paused), At: r.Queue.Now(), Campaigns: []string{campaign}, Memory: memory, Kept: kept,
			Outcomes: outcomes.New(r.Queue).Now, Resumed: func(code string) bool { return len(creatives) == 0 || slices.Contains(creatives, code) },
		}
		if q.Platform, err = r.Platform(set.Account); err != nil {
			return nil, err
		}
		now, err := q.Decide(ctx)
		if err != nil {
			return nil, err
		}
		for i := range now {
			if d := &now[i]; d.Bidding == nil && q.Resumed(d.Creative) && reverses(d) {
				all = addReversal(all, set, d, q.At)
			}
		}
	}
	return all, nil
}

// Pausing returns the rules that may pause creatives of a campaign, by their keys, so that it can be
// said whose decision is not known.
func (r *Reviewer) Pausing(campaign string) []string {
	var keys []string
	for _, set := range r.pausing(campaign, nil) {
		for _, rule := range set.Rules {
			if set.Covers(campaign, []string{rule.Name}) {
				keys = append(keys, set.Key(rule.Name))
			}
		}
	}
	return keys
}

// pausing returns the files with the enabled rules that may pause creatives of a campaign, without
// those that people have paused.
func (r *Reviewer) pausing(campaign string, paused map[string]usher.Setting) []*rules.Set {
	var sets []*rules.Set
	for _, set := range r.Rules {
		set = set.Without(func(key string) bool {
			_, isPaused := paused[key]
			rule := set.Find(strings.TrimPrefix(key, set.Name+"/"))
			return isPaused || rule.Bidding != nil || rule.Mode == rules.Observe || rule.Mode == rules.Notify
		})
		if set.Covers(campaign, nil) {
			sets = append(sets, set)
		}
	}
	return sets
}

// reverses reports whether a decision is to pause a creative: now, once a person has approved it, or
// when a guard ends that depends on the time.
func reverses(d *usher.Decision) bool {
	if d.Action == usher.Pause {
		return true
	}
	guards := []usher.Guard{usher.GuardApproval, usher.GuardCap, usher.GuardCooldown, usher.GuardFlips}
	return d.Action == usher.Held && d.Wants == usher.Pause && slices.Contains(guards, d.Guard)
}

// addReversal adds the decision about a creative to those of the same rule and reason.
func addReversal(all []Reversal, set *rules.Set, d *usher.Decision, now time.Time) []Reversal {
	reason := (&usher.Decision{Action: usher.Held, Guard: usher.GuardApproval, Reason: d.Reason}).Condition()
	for i := range all {
		if all[i].Rule == set.Key(d.Rule) && all[i].Reason == reason {
			all[i].Creatives = append(all[i].Creatives, d.Creative)
			return all
		}
	}
	r := Reversal{Rule: set.Key(d.Rule), Creatives: []string{d.Creative}, Asks: d.Approvable(), Reason: reason}
	if rule := set.Find(d.Rule); rule != nil && rule.Schedule != nil {
		if next := rule.Schedule.Next(now).UTC(); !next.IsZero() {
			r.Next = &next
		}
	}
	return append(all, r)
}

// maxNamed is the number of creatives that a sentence names.
const maxNamed = 3

// Text says what the rule would do: "rule budgets/stop would pause spring-1 again in its next run,
// 2026-03-02 07:00:00: cpc > 1 (1.2 > 1)".
func (r *Reversal) Text(when func(time.Time) string) string {
	names := strings.Join(r.Creatives[:min(len(r.Creatives), maxNamed)], ", ")
	if more := len(r.Creatives) - maxNamed; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	next := "when it runs next"
	if r.Next != nil {
		next = "in its next run, " + when(*r.Next)
	}
	if r.Asks {
		return fmt.Sprintf("rule %s would ask to pause %s again %s: %s", r.Rule, names, next, r.Reason)
	}
	return fmt.Sprintf("rule %s would pause %s again %s: %s", r.Rule, names, next, r.Reason)
}
