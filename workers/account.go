package workers

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rtb"
)

// outcome is what became of the creatives of a change.
type outcome struct {
	open    []string      // nothing yet
	changed []string      // ours
	refused []string      // by the platform
	audits  []usher.Audit // what rules remember, if it was theirs

	overtaken map[string]usher.Word // to be put back, by the word that holds
}

// account reads back and writes down what became of every creative: what
// differs from before, is as wanted and was claimed by nobody else is ours.
func (c *change) account(ctx context.Context) error {
	c.overtaken = nil
	now, err := c.statuses(ctx)
	if err != nil {
		return err
	}
	open, err := c.open(ctx, now)
	if err != nil {
		return err
	}
	o := outcome{overtaken: map[string]usher.Word{}}
	for _, s := range now {
		if err := c.tell(ctx, s, slices.Contains(open, s.CreativeCode), &o); err != nil {
			return err
		}
	}
	if c.decided != nil && len(o.audits) > 0 {
		if err := c.Rulebook.Remember(ctx, o.audits...); err != nil {
			return err
		}
	}
	if c.lost != nil && !slices.ContainsFunc(c.lostOn, func(code string) bool { return !slices.Contains(o.changed, code) }) {
		c.Progress.Intent.Lost = c.lostSince // it had its effect, so nothing of it is under way any more
	}
	c.overtaken = o.overtaken // only now: nothing is put back before all is on record
	return c.verdict(&o)
}

// tell says what became of one creative.
func (c *change) tell(ctx context.Context, s rtb.CreativeStatus, open bool, o *outcome) error {
	code, intent := s.CreativeCode, c.Progress.Intent
	before, ours := intent.Before[code]
	changing := slices.Contains(intent.Changing, code)
	word, restoring := intent.Restoring[code]
	switch {
	case !ours:
		return nil
	case restoring:
		return c.restored(ctx, s, word, o)
	case s.ApprovalStatus == c.wanted || !changing && before == c.wanted:
		return c.holds(ctx, s, changing, o)
	case !changing, intent.Accounted:
		return nil // was left out, or is on record
	case c.said[code].Code != "":
		o.refused = append(o.refused, code)
	case open:
		o.open = append(o.open, code)
		return nil
	case s.ApprovalStatus == before:
		c.warnf("superseded", "a newer job has spoken on %s: left as it is", code)
		if !c.answered[code] {
			return nil
		}
	default:
		c.warnf("changed_meanwhile", "creative %s is %s now: somebody else changed it, left as it is", code, s.ApprovalStatus)
	}
	return c.tellOf(ctx, c.audit(s, before), o)
}

// holds says the job's word on a creative that is as wanted, or was when we
// looked, and claims the change where it asked for it.
func (c *change) holds(ctx context.Context, s rtb.CreativeStatus, changing bool, o *outcome) error {
	code, intent, now := s.CreativeCode, c.Progress.Intent, seen(s)
	asked := changing && s.ApprovalStatus == c.wanted
	word, err := c.Spoken(ctx, code, c.wanted, now, asked)
	if err != nil {
		return err
	}
	c.overtake(o, code, word, now)
	left, told := intent.Left[code]
	told = told && intent.Accounted // else it is not sure that all of it is on record
	switch {
	case !asked:
		return nil
	case !word.By(c.Order, now):
		if word.Order > c.Order {
			c.warnf("superseded", "a newer job has spoken on %s: left as it is", code)
		}
		return nil
	}
	o.changed = append(o.changed, code)
	if told && left == now {
		return nil
	}
	if intent.Left == nil {
		intent.Left = map[string]usher.Seen{}
	}
	intent.Left[code] = now
	a := c.audit(s, intent.Before[code])
	a.Late = told
	return c.tellOf(ctx, a, o)
}

func (c *change) tellOf(ctx context.Context, a usher.Audit, o *outcome) error {
	if err := c.Audit(ctx, a); err != nil {
		return err
	}
	o.audits = append(o.audits, a)
	return nil
}

func seen(s rtb.CreativeStatus) usher.Seen {
	return usher.Seen{Status: s.ApprovalStatus, LatestUpdate: s.LatestUpdate}
}

// audit is what is kept of a creative that was to be changed.
func (c *change) audit(now rtb.CreativeStatus, before string) usher.Audit {
	a := usher.Audit{
		At: c.Now().UTC(), Job: c.ID, Run: c.Work.Run, Actor: c.Job.Actor, Reason: c.Job.Reason,
		Campaign: c.Job.Campaign, Creative: now.CreativeCode, Before: before, Wanted: c.wanted, After: now.ApprovalStatus,
	}
	if d, is := c.decided[now.CreativeCode]; is {
		a.Rule, a.Reason, a.Metrics, a.Values = d.Rule, d.Reason, d.Metrics, d.Values
		a.Evaluation, a.AsOf, a.LatestUpdate = c.Job.Evaluation, c.asOf, now.LatestUpdate
	}
	return a
}

// verdict is how the job ends.
func (c *change) verdict(o *outcome) error {
	intent := c.Progress.Intent
	left := c.Limits.Late - c.Now().Sub(intent.Lost)
	switch {
	case len(o.open)+len(c.overtaken) > 0 && c.lost != nil:
		return c.lost // read back: it had no effect on these
	case len(o.open) > 0:
		return errors.New("the platform said yes, but still shows " + strings.Join(o.open, ", ") + " as before")
	case len(c.overtaken) > 0:
		return wait(lockDelay, "puts back what came after a newer job's word")
	case !intent.Lost.IsZero() && left > 0:
		intent.Accounted = true
		return wait(left, "looks once more at %s: a change whose answer was lost may still come, and would be put back", c.Now().Add(left).UTC().Format(time.RFC3339))
	case len(o.changed) == 0 && len(o.refused) > 0:
		w := c.said[o.refused[0]]
		return &usher.Permanent{Class: usher.Refused, Code: w.Code,
			Hint: "the platform does not allow this change of status; see the record's warnings",
			Err:  errors.New("set status of campaign " + c.Job.Campaign + " to " + c.wanted + ": " + w.Description)}
	}
	return nil
}
