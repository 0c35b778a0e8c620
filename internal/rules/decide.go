package rules

import (
	"cmp"
	"context"
	"slices"
	"strings"

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
	order     []int       // the rules that voted, by who goes first
	verdicts  [][]verdict // by rule, by its level's index
	creatives []Creative  // by campaign and code
	choices   []choice    // by creative
	scoped    []int       // creatives in scope, by rule
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
	r := &Run{set: s, snapshot: snapshot, verdicts: make([][]verdict, len(s.Rules)), scoped: make([]int, len(s.Rules))}
	e := &evaluation{}
	for i, rule := range s.Rules {
		if !rule.isDue(snapshot.Due) {
			continue
		}
		list, err := rule.verdicts(ctx, snapshot.Figures, e)
		if err != nil {
			return nil, err
		}
		r.verdicts[i] = list
		r.order = append(r.order, i)
	}
	slices.SortStableFunc(r.order, func(a, b int) int {
		x, y := s.Rules[a], s.Rules[b]
		return cmp.Or(cmp.Compare(watching(x), watching(y)), cmp.Compare(y.Priority, x.Priority))
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

func watching(rule *Rule) int {
	if rule.Mode == Observe {
		return 1
	}
	return 0
}

// choose decides on every creative by itself.
func (r *Run) choose(ctx context.Context) error {
	r.choices = make([]choice, len(r.creatives))
	votes := make([]verdict, len(r.set.Rules))
	var inScope []bool // by rule, of one campaign
	campaign := ""
	for i, c := range r.creatives {
		if i == 0 || c.Campaign != campaign {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			campaign, inScope = c.Campaign, r.scopes(c.Campaign)
		}
		r.collect(c, inScope, votes)
		r.choices[i] = r.pick(c, votes)
	}
	return nil
}

func (r *Run) scopes(campaign string) []bool {
	list := make([]bool, len(r.set.Rules))
	for _, n := range r.order {
		list[n] = r.set.Rules[n].covers(campaign)
	}
	return list
}

// collect fills in every rule's vote on a creative.
func (r *Run) collect(c Creative, inScope []bool, votes []verdict) {
	of := [2]int{-1, -1}
	for l, e := range [2]entity{{campaign: c.Campaign}, {c.Campaign, c.Code}} {
		if at, known := r.snapshot.Figures.levels[l].index[e]; known {
			of[l] = at
		}
	}
	for _, n := range r.order {
		switch at := of[levelOf(r.set.Rules[n].Scope.Level)]; {
		case !inScope[n]:
			votes[n] = outside
			continue
		case at < 0:
			votes[n] = noRows
		default:
			votes[n] = r.verdicts[n][at]
		}
		r.scoped[n]++
	}
}

// pick makes one decision of all votes on a creative.
func (r *Run) pick(c Creative, votes []verdict) choice {
	var memory *usher.CreativeMemory
	remember := func() *usher.CreativeMemory {
		if memory == nil {
			memory = &usher.CreativeMemory{}
			if r.snapshot.Memory != nil {
				*memory = r.snapshot.Memory(c.Code)
			}
		}
		return memory
	}
	var pause, resume, other choice
	pause.rule, resume.rule, other.rule = -1, -1, -1
	for _, n := range r.order {
		watches := r.set.Rules[n].Mode == Observe
		switch v := votes[n]; {
		case v == wantsPause && !watches:
			pause = stronger(pause, r.pause(n, c, remember))
		case v == wantsResume && !watches && c.Status != active:
			resume = stronger(resume, r.resume(n, c, remember))
		case v == outside:
		default:
			other = stronger(other, r.aside(n, v, c, remember))
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
func (r *Run) aside(n int, v verdict, c Creative, remember func() *usher.CreativeMemory) choice {
	if r.set.Rules[n].Mode == Observe {
		made := choice{action: usher.None}
		switch {
		case v == wantsPause:
			made = r.pause(n, c, remember)
		case v == wantsResume && c.Status != active:
			made = r.resume(n, c, remember)
		}
		if made.action == usher.Pause || made.action == usher.Resume {
			return choice{n, usher.Held, made.action, usher.GuardObserve}
		}
		if made.action == usher.Held {
			return made
		}
	}
	if v.isUnknown() {
		return choice{rule: n, action: usher.Unknown}
	}
	return choice{rule: n, action: usher.None}
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
func (r *Run) pause(n int, c Creative, remember func() *usher.CreativeMemory) choice {
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
func (r *Run) resume(n int, c Creative, remember func() *usher.CreativeMemory) choice {
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
func (r *Run) patient(c choice, memory *usher.CreativeMemory) choice {
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
