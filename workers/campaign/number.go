package campaign

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/workers"
)

// maxDefinition is the size of the largest definition that is changed, in bytes. The audit
// has it twice, and a message of NATS has 1 MiB.
const maxDefinition = 400 << 10

// numberChange is a delivery of campaign.budget or campaign.bid: it sets a number of the
// campaign's biddingSettings as a rule has decided.
type numberChange struct {
	*protocol
	field    usher.BiddingField
	looking  bool                 // this is the last look
	decision usher.StoredDecision // set by loading
	now      rtb.Definition       // as it was read last
}

func (c *numberChange) step(ctx context.Context, s state) (state, error) {
	return states[s].number(c, ctx)
}

func (c *numberChange) lookAgain() { c.looking = true }

// lateFor returns how long the PUT of an earlier delivery may still arrive. That of this
// delivery is over when settling is done.
func (c *numberChange) lateFor() time.Duration {
	intent := c.intent()
	if intent == nil || intent.Sent.IsZero() || c.sent {
		return 0
	}
	return callTime + c.late - c.job.Now().Sub(intent.Sent)
}

func (c *numberChange) intent() *usher.BiddingIntent { return c.job.Work.Progress.Bidding }

// wanted returns the change that the rule decided.
func (c *numberChange) wanted() *usher.BiddingChange { return c.decision.Bidding }

// shown returns the number as it was read last, such as 80 USD.
func (c *numberChange) shown() string {
	return usher.BiddingState(c.now.Number(c.field), c.now.Currency())
}

// readDefinition reads the campaign's definition. It does not end when the Redis lock is
// lost, because what was sent must be read back.
func (c *numberChange) readDefinition(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, callTime, errNoAnswer{})
	defer cancel()
	var err error
	if c.now, err = c.job.Platform.CampaignDefinition(ctx, c.campaign()); err != nil {
		return fmt.Errorf("read campaign %s: %w", c.campaign(), err)
	}
	return nil
}

// admit is step 1, first half: it reads the stop switch. While it is on, nothing more is
// changed; what this job has changed already is still recorded.
//
// It assumes nothing. A crash afterwards leaves nothing.
func (c *numberChange) admit(ctx context.Context) (state, error) {
	err := c.checkSwitch(ctx)
	var stopped *stoppedError
	if !errors.As(err, &stopped) {
		return lockingRedis, err
	}
	c.refusal = stopped.warning()
	if c.intent() == nil {
		return dropping, nil
	}
	return lockingRedis, nil
}

// read is step 3, first part: it reads the definition, and decides whether the number is
// changed.
//
// It assumes both locks. A crash afterwards leaves nothing.
func (c *numberChange) read(ctx context.Context) (state, error) {
	if err := c.readDefinition(ctx); err != nil {
		return unlocking, err
	}
	return c.decide()
}

// decide decides on what was read last. A number that is not as the rule saw it is left as it is.
func (c *numberChange) decide() (state, error) {
	if len(c.now) > maxDefinition {
		return unlocking, usher.Refuse(usher.Refused, "change this campaign by hand, and exclude it from the rule's scope",
			"the definition of campaign %s has %d bytes, and the audit takes %d", c.campaign(), len(c.now), maxDefinition)
	}
	if seen := c.decision.Seen.Status; c.shown() != seen {
		c.refusal = c.changedWarning(seen)
		return dropping, nil
	}
	return claiming, nil
}

// changedWarning says that the number is not as it was before.
func (c *numberChange) changedWarning(before string) usher.Warning {
	return warning(usher.WarnChangedMeanwhile, "the %s is %s now, and was %s: somebody else changed it, left as it is", c.field, c.shown(), before)
}

// claim is step 3, second part: it claims the change in the memory of rules.
//
// It assumes a reading that shows the number as the rule saw it. A crash afterwards leaves
// the claim; the redelivery finds that it is its own.
func (c *numberChange) claim(ctx context.Context) (state, error) {
	claimed, err := c.handler.RuleStore.Claim(ctx, c.campaign(), c.claimed(), c.decision.LastJob)
	if err != nil {
		return unlocking, err
	}
	if !claimed {
		c.job.Warnf(usher.WarnChangedMeanwhile, "rules have changed the %s after the decision: left as it is, and the next run decides anew", c.field)
		return unlocking, nil
	}
	return intending, nil
}

