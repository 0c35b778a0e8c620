package status

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher/queues/records"
	"usher/queues/store"
)

// The work of a killed worker stays recorded as running until NATS redelivers it. Readers
// of the record find out whether its worker still runs.

// holder is the lease that a record names for running work.
type holder struct {
	token    string // of the lease
	key      string
	revision uint64
	written  time.Time
}

func holderOf(x *records.Execution, stored *store.Entry) holder {
	return holder{token: x.Holder, key: stored.Key, revision: stored.Revision, written: stored.Written}
}

// worker returns the name of the process that took the lease.
func (h holder) worker() string {
	name, _, _ := strings.Cut(h.token, "/")
	return name
}

// gone explains that running work has lost its worker. It returns "" if a worker has it,
// if that is unknown, or if the record was written within a heartbeat's time.
func (x *explainer) gone(ctx context.Context, holders []holder) (string, error) {
	if len(holders) == 0 {
		return "", nil
	}
	for _, h := range holders {
		if x.reader.records.Now().Sub(h.written) < x.reader.beat {
			return "", nil
		}
	}
	workers, known := x.roll(ctx)
	if !known {
		return "", nil
	}
	for _, h := range holders {
		if slices.ContainsFunc(workers, func(p Presence) bool { return slices.Contains(p.Leases, h.token) }) {
			return "", nil
		}
	}
	for _, h := range holders { // the work may have ended, or been taken again, before the roll call
		entry, err := x.reader.store.State.Find(ctx, h.key)
		if err != nil || entry == nil || entry.Revision != h.revision {
			return "", err
		}
	}
	last := slices.MaxFunc(holders, func(a, b holder) int { return a.written.Compare(b.written) })
	what := fmt.Sprintf("worker %s, which had it, is gone", last.worker())
	if slices.ContainsFunc(workers, func(p Presence) bool { return p.Worker == last.worker() }) {
		what = fmt.Sprintf("worker %s has lost it", last.worker()) // the worker runs, possibly restarted
	}
	return fmt.Sprintf("%s, last heard of at %s", what, last.written.UTC().Format(time.RFC3339)), nil
}
