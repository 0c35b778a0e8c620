package queues

import (
	"context"
	"fmt"

	"usher"
	"usher/queues/store"
)

// reject makes a dead letter of a message that is not a valid job, and a record if
// its id is free.
func (q *Queue) reject(ctx context.Context, d *delivery, m *message) error {
	letter := letterOf(m, q.now())
	// No id begins with a slash, so no letter of a job has this message ID.
	if err := q.publishLetter(ctx, letter, fmt.Sprintf("/invalid/%d", m.seq)); err != nil {
		return err
	}
	if m.id != "" {
		if err := q.recordRejected(ctx, m); err != nil {
			return err
		}
	}
	return d.term(ctx)
}

func (q *Queue) recordRejected(ctx context.Context, m *message) error {
	var written *jobEntry
	err := store.Change(ctx, q.state, jobKey(m.id), func(e *jobEntry, found bool) bool {
		if c := m.claim(e, found); c != newJob && c != nextRun && c != redelivered {
			return false
		}
		if !found {
			*e = newEntry(m)
		}
		e.begin(m)
		now := q.now().UTC()
		e.State, e.Counts = usher.Failed, false
		e.Record.Finished, e.Record.Error = &now, m.invalid
		e.refresh(q)
		written = e
		return true
	})
	if err == nil && written != nil {
		q.metrics.ended(&written.Record)
		q.publishEvent(written, usher.Failed)
	}
	return err
}