// claimed returns the change as rules remember it before it is made.
func (c *numberChange) claimed() usher.Change {
	return c.newIntent().Claim(c.job.Work.ID, &c.job.Work.Job, c.job.Now().UTC())
}

func (c *numberChange) newIntent() *usher.BiddingIntent {
	return &usher.BiddingIntent{Change: *c.wanted(), Rule: c.decision.Rule, AsOf: c.evaluation.AsOf, Approved: c.evaluation.ApprovedAt(&c.decision)}
}

// intend is step 3, third part: it saves the intent.
//
// It assumes the claim. A crash afterwards leaves an intent of which nothing was sent; the
// redelivery cannot tell, reads back, and sends.
func (c *numberChange) intend(context.Context) (state, error) {
	intent := c.newIntent()
	intent.Before, intent.Sent = []byte(c.now), c.job.Now().UTC()
	c.job.Work.Progress.Bidding = intent
	return sending, c.job.Save()
}

// send is steps 4 and 5: it replaces the campaign by its definition with the new number.
//
// It assumes both locks and a saved intent. A crash afterwards leaves the intent and
// perhaps its change; the redelivery reads back before it sends again.
func (c *numberChange) send(ctx context.Context) (state, error) {
	intent := c.intent()
	intent.Sent = time.Time{} // nothing so far
	changed, err := c.readUnchanged(ctx)
	if err != nil {
		return unlocking, err
	}
	warnings, _, err := c.call(ctx, func(ctx context.Context) ([]usher.Warning, error) {
		intent.Sent = c.job.Now().UTC()
		return c.job.Platform.ReplaceCampaign(ctx, c.campaign(), changed)
	})
	c.job.AddWarnings(warnings...)
	var stopped *stoppedError
	var permanent *usher.Permanent
	switch {
	case err == nil: // or the response was lost
		return readingBack, nil
	case errors.As(err, &stopped):
		c.refusal = stopped.warning()
		return dropping, nil
	case c.sent && errors.As(err, &permanent):
		return unlocking, c.refused(ctx, err)
	}
	// Nothing was sent, or the platform has answered, and changed nothing.
	intent.Sent, c.sent = time.Time{}, false
	return unlocking, err
}

// readUnchanged reads the definition again and returns it with the new number, if the campaign
// is as it was read before.
func (c *numberChange) readUnchanged(ctx context.Context) (rtb.Definition, error) {
	if err := c.readDefinition(ctx); err != nil {
		return nil, err
	}
	intent := c.intent()
	if differences := rtb.Definition(intent.Before).Differences(c.now, ""); len(differences) > 0 {
		c.job.Work.Progress.Bidding = nil // read again from the beginning
		return nil, &usher.RetryAfter{
			After: lockDelay, Why: "the campaign was changed between reading and writing, so nothing was written",
			Err: fmt.Errorf("campaign %s differs in %v", c.campaign(), differences),
		}
	}
	return c.now.With(c.campaign(), c.field, intent.Change.To)
}

// refused takes the claim back after the platform has refused the PUT.
func (c *numberChange) refused(ctx context.Context, err error) error {
	c.sent = false
	if failed := c.handler.RuleStore.Unclaim(ctx, c.campaign(), c.claimed()); failed != nil {
		return failed // the redelivery sends again, and is refused again
	}
	c.job.Work.Progress.Bidding = nil
	return fmt.Errorf("set the %s of campaign %s to %s: %w", c.field, c.campaign(), c.wanted().After(), err)
}

