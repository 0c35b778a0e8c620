package records

import (
	"cmp"
	"context"
	"strconv"

	"usher"
	"usher/queues/store"
)

// Part is the record of a part of a cut job. Key parts.<id>.<part>.
type Part struct {
	Execution

	Cut string `json:"cut"` // identifies how the export was cut; tells whether a replay's part is the same

	Stored *store.Entry `json:"-"` // set by EachPart
}

// HasEndedFor reports whether the part need not run in a run: it has ended in it, or was
// done completely in an earlier one.
func (p *Part) HasEndedFor(run int) bool {
	if p.Run == run {
		return p.State.Ended()
	}
	return p.State == usher.Done && p.Progress.Checkpoint.Tally.Refused.Sum() == 0
}

// EachPart calls visit with the records of a job's parts. A damaged record is left out, as
// if it were missing.
func (r *Records) EachPart(ctx context.Context, id string, visit func(part int, p *Part)) error {
	return store.EachValue(ctx, r.Store.State, "parts."+id+".*", func(entry *store.Entry, p *Part) {
		part, err := strconv.Atoi(entry.Key[len("parts."+id+"."):])
		if err == nil && part >= 0 {
			p.Stored = entry
			visit(part, p)
		}
	})
}

// PurgeParts deletes the records of the parts of a job that is done. Records that it
// misses expire.
func (r *Records) PurgeParts(ctx context.Context, id string) {
	if err := r.Store.State.Purge(ctx, "parts."+id+".*"); err != nil {
		r.Logger.Warn("forgetting the parts of a finished job", "job", id, "error", err)
	}
}

// PartsStatus is what SumParts finds out beside the figures that it sets in the record of the job.
type PartsStatus struct {
	Lost    []int    // have ended but are not on record: what they did is not in the figures
	Running []*Part  // in the job's run
	Matched []string // the values of source.only that rows of the parts have
}

// SumParts sets a cut job's record to the sum of its parts.
func (r *Records) SumParts(ctx context.Context, j *Job) (PartsStatus, error) {
	parts := make([]*Part, j.Record.Parts.Total)
	err := r.EachPart(ctx, j.Record.ID, func(part int, p *Part) {
		if part < len(parts) && p.Sum == j.Sum && p.Cut == j.Cut {
			parts[part] = p
		}
	})
	if err != nil {
		return PartsStatus{}, err
	}
	shown := &j.Record
	shown.Attempts, shown.Crashes, shown.CrashedParts, shown.Slow = j.Attempts, j.Crashes, nil, nil
	var found PartsStatus
	var sum usher.Checkpoint
	warnings := usher.AddWarnings(nil, j.Progress.Warnings...)
	for i, p := range parts {
		if j.partHasEnded(i) && (p == nil || p.State != usher.Done) {
			found.Lost = append(found.Lost, i)
		}
		if p == nil {
			continue
		}
		sum.Append(p.Progress.Checkpoint, r.MergeSketch)
		warnings = usher.AddWarnings(warnings, p.Progress.Warnings...)
		if p.State == usher.Running && p.Run == j.Run {
			shown.Why = cmp.Or(shown.Why, activity(&p.Progress))
			found.Running = append(found.Running, p)
		}
		if p.Run == j.Run { // otherwise it ended in an earlier run
			shown.Attempts, shown.Crashes = max(shown.Attempts, p.Attempts), shown.Crashes+p.Crashes
			shown.AddCrashes(i, p.Crashes)
			shown.Slow = cmp.Or(shown.Slow, p.slow())
		}
	}
	found.Matched = sum.Matched
	shown.Tally, shown.Batches, shown.Bytes, shown.Samples = sum.Tally, sum.Batches, sum.Bytes, sum.Samples
	shown.Warnings = usher.AddWarnings(warnings, sum.Warnings...)
	if shown.Distinct = 0; len(sum.Sketch) > 0 && r.Distinct != nil {
		shown.Distinct = min(r.Distinct(sum.Sketch), shown.Tally.Accepted)
	}
	return found, nil
}
