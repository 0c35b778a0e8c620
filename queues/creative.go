package queues

import (
	"context"
	"errors"
	"sync"

	"usher"
	"usher/queues/store"
)

// Superseded returns those of the creatives that a newer job has an entry for.
// The entries are kept at the keys creatives.<code>.
func (l *Lease) Superseded(ctx context.Context, creatives []string) ([]string, error) {
	newer := make([]bool, len(creatives))
	errs := make([]error, len(creatives))
	// Concurrently, because a pause must not wait for a hundred responses in a row.
	slots := make(chan struct{}, maxReads)
	var reads sync.WaitGroup
	for i, code := range creatives {
		slots <- struct{}{}
		reads.Go(func() {
			defer func() { <-slots }()
			var entry usher.CreativeEntry
			var found bool
			_, found, errs[i] = l.q.state.Get(ctx, creativeKey(code), &entry)
			newer[i] = found && entry.Order > l.job.Order
		})
	}
	reads.Wait()
	var codes []string
	for i, code := range creatives {
		if newer[i] {
			codes = append(codes, code)
		}
	}
	return codes, errors.Join(errs...)
}

// maxReads is the number of concurrent reads of creatives' entries.
const maxReads = 16

// ClaimChange writes a creative's entry by compare-and-set and returns the entry
// as it then is. It makes the lease's job and wanted the newest order unless a
// newer job has the entry. If asked is set, the job has asked the platform for
// the status that now shows: the change is then recorded as the job's, unless
// another job has claimed the same change before.
func (l *Lease) ClaimChange(ctx context.Context, creative, wanted string, now usher.CreativeState, asked bool) (usher.CreativeEntry, error) {
	var entry usher.CreativeEntry
	err := store.Change(ctx, l.q.state, creativeKey(creative), func(v *usher.CreativeEntry, found bool) bool {
		newest := !found || v.Order < l.job.Order
		if newest {
			v.Order, v.Wanted, v.Job = l.job.Order, wanted, l.job.Record.ID
		}
		// Without a time, two changes to the same status look the same.
		claims := asked && (v.Left != now || now.LatestUpdate == "")
		if claims {
			v.Changed, v.Left = l.job.Order, now
		}
		entry = *v
		return newest || claims
	})
	return entry, err
}
