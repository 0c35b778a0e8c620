package queues

import (
	"context"
	"fmt"
	"slices"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
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
	return d.done(ctx)
}

func (q *Queue) recordRejected(ctx context.Context, m *message.Message) error {
	var recorded *records.Job
	written := false
	err := q.records.ChangeJob(ctx, m.ID, func(e *records.Job, found bool) bool {
		if recorded = nil; found && e.Seq == m.Seq {
			recorded = e // a crash may have prevented its event
		}
		written = slices.Contains([]records.Claim{records.NewJob, records.NextRun, records.Unfinished}, e.ClaimOf(m, found))
		if !written {
			return false
		}
		if !found {
			*e = records.New(m)
		}
		e.Begin(m)
		now := q.now().UTC()
		e.State, e.Counts = usher.Failed, false
		e.Record.Finished, e.Record.Error = &now, m.Invalid
		q.records.Refresh(e)
		recorded = e
		return true
	})
	if err != nil || recorded == nil {
		return err
	}
	if written {
		q.metrics.ended(&recorded.Record)
	}
	return q.records.FlushEvents(ctx, recorded)
}
