package queues

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"usher"
	"usher/queues/audit"
	"usher/queues/store"
)

func creativeKey(code string) string { return "creatives." + store.Token(code) }

// Entries returns the creatives' entries, by code. A creative that no job has
// set has a zero entry. The entries are kept at the keys creatives.<code>.
func (l *Lease) Entries(ctx context.Context, creatives []string) (map[string]usher.CreativeEntry, error) {
	read := make([]usher.CreativeEntry, len(creatives))
	errs := make([]error, len(creatives))
	// Concurrently, because a pause must not wait for a hundred responses in a row.
	slots := make(chan struct{}, maxReads)
	var reads sync.WaitGroup
	for i, code := range creatives {
		slots <- struct{}{}
		reads.Go(func() {
			defer func() { <-slots }()
			read[i].Revision, _, errs[i] = l.q.state.Get(ctx, creativeKey(code), &read[i])
		})
	}
	reads.Wait()
	entries := make(map[string]usher.CreativeEntry, len(creatives))
	for i, code := range creatives {
		entries[code] = read[i]
	}
	return entries, errors.Join(errs...)
}

// maxReads is the number of concurrent reads of creatives' entries.
const maxReads = 16

// ClaimChange writes a creative's entry and returns the entry as it then is. It
// makes the lease's job and wanted the newest order unless a newer job has the
// entry. If asked is set, the job has asked the platform for the status that now
// shows: the change is then recorded as the job's, unless another job has claimed
// the same change before.
//
// Known is the entry as it was read before now was read from the platform. If it
// was written since, ClaimChange writes nothing and returns
// usher.ErrEntryChanged.
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
		entry.Changed, entry.Left = l.job.Order, now
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

// ErrNotStuck reports that a creative's order is not above that of all jobs.
var ErrNotStuck = errors.New("the order is not stuck")

// StuckOrder returns the entry of a creative whose order is above the sequence of every
// published job, so that all jobs are superseded, or nil. Such an entry is left behind by
// a version that believed publishers' headers, or by a stream that was deleted.
func (q *Queue) StuckOrder(ctx context.Context, creative string) (*usher.CreativeEntry, error) {
	last, err := q.lastSequence(ctx)
	if err != nil {
		return nil, err
	}
	e, err := q.Reruns().LastEntry(ctx, creative)
	if err != nil || e.Order <= last {
		return nil, err
	}
	return &e, nil
}

// LiftOrder makes jobs that are published from now on set a creative again whose order is
// stuck, and audits that. Older jobs stay superseded. It returns the entry as it was, or
// ErrNotStuck.
func (q *Queue) LiftOrder(ctx context.Context, creative string, act audit.Act) (stuck usher.CreativeEntry, err error) {
	last, err := q.lastSequence(ctx)
	if err != nil {
		return stuck, err
	}
	err = store.Change(ctx, q.state, creativeKey(creative), func(e *usher.CreativeEntry, _ bool) bool {
		stuck = *e
		if e.Order <= last {
			return false
		}
		// Without its claims, which may be just as wrong.
		*e = usher.CreativeEntry{Order: last}
		return true
	})
	if err != nil {
		return stuck, err
	}
	if stuck.Order <= last {
		return stuck, fmt.Errorf("lift the order of creative %s: %w", creative, ErrNotStuck)
	}
	return stuck, q.Audit().Changed(ctx, usher.Audit{
		At: q.now().UTC(), Creative: creative, Actor: act.Actor, Reason: act.Reason,
		Before: fmt.Sprintf("order %d of job %s", stuck.Order, stuck.Job), Wanted: OrderLifted, After: OrderLifted,
	})
}

// OrderLifted is the wanted and the new status in the audit of a lifted order.
const OrderLifted = "lifted"

// lastSequence returns the sequence of the newest job on the stream of jobs.
func (q *Queue) lastSequence(ctx context.Context) (uint64, error) {
	stream, err := q.store.Stream(ctx, q.names.JobsStream())
	if err != nil {
		return 0, err
	}
	return stream.CachedInfo().State.LastSeq, nil
}

// Audit stores an audit entry about a creative, once for each run and creative.
func (l *Lease) Audit(ctx context.Context, a usher.Audit) error {
	id := fmt.Sprintf("%s/%d/%s", a.Job, a.Run, a.Creative)
	switch { // entries in addition to the one of the job's own change
	case a.Restores != "":
		id += "/restores/" + a.Restores
	case a.Late:
		id += "/late"
	}
	return store.Insist(ctx, func(ctx context.Context) error { return l.q.Audit().Append(ctx, a.Campaign, a, id) })
}
