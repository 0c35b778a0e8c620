package queues

import (
	"context"

	"usher"
)

// newEntry returns the entry of a job that is not on record.
func newEntry(m *message) jobEntry {
	return jobEntry{Order: m.order, Record: usher.Record{V: 1, ID: m.id, Submitted: m.published}}
}

// begin makes e the entry of m's run. It keeps the progress of the last run if the
// body is the same.
func (e *jobEntry) begin(m *message) {
	progress := e.Progress
	if e.Sum != m.sum {
		progress = usher.Progress{}
	}
	progress.Checkpoint = replayFrom(progress.Checkpoint)
	progress.NumberOfIDs.After, progress.Warnings = 0, nil
	progress.Intent = nil // it refers to statuses of the last run
	if e.Run > 0 && e.First == "" && e.Sum != m.sum {
		e.First = e.Sum
	}
	e.execution = execution{Run: m.run, Seq: m.seq, Sum: m.sum, Counts: true, Progress: progress}
	e.Replay = m.replay
	e.Kept, e.Trace, e.Published, e.Bits, e.Cut, e.Ranges = nil, m.trace, m.published, nil, "", nil
	r := &e.Record
	r.Kind, r.Job, r.Distinct = m.kind, m.shown, 0
	if m.edited != nil {
		r.Edited = m.edited
	}
	r.Started, r.Finished, r.Error = nil, nil, nil
	r.Parts = usher.PartCount{Total: 1}
}

// queue makes e the entry of m's run before a worker takes it.
func (e *jobEntry) queue(m *message) {
	e.begin(m)
	e.State = usher.Queued
	why := usher.WaitsForSlot
	e.Record.Why, e.Record.Retry = &why, nil
}

// replayQueued reports whether no worker has taken the run of a replay yet.
func (e *jobEntry) replayQueued() bool {
	return e.Run > 1 && e.State == usher.Queued && e.Attempts == 0 && e.Crashes == 0
}

// replayFrom returns the checkpoint at which a further run begins: that of the last
// run, or the start of the export if the platform has refused ids, because only
// then are these sent again.
func replayFrom(c usher.Checkpoint) usher.Checkpoint {
	if c.Tally.Refused.Sum() > 0 {
		return usher.Checkpoint{}
	}
	return c
}

// beginReplay makes e the entry of the next run. If a newer job has removed ids
// from the target since, the progress of the last run is void.
func (q *Queue) beginReplay(ctx context.Context, e *jobEntry, m *message) error {
	e.begin(m)
	if !ordered(m.kind) {
		return nil
	}
	last, err := q.Reruns().LastExclusive(ctx, m.job.Target(m.kind))
	if err == nil && last.Order > e.Order {
		e.Progress, e.Anew = usher.Progress{}, m.run
	}
	return err
}
