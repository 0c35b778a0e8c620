package bidding

import (
	"context"

	"usher"
	"usher/workers/locking"
)

// claim claims the change in the memory of rules.
//
// It assumes a reading that shows the number as the rule saw it. A crash afterwards leaves
// the claim; the redelivery finds that it is its own.
func (p *protocol) claim(ctx context.Context) (state, error) {
	claimed, err := p.rulebook.Claim(ctx, p.campaign(), p.claimed(), p.ruling.LastJob)
	if err != nil {
		return unlocking, err
	}
	if !claimed {
		p.job.Warnf("changed_meanwhile", "rules have changed the %s after the decision: left as it is, and the next run decides anew", p.field)
		return unlocking, nil
	}
	return intending, nil
}

// claimed returns the change as rules remember it before it is made.
func (p *protocol) claimed() usher.Change {
	intent := usher.BiddingIntent{Change: *p.change(), Rule: p.ruling.Rule, AsOf: p.evaluation.AsOf}
	return intent.Claim(p.job.Work.ID, &p.job.Work.Job, p.job.Now().UTC())
}

// drop ends the job without a change, and takes back a claim of an earlier delivery.
//
// It assumes that no PUT of this job has changed the number or may arrive. A crash
// afterwards leaves the intent without a claim; the redelivery drops it again.
func (p *protocol) drop(ctx context.Context) (state, error) {
	if err := p.rulebook.Unclaim(ctx, p.campaign(), p.claimed()); err != nil {
		return unlocking, err
	}
	p.job.Work.Progress.Bidding = nil
	p.job.AddWarnings(p.refusal)
	return unlocking, nil
}

// intend saves the intent.
//
// It assumes the claim. A crash afterwards leaves an intent of which nothing was sent; the
// redelivery cannot tell, reads back, and writes.
func (p *protocol) intend(context.Context) (state, error) {
	p.job.Work.Progress.Bidding = &usher.BiddingIntent{Change: *p.change(), Rule: p.ruling.Rule, AsOf: p.evaluation.AsOf, Before: []byte(p.now), Sent: p.job.Now().UTC()}
	return writing, p.job.Save()
}

// stoppedWarning says that the stop switch is on.
func stoppedWarning(stopped *locking.StoppedError) usher.Warning {
	return warning("stopped", "the stop switch is on (%s): nothing was changed, and nothing will be", stopped.Reason)
}
