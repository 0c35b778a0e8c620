package bidding

import (
	"context"
	"errors"
	"fmt"

	"usher"
)

// readBack reads what the PUT has changed.
//
// It assumes an intent, but no lock. A crash afterwards leaves nothing new.
func (p *protocol) readBack(ctx context.Context) (state, error) {
	if err := p.readDefinition(ctx); err != nil {
		return unlocking, fmt.Errorf("read back campaign %s: %w", p.campaign(), err)
	}
	switch {
	case p.shown() != p.intent().Change.Before():
		return recording, nil
	case p.lost != nil && !p.settled:
		return settling, nil
	case p.lost != nil:
		return unlocking, p.lost // it had no effect
	}
	return unlocking, errors.New("the platform accepted the change but still shows the " + p.field.String() + " as before")
}

// settle waits until a PUT whose response was lost has taken effect or cannot arrive any
// more. It unlocks the campaign, so that the platform refuses the PUT, and keeps the Redis
// lock, so that no other job of usher locks the campaign meanwhile.
//
// It assumes a lost response. A crash afterwards leaves the intent; the redelivery waits, too.
func (p *protocol) settle(ctx context.Context) (state, error) {
	p.locks.Unlock(ctx)
	p.settled = true
	return readingBack, usher.Sleep(ctx, p.late)
}
