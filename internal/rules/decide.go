package rules

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"usher"
)

// The platform's statuses of a creative. Package rtb has them, too, but rules may not import
// it: this package knows nothing of the platform's interface.
const (
	Active   = "ACTIVE"
	Inactive = "INACTIVE"
	Pending  = "PENDING"
)

// Run is the result of Decide: one decision for each creative in the scope of a
// rule that was due.
type Run struct {
	set       *Set
	snapshot  Snapshot
	voters    []voter    // in the order in which they take creatives
	creatives []Creative // by campaign and code
	campaigns []campaignRange
	places    [][2]int32 // by creative: its campaign and itself, among the figures of their level; -1: none
	choices   []choice   // by creative
	// freePauses has, for each creative, the last voter that wants it paused and has no
	// keep_active, or -1 if there is none. It is nil if no rule has keep_active.
	freePauses []int32
	// others has the creatives that keep_active holds because of pauses by other rules.
	others   map[int]heldByOthers
	memories []*usher.CreativeMemory // by creative, once read

	// Of DecideNumbers: the field, and its number by creative, which stands for a campaign.
	field   usher.BiddingField
	numbers []Number
}

// campaignRange is where the creatives of a campaign are: from low up to high.
type campaignRange struct {
	code      string
	low, high int
}

// choice is a decision in compact form, because there are many.
type choice struct {
	voter  int // -1: no rule that is due has the creative in scope
	rank   rank
	action usher.Action
	wants  usher.Action
	guard  usher.Guard
}

// rank orders the choices of the rules on a creative. The highest becomes the
// decision; of equal ones, that of the first rule. The choices on a number rank in the same
// way: a decrease like a pause, an increase like a resume.
type rank int

const (
	rankQuiet      rank = iota + 1 // neither condition holds, or the rule is not enabled
	rankKept                       // a resume, or a change of a number, is wanted and not allowed
	rankUnknown                    // a condition is UNKNOWN
	rankObserved                   // a rule in mode observe wants a change, or a guard holds that of a rule in mode notify
	rankNotified                   // a rule in mode notify wants a change
	rankResume                     // a resume is wanted, and carried out or held
	rankPaused                     // a pause is wanted, and not possible: the creative is not ACTIVE, or a person keeps it
	rankHeldPause                  // a pause is wanted, and held
	rankAskedPause                 // a pause is wanted, and held until a person approves it
	rankPause                      // a pause is wanted, and carried out
)

// changes reports whether the choice changes the creative or number.
func (c choice) changes() bool { return c.action.Changes() }

// hold returns the choice, held by a guard.
func (c choice) hold(guard usher.Guard) choice {
	c.action, c.wants, c.guard = usher.Held, c.action, guard
	switch {
	case c.rank == rankPause && guard.Approvable():
		c.rank = rankAskedPause
	case c.rank == rankPause:
		c.rank = rankHeldPause
	}
	return c
}

// Decide evaluates every rule that has a creative in scope, whether it is due or not,
// and makes one decision on each creative. The rules that are due take the creatives
// that they want paused by priority, then by their order in the files: each those
// that it may act on and that no rule before it took. A creative that an enabled rule
// wants paused is not resumed. The same snapshot gives the same decisions, in whatever
// order its parts are.
//
// Decide returns early with ctx's cause. A condition has no loops, so the work is
// the size of the files times the number of creatives.
func (s *Set) Decide(ctx context.Context, snapshot Snapshot) (*Run, error) {
	return s.decide(ctx, &Run{set: s, snapshot: snapshot})
}

func (s *Set) decide(ctx context.Context, r *Run) (*Run, error) {
	r.sortCreatives()
	if err := r.collectVotes(ctx); err != nil {
		return nil, err
	}
	r.findFreePauses()
	for k := range r.voters {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if r.voters[k].due {
			r.choose(k)
		}
	}
	if r.snapshot.Stopped != "" {
		r.stop()
	}
	return r, nil
}

// sortCreatives sorts the creatives and finds their campaigns and figures.
func (r *Run) sortCreatives() {
	r.creatives = slices.Clone(r.snapshot.Creatives)
	slices.SortFunc(r.creatives, func(a, b Creative) int {
		return cmp.Or(strings.Compare(a.Campaign, b.Campaign), strings.Compare(a.Code, b.Code))
	})
	n := len(r.creatives)
	r.places, r.choices, r.memories = make([][2]int32, n), make([]choice, n), make([]*usher.CreativeMemory, n)
	readsOthers := slices.ContainsFunc(r.snapshot.Figures.sets, func(s *Set) bool { return slices.ContainsFunc(s.Rules, (*Rule).readsOthers) })
	for i, c := range r.creatives {
		if readsOthers { // they decide whatever the creative's rows lack
			r.snapshot.Figures.Include(c.Campaign, c.Code)
		}
		r.places[i] = r.snapshot.Figures.Places(c.Campaign, c.Code)
		r.choices[i].voter = -1
		if i == 0 || c.Campaign != r.creatives[i-1].Campaign {
			r.campaigns = append(r.campaigns, campaignRange{c.Campaign, i, i})
		}
		r.campaigns[len(r.campaigns)-1].high = i + 1
	}
}

// findFreePauses sets r.freePauses.
func (r *Run) findFreePauses() {
	if !slices.ContainsFunc(r.voters, func(v voter) bool { return v.due && v.rule.Scope.KeepActive > 0 }) {
		return
	}
	r.freePauses = make([]int32, len(r.creatives))
	for i := range r.freePauses {
		r.freePauses[i] = -1
	}
	for k := range r.voters {
		v := &r.voters[k]
		if v.rule.Scope.KeepActive > 0 || !v.rule.enabled() {
			continue
		}
		for i := range r.inScopeOf(v) {
			if v.vote(r.places[i]) == wantsPause {
				r.freePauses[i] = int32(k)
			}
		}
	}
}

