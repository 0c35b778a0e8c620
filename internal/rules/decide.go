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

// Run is the result of Decide: one decision for each creative in the scope of a
// rule that was due.
type Run struct {
	set       *Set
	snapshot  Snapshot
	voters    []voter    // the strongest first
	creatives []Creative // by campaign and code
	choices   []choice   // by creative
	changes   []changes  // wanted before the caps, by rule
}

// voter is a rule that is due, and its verdicts.
type voter struct {
	rule     int // its index in the set
	level    int
	observes bool
	ahead    float64   // see opAhead
	verdicts []verdict // by the index of its level
	scoped   int       // creatives in scope
}

// vote returns the rule's verdict on a creative with figures in these places.
func (v *voter) vote(places [2]int) verdict {
	at := places[v.level]
	if at < 0 {
		return noRows
	}
	return v.verdicts[at]
}

// choice is a decision in compact form, because there are many.
type choice struct {
	rule   int // its index in the set; -1: no rule has the creative in scope
	action usher.Action
	wants  usher.Action
	guard  usher.Guard
}

// changes reports whether the choice changes the creative.
func (c choice) changes() bool { return c.action == usher.Pause || c.action == usher.Resume }

// hold returns the choice, held by a guard.
func (c choice) hold(guard usher.Guard) choice {
	return choice{rule: c.rule, action: usher.Held, wants: c.action, guard: guard}
}

// Decide collects the vote of every rule on every creative and makes one decision
// of them: a pause wins over a resume, then the higher priority, then the order of
// the file. A rule that only observes decides if no other rule does. Then guards
// hold decisions back. The same snapshot gives the same decisions, in whatever
// order its parts are.
//
// Decide returns early with ctx's cause. A condition has no loops, so the work is
// the size of the file times the number of creatives.
func (s *Set) Decide(ctx context.Context, snapshot Snapshot) (*Run, error) {
	r := &Run{set: s, snapshot: snapshot}
	if err := r.collectVotes(ctx); err != nil {
		return nil, err
	}
	r.creatives = slices.Clone(snapshot.Creatives)
	slices.SortFunc(r.creatives, func(a, b Creative) int {
		return cmp.Or(strings.Compare(a.Campaign, b.Campaign), strings.Compare(a.Code, b.Code))
	})
	if err := r.choose(ctx); err != nil {
		return nil, err
	}
	r.keepActive()
	r.applyCaps()
	r.holdForPeople()
	return r, nil
}

// collectVotes evaluates all rules that are due, and sorts them by strength.
func (r *Run) collectVotes(ctx context.Context) error {
	e := &evaluation{}
	for i, rule := range r.set.Rules {
		if !rule.isDue(r.snapshot.Due) {
			continue
		}
		v := voter{rule: i, level: levelOf(rule.Scope.Level), observes: rule.Mode == Observe, ahead: rule.ahead(r.snapshot.Figures)}
		e.ahead = v.ahead
		var err error
		if v.verdicts, err = rule.verdicts(ctx, r.snapshot.Figures, e); err != nil {
			return err
		}
		r.voters = append(r.voters, v)
	}
	slices.SortStableFunc(r.voters, func(a, b voter) int {
		if a.observes != b.observes {
			if a.observes {
				return 1
			}
			return -1
		}
		return cmp.Compare(r.set.Rules[b.rule].Priority, r.set.Rules[a.rule].Priority)
	})
	return nil
}

// choose makes a choice for each creative, apart from guards that look at several
// creatives.
func (r *Run) choose(ctx context.Context) error {
	r.choices = make([]choice, len(r.creatives))
	var inScope []bool // by voter, of the current campaign
	campaign := ""
	for i, c := range r.creatives {
		if i == 0 || c.Campaign != campaign {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			campaign, inScope = c.Campaign, r.votersOf(c.Campaign)
		}
		r.choices[i] = r.chooseFor(c, inScope)
	}
	return nil
}

// votersOf reports for each voter whether it has a campaign in scope.
func (r *Run) votersOf(campaign string) []bool {
	list := make([]bool, len(r.voters))
	for k, v := range r.voters {
		list[k] = r.set.Rules[v.rule].covers(campaign)
	}
	return list
}

// ballot collects the votes on a creative.
type ballot struct {
	run                  *Run
	creative             Creative
	memory               func() usher.CreativeMemory // of the creative
	pause, resume, other choice                      // the strongest of each kind
}

