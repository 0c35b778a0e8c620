package workers

import (
	"context"
	"time"

	"usher"
)

// Delivery is a piece of work that belongs to this worker until the worker settles it by
// exactly one of End, Retry or Split (see Cuttable). Settling a delivery whose lease is
// lost has no effect: another worker has it.
type Delivery interface {
	// Work returns the job, or the part of a job, to run.
	Work() usher.Work
	// Context ends with a cause: usher.ErrLeaseLost, ErrCancelled, ErrEnding, or
	// the cause of the work context that was passed to Source.Next.
	Context() context.Context
	// Save stores the progress for the next attempt. It returns usher.ErrLeaseLost if
	// another worker has the work; after any other error it is unknown whether the
	// progress was stored.
	Save(p usher.Progress) error
	// End settles the work for good.
	End(e usher.Ending) error
	// Retry returns the work to the queue, with its progress, for redelivery after the
	// delay. counts says whether the attempt counts as failed. why is shown to people:
	// how the attempt failed if it counts, otherwise what the work waits for.
	Retry(p usher.Progress, after time.Duration, why string, counts bool) error
}

// Following lets a job that runs alone on its target carry out jobs that follow it.
type Following interface {
	// TakeAlong takes up to n removals that directly follow the job on its segment, and that
	// may run concurrently in its turn. They must be settled before it is. It returns none if
	// the job does not have its turn, see Cuttable.
	TakeAlong(ctx context.Context, n int) ([]Lease, error)
}

// Cuttable is a job that has an order on its target and may be cut into parts.
type Cuttable interface {
	// WaitsFor returns what the job must wait for on its target, such as another job, or ""
	// if it may run now.
	WaitsFor(ctx context.Context) (waitsFor string, err error)
	// Split publishes the parts of the plan and acks the job.
	Split(plan usher.Plan, p usher.Progress) error
}

// StepParts lets other slots and workers run parts of a job while the job's own message stays
// on the queue.
type StepParts interface {
	// PublishStep publishes n parts of a step of the job. Calling it again publishes nothing new.
	// The parts of the step read are those of the plan.
	PublishStep(ctx context.Context, step usher.Phase, plan *usher.Plan, n int) error
	// StepProgress returns how far the parts of a step are.
	StepProgress(ctx context.Context, step usher.Phase) (usher.StepProgress, error)
	// Snooze returns the job to the queue until the last part of the step has ended, at most for a
	// time. The job still counts as running.
	Snooze(p usher.Progress, after time.Duration) error
}

// CreativeOrder keeps the order of the jobs that change a creative: the newest job wins,
// by usher.Work.Order. It also keeps the audit.
type CreativeOrder interface {
	// Entries returns the entries of creatives, by code. A creative that no job has set
	// has a zero entry.
	Entries(ctx context.Context, creatives []string) (map[string]usher.CreativeEntry, error)
	// ClaimChange writes the creative's entry and returns the new entry. It records the
	// lease's job, and the status that it wants, as the newest one, unless the entry
	// names a newer job. asked says that the job has asked the platform for the status
	// in now: the change is then recorded as the job's, unless another job has already
	// claimed it.
	//
	// known is the entry that was read before now was read from the platform. If the
	// entry was written since, ClaimChange writes nothing and returns
	// usher.ErrEntryChanged.
	ClaimChange(ctx context.Context, creative, wanted string, known usher.CreativeEntry, now usher.CreativeState, asked bool) (usher.CreativeEntry, error)
	// ClaimCampaign notes that the job has set all creatives of its campaign. Older jobs
	// that wait on it are then superseded; see usher.Work.
	ClaimCampaign(ctx context.Context) error
	// Audit stores what was done to a creative. For each run and creative it stores one entry
	// of each kind once: the change, what was left as it is, a restore, and a late change.
	Audit(ctx context.Context, a usher.Audit) error
}

// Fence says how long requests may be sent that must not arrive after another worker has the
// work.
type Fence interface {
	// Held reports whether no other worker can have the work yet. It is exact even in a
	// process that was suspended, whose context ends a moment too late.
	Held() bool
}

// Lease is everything that a queue provides for one piece of work.
type Lease interface {
	Delivery
	Cuttable
	Following
	StepParts
	CreativeOrder
	Fence
}

// Source yields the work of one lane to one slot.
type Source interface {
	// Next blocks until there is a piece of work. It returns an error only if
	// fetch ends, after everything that it returned before is settled. The context of the
	// work derives from work.
	Next(fetch, work context.Context) (Lease, error)
}
