package rules

import (
	"slices"

	"usher"
)

// keepActive holds pauses that would leave a campaign with fewer ACTIVE
// creatives than their rule keeps. Pauses of rules that keep none count first;
// among the others, creatives go in the order of their codes. Resumes of the
// same run do not count: they may fail.
func (r *Run) keepActive() {
	for low := 0; low < len(r.creatives); {
		high, serving := low, 0
		for ; high < len(r.creatives) && r.creatives[high].Campaign == r.creatives[low].Campaign; high++ {
			if r.creatives[high].Status == active {
				serving++
			}
			if c := r.choices[high]; c.action == usher.Pause && r.set.Rules[c.rule].Scope.KeepActive == 0 {
				serving--
			}
		}
		for i := low; i < high; i++ {
			c := &r.choices[i]
			if c.action != usher.Pause || r.set.Rules[c.rule].Scope.KeepActive == 0 {
				continue
			}
			if serving <= r.set.Rules[c.rule].Scope.KeepActive {
				*c = choice{c.rule, usher.Held, usher.Pause, usher.GuardKeepActive}
				continue
			}
			serving--
		}
		low = high
	}
}

// change is what a rule would change in the run.
type change struct {
	creatives, campaigns int
	last                 string // campaign
}

// cap holds all that a rule wants where it is more than its limits allow: what
// wants to change too much is likely to be wrong about all of it.
func (r *Run) cap() {
	r.changes = make([]change, len(r.set.Rules))
	for i, c := range r.choices {
		if c.action != usher.Pause && c.action != usher.Resume {
			continue
		}
		of := &r.changes[c.rule]
		of.creatives++
		if campaign := r.creatives[i].Campaign; of.last != campaign {
			of.campaigns++
			of.last = campaign
		}
	}
	for i := range r.choices {
		c := &r.choices[i]
		if c.rule >= 0 && (c.action == usher.Pause || c.action == usher.Resume) && r.exceeds(c.rule, r.changes[c.rule]) {
			*c = choice{c.rule, usher.Held, c.action, usher.GuardCap}
		}
	}
}

func (r *Run) exceeds(n int, of change) bool {
	limits := r.set.Rules[n].Limits
	return limits.Creatives > 0 && of.creatives > limits.Creatives ||
		limits.Campaigns > 0 && of.campaigns > limits.Campaigns ||
		limits.Share > 0 && float64(of.creatives) > limits.Share*float64(r.inScope(n))
}

// inScope is how many creatives a rule has in scope.
func (r *Run) inScope(n int) int {
	if size, given := r.snapshot.Sizes[r.set.Rules[n].Name]; given {
		return size
	}
	at := slices.IndexFunc(r.voters, func(v voter) bool { return v.rule == n })
	return r.voters[at].scoped
}

// ask holds what waits for a person: decisions of rules that ask, and all while
// the stop switch is thrown.
func (r *Run) ask() {
	for i := range r.choices {
		c := &r.choices[i]
		if c.action != usher.Pause && c.action != usher.Resume {
			continue
		}
		switch {
		case r.snapshot.Stopped != "":
			*c = choice{c.rule, usher.Held, c.action, usher.GuardStop}
		case r.set.Rules[c.rule].Mode == Approve:
			*c = choice{c.rule, usher.Held, c.action, usher.GuardApproval}
		}
	}
}
