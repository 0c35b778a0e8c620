package rules

import (
	"slices"

	"usher"
)

// limitFrequency holds a change that comes too soon after the last one, or that
// exceeds the changes a day.
func (r *Run) limitFrequency(c choice, memory usher.CreativeMemory) choice {
	rule, at := r.set.Rules[c.rule], r.snapshot.Figures.at
	did, changed := memory.Rules[r.set.Key(rule.Name)]
	switch {
	case !changed:
	case rule.Cooldown > 0 && at.Before(did.Changed.Add(rule.Cooldown)):
		return c.hold(usher.GuardCooldown)
	case rule.Limits.FlipsPerDay > 0 && did.Day == r.set.Day(at) && did.Flips >= rule.Limits.FlipsPerDay:
		return c.hold(usher.GuardFlips)
	}
	return c
}

// keepActive holds pauses that would leave a campaign with fewer ACTIVE creatives
// than their rule's keep_active. Resumes of the same run do not count, because they
// may fail.
func (r *Run) keepActive() {
	for low := 0; low < len(r.creatives); {
		high := low + 1
		for high < len(r.creatives) && r.creatives[high].Campaign == r.creatives[low].Campaign {
			high++
		}
		r.keepActiveIn(r.creatives[low:high], r.choices[low:high])
		low = high
	}
}

// keepActiveIn does so for one campaign. Pauses of rules without keep_active count
// first. The others are taken in the order of the creatives' codes.
func (r *Run) keepActiveIn(creatives []Creative, choices []choice) {
	keep := func(c choice) int { return r.set.Rules[c.rule].Scope.KeepActive }
	serving := 0
	for i, c := range choices {
		if creatives[i].Status == active {
			serving++
		}
		if c.action == usher.Pause && keep(c) == 0 {
			serving--
		}
	}
	for i, c := range choices {
		switch {
		case c.action != usher.Pause || keep(c) == 0:
		case serving <= keep(c):
			choices[i] = c.hold(usher.GuardKeepActive)
		default:
			serving--
		}
	}
}

// changes count what a rule would change in the run.
type changes struct {
	creatives, campaigns int
	last                 string // campaign
}

// applyCaps holds all changes of a rule that exceed its limits, because a rule that
// wants to change too much is probably wrong about all of it.
func (r *Run) applyCaps() {
	r.changes = make([]changes, len(r.set.Rules))
	for i, c := range r.choices {
		if !c.changes() {
			continue
		}
		n := &r.changes[c.rule]
		n.creatives++
		if campaign := r.creatives[i].Campaign; n.last != campaign {
			n.campaigns++
			n.last = campaign
		}
	}
	for i, c := range r.choices {
		if c.changes() && r.exceedsLimits(c.rule, r.changes[c.rule]) {
			r.choices[i] = c.hold(usher.GuardCap)
		}
	}
}

func (r *Run) exceedsLimits(rule int, n changes) bool {
	limits := r.set.Rules[rule].Limits
	return limits.Creatives > 0 && n.creatives > limits.Creatives ||
		limits.Campaigns > 0 && n.campaigns > limits.Campaigns ||
		limits.Share > 0 && float64(n.creatives) > limits.Share*float64(r.inScope(rule))
}

// inScope returns the number of creatives in a rule's scope.
func (r *Run) inScope(rule int) int {
	if size, given := r.snapshot.Sizes[r.set.Rules[rule].Name]; given {
		return size
	}
	at := slices.IndexFunc(r.voters, func(v voter) bool { return v.rule == rule })
	return r.voters[at].scoped
}

// holdForPeople holds all changes while the stop switch is on, and those of rules
// in mode approve.
func (r *Run) holdForPeople() {
	for i, c := range r.choices {
		switch {
		case !c.changes():
		case r.snapshot.Stopped != "":
			r.choices[i] = c.hold(usher.GuardStop)
		case r.set.Rules[c.rule].Mode == Approve:
			r.choices[i] = c.hold(usher.GuardApproval)
		}
	}
}
