package rules

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"usher"
)

// The platform's statuses of a creative.
const (
	active   = "ACTIVE"
	inactive = "INACTIVE"
	pending  = "PENDING"
)

// Run is what a set decided: one decision for each creative in the scope of a
// rule that was due.
type Run struct {
	set       *Set
	snapshot  Snapshot
	voters    []voter    // by who goes first
	creatives []Creative // by campaign and code
	choices   []choice   // by creative
	changes   []change   // that were wanted, by rule, before caps
}

// voter is a rule that is due, with its words.
type voter struct {
	rule     int // of the set's
	level    int
	watches  bool
	ahead    float64   // see opAhead
	verdicts []verdict // by its level's index
	scoped   int       // creatives in scope
}

// vote is the rule's word on what has its figures in these places.
func (v *voter) vote(of [2]int) verdict {
	at := of[v.level]
	if at < 0 {
		return noRows
	}
	return v.verdicts[at]
}

// choice is a decision, small: there are many.
type choice struct {
	rule   int // of the set's; -1: no rule has it in scope
	action usher.Action
	wants  usher.Action
	guard  usher.Guard
}

// Decide collects every rule's vote on every creative and makes one decision of
// them: a pause beats a resume, then the higher priority, then the order of the
// file; a rule that only observes has its say where no other has. Guards come
// after: what they hold back is held, or left alone, and says so. The same
// snapshot gives the same decisions, in whatever order its parts came.
//
// It ends early with ctx's cause: give it a deadline. A condition has no loops,
// so the work is that of the file's size times the creatives.
func (s *Set) Decide(ctx context.Context, snapshot Snapshot) (*Run, error) {
	r := &Run{set: s, snapshot: snapshot}
	e := &evaluation{}
	for i, rule := range s.Rules {
		if !rule.isDue(snapshot.Due) {
			continue
		}
		v := voter{rule: i, level: levelOf(rule.Scope.Level), watches: rule.Mode == Observe, ahead: rule.ahead(snapshot.Figures)}
		e.ahead = v.ahead
		var err error
		if v.verdicts, err = rule.verdicts(ctx, snapshot.Figures, e); err != nil {
			return nil, err
		}
		r.voters = append(r.voters, v)
	}
	slices.SortStableFunc(r.voters, func(a, b voter) int {
		if a.watches != b.watches {
			if a.watches {
				return 1
			}
			return -1
		}
		return cmp.Compare(s.Rules[b.rule].Priority, s.Rules[a.rule].Priority)
	})
	r.creatives = slices.Clone(snapshot.Creatives)
	slices.SortFunc(r.creatives, func(a, b Creative) int {
		return cmp.Or(strings.Compare(a.Campaign, b.Campaign), strings.Compare(a.Code, b.Code))
	})
	if err := r.choose(ctx); err != nil {
		return nil, err
	}
	r.keepActive()
	r.cap()
	r.ask()
	return r, nil
}

// choose decides on every creative by itself.
func (r *Run) choose(ctx context.Context) error {
	r.choices = make([]choice, len(r.creatives))
	var inScope []bool // by voter, of one campaign
	campaign := ""
	for i, c := range r.creatives {
		if i == 0 || c.Campaign != campaign {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			campaign, inScope = c.Campaign, r.scopes(c.Campaign)
		}
		r.choices[i] = r.pick(c, inScope)
	}
	return nil
}

// scopes are the voters that have a campaign in scope.
func (r *Run) scopes(campaign string) []bool {
	list := make([]bool, len(r.voters))
	for k, v := range r.voters {
		list[k] = r.set.Rules[v.rule].covers(campaign)
	}
	return list
}

