package queues

import (
	"cmp"
	"context"
	"strconv"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/store"
)

// eachPart calls visit with the entries of a job's parts. A damaged entry is left out, as
// if it were missing.
func (q *Queue) eachPart(ctx context.Context, id string, visit func(part int, e *partEntry)) error {
	return store.EachValue(ctx, q.state, "parts."+id+".*", func(entry *store.Entry, e *partEntry) {
		part, err := strconv.Atoi(entry.Key[len("parts."+id+"."):])
		if err == nil && part >= 0 {
			e.stored = entry
			visit(part, e)
		}
	})
}

// sum sets a cut job's record to the sum of its parts. It returns the parts that have
// ended but are not on record: what they did is not in the sum.
func (q *Queue) sum(ctx context.Context, e *jobEntry) (lost []int, err error) {
	parts := make([]*partEntry, e.Record.Parts.Total)
	err = q.eachPart(ctx, e.Record.ID, func(part int, p *partEntry) {
		if part < len(parts) && p.Sum == e.Sum && p.Cut == e.Cut {
			parts[part] = p
		}
	})
	if err != nil {
		return nil, err
	}
	r := &e.Record
	r.Attempts, r.Crashes = e.Attempts, e.Crashes
	var sum usher.Checkpoint
	warnings := usher.AddWarnings(nil, e.Progress.Warnings...)
	for i, p := range parts {
		if e.partHasEnded(i) && (p == nil || p.State != usher.Done) {
			lost = append(lost, i)
		}
		if p == nil {
			continue
		}
		sum.Append(p.Progress.Checkpoint, q.options.MergeSketch)
		warnings = usher.AddWarnings(warnings, p.Progress.Warnings...)
		if p.State == usher.Running && p.Run == e.Run {
			r.Why = cmp.Or(r.Why, activity(&p.Progress))
			e.holders = append(e.holders, p.holder(p.stored))
		}
		if p.Run == e.Run { // otherwise it ended in an earlier run
			r.Attempts, r.Crashes = max(r.Attempts, p.Attempts), r.Crashes+p.Crashes
		}
	}
	r.Tally, r.Batches, r.Bytes, r.Samples = sum.Tally, sum.Batches, sum.Bytes, sum.Samples
	r.Warnings = usher.AddWarnings(warnings, sum.Warnings...)
	if r.Distinct = 0; len(sum.Sketch) > 0 && q.options.Distinct != nil {
		r.Distinct = min(q.options.Distinct(sum.Sketch), r.Tally.Accepted)
	}
	return lost, nil
}

// dropParts removes the waiting parts of a job from their stream. Parts that it misses
// find that the job has ended.
func (q *Queue) dropParts(ctx context.Context, id string) {
	stream, err := q.js.Stream(ctx, q.names.PartsStream())
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSubject(q.names.Parts(id)))
	}
	if err != nil {
		q.logger.Warn("dropping the parts of a job that must end", "job", id, "error", err)
	}
}

// purgeParts deletes the entries of the parts of a job that is done. Entries that it
// misses expire.
func (q *Queue) purgeParts(ctx context.Context, id string) {
	if err := q.state.Purge(ctx, "parts."+id+".*"); err != nil {
		q.logger.Warn("forgetting the parts of a finished job", "job", id, "error", err)
	}
}