// memory returns what rules did to the i-th creative, which is read once.
func (r *Run) memory(i int) *usher.CreativeMemory {
	if r.memories[i] == nil {
		var m usher.CreativeMemory
		if r.snapshot.Memory != nil {
			m = r.snapshot.Memory(r.memoryOf(i))
		}
		r.memories[i] = &m
	}
	return r.memories[i]
}

// memoryOf returns the code by which Snapshot.Memory and Snapshot.Kept know the i-th creative or
// number.
func (r *Run) memoryOf(i int) string {
	if r.field != "" {
		return r.creatives[i].Campaign
	}
	return r.creatives[i].Code
}

// isKept reports whether a person keeps rules from changing the i-th creative or number.
func (r *Run) isKept(i int) bool {
	_, kept := r.snapshot.Kept[r.memoryOf(i)]
	return kept
}

// choose makes the choices of a voter on all creatives in its scope. It takes those
// that it may change.
func (r *Run) choose(k int) {
	v := &r.voters[k]
	var changes []int // the creatives that it would change, before its caps
	for n, campaign := range r.campaigns {
		if !v.covers[n] {
			continue
		}
		first := len(changes)
		for i := campaign.low; i < campaign.high; i++ {
			if r.choices[i].changes() || !v.has(i, n) {
				continue // a rule before it took the creative, or it is not in scope
			}
			if c := r.choiceOf(k, i); c.changes() && v.rule.enabled() {
				changes = append(changes, i)
			} else {
				r.offer(i, c)
			}
		}
		if keep := v.rule.Scope.KeepActive; keep > 0 && v.rule.enabled() {
			changes = r.keepActive(k, campaign, changes, first)
		}
	}
	r.act(k, changes)
}

// offer makes a choice the decision on the i-th creative unless there is a better one.
func (r *Run) offer(i int, c choice) {
	if c.rank > r.choices[i].rank {
		r.choices[i] = c
	}
}

// choiceOf returns the choice of a voter on the i-th creative, apart from guards that
// look at several creatives.
func (r *Run) choiceOf(k, i int) choice {
	v := &r.voters[k]
	c := choice{voter: k, rank: rankQuiet, action: usher.None}
	switch vote := r.vote(v, i); {
	case vote == quiet:
	case r.field != "" && (vote == wantsPause || vote == wantsResume):
		c = r.changeBy(k, i, vote)
	case vote == wantsPause:
		c = r.pauseBy(k, i)
	case vote == wantsResume && r.creatives[i].Status != Active:
		c = r.resumeBy(k, i)
	case vote.isUnknown():
		c.rank, c.action = rankUnknown, usher.Unknown
	}
	switch {
	case c.changes() && r.isDisabled():
		return c.hold(usher.GuardDisabled)
	case v.rule.enabled() || c.action == usher.Unknown:
		return c
	}
	return c.withoutChange(v.rule.Mode)
}

// isDisabled reports whether the configuration does not let rules change the field.
func (r *Run) isDisabled() bool {
	return r.snapshot.Disabled != nil && r.snapshot.Disabled(r.field)
}

// withoutChange returns the choice of a rule that is not enabled, in mode observe or
// notify.
func (c choice) withoutChange(mode Mode) choice {
	switch {
	case c.changes() && mode == Notify:
		c.rank, c.action, c.wants = rankNotified, usher.Notify, c.action
		return c
	case c.changes():
		c = c.hold(usher.GuardObserve)
	}
	c.rank = rankQuiet
	if c.action == usher.Held {
		c.rank = rankObserved
	}
	return c
}

// pauseBy returns the choice of a voter that wants a pause.
func (r *Run) pauseBy(k, i int) choice {
	c := choice{voter: k, rank: rankPaused, action: usher.None}
	switch r.creatives[i].Status {
	case Active:
		if r.isKept(i) {
			c.guard = usher.GuardKept
			return c
		}
		c.rank, c.action = rankPause, usher.Pause
		return r.limitFrequency(c, i)
	case Pending:
		c.guard = usher.GuardPending
	}
	return c
}

// resumeBy returns the choice of a voter that wants a resume of a creative that is
// not ACTIVE. A rule may resume a creative only if it paused it, nobody changed it
// since, and no enabled rule wants it paused.
func (r *Run) resumeBy(k, i int) choice {
	c := choice{voter: k, rank: rankKept, action: usher.None}
	creative := r.creatives[i]
	owner := r.memory(i).Owner
	switch {
	case creative.Status == Pending:
		c.guard = usher.GuardPending
	case r.isKept(i):
		c.guard = usher.GuardKept
	case owner == nil || !r.set.Owns(r.voters[k].rule, owner.Rule) || owner.Status != creative.Status || owner.LatestUpdate != creative.LatestUpdate:
		c.guard = usher.GuardHandsOff
	case r.staysPaused(r.voters[k].rule, i) && !r.hasPassed(&r.voters[k], i):
		c.guard = usher.GuardHandsOff
	case r.pauseVote(i) != nil:
		c.guard = usher.GuardPauseWanted
	default:
		c.rank, c.action = rankResume, usher.Resume
		return r.limitFrequency(c, i)
	}
	return c
}

// pauseVote returns the first enabled voter that wants the i-th creative paused, or
// nil.
func (r *Run) pauseVote(i int) *voter {
	n, _ := slices.BinarySearchFunc(r.campaigns, i, func(c campaignRange, i int) int {
		if c.high <= i {
			return -1
		}
		return 1
	})
	for k := range r.voters {
		if v := &r.voters[k]; v.rule.enabled() && v.has(i, n) && v.vote(r.places[i]) == wantsPause {
			return v
		}
	}
	return nil
}
