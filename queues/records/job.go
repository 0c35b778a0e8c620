package records

import (
	"encoding/json"
	"math/bits"
	"time"

	"usher"
)

// Job is a job's record with its internal state. Key jobs.<id>.
type Job struct {
	Execution

	Record    usher.Record `json:"record"`
	Order     uint64       `json:"order"`
	Published time.Time    `json:"published"` // of this run
	Trace     string       `json:"trace,omitempty"`
	Replay    string       `json:"replay,omitempty"` // the replay that this run belongs to
	// First is the sum of the first run's body if the body was edited since. A message
	// with that body still belongs to the job.
	First string `json:"first,omitempty"`

	// Kept is the job as stored in a letter. Only for cut jobs, whose message is
	// deleted before they end.
	Kept      json.RawMessage `json:"kept,omitempty"`
	Bits      []byte          `json:"bits,omitempty"` // one bit for each part that has ended
	Cut       string          `json:"cut,omitempty"`  // identifies how the export was cut
	Restarted int             `json:"anew,omitempty"` // the last run that started from the beginning although the job was unchanged
	// Ranges are the parts, from the decision to cut until they are published, so that
	// a redelivery in between publishes the same parts.
	Ranges []usher.Part `json:"ranges,omitempty"`

	// Unsent are the events of the changes of state that NATS may not have, oldest first.
	Unsent    []usher.Event `json:"unsent,omitempty"`
	ownEvents int           // how many of them were added since the record was read
}

// Valid reports whether usher can have written the record.
func (j *Job) Valid() bool {
	whole := !j.IsCut() || len(j.Bits) == (j.Record.Parts.Total+7)/8
	return j.Record.ID != "" && whole && j.Execution.Valid()
}

// IsCut reports whether the job was cut into parts.
func (j *Job) IsCut() bool { return len(j.Bits) > 0 }

// CarriedByParts reports whether the parts are published, so that they end the job, and
// not its own message.
func (j *Job) CarriedByParts() bool { return j.IsCut() && j.Ranges == nil }

// SetPartEnded marks a part as ended.
func (j *Job) SetPartEnded(part int) { j.Bits[part/8] |= 1 << (part % 8) }

// partHasEnded reports whether a part has ended.
func (j *Job) partHasEnded(part int) bool { return j.Bits[part/8]&(1<<(part%8)) != 0 }

// EndedParts returns the number of parts that have ended.
func (j *Job) EndedParts() int {
	n := 0
	for _, b := range j.Bits {
		n += bits.OnesCount8(b)
	}
	return n
}

// Target returns what the job changes, see usher.Job.Target.
func (j *Job) Target() string { return TargetIn(j.Record.Kind, j.Record.Job) }

// TargetIn returns the target in a job's JSON, as far as the JSON names one, or "" if it
// cannot be decoded.
func TargetIn(k usher.Kind, data json.RawMessage) string {
	var job usher.Job
	if json.Unmarshal(data, &struct {
		Segment  *string `json:"segment"`
		Campaign *string `json:"campaign"`
	}{&job.Segment, &job.Campaign}) != nil {
		return ""
	}
	return job.Target(k)
}

// HasChangedTarget reports whether the job has changed its target, completely or in part.
func (j *Job) HasChangedTarget() bool {
	var job struct {
		DryRun bool `json:"dryRun"`
	}
	return (j.State == usher.Done || j.HasBegun()) && json.Unmarshal(j.Record.Job, &job) == nil && !job.DryRun
}

// HasBegun reports whether a job that runs alone may have cleared its target or removed
// ids.
func (j *Job) HasBegun() bool {
	switch j.Progress.Phase {
	case usher.PhaseClear, usher.PhaseAdd, usher.PhaseRemove, usher.PhaseCommit:
		return true
	case usher.PhaseCount, usher.PhaseRead, usher.PhaseCompare:
		return false
	}
	return j.Progress.Checkpoint.Batches > 0
}

