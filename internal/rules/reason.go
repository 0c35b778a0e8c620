package rules

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"usher"
	"usher/internal/readable"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
)

// reason explains the decision on the i-th creative in a sentence.
func (r *Run) reason(c choice, i int, e evidence) string {
	if r.field != "" {
		return r.numberReason(c, i, e)
	}
	why := e.voteReason()
	if c.guard != "" {
		return r.guardReason(c, i, e) + ": " + why
	}
	switch {
	case c.action == usher.Notify:
		return fmt.Sprintf("would %s, but only notifies: %s", c.wants, why)
	case e.vote == tooFewDays:
		return strings.Join(append([]string{why}, e.explainer.Bounds()...), ", ")
	case e.vote == wantsPause && c.action == usher.None:
		return "already INACTIVE: " + why
	case e.vote == wantsResume && c.action == usher.None && e.rule.Pause != nil: // already ACTIVE
		return e.falseReason()
	}
	return why
}

// guardReason says what a guard does to the decision on the i-th creative.
func (r *Run) guardReason(c choice, i int, e evidence) string {
	switch c.guard {
	case usher.GuardObserve:
		return fmt.Sprintf("would %s, but only observes", r.wantedChange(c, i, e))
	case usher.GuardApproval:
		return fmt.Sprintf("would %s, and waits for approval", r.wantedChange(c, i, e))
	case usher.GuardDisabled:
		return fmt.Sprintf("would %s, but the configuration does not let rules change a %s (actions)", r.wantedChange(c, i, e), r.field)
	case usher.GuardStop:
		return fmt.Sprintf("would %s, but the stop switch is on (%s)", r.wantedChange(c, i, e), r.snapshot.Stopped)
	case usher.GuardCap:
		return fmt.Sprintf("would %s, but the rule %s, so all of these changes wait for approval", r.wantedChange(c, i, e), r.capText(&r.voters[c.voter]))
	case usher.GuardKeepActive:
		return r.keepActiveReason(c, i)
	case usher.GuardCooldown:
		last, _ := r.lastChange(e.rule, i)
		end := e.rule.cooldownEnd(last.Changed, r.set.Zone)
		return fmt.Sprintf("would %s, but its cooldown lasts until %s", r.wantedChange(c, i, e), end.In(r.set.Zone).Format("2006-01-02 15:04"))
	case usher.GuardFlips:
		last, _ := r.lastChange(e.rule, i)
		return fmt.Sprintf("would %s, but has already changed it %s on %s", r.wantedChange(c, i, e), readable.Count(last.Flips, "time"), r.set.Day(r.snapshot.Figures.At()))
	case usher.GuardPending:
		return "skipped, because the platform has not approved it yet"
	case usher.GuardKept:
		kept := r.snapshot.Kept[r.memoryOf(i)]
		return strings.TrimSuffix(kept.KeptText(r.set.Zone)+" ("+kept.Reason+")", " ()")
	case usher.GuardHandsOff:
		if r.field != "" {
			return "left alone, because " + r.numberOwnerReason(e.rule, i)
		}
		return "not resumed, because " + r.ownerReason(e.rule, i)
	case usher.GuardBound:
		return "left at " + r.numbers[i].State() + ", which is as far as the rule goes (" + e.rule.Bidding.String() + ")"
	case usher.GuardDecreaseWanted:
		return "not increased, because rule " + r.key(r.pauseVote(i)) + " wants it decreased"
	case usher.GuardPauseWanted:
		return "not resumed, because rule " + r.key(r.pauseVote(i)) + " wants it paused"
	}
	return string(c.guard)
}

// capText says by how much a voter is over its caps.
func (r *Run) capText(v *voter) string {
	if r.field != "" {
		amount := figures.Round(v.changes.amount)
		return fmt.Sprintf("would change the %s of %d of %s by %s together, over its limits (%s)",
			r.field, v.changes.creatives, readable.Count(r.scopeSize(v), "campaign"), readable.Apart(amount, v.rule.Limits.Amount)(amount), limitText(v.rule.Limits))
	}
	creatives := readable.Count(v.changes.creatives, "creative")
	if v.rule.Limits.Share > 0 { // otherwise a run does not count the creatives in scope
		creatives = fmt.Sprintf("%d of %s", v.changes.creatives, readable.Count(r.scopeSize(v), "creative"))
	}
	return fmt.Sprintf("would change %s in %s at once, over its limits (%s)",
		creatives, readable.Count(v.changes.campaigns, "campaign"), limitText(v.rule.Limits))
}

