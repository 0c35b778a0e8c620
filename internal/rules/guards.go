package rules

import (
	"math"

	"usher"
	"usher/internal/rules/number"
)

// limitFrequency holds a change of the i-th creative that comes too soon after the
// last one, or that exceeds the changes a day.
func (r *Run) limitFrequency(c choice, i int) choice {
	rule, at := r.voters[c.voter].rule, r.snapshot.Figures.At()
	if rule.Cooldown == 0 && rule.Limits.FlipsPerDay == 0 {
		return c
	}
	did, changed := r.memory(i).Rules[r.set.Key(rule.Name)]
	switch {
	case !changed:
	case rule.Cooldown > 0 && at.Before(did.Changed.Add(rule.Cooldown)):
		return c.hold(usher.GuardCooldown)
	case rule.Limits.FlipsPerDay > 0 && did.Day == r.set.Day(at) && did.Flips >= rule.Limits.FlipsPerDay:
		return c.hold(usher.GuardFlips)
	}
	return c
}

// keepActive holds the pauses of a voter that would leave a campaign with fewer
// ACTIVE creatives than its keep_active, and returns the changes without them. The
// first codes are paused first. changes from first on are those of the campaign.
//
// What rules before it took counts as paused, and so does what rules after it without
// keep_active want, whether they may act now or not. Resumes of the same run do not
// count, because they may fail.
func (r *Run) keepActive(k int, campaign campaignRange, changes []int, first int) []int {
	isPaused := func(i int) bool {
		return r.creatives[i].Status != Active || r.choices[i].action == usher.Pause || int(r.freePauses[i]) > k
	}
	serving := 0
	for i := campaign.low; i < campaign.high; i++ {
		if !isPaused(i) {
			serving++
		}
	}
	keep, kept := r.voters[k].rule.Scope.KeepActive, changes[:first]
	for _, i := range changes[first:] {
		left := serving
		if !isPaused(i) {
			left--
		}
		c := r.choiceOf(k, i)
		if c.action == usher.Pause && left < keep {
			r.offer(i, c.hold(usher.GuardKeepActive))
			continue
		}
		if c.action == usher.Pause {
			serving = left
		}
		kept = append(kept, i)
	}
	return kept
}

// changes count what a rule would change in the run.
type changes struct {
	creatives, campaigns int
	last                 string  // campaign
	amount               float64 // by which numbers change
}

// act takes the creatives that a voter would change. If these are over its caps, it
// takes none, because a rule that wants to change too much is probably wrong about all
// of it. A rule that asks for approval takes none either.
func (r *Run) act(k int, list []int) {
	v := &r.voters[k]
	for _, i := range list {
		v.changes.creatives++
		if campaign := r.creatives[i].Campaign; v.changes.last != campaign {
			v.changes.campaigns++
			v.changes.last = campaign
		}
		if r.field != "" {
			change, _ := r.changeOf(v, i, v.vote(r.places[i]))
			v.changes.amount += math.Abs(change.To - change.From)
		}
	}
	v.over = len(list) > 0 && r.exceedsLimits(v)
	for _, i := range list {
		c := r.choiceOf(k, i)
		switch {
		case v.over:
			c = c.hold(usher.GuardCap)
		case v.rule.Mode == Approve:
			c = c.hold(usher.GuardApproval)
		}
		r.offer(i, c)
	}
}

func (r *Run) exceedsLimits(v *voter) bool {
	limits := v.rule.Limits
	return limits.Creatives > 0 && v.changes.creatives > limits.Creatives ||
		limits.Campaigns > 0 && v.changes.campaigns > limits.Campaigns ||
		limits.Amount > 0 && number.Round(v.changes.amount) > limits.Amount ||
		limits.Share > 0 && float64(v.changes.creatives) > limits.Share*float64(r.scopeSize(v))
}

// scopeSize returns the number of creatives in a voter's scope.
func (r *Run) scopeSize(v *voter) int {
	if size, given := r.snapshot.Sizes[v.rule.Name]; given {
		return size
	}
	return v.scoped
}

// stop holds all changes, and all decisions that wait for the approval of a rule.
func (r *Run) stop() {
	for i, c := range r.choices {
		switch {
		case c.changes():
			r.choices[i] = c.hold(usher.GuardStop)
		case c.guard == usher.GuardApproval:
			r.choices[i].guard = usher.GuardStop
		}
	}
}
