package queues

import (
	"context"
	"errors"
	"sync"
)

// creativeOrder is the last word on a creative. Key creatives.<code>.
type creativeOrder struct {
	Order  uint64 `json:"order"`
	Wanted string `json:"wanted"`
	Job    string `json:"job"`
}

// Superseded returns which of the creatives a newer job has spoken on.
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
			var last creativeOrder
			var found bool
			_, found, errs[i] = get(ctx, l.q.state, creativeKey(code), &last)
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

// Spoken records the lease's job as the last word on a creative.
func (l *Lease) Spoken(ctx context.Context, creative, wanted string) error {
	return change(ctx, l.q.state, creativeKey(creative), func(v *creativeOrder, found bool) bool {
		if found && v.Order >= l.job.Order {
			return false
		}
		*v = creativeOrder{Order: l.job.Order, Wanted: wanted, Job: l.job.Record.ID}
		return true
	})
}
