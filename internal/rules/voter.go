package rules

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// voter is a rule that takes part in a run, and its votes.
type voter struct {
	rule     *Rule
	file     int  // of its set among those of the figures; 0: the set of the run
	due      bool // it decides; the others only want creatives paused
	level    int
	only     string                  // the only campaign of the run; empty: all
	outside  bool                    // the run is outside the rule's hours
	votes    []vote                  // by the index of its level
	covers   []bool                  // by campaign: it has creatives in scope
	selected []bool                  // by creative: it is in scope; nil: all of the campaigns are
	ages     map[int32]time.Duration // by the index of its level; nil: no min_age
	days     []voter                 // by the days of for; nil: pause_when holds nowhere

	evaluation *expression.Evaluation
	scoped     int     // creatives in scope
	changes    changes // what it would change, before its caps
	over       bool    // that exceeds its caps
}

// places returns the number of what the rule votes on: campaigns, creatives, or the account.
func (v *voter) places(f *Figures) int {
	if v.isTogether() {
		return 1
	}
	return f.Len(v.rule.Scope.Level)
}

// isTogether reports whether the rule has one vote on all of its campaigns.
func (v *voter) isTogether() bool { return v.rule.Scope.Level == figures.AccountLevel }

// index returns the index of the vote on a creative with figures in these places; -1: nowhere.
func (v *voter) index(places [2]int32) int32 {
	if v.isTogether() {
		return 0
	}
	return places[v.level]
}

// vote returns the rule's vote on a creative with figures in these places.
func (v *voter) vote(places [2]int32) vote {
	at := v.index(places)
	switch {
	case v.outside:
		return wantsPause
	case v.rule.Hours != nil && v.rule.Pause == nil:
		return wantsResume
	case at < 0:
		return noRows
	case v.votes[at] == quiet && v.rule.Hours != nil && v.rule.Resume == nil:
		return wantsResume
	}
	return v.votes[at]
}

// action returns the action that a vote of the voter wants.
func (v *voter) action(of vote) usher.Action {
	switch wants := of.action(); {
	case v.rule.Bidding != nil && wants == usher.Pause:
		return usher.Decrease
	case v.rule.Bidding != nil && wants == usher.Resume:
		return usher.Increase
	default:
		return wants
	}
}

// Field returns the field that the rule changes; "": it pauses and resumes creatives.
func (rule *Rule) Field() usher.BiddingField {
	if rule.Bidding == nil {
		return ""
	}
	return rule.Bidding.Field
}

// collectVotes evaluates the rules that are due, and all others that may pause, and
// sorts them by priority, then by their order in the files. Rules that are not enabled
// come last.
func (r *Run) collectVotes(ctx context.Context) error {
	f := r.snapshot.Figures
	for n, set := range f.sets {
		for _, rule := range set.Rules {
			v := voter{rule: rule, file: n, due: n == 0 && rule.isDue(r.snapshot.Due), level: rule.Scope.Level.Index(), outside: !rule.Hours.Contains(f.At()), only: r.snapshot.Campaign}
			if !v.due && !rule.enabled() || rule.Field() != r.field {
				continue
			}
			if err := v.evaluate(ctx, f); err != nil {
				return err
			}
			r.findScope(&v)
			r.requireAge(&v)
			r.voters = append(r.voters, v)
		}
	}
	last := func(v *voter) int { // of rules that are not enabled
		if v.rule.enabled() {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(r.voters, func(a, b voter) int {
		return cmp.Or(cmp.Compare(last(&a), last(&b)), cmp.Compare(b.rule.Priority, a.rule.Priority), strings.Compare(f.sets[a.file].Name, f.sets[b.file].Name))
	})
	return nil
}

// findScope sets which campaigns and creatives the rule has in scope, and the number of
// these creatives.
func (r *Run) findScope(v *voter) {
	day := r.snapshot.Figures.Day(v.file)
	v.covers = make([]bool, len(r.campaigns))
	if v.rule.Scope.selects() {
		v.selected = make([]bool, len(r.creatives))
	}
	for n, campaign := range r.campaigns {
		if v.covers[n] = v.rule.coversOn(campaign.code, day); !v.covers[n] {
			continue
		}
		v.scoped += campaign.high - campaign.low
		for i := campaign.low; v.selected != nil && i < campaign.high; i++ {
			if v.selected[i] = v.rule.hasOn(&r.creatives[i], day); !v.selected[i] {
				v.scoped--
			}
		}
	}
}

// has reports whether the rule has the i-th creative, in the n-th campaign, in scope.
func (v *voter) has(i, n int) bool { return v.covers[n] && (v.selected == nil || v.selected[i]) }

// inScopeOf yields the indices of the creatives in a voter's scope.
func (r *Run) inScopeOf(v *voter) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range r.inCampaignsOf(v) {
			if (v.selected == nil || v.selected[i]) && !yield(i) {
				return
			}
		}
	}
}

// inCampaignsOf yields the indices of all creatives of the campaigns in a voter's scope.
func (r *Run) inCampaignsOf(v *voter) iter.Seq[int] {
	return func(yield func(int) bool) {
		for n, campaign := range r.campaigns {
			for i := campaign.low; v.covers[n] && i < campaign.high; i++ {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// key names a voter in decisions of the run: by its rule or, if it is of another
// file, by file and rule.
func (r *Run) key(v *voter) string {
	if v.file == 0 {
		return v.rule.Name
	}
	return r.snapshot.Figures.sets[v.file].Key(v.rule.Name)
}
