package workers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"usher"
	"usher/pipeline"
)

// upload is an export on its way to the platform, whatever the kind of job.
type upload struct {
	// prepare reads what must be known of the target before the first batch;
	// only the job does, not each of its parts.
	prepare func(ctx context.Context) error
	send    func(ctx context.Context, b *usher.Batch) error

	partBytes  int64 // of a part; 0: the default
	batchIDs   int   // of a batch; 0: the configured number
	inFlight   int   // 0: the configured number
	size       *pipeline.Size
	suppressed *pipeline.Suppression
}

// turnDelay is how long a job stays away that lost its turn after it was taken.
// Who must wait longer is not taken at all: that is the queue's to see.
const turnDelay = 500 * time.Millisecond

// turn gives the job back while another must go first.
func (j *job) turn(ctx context.Context) error {
	waitsFor, err := j.Turn(ctx)
	if err != nil {
		return fmt.Errorf("find the job's turn: %w", err)
	}
	if waitsFor != "" {
		return wait(turnDelay, "%s", waitsFor)
	}
	return nil
}

// upload runs a part, or a whole job: at once where it is one part, else by
// cutting it.
func (j *job) upload(ctx context.Context, u upload) error {
	if j.Parts > 0 {
		return j.uploadPart(ctx, u)
	}
	if err := j.turn(ctx); err != nil {
		return err
	}
	if err := u.prepare(ctx); err != nil {
		return err
	}
	plan, err := j.plan(ctx, u.partBytes)
	if err != nil {
		return err
	}
	return j.uploadPlan(ctx, u, plan)
}

func (j *job) uploadPlan(ctx context.Context, u upload, plan usher.Plan) error {
	if len(plan.Parts) > 1 {
		j.split = true
		return j.Split(plan, j.Progress)
	}
	j.Range = plan.Parts[0]
	return j.uploadPart(ctx, u)
}

// plan decides how the export is understood, once a job. A replay looks again:
// where the source has changed since, nothing of the last run holds.
func (j *job) plan(ctx context.Context, partBytes int64) (usher.Plan, error) {
	plan, err := j.exports().Plan(ctx, j.Job.Source, partBytes)
	if err != nil {
		return plan, err
	}
	plan.Input = j.Job.Input
	switch plan.Input {
	case "":
		plan.Input = usher.InputRaw
	case usher.InputAuto:
		sample, err := j.Exports.Sample(ctx, j.Job.Source, plan)
		if err != nil {
			return plan, err
		}
		plan.Input = pipeline.DecideInput(*j.Job.Profile, sample)
		sample.Release()
	}
	return plan, j.adopt(&plan)
}

// adopt holds a plan to the one on record, and puts it on record before anything
// of it is sent. An export that nothing pins is another at each attempt.
func (j *job) adopt(plan *usher.Plan) error {
	old, ours := j.Progress.Plan, j.Progress.Planned == j.Work.Run
	switch {
	case old != nil && old.Stamp == plan.Stamp && plan.Stamp != "":
		if len(old.Parts) > 0 { // the job was about to be cut: as it was then
			plan.Parts = old.Parts
		}
	case old != nil && ours && plan.Stamp != "":
		return usher.Refuse(usher.SourceBroken, "publish the job when its file is whole and leave the file alone until it is done; then replay it",
			"read %s: it has changed since the job began", j.Job.Source.Shown())
	case old != nil:
		j.Progress = usher.Progress{NumberOfIDs: j.Progress.NumberOfIDs, Warnings: j.Progress.Warnings}
	}
	j.Progress.Plan, j.Progress.Planned = plan, j.Work.Run
	if old != nil && ours && plan.Stamp != "" {
		return nil
	}
	return j.saved()
}

// uploadPart sends a part, from its checkpoint on.
func (j *job) uploadPart(ctx context.Context, u upload) error {
	blocks, err := j.exports().Open(ctx, j.Job.Source, *j.Progress.Plan, j.Range)
	if err != nil {
		return err
	}
	defer func() { _ = blocks.Close() }() // only read
	options := j.options()
	options.Suppressed = u.suppressed
	options.BatchIDs = orDefault(u.batchIDs, j.BatchIDs)
	options.InFlight = orDefault(u.inFlight, j.InFlight)
	options.Resume = j.Progress.Checkpoint
	options.Send, options.Size = u.send, u.size
	options.Save = func(_ context.Context, c usher.Checkpoint) error { return j.checkpointed(c) }
	c, err := pipeline.Upload(ctx, blocks, options)
	j.Progress.Checkpoint = c
	return err
}

// options are those that all uploads of the job share.
func (j *job) options() pipeline.Options {
	o := pipeline.Options{
		Profile: *j.Job.Profile, Input: j.Progress.Plan.Input, Header: j.Progress.Plan.Header, Mixed: j.Kind.Family() == "target",
		MaxRejectPercent: j.MaxRejectPercent, DryRun: j.Job.DryRun,
		KeepDuplicates: j.KeepDuplicates,
		First:          j.Part == 0, Dropped: j.Dropped, Buffers: &j.buffers, Yield: j.first.yield,
	}
	if j.Job.MaxRejectPercent != nil {
		o.MaxRejectPercent = *j.Job.MaxRejectPercent
	}
	return o
}

// isNotFound reports whether the platform does not know what was asked for.
func isNotFound(err error) bool {
	var p *usher.Permanent
	return errors.As(err, &p) && p.Class == usher.NotFound
}
