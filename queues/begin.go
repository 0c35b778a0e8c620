package queues

import (
	"context"

	"usher"
	"usher/queues/message"
)

// newEntry returns the entry of a job that is not on record.
func newEntry(m *message.Message) jobEntry {
	return jobEntry{Order: m.Order, Record: usher.Record{V: 1, ID: m.ID, Submitted: m.Published}}
}

// begin makes e the entry of m's run. It keeps the progress of the last run if the
// body is the same.
func (e *jobEntry) begin(m *message.Message) {
	progress := e.Progress
	if e.Sum != m.Sum {
		progress = usher.Progress{}
	}
	progress.Checkpoint = replayFrom(progress.Checkpoint)
	progress.NumberOfIDs.After, progress.Warnings = 0, nil
	progress.Intent = nil // it refers to statuses of the last run
	if e.Run > 0 && e.First == "" && e.Sum != m.Sum {
		e.First = e.Sum
	}
	e.execution = execution{Run: m.Run, Seq: m.Seq, Sum: m.Sum, Counts: true, Progress: progress}
	e.Replay = m.Replay
	e.Kept, e.Trace, e.Published, e.Bits, e.Cut, e.Ranges = nil, m.Trace, m.Published, nil, "", nil
	r := &e.Record
	r.Kind, r.Job, r.Distinct = m.Kind, m.Shown, 0
	if m.Edited != nil {
		r.Edited = m.Edited
	}
	r.Started, r.Finished, r.Error = nil, nil, nil
	r.Parts = usher.PartCount{Total: 1}
}

// queue makes e the entry of m's run before a worker takes it.
func (e *jobEntry) queue(m *message.Message) {
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
func (q *Queue) beginReplay(ctx context.Context, e *jobEntry, m *message.Message) error {
	e.begin(m)
	if !ordered(m.Kind) {
		return nil
	}
	last, err := q.Reruns().LastExclusive(ctx, m.Job.Target(m.Kind))
	if err == nil && last.Order > e.Order {
		e.Progress, e.Anew = usher.Progress{}, m.Run
	}
	return err
}
