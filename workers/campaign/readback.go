package campaign

import (
	"context"
	"fmt"
	"slices"

	"usher/internal/rtb"
)

// readBack is step 6: it reads the statuses, and which creatives of the intent
// are still open.
//
// It assumes an intent, but no lock. A crash afterwards leaves what was there
// before.
func (p *protocol) readBack(ctx context.Context) (state, error) {
	var err error
	if p.shown, err = p.readStatuses(ctx); err != nil {
		return unlocking, err
	}
	if p.open, err = p.openCreatives(ctx); err != nil {
		return unlocking, err
	}
	switch {
	case len(p.open) == 0 || p.posted:
		return recording, nil
	case p.locks.held():
		return posting, nil
	}
	return admitting, nil
}

// readStatuses reads the statuses of the campaign's creatives. It does not end
// when the Redis lock is lost, because what was posted must be read back.
func (p *protocol) readStatuses(ctx context.Context) ([]rtb.CreativeStatus, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	list, err := p.job.Platform.Campaigns.Status(ctx, p.campaign())
	if err != nil {
		return nil, fmt.Errorf("read statuses of campaign %s: %w", p.campaign(), err)
	}
	return list, nil
}

// openCreatives returns the creatives of the intent that are still to be
// changed. It leaves out a creative that is neither as wanted nor as before,
// because somebody else has changed it, and one that a newer job has set since.
func (p *protocol) openCreatives(ctx context.Context) ([]string, error) {
	intent := p.intent()
	if intent.Recorded {
		return nil, nil
	}
	var open []string
	for _, s := range p.shown {
		code := s.CreativeCode
		if slices.Contains(intent.Changing, code) && s.ApprovalStatus != p.wanted && s.ApprovalStatus == intent.Before[code] {
			open = append(open, code)
		}
	}
	newer, err := p.job.Lease.Superseded(ctx, open)
	return slices.DeleteFunc(open, func(code string) bool { return slices.Contains(newer, code) }), err
}
