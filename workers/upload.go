package workers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"usher"
	"usher/internal/exports"
	"usher/pipeline"
)

// upload describes how the ids of an export are sent, for each kind of job.
type upload struct {
	// prepare checks the target before the first batch. It is called for the job, but
	// not for its parts.
	prepare func(ctx context.Context) error
	send    func(ctx context.Context, b *usher.Batch) error
	removes bool // it removes ids

	partBytes  int64 // size of a part; 0: the default
	batchIDs   int   // size of a batch; 0: the configured number
	inFlight   int   // 0: the configured number
	size       *pipeline.Size
	suppresses bool // leaves out ids that are on the suppression list
}

// turnDelay is the delay of a job whose turn has passed to another job after it was taken.
// Otherwise the queue does not deliver a job that must wait.
const turnDelay = 500 * time.Millisecond

// awaitTurn returns the job to the queue while another job must go first.
func (j *Job) awaitTurn(ctx context.Context) error {
	waitsFor, err := j.Lease.WaitsFor(ctx)
	if err != nil {
		return fmt.Errorf("read the order of jobs on %s: %w", j.Work.Job.Target(j.Work.Kind), err)
	}
	if waitsFor != "" {
		return Wait(turnDelay, "%s", waitsFor)
	}
	return nil
}

// upload runs a part, or a whole job. A job whose export has several parts is
// cut.
func (j *Job) upload(ctx context.Context, u upload) error {
	if j.Work.Parts > 0 {
		return j.uploadPart(ctx, u)
	}
	if err := j.awaitTurn(ctx); err != nil {
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

func (j *Job) uploadPlan(ctx context.Context, u upload, plan usher.Plan) error {
	if !u.removes {
		if err := j.noteBefore(ctx); err != nil {
			return err
		}
	}
	if len(plan.Parts) > 1 {
		j.split = true
		return j.Lease.Split(plan, j.Work.Progress)
	}
	j.Work.Range = plan.Parts[0]
	return j.uploadPart(ctx, u)
}

// plan decides how the export is read, once for each run.
func (j *Job) plan(ctx context.Context, partBytes int64) (usher.Plan, error) {
	job := &j.Work.Job
	plan, err := j.exports().Plan(ctx, job.Source, exports.Wanted{Type: job.Profile.Type, Input: job.Input, Removes: j.Work.Kind == usher.SegmentRemove}, partBytes)
	if err != nil {
		return plan, err
	}
	plan.Input = job.Input
	switch plan.Input {
	case "":
		plan.Input = usher.InputRaw
	case usher.InputAuto:
		sample, err := j.worker.Exports.FirstBlock(ctx, job.Source, plan)
		if err != nil {
			return plan, err
		}
		plan.Input = pipeline.DecideInput(*job.Profile, sample)
		sample.Release()
	}
	return plan, j.adoptPlan(&plan)
}

// adoptPlan compares a plan with the one on record and saves it before any id of an
// export is sent. If the export of a replay has changed, the progress of the last run is
// dropped. An export without a stamp counts as changed at each attempt; what the earlier ones
// have told the ledger stays true.
func (j *Job) adoptPlan(plan *usher.Plan) error {
	p := &j.Work.Progress
	old, sameRun, before := p.Plan, p.Planned == j.Work.Run, 0
	if sameRun {
		before = p.Before
	} else { // the files of each run have their own numbers
		p.Deltas, p.DeltaEpoch = 0, 0
	}
	switch {
	case old != nil && old.Stamp == plan.Stamp && plan.Stamp != "":
		if len(old.Parts) > 0 { // the parts may have been published already
			plan.Parts = old.Parts
		}
	case old != nil && sameRun && plan.Stamp != "":
		return usher.Refuse(usher.SourceBroken, "do not change the file until the job has ended; replay the job to read the new file",
			"read %s: it has changed since the job began", j.Work.Job.Source.Redacted())
	case old != nil:
		*p = usher.Progress{NumberOfIDs: p.NumberOfIDs, Warnings: exports.WithoutEvidence(p.Warnings), Before: before, Deltas: p.Deltas, DeltaEpoch: p.DeltaEpoch}
	}
	understood := exports.Understood(j.Work.Job.Source, plan)
	p.Plan, p.Planned, p.Understood = plan, j.Work.Run, understood
	p.Warnings = addOnce(p.Warnings, plan.Warnings)
	known := old != nil && sameRun && plan.Stamp != ""
	if known || len(j.Work.Job.Source.IDs) > 0 { // ids that the job contains cannot change
		return nil
	}
	return j.Save()
}

// addOnce adds the warnings that list does not have yet. Each attempt of a run plans again
// and so finds the same warnings.
func addOnce(list, more []usher.Warning) []usher.Warning {
	for _, w := range more {
		if !slices.ContainsFunc(list, func(old usher.Warning) bool { return old.Code == w.Code && old.Description == w.Description }) {
			list = usher.AddWarnings(list, w)
		}
	}
	return list
}

// uploadPart sends a part, starting at its checkpoint.
func (j *Job) uploadPart(ctx context.Context, u upload) error {
	blocks, err := j.exports().Open(ctx, j.Work.Job.Source, *j.Work.Progress.Plan, j.Work.Range)
	if err != nil {
		return err
	}
	defer func() { _ = blocks.Close() }() // only read
	options := j.options()
	if u.suppresses {
		if ctx, err = j.suppress(ctx, &options); err != nil {
			return err
		}
	}
	options.BatchIDs = cmp.Or(u.batchIDs, j.worker.BatchIDs)
	options.InFlight = cmp.Or(u.inFlight, j.worker.InFlight)
	options.Resume = j.Work.Progress.Checkpoint
	options.Send, options.Size = u.send, u.size
	saved := options.Resume // the last checkpoint that was saved
	save := func(c usher.Checkpoint) (stored bool, err error) {
		saved = c
		return j.saveCheckpoint(c)
	}
	options.Save = func(_ context.Context, c usher.Checkpoint) error {
		_, err := save(c)
		return err
	}
	delta, err := j.delta(ctx, u.removes)
	if err != nil {
		return err
	}
	if delta != nil {
		delta.attach(&options, save)
		if !u.removes {
			j.countNew = j.countNewIDs
		}
	}
	c, err := pipeline.Upload(ctx, blocks, options)
	if err == nil {
		c.Matched = blocks.Matched()
	}
	j.Work.Progress.Checkpoint = c
	if delta != nil {
		err = errors.Join(err, delta.end(saved, err == nil))
	}
	if err == nil {
		j.Work.Progress.Warnings = addOnce(j.Work.Progress.Warnings, blocks.Warnings())
	}
	if err == nil && j.Work.Parts == 0 { // otherwise the queue judges the sum of the parts
		return usher.CheckOnlyValues(j.Work.Progress.Plan.Checks, &c)
	}
	return err
}

// options returns the options that all uploads of the job share.
func (j *Job) options() pipeline.Options {
	w, plan := j.worker, j.Work.Progress.Plan
	if plan == nil { // a mirror that restores a generation
		plan = &usher.Plan{}
	}
	o := pipeline.Options{
		Profile: *j.Work.Job.Profile, Input: plan.Input, Header: plan.Header, Chosen: plan.Chosen, Hyphens: plan.Hyphens, Mixed: j.Work.Kind.Family() == "target",
		Withheld:         plan.Withheld(),
		Typed:            j.Work.Job.Source != nil && j.Work.Job.Source.TypeColumn != "",
		MaxRejectPercent: *w.MaxRejectPercent, MaxMalformedPercent: *w.MaxMalformedPercent, DryRun: j.Work.Job.DryRun,
		KeepDuplicates: w.KeepDuplicates,
		First:          j.Work.Part == 0, Dropped: j.Work.Dropped, Buffers: &w.buffers, Yield: w.precedence.yield,
	}
	if percent := j.Work.Job.MaxRejectPercent; percent != nil {
		o.MaxRejectPercent = *percent
	}
	if percent := j.Work.Job.MaxMalformedPercent; percent != nil {
		o.MaxMalformedPercent = *percent
	}
	return o
}
