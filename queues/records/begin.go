package records

import (
	"cmp"

	"usher"
	"usher/queues/message"
)

// New returns the record of a job that has none.
func New(m *message.Message) Job {
	return Job{Order: m.Order, Record: usher.Record{V: 1, ID: m.ID, Submitted: m.Published}}
}

// Begin makes j the record of m's run. It keeps the progress of the last run if the
// body is the same.
func (j *Job) Begin(m *message.Message) {
	progress := j.Progress
	if j.Sum != m.Sum {
		progress = usher.Progress{}
	}
	progress.Checkpoint = ReplayFrom(progress.Checkpoint)
	progress.NumberOfIDs.After, progress.New, progress.Warnings = 0, nil, nil
	progress.Intent = progress.Intent.Unrecorded(j.Run) // the rest refers to statuses of the last run
	if j.Run > 0 && j.First == "" && j.Sum != m.Sum {
		j.First = j.Sum
	}
	if j.Sum == "" {
		j.Order = m.Order // all messages with the id were invalid, and this may be of another one of them
	}
	j.Execution = Execution{Run: m.Run, Seq: m.Seq, Sum: m.Sum, Counts: true, Progress: progress}
	j.Replay = m.Replay
	j.Kept, j.Trace, j.Published, j.Bits, j.Cut, j.Ranges = nil, m.Trace, m.Published, nil, "", nil
	r := &j.Record
	r.Kind, r.Job, r.Distinct = m.Kind, m.Shown, 0
	r.Publisher = cmp.Or(m.Publisher, r.Publisher)
	if m.Edited != nil {
		r.Edited = m.Edited
	}
	r.Started, r.Finished, r.Error = nil, nil, nil
	r.Parts = usher.PartCount{Total: 1}
}

// BeginQueued makes j the record of m's run before a worker takes it.
func (r *Records) BeginQueued(j *Job, m *message.Message) {
	j.Begin(m)
	j.State = usher.Queued
	why := usher.WaitsForSlot
	j.Record.Why, j.Record.Retry = &why, nil
	r.Refresh(j)
}

// Queued returns the record of a job that no worker has taken.
func (r *Records) Queued(m *message.Message) Job {
	j := New(m)
	r.BeginQueued(&j, m)
	return j
}

// ReplayFrom returns the checkpoint at which a further run begins: that of the last
// run, or the start of the export if the platform has refused ids, because only
// then are these sent again.
func ReplayFrom(c usher.Checkpoint) usher.Checkpoint {
	if c.Tally.Refused.Sum() > 0 {
		return usher.Checkpoint{}
	}
	return c
}