// pick makes one decision of all votes on a creative.
func (r *Run) pick(c Creative, inScope []bool) choice {
	of := r.snapshot.Figures.places(c)
	remember := sync.OnceValue(func() usher.CreativeMemory {
		if r.snapshot.Memory == nil {
			return usher.CreativeMemory{}
		}
		return r.snapshot.Memory(c.Code)
	})
	pause, resume, other := choice{rule: -1}, choice{rule: -1}, choice{rule: -1}
	for k := range r.voters {
		if !inScope[k] {
			continue
		}
		v := &r.voters[k]
		v.scoped++
		switch said := v.vote(of); {
		case said == quiet:
			if other.rule < 0 {
				other = choice{rule: v.rule, action: usher.None}
			}
		case said == wantsPause && !v.watches:
			pause = stronger(pause, r.pause(v.rule, c, remember))
		case said == wantsResume && !v.watches && c.Status != active:
			resume = stronger(resume, r.resume(v.rule, c, remember))
		default:
			other = stronger(other, r.aside(v, said, c, remember))
		}
	}
	switch {
	case pause.rule >= 0:
		return pause
	case resume.rule >= 0 && (resume.action != usher.None || other.action != usher.Unknown):
		return resume
	}
	return other
}

// aside is the choice of a rule that wants nothing, cannot know, or only looks.
func (r *Run) aside(v *voter, said verdict, c Creative, remember func() usher.CreativeMemory) choice {
	if v.watches {
		made := choice{action: usher.None}
		switch {
		case said == wantsPause:
			made = r.pause(v.rule, c, remember)
		case said == wantsResume && c.Status != active:
			made = r.resume(v.rule, c, remember)
		}
		if made.action == usher.Pause || made.action == usher.Resume {
			return choice{v.rule, usher.Held, made.action, usher.GuardObserve}
		}
		if made.action == usher.Held {
			return made
		}
	}
	if said.isUnknown() {
		return choice{rule: v.rule, action: usher.Unknown}
	}
	return choice{rule: v.rule, action: usher.None}
}

// stronger is the better of two choices of one kind; of equals the first.
func stronger(first, second choice) choice {
	rank := func(c choice) int {
		switch {
		case c.rule < 0:
			return 5
		case c.action == usher.Pause || c.action == usher.Resume:
			return 0
		case c.action == usher.Held:
			return 1
		case c.action == usher.Unknown:
			return 2
		case c.guard != "":
			return 3
		}
		return 4
	}
	if rank(second) < rank(first) {
		return second
	}
	return first
}

// pause is what becomes of a rule's vote to pause.
func (r *Run) pause(n int, c Creative, remember func() usher.CreativeMemory) choice {
	switch c.Status {
	case active:
		return r.patient(choice{rule: n, action: usher.Pause}, remember())
	case pending:
		return choice{rule: n, action: usher.None, guard: usher.GuardPending}
	}
	return choice{rule: n, action: usher.None}
}

// resume is what becomes of a rule's vote to resume a creative that is not
// ACTIVE: it may only if it paused it and nobody touched it since.
func (r *Run) resume(n int, c Creative, remember func() usher.CreativeMemory) choice {
	if c.Status == pending {
		return choice{rule: n, action: usher.None, guard: usher.GuardPending}
	}
	memory := remember()
	owner := memory.Owner
	if owner == nil || owner.Rule != r.set.Key(r.set.Rules[n].Name) || owner.Status != c.Status || owner.LatestUpdate != c.LatestUpdate {
		return choice{rule: n, action: usher.None, guard: usher.GuardHandsOff}
	}
	return r.patient(choice{rule: n, action: usher.Resume}, memory)
}

// patient holds a change that comes too soon after the last one, or once too
// often a day.
func (r *Run) patient(c choice, memory usher.CreativeMemory) choice {
	rule, at := r.set.Rules[c.rule], r.snapshot.Figures.at
	did, changed := memory.Rules[r.set.Key(rule.Name)]
	switch {
	case !changed:
	case rule.Cooldown > 0 && at.Before(did.Changed.Add(rule.Cooldown)):
		return choice{c.rule, usher.Held, c.action, usher.GuardCooldown}
	case rule.Limits.FlipsPerDay > 0 && did.Day == r.set.Day(at) && did.Flips >= rule.Limits.FlipsPerDay:
		return choice{c.rule, usher.Held, c.action, usher.GuardFlips}
	}
	return c
}