// chooseFor makes one choice of all votes on a creative.
func (r *Run) chooseFor(c Creative, inScope []bool) choice {
	none := choice{rule: -1}
	b := ballot{run: r, creative: c, memory: r.memoryOf(c), pause: none, resume: none, other: none}
	places := r.snapshot.Figures.places(c)
	for k := range r.voters {
		if inScope[k] {
			v := &r.voters[k]
			v.scoped++
			b.count(v, v.vote(places))
		}
	}
	switch {
	case b.pause.rule >= 0:
		return b.pause
	case b.resume.rule >= 0 && (b.resume.action != usher.None || b.other.action != usher.Unknown):
		return b.resume
	}
	return b.other
}

// memoryOf returns a function that reads a creative's memory once, when it is
// called first.
func (r *Run) memoryOf(c Creative) func() usher.CreativeMemory {
	return sync.OnceValue(func() usher.CreativeMemory {
		if r.snapshot.Memory == nil {
			return usher.CreativeMemory{}
		}
		return r.snapshot.Memory(c.Code)
	})
}

// count adds the vote of a rule.
func (b *ballot) count(v *voter, vote verdict) {
	switch {
	case vote == quiet:
		if b.other.rule < 0 {
			b.other = choice{rule: v.rule, action: usher.None}
		}
	case vote == wantsPause && !v.observes:
		b.pause = stronger(b.pause, b.pauseFor(v.rule))
	case vote == wantsResume && !v.observes && b.creative.Status != active:
		b.resume = stronger(b.resume, b.resumeFor(v.rule))
	default:
		b.other = stronger(b.other, b.otherFor(v, vote))
	}
}

// otherFor returns the choice of a rule that wants no change, is UNKNOWN, or only
// observes.
func (b *ballot) otherFor(v *voter, vote verdict) choice {
	if v.observes {
		if observed := b.observedFor(v.rule, vote); observed.action == usher.Held {
			return observed
		}
	}
	if vote.isUnknown() {
		return choice{rule: v.rule, action: usher.Unknown}
	}
	return choice{rule: v.rule, action: usher.None}
}

// observedFor returns the choice of a rule that only observes, held.
func (b *ballot) observedFor(rule int, vote verdict) choice {
	wanted := choice{action: usher.None}
	switch {
	case vote == wantsPause:
		wanted = b.pauseFor(rule)
	case vote == wantsResume && b.creative.Status != active:
		wanted = b.resumeFor(rule)
	}
	if wanted.changes() {
		return wanted.hold(usher.GuardObserve)
	}
	return wanted
}

// pauseFor returns the choice of a rule that votes for a pause.
func (b *ballot) pauseFor(rule int) choice {
	switch b.creative.Status {
	case active:
		return b.run.limitFrequency(choice{rule: rule, action: usher.Pause}, b.memory())
	case pending:
		return choice{rule: rule, action: usher.None, guard: usher.GuardPending}
	}
	return choice{rule: rule, action: usher.None}
}

// resumeFor returns the choice of a rule that votes for a resume of a creative that
// is not ACTIVE. It may resume a creative only if it paused it and nobody changed
// it since.
func (b *ballot) resumeFor(rule int) choice {
	if b.creative.Status == pending {
		return choice{rule: rule, action: usher.None, guard: usher.GuardPending}
	}
	memory := b.memory()
	owner := memory.Owner
	if owner == nil || owner.Rule != b.run.set.Key(b.run.set.Rules[rule].Name) || owner.Status != b.creative.Status || owner.LatestUpdate != b.creative.LatestUpdate {
		return choice{rule: rule, action: usher.None, guard: usher.GuardHandsOff}
	}
	return b.run.limitFrequency(choice{rule: rule, action: usher.Resume}, memory)
}

// stronger returns the stronger of two choices of one kind; of equal ones the
// first.
func stronger(first, second choice) choice {
	if second.strength() > first.strength() {
		return second
	}
	return first
}

func (c choice) strength() int {
	switch {
	case c.rule < 0:
		return 0
	case c.changes():
		return 5
	case c.action == usher.Held:
		return 4
	case c.action == usher.Unknown:
		return 3
	case c.guard != "":
		return 2
	}
	return 1
}
