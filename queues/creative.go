package queues

import (
	"context"
	"errors"
	"sync"

	"usher"
	"usher/queues/store"
)

// Superseded returns which of the creatives a newer job has spoken on. Words
// are kept at the keys creatives.<code>.
func (l *Lease) Superseded(ctx context.Context, creatives []string) ([]string, error) {
	newer := make([]bool, len(creatives))
	errs := make([]error, len(creatives))
	// Several at once: a pause must not wait for a hundred answers in a row.
	slots := make(chan struct{}, asksAtOnce)
	var asking sync.WaitGroup
	for i, code := range creatives {
		slots <- struct{}{}
		asking.Go(func() {
			defer func() { <-slots }()
			var last usher.Word
			var found bool
			_, found, errs[i] = l.q.state.Get(ctx, creativeKey(code), &last)
			newer[i] = found && last.Order > l.job.Order
		})
	}
	asking.Wait()
	var codes []string
	for i, code := range creatives {
		if newer[i] {
			codes = append(codes, code)
		}
	}
	return codes, errors.Join(errs...)
}

// asksAtOnce is how many creatives' last words are asked for at the same time.
const asksAtOnce = 16

// Spoken records the lease's job as the last word on a creative, unless a newer
// one has spoken. Where the job is the one that asked for what the platform now
// shows, and nobody has claimed that change before, the change is its own. It
// returns what stands then.
func (l *Lease) Spoken(ctx context.Context, creative, wanted string, now usher.Seen, asked bool) (usher.Word, error) {
	var stands usher.Word
	err := store.Change(ctx, l.q.state, creativeKey(creative), func(v *usher.Word, found bool) bool {
		newest := !found || v.Order < l.job.Order
		if newest {
			v.Order, v.Wanted, v.Job = l.job.Order, wanted, l.job.Record.ID
		}
		// Without a time there is no telling one change from another.
		claims := asked && (v.Left != now || now.LatestUpdate == "")
		if claims {
			v.Changed, v.Left = l.job.Order, now
		}
		stands = *v
		return newest || claims
	})
	return stands, err
}
