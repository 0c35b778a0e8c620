package workers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/pipeline"
)

// delta records in the ledger of a target what an upload does. A batch is noted before it is
// sent, so that it is known that its digests may be members. Digests are written to the delta
// before they are in a checkpoint, and the note is removed only when the checkpoint is stored:
// what comes after the stored one is sent again after a crash, and recorded again in the files
// that were written since.
type delta struct {
	job  *Job
	runs *ledger.Delta
}

// delta returns the delta of the upload, or nil if the target has no ledger.
func (j *Job) delta(ctx context.Context, removes bool) (*delta, error) {
	head, err := j.ledgerHead(ctx)
	if head == nil || err != nil {
		return nil, err
	}
	work := &j.Work
	earlier := ledger.Written{Epoch: work.Progress.DeltaEpoch, Files: work.Progress.Deltas, Changed: work.Progress.Plan.Stamp == ""}
	runs, err := j.worker.Ledger.NewDelta(ctx, head, removes, work.ID, work.Run, work.Part, earlier)
	if err != nil {
		return nil, ledger.JobError(fmt.Errorf("continue the delta of %s: %w", head.Target, err))
	}
	return &delta{j, runs}, nil
}

// ledgerHead returns the head of the target in the ledger, or nil if it has none.
func (j *Job) ledgerHead(ctx context.Context) (*ledger.Head, error) {
	if j.worker.Ledger == nil || j.Work.Job.DryRun {
		return nil, nil
	}
	head, _, err := j.worker.Ledger.Head(ctx, j.ledgerTarget())
	if errors.Is(err, ledger.ErrNone) {
		return nil, nil
	}
	if err == nil && !j.worker.Ledger.HasFiles() {
		err = fmt.Errorf("%s has a ledger, but this worker has none: set ledger.url on all workers, or forget it by usher ledger drop %s", head.Target, head.Target)
	}
	return &head, ledger.JobError(err)
}

// noteBefore notes what the target held before the job adds ids to it, once for all attempts of a run.
func (j *Job) noteBefore(ctx context.Context) error {
	head, err := j.ledgerHead(ctx)
	if head == nil || err != nil || j.Work.Progress.Before > 0 {
		return err
	}
	if err := j.worker.Ledger.NoteBefore(ctx, head, j.Work.ID, j.Work.Run); err != nil {
		return ledger.JobError(fmt.Errorf("note what %s holds: %w", head.Target, err))
	}
	j.Work.Progress.Before = j.Work.Run
	return nil
}

// countTime limits how long a job that has ended counts the ids that are new.
const countTime = 2 * time.Minute

// countNewIDs counts the ids that the job has added and that were no members before; nil: it is not
// known. It works even if the job was cancelled.
func (j *Job) countNewIDs() (*int64, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(j.Lease.Context()), countTime)
	defer cancel()
	return j.worker.Ledger.CountNew(ctx, j.ledgerTarget(), j.Work.ID)
}

// attach makes an upload record what it does. save stores a checkpoint.
func (d *delta) attach(o *pipeline.Options, save func(usher.Checkpoint) (stored bool, err error)) {
	o.Begin = d.runs.Intend
	o.Outcome = func(ctx context.Context, digests []hashing.Digest, accepted bool) error {
		if !accepted {
			return nil
		}
		return d.runs.Add(ctx, digests)
	}
	o.Save = func(ctx context.Context, c usher.Checkpoint) error {
		if err := d.flush(ctx); err != nil {
			return err
		}
		if stored, err := save(c); !stored {
			return err
		}
		return d.runs.Resolve(ctx, c.Batches)
	}
}

func (d *delta) flush(ctx context.Context) error { return d.write(ctx, d.runs.Flush) }

func (d *delta) write(ctx context.Context, flush func(context.Context) (int, error)) error {
	written, err := flush(ctx)
	d.job.mu.Lock()
	defer d.job.mu.Unlock()
	d.job.Work.Progress.Deltas, d.job.Work.Progress.DeltaEpoch = written, d.runs.Epoch()
	return err
}

// flushTime limits how long a job that has stopped may still write its delta.
const flushTime = 5 * time.Second

// end writes the rest of the delta. If that fails, the upload goes on from its last
// checkpoint. ended says that the upload has no batches left. If the checkpoint cannot be stored,
// it stays noted that the digests of the last batches may be members.
func (d *delta) end(saved usher.Checkpoint, ended bool) error {
	defer d.runs.Release()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(d.job.Lease.Context()), flushTime)
	defer cancel()
	if err := d.write(ctx, d.runs.Complete); err != nil {
		d.job.Work.Progress.Checkpoint = saved
		return err
	}
	if !d.runs.IsBegun() {
		return nil
	}
	c := d.job.Work.Progress.Checkpoint
	if stored, err := d.job.saveCheckpoint(c); !stored {
		return err
	}
	if ended {
		return d.runs.ResolveAll(ctx)
	}
	return d.runs.Resolve(ctx, c.Batches)
}

// beginAlone tells the ledger that a job that runs alone is about to change the target.
// pending is what may have changed if the job does not end as it should; it may be nil.
// beginAlone returns nil if the target has no ledger.
func (j *Job) beginAlone(ctx context.Context, pending *ledger.Pending) (*ledger.Commit, error) {
	if head, err := j.ledgerHead(ctx); head == nil || err != nil {
		return nil, err
	}
	for {
		head, revision, err := j.worker.Ledger.Begin(ctx, j.ledgerTarget(), j.Work.ID, j.Work.Run, pending)
		switch {
		case errors.Is(err, ledger.ErrConflict):
			continue
		case errors.Is(err, ledger.ErrNone):
			return nil, nil
		case err != nil:
			return nil, ledger.JobError(err)
		}
		commit := &ledger.Commit{Head: head, Revision: revision, Job: j.Work.ID, Run: j.Work.Run}
		if j.Work.Job.Profile != nil {
			commit.Profile = *j.Work.Job.Profile
		}
		return commit, nil
	}
}
