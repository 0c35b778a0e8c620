package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/readable"
	"usher/internal/rules/figures"
)

// limitFrequency holds a change of the i-th creative that comes too soon after the
// last one, or that exceeds the changes a day.
func (r *Run) limitFrequency(c choice, i int) choice {
	rule, at := r.voters[c.voter].rule, r.snapshot.Figures.At()
	if rule.Cooldown == 0 && rule.Limits.FlipsPerDay == 0 {
		return c
	}
	did, changed := r.lastChange(rule, i)
	switch {
	case !changed:
	case rule.Cooldown > 0 && at.Before(rule.cooldownEnd(did.Changed, r.set.Zone)):
		return c.hold(usher.GuardCooldown)
	case rule.Limits.FlipsPerDay > 0 && did.Day == r.set.Day(at) && did.Flips >= rule.Limits.FlipsPerDay:
		return c.hold(usher.GuardFlips)
	}
	return c
}

// cooldownEnd returns when the cooldown after a change ends. One of whole days ends when the clock shows
// the same time again, or after that many hours, whatever is first: a rule that is due at 7 is not held
// because a day had 23 hours.
func (rule *Rule) cooldownEnd(changed time.Time, zone *time.Location) time.Time {
	const day = 24 * time.Hour
	end := changed.Add(rule.Cooldown)
	if rule.Cooldown%day != 0 {
		return end
	}
	if same := changed.In(zone).AddDate(0, 0, int(rule.Cooldown/day)); same.Before(end) {
		return same
	}
	return end
}

// keepActive holds the pauses of a voter that would leave a campaign with fewer
// ACTIVE creatives than its keep_active, and returns the changes without them. The
// first codes are paused first. changes from first on are those of the campaign.
//
// What rules before it took counts as paused, and so does what rules after it without
// keep_active want, whether they may act now or not. Resumes of the same run do not
// count, because they may fail.
func (r *Run) keepActive(k int, campaign campaignRange, changes []int, first int) []int {
	counted := r.countPaused(k, campaign)
	serving := counted.active - counted.paused
	keep, kept := r.voters[k].rule.Scope.KeepActive, changes[:first]
	taken := 0 // by this voter, if there were no others
	for _, i := range changes[first:] {
		left := serving
		if r.pausedBy(k, i) < 0 {
			left--
		}
		c := r.choiceOf(k, i)
		if c.action == usher.Pause && left < keep {
			if counted.active-taken-1 >= keep { // without the other rules, it would be paused
				r.noteOthers(k, i, counted)
				taken++
			}
			r.offer(i, c.hold(usher.GuardKeepActive))
			continue
		}
		if c.action == usher.Pause {
			serving = left
			taken++
		}
		kept = append(kept, i)
	}
	return kept
}

// countedPauses are the ACTIVE creatives of a campaign, and those of them that count as paused
// for keep_active, because of these voters.
type countedPauses struct {
	active, paused int
	voters         []int // in the order in which they take creatives
}

// countPaused counts the creatives of a campaign that other rules pause, as the k-th voter sees
// them.
func (r *Run) countPaused(k int, campaign campaignRange) *countedPauses {
	counted := &countedPauses{}
	for i := campaign.low; i < campaign.high; i++ {
		if r.creatives[i].Status != Active {
			continue
		}
		counted.active++
		if by := r.pausedBy(k, i); by >= 0 {
			counted.paused++
			if at, known := slices.BinarySearch(counted.voters, by); !known {
				counted.voters = slices.Insert(counted.voters, at, by)
			}
		}
	}
	return counted
}

// pausedBy returns the voter because of which the i-th creative counts as paused for the k-th one,
// or -1.
func (r *Run) pausedBy(k, i int) int {
	switch free := int(r.freePauses[i]); {
	case r.choices[i].action == usher.Pause:
		return r.choices[i].voter
	case free > k:
		return free
	}
	return -1
}

// noteOthers notes that keep_active of the k-th voter holds the i-th creative because of what
// other rules pause. The first voter that holds it makes the decision.
func (r *Run) noteOthers(k, i int, counted *countedPauses) {
	if r.others == nil {
		r.others = map[int]heldByOthers{}
	}
	if _, noted := r.others[i]; !noted {
		r.others[i] = heldByOthers{k, counted}
	}
}

// heldByOthers is why keep_active of a voter holds a creative.
type heldByOthers struct {
	voter   int
	counted *countedPauses
}

// keepActiveReason says that keep_active holds the pause of the i-th creative and, if other rules
// are the cause, which.
func (r *Run) keepActiveReason(c choice, i int) string {
	text := fmt.Sprintf("would pause, but keep_active is %d", r.voters[c.voter].rule.Scope.KeepActive)
	o, noted := r.others[i]
	if !noted || o.voter != c.voter {
		return text
	}
	const most = 3
	var names []string
	for _, k := range o.counted.voters[:min(most, len(o.counted.voters))] {
		names = append(names, r.key(&r.voters[k]))
	}
	if more := len(o.counted.voters) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	word := "rule"
	if len(names) > 1 {
		word = "rules"
	}
	verb := "count"
	if o.counted.paused == 1 {
		verb = "counts"
	}
	return fmt.Sprintf("%s, and %d of the campaign's %s %s as paused because of %s %s",
		text, o.counted.paused, readable.Count(o.counted.active, "ACTIVE creative"), verb, word, strings.Join(names, ", "))
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
		limits.Amount > 0 && figures.Round(v.changes.amount) > limits.Amount ||
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
