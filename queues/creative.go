package queues

import "context"

// creativeOrder is the last word on a creative. Key creatives.<code>.
type creativeOrder struct {
	Order  uint64 `json:"order"`
	Wanted string `json:"wanted"`
	Job    string `json:"job"`
}

// Superseded returns which of the creatives a newer job has spoken on.
func (l *Lease) Superseded(ctx context.Context, creatives []string) ([]string, error) {
	var newer []string
	for _, code := range creatives {
		var last creativeOrder
		_, found, err := get(ctx, l.q.state, creativeKey(code), &last)
		if err != nil {
			return nil, err
		}
		if found && last.Order > l.job.Order {
			newer = append(newer, code)
		}
	}
	return newer, nil
}

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
