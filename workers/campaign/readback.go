package campaign

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"usher/internal/rtb"
	"usher/workers/locking"
)

// readBack is step 6: it reads the creatives' entries, then the statuses, and finds the
// creatives of the intent that are still open. This order makes the claims of recording
// safe: if nobody has written the entry since, the statuses show every change that it
// names.
//
// It assumes an intent, but no lock. A crash afterwards leaves nothing new.
func (p *protocol) readBack(ctx context.Context) (state, error) {
	if err := p.readEntries(ctx, slices.Collect(maps.Keys(p.intent().Before))); err != nil {
		return unlocking, err
	}
	var err error
	if p.shown, err = p.readStatuses(ctx); err != nil {
		return unlocking, err
	}
	p.open = p.openCreatives()
	if p.stopReason != "" {
		p.dropOpen()
	}
	switch {
	case len(p.open) == 0 || p.noMorePosts:
		return recording, nil
	case p.locks.Held():
		return posting, nil
	}
	return admitting, nil
}

// readEntries reads the entries of creatives.
func (p *protocol) readEntries(ctx context.Context, creatives []string) (err error) {
	p.entries, err = p.job.Lease.Entries(ctx, creatives)
	return err
}

// superseded reports whether a newer job has set a creative, according to its entry.
func (p *protocol) superseded(code string) bool {
	return p.entries[code].Order > p.job.Work.Order
}

// readStatuses reads the statuses of the campaign's creatives. It does not end
// when the Redis lock is lost, because what was posted must be read back.
func (p *protocol) readStatuses(ctx context.Context) ([]rtb.CreativeStatus, error) {
	ctx, cancel := context.WithTimeout(ctx, locking.CallTime)
	defer cancel()
	list, err := p.job.Platform.Campaigns.Status(ctx, p.campaign())
	if err != nil {
		return nil, fmt.Errorf("read statuses of campaign %s: %w", p.campaign(), err)
	}
	return list, nil
}

// openCreatives returns the creatives of the intent that must still be changed. It omits
// a creative that somebody else has changed, and one that a newer job has set since.
func (p *protocol) openCreatives() (open []string) {
	intent := p.intent()
	if intent.Recorded {
		return nil
	}
	for _, s := range p.shown {
		code := s.CreativeCode
		asBefore := s.ApprovalStatus != p.wanted && s.ApprovalStatus == intent.Before[code]
		if asBefore && !p.changedBack(s) && slices.Contains(intent.Changing, code) && !p.superseded(code) {
			open = append(open, code)
		}
	}
	return open
}

// changedBack reports whether a creative has its old status although it has been changed since
// the intent was written. So it is with one that an earlier attempt has paused and a person has
// resumed: the person's change counts. latestUpdate does not say what was changed, see doc.go.
func (p *protocol) changedBack(s rtb.CreativeStatus) bool {
	updated := p.intent().Updated[s.CreativeCode]
	return s.ApprovalStatus == p.intent().Before[s.CreativeCode] && updated != "" && s.LatestUpdate != updated
}
