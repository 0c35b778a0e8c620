package queues

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"usher"
	"usher/queues/audit"
	"usher/queues/store"
)

func creativeKey(code string) string { return "creatives." + store.Token(code) }

// Entries returns the creatives' entries, by code. A creative that no job has
// set has a zero entry. The entries are kept at the keys creatives.<code>.
func (l *Lease) Entries(ctx context.Context, creatives []string) (map[string]usher.CreativeEntry, error) {
	read := make([]usher.CreativeEntry, len(creatives))
	// Concurrently, because a pause must not wait for a hundred responses in a row.
	var reads errgroup.Group
	reads.SetLimit(maxReads)
	for i, code := range creatives {
		reads.Go(func() (err error) {
			read[i].Revision, _, err = l.q.state.Get(ctx, creativeKey(code), &read[i])
			return err
		})
	}
	err := reads.Wait()
	entries := make(map[string]usher.CreativeEntry, len(creatives))
	for i, code := range creatives {
		entries[code] = read[i]
	}
	return entries, err
}

// maxReads is the number of concurrent reads of records or creatives' entries.
const maxReads = 16

// ClaimChange writes a creative's entry and returns the new entry. Unless a newer job has the
// entry, it now belongs to the lease's job, which wants the status wanted. If asked is set,
// the job has asked the platform for the status that now shows: ClaimChange then records the
// change as that of the job, unless another job has already claimed it. known is the entry as
// it was read before now was read from the platform. If the entry was written since,
// ClaimChange writes nothing and returns usher.ErrEntryChanged.
func (l *Lease) ClaimChange(ctx context.Context, creative, wanted string, known usher.CreativeEntry, now usher.CreativeState, asked bool) (usher.CreativeEntry, error) {
	entry := known
	// An entry whose order was lifted has no job, so it is not this job's.
	newest := known.Revision == 0 || known.Order < l.job.Order || known.Order == l.job.Order && known.Job == ""
	if newest {
		entry.Order, entry.Wanted, entry.Job = l.job.Order, wanted, l.job.Record.ID
	}
	// Without a time, two changes to the same status look the same.
	claims := asked && (known.Left != now || now.LatestUpdate == "")
	if claims {
		entry.ChangedOrder, entry.ChangedAt, entry.Left = l.job.Order, l.q.now().UTC(), now
	}
	if !newest && !claims {
		return known, nil
	}
	var err error
	entry.Revision, err = l.q.state.CompareAndSet(ctx, creativeKey(creative), &entry, known.Revision)
	if errors.Is(err, store.ErrConflict) {
		err = fmt.Errorf("claim creative %s: %w", creative, usher.ErrEntryChanged)
	}
	return entry, err
}

// Creatives reads and repairs the entries of creatives.
type Creatives struct{ q *Queue }

// Creatives returns the entries of the creatives that the queue's jobs have set.
func (q *Queue) Creatives() Creatives { return Creatives{q} }

// Entry returns the entry of a creative. If no job has set the creative, it is the zero
// value.
func (c Creatives) Entry(ctx context.Context, creative string) (usher.CreativeEntry, error) {
	var e usher.CreativeEntry
	_, _, err := c.q.state.Get(ctx, creativeKey(creative), &e)
	return e, err
}

// ErrNotStuck reports that a creative's order is not above that of all jobs.
var ErrNotStuck = errors.New("the order is not stuck")

// Stuck returns the entry of a creative whose order is above the sequence of every
// published job, so that all jobs are superseded. It returns nil if the order is not stuck.
// Such an entry remains after the stream was deleted: the sequences of a new one begin at 1.
func (c Creatives) Stuck(ctx context.Context, creative string) (*usher.CreativeEntry, error) {
	last, err := c.q.lastSequence(ctx)
	if err != nil {
		return nil, err
	}
	e, err := c.Entry(ctx, creative)
	if err != nil || e.Order <= last {
		return nil, err
	}
	return &e, nil
}

// LiftOrder lowers a stuck order, so that jobs that are published later set the creative again.
// Older jobs stay superseded. LiftOrder is audited. It returns the entry as it was before, or
// ErrNotStuck.
func (c Creatives) LiftOrder(ctx context.Context, creative string, act audit.Act) (stuck usher.CreativeEntry, err error) {
	last, err := c.q.lastSequence(ctx)
	if err != nil {
		return stuck, err
	}
	err = store.Change(ctx, c.q.state, creativeKey(creative), func(e *usher.CreativeEntry, _ bool) bool {
		stuck = *e
		if e.Order <= last {
			return false
		}
		// Its claims are dropped, too, because they may be just as wrong.
		*e = usher.CreativeEntry{Order: last}
		return true
	})
	if err != nil {
		return stuck, err
	}
	if stuck.Order <= last {
		return stuck, fmt.Errorf("lift the order of creative %s: %w", creative, ErrNotStuck)
	}
	return stuck, c.q.Audit().Changed(ctx, usher.Audit{
		At: c.q.now().UTC(), Creative: creative, Actor: act.Actor, Reason: act.Reason,
		Before: fmt.Sprintf("order %d of job %s", stuck.Order, stuck.Job), Wanted: OrderLifted, After: OrderLifted,
	})
}

// OrderLifted is the wanted and the new status in the audit of a lifted order.
const OrderLifted = "lifted"

// lastSequence returns the sequence of the newest job on a campaign.
func (q *Queue) lastSequence(ctx context.Context) (uint64, error) {
	stream, err := q.store.Stream(ctx, q.names.CampaignsStream())
	if err != nil {
		return 0, err
	}
	return stream.CachedInfo().State.LastSeq, nil
}

// Audit stores an audit entry about a creative. For each run and creative it stores one entry of
// each kind once: the change, what was not known or left as it is, a restore, and a late change. An entry
// without a campaign is one of the settings.
func (l *Lease) Audit(ctx context.Context, a usher.Audit) error {
	id := fmt.Sprintf("%s/%d/%s", a.Job, a.Run, a.Creative)
	switch { // entries in addition to the one of the job's own change
	case a.After == string(usher.Unknown):
		id += "/unknown" // a later reading may show it
	case a.After != a.Wanted:
		id += "/left" // by a later reading it may have changed after all
	case a.Restores != "":
		id += "/restores/" + a.Restores
	case a.Late:
		id += "/late"
	}
	return store.Retry(ctx, func(ctx context.Context) error {
		return l.q.Audit().Append(ctx, cmp.Or(a.Campaign, audit.Settings), a, id)
	})
}