// readBack is step 6: it reads what the PUT has changed. Whoever has changed the number, the
// audit says what was asked and what shows.
//
// It assumes an intent and, in a redelivery, both locks. A crash afterwards leaves nothing new.
func (c *numberChange) readBack(ctx context.Context) (state, error) {
	if err := c.readDefinition(ctx); err != nil {
		return unlocking, err
	}
	lateFor := c.lateFor()
	switch {
	case c.shown() != c.intent().Change.Before():
		return recording, nil
	case c.lost != nil && c.lost.mayArrive:
		return settling, nil
	case c.lost != nil:
		return unlocking, c.lost.err // it had no effect
	case c.sent:
		return unlocking, errors.New("the platform accepted the change but still shows the " + c.field.String() + " as before")
	case lateFor > 0:
		return unlocking, workers.Wait(lateFor, "reads back once more: a change that was sent before a crash may still arrive")
	case c.looking:
		return unlocking, errors.New("the " + c.field.String() + " shows as before")
	case c.refusal.Code != "":
		return dropping, nil
	}
	c.job.Work.Progress.Bidding = nil
	return c.decide()
}

// settle waits until a PUT whose response was lost has taken effect or cannot arrive any
// more. It unlocks the campaign, so that the platform refuses the PUT, and keeps the Redis
// lock, so that no other job of usher locks the campaign meanwhile.
//
// It assumes a lost response. A crash afterwards leaves the intent; the redelivery waits, too.
func (c *numberChange) settle(ctx context.Context) (state, error) {
	c.unlockPlatform(ctx)
	c.lost.mayArrive = false
	return readingBack, usher.Sleep(ctx, c.late)
}

// record is step 7: it writes the audit and the memory of rules.
//
// It assumes a reading after the PUT that shows another number than before. A crash
// afterwards leaves the audit; the redelivery repeats it, which is idempotent.
func (c *numberChange) record(ctx context.Context) (state, error) {
	intent := c.intent()
	made := intent.Change
	if shown := c.now.Number(c.field); !math.IsNaN(shown) {
		made.To = shown
	}
	if c.shown() == intent.Change.After() {
		c.warnOtherwise(rtb.Definition(intent.Before))
	} else {
		c.job.AddWarnings(c.changedWarning(intent.Change.Before()))
	}
	a, d := c.baseAudit(), &c.decision
	a.Rule, a.Reason, a.Metrics, a.Values = d.Rule, d.Condition(), d.Metrics, d.Values
	a.Evaluation, a.AsOf, a.Approved = c.job.Work.Job.Evaluation, c.evaluation.AsOf, c.evaluation.ApprovedAt(d)
	a.Before, a.Wanted, a.After = intent.Change.Before(), intent.Change.After(), c.shown()
	a.Bidding, a.Definitions = &made, &usher.Definitions{Before: intent.Before, After: []byte(c.now)}
	if a.After == a.Wanted {
		a.TakesBack = d.Against
	}
	if err := c.job.Lease.Audit(ctx, a); err != nil {
		return unlocking, err
	}
	return unlocking, c.handler.RuleStore.Remember(ctx, a)
}

// warnOtherwise warns of what has changed besides the number. A creative that the platform
// has approved meanwhile is none of it.
func (c *numberChange) warnOtherwise(before rtb.Definition) {
	differences := slices.DeleteFunc(before.Differences(c.now, c.field), func(pointer string) bool {
		return strings.HasPrefix(pointer, "/creatives/") && strings.HasSuffix(pointer, "/status") && before.Pending(pointer)
	})
	if len(differences) > 0 {
		c.job.Warnf(usher.WarnChangedOtherwise, "the campaign differs from before in more than its %s: %s; the audit has both definitions", c.field, strings.Join(differences, ", "))
	}
}

// drop ends the job without a change, and takes back a claim of an earlier delivery.
//
// It assumes that no PUT of this job has changed the number or may arrive. A crash
// afterwards leaves the intent without a claim; the redelivery drops it again.
func (c *numberChange) drop(ctx context.Context) (state, error) {
	if err := c.handler.RuleStore.Unclaim(ctx, c.campaign(), c.claimed()); err != nil {
		return unlocking, err
	}
	c.job.Work.Progress.Bidding = nil
	c.job.AddWarnings(c.refusal)
	return unlocking, nil
}