// voteReason explains a rule's vote.
func (e evidence) voteReason() string {
	switch {
	case e.outside:
		return e.hoursReason()
	case e.until != "":
		return e.until
	}
	switch e.vote {
	case wantsPause, wantsResume:
		if e.condition() == nil {
			return e.resumedReason()
		}
		return fmt.Sprintf("%s (%s)", e.condition().Source, e.explainer.Compared(e.condition().Root)) + e.daysReason()
	case tooShort:
		return fmt.Sprintf("%s (%s)", e.rule.Pause.Source, e.explainer.Compared(e.rule.Pause.Root)) + e.daysReason()
	case tooYoung:
		return "left alone: " + e.ageReason()
	case noRows:
		if from, to := e.rule.Window.Span(e.day, false); from > to {
			return fmt.Sprintf("unknown: %s has no complete day yet", e.rule.Window)
		}
		return fmt.Sprintf("unknown: the report has no row for %s (%s)", e.rule.Window.InText(), e.windowDays())
	case tooFewDays:
		if e.window.Window.Kind == figures.Lifetime {
			return fmt.Sprintf("unknown: the report has %s of %s", readable.Count(e.window.Days(e.at), "day"), e.window) + e.minDaysText()
		}
		return fmt.Sprintf("unknown: the report has %d of %d days of %s", e.window.Days(e.at), e.window.Required(0), e.window) + e.minDaysText()
	case tooOld:
		return fmt.Sprintf("unknown: the newest report is of %s, which is older than %s", e.report(), durationText(e.rule.MaxAge))
	case tooLittle:
		for _, least := range e.rule.MinData {
			if v, required := e.explainer.Sum(least.Field), expression.Exactly(least.Least); !(v.Low >= least.Least) { // true for NaN
				return fmt.Sprintf("unknown: %s %s in %s, and min_data requires %s", v.Apart(required), least.Name(), e.rule.Window.InText(), required.Apart(v))
			}
		}
	case unknown:
		return "unknown: " + strings.Join(e.explainer.Gaps(), "; ")
	}
	return e.falseReason()
}

// minDaysText says how many days the rule requires, if that is not all.
func (e evidence) minDaysText() string {
	if e.rule.MinDays == 0 {
		return ""
	}
	return fmt.Sprintf(", and min_days requires %d", e.rule.MinDays)
}

// windowDays returns the days of the rule's window.
func (e evidence) windowDays() string {
	from, to := e.rule.Window.Span(e.day, false)
	if from == to || e.rule.Window.Kind == figures.Lifetime {
		return to.String()
	}
	return from.String() + " to " + to.String()
}

// resumedReason says why hours let a creative be resumed.
func (e evidence) resumedReason() string {
	if e.rule.Pause == nil {
		return e.hoursReason()
	}
	return e.hoursReason() + ", and pause_when " + e.falseReason()
}

// falseReason says that pause_when does not hold or, of a rule without one, that
// increase_when does not.
func (e evidence) falseReason() string {
	condition := cmp.Or(e.rule.Pause, e.rule.Resume)
	return fmt.Sprintf("does not hold: %s (%s)", condition.Source, e.explainer.Compared(condition.Root))
}

// ownerReason says why a rule may not resume the i-th creative.
func (r *Run) ownerReason(rule *Rule, i int) string {
	owner, c := r.memory(i).Owner, r.creatives[i]
	switch {
	case owner == nil && r.snapshot.MemoryUnknown:
		return "a preview does not know what rules have paused"
	case owner == nil:
		return "no rule of usher is known to have paused it"
	case !r.set.Owns(rule, owner.Rule):
		return "rule " + owner.Rule + " paused it"
	case r.staysPaused(rule, i) && owner.Status == c.Status && owner.LatestUpdate == c.LatestUpdate:
		return "pause_when paused it, and the rule has no resume_when"
	}
	return fmt.Sprintf("it was changed since this rule paused it: from %s at %s to %s at %s", owner.Status, owner.LatestUpdate, c.Status, c.LatestUpdate)
}

func limitText(l Limits) string {
	var list []string
	if l.Creatives > 0 {
		list = append(list, fmt.Sprintf("max_creatives %d", l.Creatives))
	}
	if l.Campaigns > 0 {
		list = append(list, fmt.Sprintf("max_campaigns %d", l.Campaigns))
	}
	if l.Share > 0 {
		list = append(list, fmt.Sprintf("max_share %s%%", readable.Short(l.Share*100)))
	}
	if l.Amount > 0 {
		list = append(list, "max_amount "+readable.Exact(l.Amount))
	}
	return strings.Join(list, ", ")
}

// durationText returns a duration without its zero parts: 36h, not 36h0m0s.
func durationText(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}
