package rules

import (
	"fmt"
	"strings"
	"time"

	"usher"
)

// reason explains a decision in a sentence.
func (r *Run) reason(c choice, creative Creative, e evidence) string {
	why := e.verdictReason()
	if c.guard != "" {
		return r.guardReason(c, creative, e) + ": " + why
	}
	switch {
	case e.verdict == wantsPause && c.action == usher.None:
		return "already INACTIVE: " + why
	case e.verdict == wantsResume && c.action == usher.None: // already ACTIVE
		return e.notHeldReason()
	}
	return why
}

// guardReason says what a guard does to a decision.
func (r *Run) guardReason(c choice, creative Creative, e evidence) string {
	switch c.guard {
	case usher.GuardObserve:
		return fmt.Sprintf("would %s, but only observes", c.wants)
	case usher.GuardApproval:
		return fmt.Sprintf("would %s, and waits for approval", c.wants)
	case usher.GuardStop:
		return fmt.Sprintf("would %s, but the stop switch is on (%s)", c.wants, r.snapshot.Stopped)
	case usher.GuardCap:
		n := r.changes[c.rule]
		return fmt.Sprintf("would %s, but the rule would change %d of %d creatives in %s at once, over its limits (%s), so all of these changes wait for approval",
			c.wants, n.creatives, r.inScope(c.rule), campaignsText(n.campaigns), limitText(e.rule.Limits))
	case usher.GuardKeepActive:
		return fmt.Sprintf("would pause, but keep_active is %d", e.rule.Scope.KeepActive)
	case usher.GuardCooldown:
		end := r.lastChange(e.rule, creative).Changed.Add(e.rule.Cooldown)
		return fmt.Sprintf("would %s, but its cooldown lasts until %s", c.wants, end.In(r.set.Zone).Format("2006-01-02 15:04"))
	case usher.GuardFlips:
		return fmt.Sprintf("would %s, but has already changed it %d times on %s", c.wants, r.lastChange(e.rule, creative).Flips, r.set.Day(r.snapshot.Figures.at))
	case usher.GuardPending:
		return "skipped, because the platform has not approved it yet"
	case usher.GuardHandsOff:
		return "not resumed, because " + r.ownerReason(e.rule, creative)
	}
	return string(c.guard)
}

// lastChange returns the memory of a rule about a creative.
func (r *Run) lastChange(rule *Rule, c Creative) usher.RuleMemory {
	return r.memoryOf(c)().Rules[r.set.Key(rule.Name)]
}

// verdictReason explains a rule's verdict.
func (e evidence) verdictReason() string {
	switch e.verdict {
	case wantsPause, wantsResume:
		return fmt.Sprintf("%s (%s)", e.condition().Source, e.compared(e.condition()))
	case noRows:
		return fmt.Sprintf("unknown: the report has no row for %s (%s)", e.rule.Window, e.windowDays())
	case tooOld:
		return fmt.Sprintf("unknown: the newest report is of %s, which is older than %s", e.report(), durationText(e.rule.MaxAge))
	case tooLittle:
		for _, least := range e.rule.MinData {
			if v := e.sum(least.Field); !(v >= least.Least) { // true for NaN
				return fmt.Sprintf("unknown: %s %s in %s, and min_data requires %s", short(v), least.Field, e.rule.Window, short(least.Least))
			}
		}
	case unknown:
		if missing := e.unknownMetrics(); len(missing) > 0 {
			return fmt.Sprintf("unknown: no %s in %s, or a division by zero", strings.Join(missing, ", "), e.rule.Window)
		}
		return "unknown: a division by zero in " + e.rule.Window.String()
	}
	return e.notHeldReason()
}

// windowDays returns the days of the rule's window.
func (e evidence) windowDays() string {
	from, to := e.rule.Window.span(e.figures.day, false)
	if from == to || e.rule.Window.kind == lifetime {
		return dayText(to)
	}
	return dayText(from) + " to " + dayText(to)
}

// notHeldReason says that pause_when does not hold.
func (e evidence) notHeldReason() string {
	return fmt.Sprintf("does not hold: %s (%s)", e.rule.Pause.Source, e.compared(e.rule.Pause))
}

// ownerReason says why a rule may not resume a creative.
func (r *Run) ownerReason(rule *Rule, c Creative) string {
	owner := r.memoryOf(c)().Owner
	switch {
	case owner == nil:
		return "no rule of usher is known to have paused it"
	case owner.Rule != r.set.Key(rule.Name):
		return "rule " + owner.Rule + " paused it"
	}
	return fmt.Sprintf("it was changed since this rule paused it: from %s at %s to %s at %s", owner.Status, owner.LatestUpdate, c.Status, c.LatestUpdate)
}

func campaignsText(n int) string {
	if n == 1 {
		return "1 campaign"
	}
	return fmt.Sprintf("%d campaigns", n)
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
		list = append(list, fmt.Sprintf("max_share %s%%", short(l.Share*100)))
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
