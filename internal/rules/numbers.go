package rules

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"usher"
	"usher/internal/readable"
)

// Number is a number of a campaign's biddingSettings, which rules may change.
type Number struct {
	Campaign string
	Value    float64 // NaN: the campaign has none
	Currency string  // "": the platform does not show it
	// Unread says that the number was not read, because no rule that is due wants to change
	// it; see Run.Wanted.
	Unread bool
}

// State returns the number as it stands in memories, such as 80 USD.
func (n Number) State() string { return usher.BiddingState(n.Value, n.Currency) }

// DecideNumbers evaluates every rule that changes a field of the campaigns'
// biddingSettings, as Decide does for creatives: it makes one decision for each campaign
// in the scope of a rule that is due. A number that an enabled rule wants decreased is
// not increased. snapshot has no creatives, and its Memory takes campaigns' codes.
func (s *Set) DecideNumbers(ctx context.Context, field usher.BiddingField, snapshot Snapshot) (*Run, error) {
	numbers := slices.SortedFunc(slices.Values(snapshot.Numbers), func(a, b Number) int { return strings.Compare(a.Campaign, b.Campaign) })
	snapshot.Creatives = nil
	for _, n := range numbers {
		snapshot.Creatives = append(snapshot.Creatives, Creative{Campaign: n.Campaign})
	}
	return s.decide(ctx, &Run{set: s, snapshot: snapshot, field: field, numbers: numbers})
}

// Wanted returns the campaigns whose number a rule that is due wants to change, whatever it
// is, and those in the scope of a rule with a total.
func (r *Run) Wanted() []string {
	var campaigns []string
	for n, campaign := range r.campaigns {
		if slices.ContainsFunc(r.voters, func(v voter) bool {
			return v.due && v.covers[n] && v.action(v.vote(r.places[campaign.low])).Changes()
		}) {
			campaigns = append(campaigns, campaign.code)
		}
	}
	return campaigns
}

// changeBy returns the choice of a voter that wants to change the i-th number. A rule
// changes a number that no rule has changed, or that it changed last itself and that is as
// it left it. What a person, another program or another rule has set since is left alone.
func (r *Run) changeBy(k, i int, vote vote) choice {
	v := &r.voters[k]
	c := choice{voter: k, rank: rankKept, action: usher.None}
	change, gap := r.changeOf(v, i, vote)
	owner := r.memory(i).Owner
	switch {
	case r.numbers[i].Unread:
		return choice{voter: k, rank: rankQuiet, action: usher.None}
	case gap != "":
		c.rank, c.action = rankUnknown, usher.Unknown
		return c
	case r.isKept(i):
		c.guard = usher.GuardKept
	case owner != nil && !r.isOwner(v.rule, i):
		c.guard = usher.GuardHandsOff
	case change.To == change.From:
		c.guard = usher.GuardBound
	case vote == wantsResume && r.pauseVote(i) != nil:
		c.guard = usher.GuardDecreaseWanted
	default:
		c.rank, c.action = rankResume, change.Action()
		if vote == wantsPause {
			c.rank = rankPause
		}
		return r.limitFrequency(c, i)
	}
	return c
}

// isOwner reports whether a rule changed the i-th number last, and nobody has since.
func (r *Run) isOwner(rule *Rule, i int) bool {
	owner, state := r.memory(i).Owner, r.numbers[i].State()
	return r.set.Owns(rule, owner.Rule) && (owner.Status == state || owner.Before == state && owner.Before != "")
}

// changeOf returns how a voter that votes for it changes the i-th number, or why that is unknown.
func (r *Run) changeOf(v *voter, i int, vote vote) (change usher.BiddingChange, gap string) {
	n, b := r.numbers[i], v.rule.Bidding
	change = usher.BiddingChange{Field: r.field, From: n.Value, To: n.Value, Currency: n.Currency}
	switch {
	case n.Unread:
		change.From, change.To = 0, 0
	case math.IsNaN(n.Value):
		change.From, change.To = 0, 0
		return change, fmt.Sprintf("the campaign has no %s", r.field)
	case b.Currency != "" && n.Currency != b.Currency:
		return change, fmt.Sprintf("the %s is in %s, and min and max are in %s", r.field, cmp.Or(n.Currency, "an unknown currency"), b.Currency)
	case b.Currency == "" && r.haveSeveralCurrencies(v):
		return change, "the campaigns in the rule's scope have several currencies, and min and max do not say which they are in"
	case vote == wantsPause || vote == wantsResume:
		change.To = b.change(n.Value, n.Currency, vote == wantsPause)
	}
	return change, ""
}

// haveSeveralCurrencies reports whether the numbers that a voter wants to change are in several
// currencies. Others may not have been read.
func (r *Run) haveSeveralCurrencies(v *voter) bool {
	first := ""
	for i := range r.inScopeOf(v) {
		n := r.numbers[i]
		if n.Unread || math.IsNaN(n.Value) || !v.action(v.vote(r.places[i])).Changes() {
			continue
		}
		if first != "" && n.Currency != first {
			return true
		}
		first = cmp.Or(first, n.Currency)
	}
	return false
}

// wantedChange says what the choice on the i-th creative or number wants, after "would".
func (r *Run) wantedChange(c choice, i int, e evidence) string {
	if r.field == "" {
		return string(c.wants)
	}
	change, _ := r.changeOf(&r.voters[c.voter], i, e.vote)
	return "set the " + changeText(&change)
}

// changeText describes a change: daily budget from 100 to 80 USD.
func changeText(c *usher.BiddingChange) string {
	return fmt.Sprintf("%s from %s to %s", c.Field, readable.Exact(c.From), c.After())
}

// numberReason explains the decision on the i-th number in a sentence.
func (r *Run) numberReason(c choice, i int, e evidence) string {
	why := e.voteReason()
	change, gap := r.changeOf(&r.voters[c.voter], i, e.vote)
	switch {
	case c.guard != "":
		return r.guardReason(c, i, e) + ": " + why
	case c.action == usher.Notify:
		return "would " + r.wantedChange(c, i, e) + ", but only notifies: " + why
	case c.action == usher.Unknown && gap != "":
		return "unknown: " + gap
	case c.action.Changes():
		return changeText(&change) + ": " + why
	}
	return why
}

// numberOwnerReason says why a rule may not change the i-th number.
func (r *Run) numberOwnerReason(rule *Rule, i int) string {
	owner := r.memory(i).Owner
	if !r.set.Owns(rule, owner.Rule) {
		return "rule " + owner.Rule + " changed it last"
	}
	return fmt.Sprintf("it was changed since this rule set it to %s: it is %s now", owner.Status, r.numbers[i].State())
}
