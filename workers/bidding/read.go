package bidding

import (
	"context"
	"fmt"
	"time"

	"usher"
	"usher/workers"
	"usher/workers/locking"
)

// maxDefinition is the size of the largest definition that is changed, in bytes. The audit
// has it twice, and a message of NATS has 1 MiB.
const maxDefinition = 400 << 10

// read reads the definition, and decides what is to be done with the number.
//
// It assumes both locks. A crash afterwards leaves nothing.
func (p *protocol) read(ctx context.Context) (state, error) {
	if err := p.readDefinition(ctx); err != nil {
		return unlocking, fmt.Errorf("read campaign %s: %w", p.campaign(), err)
	}
	if len(p.now) > maxDefinition {
		return unlocking, usher.Refuse(usher.Refused, "change this campaign by hand, and exclude it from the rule's scope",
			"the definition of campaign %s has %d bytes, and the audit takes %d", p.campaign(), len(p.now), maxDefinition)
	}
	if intent := p.intent(); intent != nil {
		return p.readAgain(intent)
	}
	if seen := p.ruling.Seen.Status; p.shown() != seen {
		p.refusal = p.changedWarning(seen)
		return dropping, nil
	}
	return claiming, nil
}

// readAgain decides what a redelivery that finds an intent does.
func (p *protocol) readAgain(intent *usher.BiddingIntent) (state, error) {
	wait := time.Duration(0)
	if !intent.Sent.IsZero() {
		wait = locking.CallTime + p.late - p.job.Now().Sub(intent.Sent)
	}
	switch {
	case p.shown() != intent.Change.Before():
		return recording, nil // whoever changed it: the audit says what was asked and what shows
	case wait > 0:
		return unlocking, workers.Wait(wait, "reads back once more: a change that was sent before a crash may still arrive")
	case p.refusal.Code != "":
		return dropping, nil
	}
	p.job.Work.Progress.Bidding = nil
	return claiming, nil
}

// changedWarning says that the number is not as it was before.
func (p *protocol) changedWarning(before string) usher.Warning {
	return warning("changed_meanwhile", "the %s is %s now, and was %s: somebody else changed it, left as it is", p.field, p.shown(), before)
}
