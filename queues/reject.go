package queues

import (
	"context"
	"fmt"
	"slices"

	"usher"
	"usher/queues/message"
	"usher/queues/store"
)

// reject makes a dead letter of a message that is not a valid job, and a record if
// its id is free.
func (q *Queue) reject(ctx context.Context, d *delivery, m *message.Message) error {
	letter := letterOf(m, q.now())
	// No id begins with a slash, so no letter of a job has this message ID.
	if err := q.publishLetter(ctx, letter, fmt.Sprintf("/invalid/%d", m.Seq)); err != nil {
		return err
	}
	if m.ID != "" {
		if err := q.recordRejected(ctx, m); err != nil {
			return err
		}
	}
	return d.term(ctx)
}

func (q *Queue) recordRejected(ctx context.Context, m *message.Message) error {
	var recorded *jobEntry
	written := false
	err := store.Change(ctx, q.state, jobKey(m.ID), func(e *jobEntry, found bool) bool {
		if recorded = nil; found && e.Seq == m.Seq {
			recorded = e // a crash may have come before its event
		}
		written = slices.Contains([]claim{newJob, nextRun, redelivered}, e.claimOf(m, found))
		if !written {
			return false
		}
		if !found {
			*e = newEntry(m)
		}
		e.begin(m)
		now := q.now().UTC()
		e.State, e.Counts = usher.Failed, false
		e.Record.Finished, e.Record.Error = &now, m.Invalid
		e.refresh(q)
		recorded = e
		return true
	})
	if err != nil || recorded == nil {
		return err
	}
	if written {
		q.metrics.ended(&recorded.Record)
	}
	return q.announced(ctx, recorded)
}
