package workers

import (
	"context"

	"usher"
	"usher/pipeline"
)

// shrinkPercent is the minimum size of a new list, relative to the old one.
const shrinkPercent = 80

// targetReplace makes the mobile device targeting of a campaign equal to an
// export, in phases: count (read and hash everything, send nothing), clear,
// add. The record holds the phase, and each phase resumes where it stopped.
func (j *Job) targetReplace(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	j.readSize = j.finalNumberOfIDs
	if j.Work.Parts > 0 {
		return j.uploadPart(ctx, j.targetUpload(stop))
	}
	if err := j.awaitTurn(ctx); err != nil {
		return err
	}
	plan, err := j.plan(ctx, 0)
	if err != nil {
		return err
	}
	if err := j.replaceCount(ctx, plan); err != nil {
		return err
	}
	if j.Work.Job.DryRun {
		j.Work.Progress.Checkpoint = j.Work.Progress.Count // the record shows what would have been sent
		return nil
	}
	if err := j.replaceClear(ctx); err != nil {
		return err
	}
	return j.uploadPlan(ctx, j.targetUpload(stop), plan)
}

// replaceCount is the phase count. It reads the export part by part and refuses
// a list that is suspiciously short.
func (j *Job) replaceCount(ctx context.Context, plan usher.Plan) error {
	p := &j.Work.Progress
	if p.Phase == usher.PhaseClear || p.Phase == usher.PhaseAdd {
		return nil
	}
	if p.Phase == "" {
		if err := j.readTarget(ctx); err != nil {
			return err
		}
		p.Phase, p.Count, p.Counted = usher.PhaseCount, usher.Checkpoint{}, 0
		if err := j.saveCheckpoint(usher.Checkpoint{}); err != nil { // so that the record shows the phase
			return err
		}
	}
	for p.Counted < len(plan.Parts) {
		c, err := j.countPart(ctx, plan, p.Counted)
		if err != nil {
			return err
		}
		p.Count.Append(c, pipeline.MergeSketch)
		p.Counted, p.Counting = p.Counted+1, 0
		if err := j.saveCheckpoint(usher.Checkpoint{}); err != nil {
			return err
		}
	}
	return j.guardShrink(len(plan.Parts))
}

func (j *Job) countPart(ctx context.Context, plan usher.Plan, part int) (usher.Checkpoint, error) {
	blocks, err := j.exports().Open(ctx, j.Work.Job.Source, plan, plan.Parts[part])
	if err != nil {
		return usher.Checkpoint{}, err
	}
	defer func() { _ = blocks.Close() }() // only read
	options := j.options()
	options.DryRun, options.First = true, part == 0
	if options.Suppressed, err = j.worker.Suppressed.Current(ctx); err != nil {
		return usher.Checkpoint{}, err
	}
	options.Save, options.SaveEvery = j.reportCount, checkEvery
	if part > 0 {
		options.Dropped = usher.Tally{}
	}
	return pipeline.Upload(ctx, blocks, options)
}

// reportCount shows in the record how many rows of a part have been counted. A
// crash repeats the part, so nothing resumes from this.
func (j *Job) reportCount(_ context.Context, c usher.Checkpoint) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.Work.Progress.Counting = c.Tally.Read
	return j.trySave()
}

// guardShrink refuses a list of less than 80 % of the list that it would
// replace. The count is exact within one window and an estimate beyond it.
func (j *Job) guardShrink(parts int) error {
	c := j.Work.Progress.Count
	ids := c.Tally.Accepted
	if parts > 1 || c.Tally.Read > usher.WindowRows || c.Repeats {
		ids = min(ids, pipeline.Distinct(c.Sketch))
	}
	before := j.Work.Progress.NumberOfIDs.Before
	if j.Work.Job.Force || ids*100 >= before*shrinkPercent {
		return nil
	}
	j.Work.Progress.Phase = "" // a replay reads both lists again
	return usher.Refuse(usher.Shrink, `if the shorter list is right, publish the job with "force": true`,
		"the export has %d ids for campaign %s, which now targets %d: less than %d %%", ids, j.Work.Job.Campaign, before, shrinkPercent)
}

// replaceClear is the phase clear. The phase is saved before the call, because the old list
// may not exist after it, and again after the call, so that a redelivery does not clear
// what was added since.
func (j *Job) replaceClear(ctx context.Context) error {
	p := &j.Work.Progress
	if p.Phase == usher.PhaseAdd {
		return nil
	}
	if p.Phase == usher.PhaseCount {
		p.Phase, p.Checkpoint = usher.PhaseClear, usher.Checkpoint{}
		j.Warnf("not_atomic", "the list was cleared before it was filled again; what the platform served in between is not documented")
		if err := j.Save(); err != nil {
			return err
		}
	}
	if err := j.clearKnown(ctx); err != nil {
		return err
	}
	p.Phase = usher.PhaseAdd
	return j.Save()
}
