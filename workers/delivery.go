package workers

import (
	"context"
	"time"

	"usher"
)

// Delivery is a piece of work that belongs to this worker until exactly one of
// End, Retry or (see Cuttable) Split is called. Settling a delivery whose lease
// is lost has no effect: another worker has it.
type Delivery interface {
	// Work returns the job, or the part of it, to run.
	Work() usher.Work
	// Context ends with a cause: usher.ErrLeaseLost, ErrCancelled, ErrEnding, or
	// the cause of the work context that was passed to Source.Next.
	Context() context.Context
	// Save keeps the progress for the next attempt. It returns
	// usher.ErrLeaseLost if another worker has the work; after any other error
	// it is unknown whether the progress was kept.
	Save(p usher.Progress) error
	// End settles the work for good.
	End(e usher.Ending) error
	// Retry returns the work to the queue, with its progress, for redelivery
	// after the delay. why is shown to people: what the work waits for or, if
	// counts is set and the attempt counts, how the attempt failed.
	Retry(p usher.Progress, after time.Duration, why string, counts bool) error
}

// Cuttable is a job that has an order on its target and may be cut into parts.
type Cuttable interface {
	// Turn returns what the job must wait for on its target, or "" if it may
	// run now.
	Turn(ctx context.Context) (waitsFor string, err error)
	// Split publishes the parts of the plan and acks the job.
	Split(plan usher.Plan, p usher.Progress) error
}

// CreativeOrder is the order between the jobs that change a creative: the
// newest job wins, by the order of usher.Work. It also keeps the audit.
type CreativeOrder interface {
	// Entries returns the creatives' entries, by code. A creative that no job
	// has set has a zero entry.
	Entries(ctx context.Context, creatives []string) (map[string]usher.CreativeEntry, error)
	// ClaimChange writes the creative's entry and returns the entry as it then
	// is. It makes the lease's job and wanted the newest order unless a newer
	// job has the entry. If asked is set, the job has asked the platform for the
	// status that now shows: the change is then recorded as the job's, unless
	// another job has claimed the same change before.
	//
	// Known is the entry as it was read before now was read from the platform.
	// If it was written since, ClaimChange writes nothing and returns
	// usher.ErrEntryChanged.
	ClaimChange(ctx context.Context, creative, wanted string, known usher.CreativeEntry, now usher.CreativeState, asked bool) (usher.CreativeEntry, error)
	// Audit stores what was done to a creative, once per run and creative.
	Audit(ctx context.Context, a usher.Audit) error
}

// Lease is everything that a queue provides for one piece of work.
type Lease interface {
	Delivery
	Cuttable
	CreativeOrder
}

// Source yields the work of one lane to one slot.
type Source interface {
	// Next blocks until there is a piece of work. It returns an error only if
	// fetch ends. The context of the work derives from work.
	Next(fetch, work context.Context) (Lease, error)
}
