package bidding

import (
	"context"
	"errors"
	"fmt"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/workers/locking"
)

// write replaces the campaign by its definition with the new number.
//
// It assumes both locks and a saved intent. A crash afterwards leaves the intent and
// perhaps its change; the redelivery reads back before it writes again.
func (p *protocol) write(ctx context.Context) (state, error) {
	intent := p.intent()
	if err := p.mayWrite(ctx); err != nil {
		intent.Sent = time.Time{} // nothing was sent
		var stopped *locking.StoppedError
		if errors.As(err, &stopped) {
			p.refusal = stoppedWarning(stopped)
			return dropping, nil
		}
		return unlocking, err
	}
	changed, err := p.now.With(p.campaign(), p.field, intent.Change.To)
	if err != nil {
		return unlocking, err
	}
	intent.Sent, p.sent = p.job.Now().UTC(), true
	call, cancel := context.WithTimeout(p.locks.Context(), locking.CallTime)
	defer cancel()
	warnings, err := p.job.Platform.ReplaceCampaign(call, p.campaign(), changed)
	p.job.AddWarnings(warnings...)
	var permanent *usher.Permanent
	switch {
	case err == nil:
	case locking.IsLost(err) || call.Err() != nil:
		p.lost, p.settled = err, !locking.MayStillArrive(err)
	case errors.As(err, &permanent):
		return unlocking, p.refused(ctx, err)
	default: // the platform has answered, and changed nothing
		intent.Sent, p.sent = time.Time{}, false
		return unlocking, err
	}
	return readingBack, nil
}

// mayWrite checks immediately before the PUT what must hold, and that the campaign is as it
// was read. An error means that nothing was sent.
func (p *protocol) mayWrite(ctx context.Context) error {
	if err := p.readDefinition(ctx); err != nil {
		return err
	}
	before := rtb.Definition(p.intent().Before)
	if differences := before.Differences(p.now, ""); len(differences) > 0 {
		p.job.Work.Progress.Bidding = nil // read again from the beginning
		return &usher.RetryAfter{
			After: locking.Delay, Why: "the campaign was changed between reading and writing, so nothing was written",
			Err: fmt.Errorf("campaign %s differs in %v", p.campaign(), differences),
		}
	}
	return p.locks.MayChange(ctx)
}

// refused takes the claim back after the platform has refused the PUT.
func (p *protocol) refused(ctx context.Context, err error) error {
	p.sent = false
	if failed := p.rulebook.Unclaim(ctx, p.campaign(), p.claimed()); failed != nil {
		return failed // the redelivery writes again, and is refused again
	}
	p.job.Work.Progress.Bidding = nil
	return fmt.Errorf("set the %s of campaign %s to %s: %w", p.field, p.campaign(), p.change().After(), err)
}