// KeepsTurn reports whether other jobs on the target must wait for a job that runs alone,
// even older ones: it has begun to change the target, or has compared with what the ledger
// says of it.
func (j *Job) KeepsTurn() bool {
	return j.HasBegun() || j.Progress.Phase == usher.PhaseRead || j.Progress.Phase == usher.PhaseCompare
}

// Refresh updates the record that people see, and notes the event that a change of its
// state owes.
func (r *Records) Refresh(j *Job) {
	shown := &j.Record
	if shown.Run != j.Run || shown.State != j.State || !j.IsCut() && shown.Crashes != j.Crashes {
		defer func() { j.addEvent(r.Now().UTC()) }() // after the tally is set below
	}
	shown.Run, shown.State = j.Run, j.State
	shown.NumberOfIDs, shown.Understood, shown.New = j.Progress.NumberOfIDs, j.Progress.Understood, j.Progress.New
	if j.State == usher.Running {
		shown.Why = activity(&j.Progress)
	}
	shown.Slow = j.slow()
	if j.IsCut() {
		shown.Parts.Done = j.EndedParts()
		return // totals come from the parts, see Sum
	}
	shown.Attempts, shown.Crashes = j.Attempts, j.Crashes
	c := j.Progress.Checkpoint
	shown.Tally, shown.Batches, shown.Bytes = c.Tally.Clone(), c.Batches, c.Bytes
	shown.Samples = c.Samples
	shown.Warnings = usher.AddWarnings(usher.AddWarnings(nil, j.Progress.Warnings...), c.Warnings...)
	j.warnOfProportions()
	switch {
	case c.Tally.Read <= usher.WindowRows && !c.Repeats:
		shown.Distinct = shown.Tally.Accepted
	case len(c.Sketch) > 0 && r.Distinct != nil:
		shown.Distinct = min(r.Distinct(c.Sketch), shown.Tally.Accepted)
	}
	if m := j.Progress.Mirror; m != nil {
		shown.Distinct, shown.Removed, shown.Refreshed, shown.Consequence = m.Wanted, m.Removed, m.Refresh, m.Consequence
	}
	if f := j.Progress.Forget; f != nil {
		shown.Receipt = f.Receipt()
	}
	shown.Parts = usher.PartCount{Total: 1}
	if j.State == usher.Done {
		shown.Parts.Done = 1
	}
}

// warnOfProportions adds the warnings of a job that has ended for reasons that take many rows. The
// tally is that of the job.
func (j *Job) warnOfProportions() {
	if j.State == usher.Done || j.State == usher.Failed {
		j.Record.Warnings = usher.AddWarnings(j.Record.Warnings, j.Record.Tally.Proportions()...)
	}
}

// Finish ends the job in its record.
func (r *Records) Finish(j *Job, state usher.State, failure *usher.JobError) {
	now := r.Now().UTC()
	j.State, j.Holder, j.Ending, j.Kept = state, "", nil, nil
	j.Record.Finished, j.Record.Error, j.Record.Why, j.Record.Retry = &now, failure, nil, nil
	r.Refresh(j)
	if j.IsCut() {
		j.warnOfProportions()
	}
	if state == usher.Done {
		j.Progress.Checkpoint.Sketch = nil // the record has its result, and it is large
	}
}

// Summary is what lists need of every job. Decoding it is much faster than decoding a Job.
type Summary struct {
	State  usher.State `json:"state"`
	Run    int         `json:"run"`
	Record struct {
		ID        string     `json:"id"`
		Submitted time.Time  `json:"submitted"`
		Finished  *time.Time `json:"finished"`
	} `json:"record"`
}

// Valid reports whether usher can have written the record, as far as the summary shows.
func (o *Summary) Valid() bool { return o.Record.ID != "" && o.Run > 0 && o.State != "" }

// Summary returns the summary of the record.
func (j *Job) Summary() Summary {
	o := Summary{State: j.State, Run: j.Run}
	o.Record.ID, o.Record.Submitted, o.Record.Finished = j.Record.ID, j.Record.Submitted, j.Record.Finished
	return o
}
