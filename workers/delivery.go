package workers

import (
	"context"
	"time"

	"usher"
)

// Delivery is a piece of work that is ours until exactly one of End, Retry or
// (see Cuttable) Split. Settling a delivery whose lease is lost does nothing:
// it is another worker's.
type Delivery interface {
	// Work is what is to be done.
	Work() usher.Work
	// Context ends with a cause: usher.ErrLeaseLost, ErrCancelled, ErrEnding,
	// or whatever ended the context that the delivery was asked for with.
	Context() context.Context
	// Save keeps the progress for the next attempt. It returns
	// usher.ErrLeaseLost when the work is another worker's; with any other
	// error it is not known whether it was kept.
	Save(usher.Progress) error
	// End settles the work for good.
	End(usher.Ending) error
	// Retry gives the work back with its progress, to come again. why is shown to
	// people: what the work waits for, or, where that will count as another
	// attempt, how this one failed.
	Retry(p usher.Progress, after time.Duration, why string, counts bool) error
}

// Cuttable is a job that has an order on its target and may go in parts.
type Cuttable interface {
	// Turn says what the job must wait for on its target, "" for nothing.
	Turn(ctx context.Context) (waitsFor string, err error)
	// Split publishes the plan's parts and acks the job.
	Split(plan usher.Plan, p usher.Progress) error
}

// Spokesman keeps the last word on every creative, and the audit.
type Spokesman interface {
	// Superseded are those creatives on which a newer job has spoken.
	Superseded(ctx context.Context, creatives []string) ([]string, error)
	// Spoken says that the job's word on the creative holds, and claims the
	// change that left it as the platform now shows it, where the job has asked
	// for it and no other has claimed it. It returns what stands then.
	Spoken(ctx context.Context, creative, wanted string, now usher.Seen, asked bool) (usher.Word, error)
	// Audit stores what was done to a creative, once per run and creative.
	Audit(ctx context.Context, a usher.Audit) error
}

// Lease is all that a queue gives for one piece of work.
type Lease interface {
	Delivery
	Cuttable
	Spokesman
}

// Source yields the work of one lane to one slot.
type Source interface {
	// Next waits for a piece of work. fetch ends the waiting, and its error is
	// the only one; work is the context that the piece's own derives from.
	Next(fetch, work context.Context) (Lease, error)
}
