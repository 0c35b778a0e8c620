package queues

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher/queues/store"
)

// The work of a killed worker stays recorded as running until NATS redelivers it. Readers
// of the record find out whether its worker still runs.

// holder is the lease that a record names for running work.
type holder struct {
	token    string // of a lease
	key      string
	revision uint64
	wrote    time.Time // when the record was written
}

func (x *execution) holder(stored *store.Entry) holder {
	return holder{token: x.Holder, key: stored.Key, revision: stored.Revision, wrote: stored.Written}
}

// worker returns the name of the process that took the lease.
func (h holder) worker() string {
	name, _, _ := strings.Cut(h.token, "/")
	return name
}

// gone explains that running work has lost its worker. It returns "" if a worker has it,
// if that is unknown, or if the record was written within a heartbeat's time.
func (h *holdups) gone(ctx context.Context, holders []holder) (string, error) {
	if len(holders) == 0 {
		return "", nil
	}
	for _, has := range holders {
		if h.q.now().Sub(has.wrote) < h.q.options.AckWait/beatsPerWait {
			return "", nil
		}
	}
	there, known := h.roll(ctx)
	if !known {
		return "", nil
	}
	for _, has := range holders {
		if slices.ContainsFunc(there, func(p Presence) bool { return slices.Contains(p.Leases, has.token) }) {
			return "", nil
		}
	}
	for _, has := range holders { // it may have ended, or been taken again, before the roll call
		now, err := h.q.state.Find(ctx, has.key)
		if err != nil || now == nil || now.Revision != has.revision {
			return "", err
		}
	}
	last := slices.MaxFunc(holders, func(a, b holder) int { return a.wrote.Compare(b.wrote) })
	what := fmt.Sprintf("worker %s, which had it, is gone", last.worker())
	if slices.ContainsFunc(there, func(p Presence) bool { return p.Worker == last.worker() }) {
		what = fmt.Sprintf("worker %s has lost it", last.worker()) // the worker runs, possibly restarted
	}
	return fmt.Sprintf("%s, last heard of at %s", what, last.wrote.UTC().Format(time.RFC3339)), nil
}
