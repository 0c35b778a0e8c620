package workers

import (
	"context"

	"usher"
	"usher/pipeline"
)

// shrinkPercent is how much of the old list a new one must have.
const shrinkPercent = 80

// targetReplace makes a campaign's mobile device targeting an export's ids, in
// phases that stand in the record and each resume where they stopped: count
// (read and hash everything, send nothing), clear, add. What the platform
// serves between clear and add is not documented, so the record says so.
func (j *job) targetReplace(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	j.after = j.targeted
	if j.Parts > 0 {
		return j.uploadPart(ctx, j.targetUpload(stop))
	}
	if err := j.turn(ctx); err != nil {
		return err
	}
	plan, err := j.plan(ctx, 0)
	if err != nil {
		return err
	}
	if err := j.count(ctx, plan); err != nil {
		return err
	}
	if j.Job.DryRun {
		j.Progress.Checkpoint = j.Progress.Count // what would have been sent
		return nil
	}
	if err := j.clear(ctx); err != nil {
		return err
	}
	return j.uploadPlan(ctx, j.targetUpload(stop), plan)
}

// count reads the whole export, part by part, and refuses a list that is
// suspiciously short.
func (j *job) count(ctx context.Context, plan usher.Plan) error {
	if j.Progress.Phase == usher.PhaseClear || j.Progress.Phase == usher.PhaseAdd {
		return nil
	}
	if j.Progress.Phase == "" {
		if err := j.readTarget(ctx); err != nil {
			return err
		}
		j.Progress.Phase, j.Progress.Count, j.Progress.Counted = usher.PhaseCount, usher.Checkpoint{}, 0
		if err := j.checkpointed(usher.Checkpoint{}); err != nil { // so that people see what it does
			return err
		}
	}
	for j.Progress.Counted < len(plan.Parts) {
		c, err := j.countPart(ctx, plan, j.Progress.Counted)
		if err != nil {
			return err
		}
		j.Progress.Count.Follow(c, pipeline.MergeSketch)
		j.Progress.Counted, j.Progress.Counting = j.Progress.Counted+1, 0
		if err := j.checkpointed(usher.Checkpoint{}); err != nil {
			return err
		}
	}
	return j.guardShrink(len(plan.Parts))
}

func (j *job) countPart(ctx context.Context, plan usher.Plan, part int) (usher.Checkpoint, error) {
	blocks, err := j.exports().Open(ctx, j.Job.Source, plan, plan.Parts[part])
	if err != nil {
		return usher.Checkpoint{}, err
	}
	defer func() { _ = blocks.Close() }() // only read
	options := j.options()
	options.DryRun, options.First, options.Suppressed = true, part == 0, j.Suppressed
	options.Save, options.SaveEvery = j.counting, checkEvery
	if part > 0 {
		options.Dropped = usher.Tally{}
	}
	return pipeline.Upload(ctx, blocks, options)
}

// counting has the record say how far a part has been counted. A part is counted
// whole, so this is for people only.
func (j *job) counting(_ context.Context, c usher.Checkpoint) error {
	j.keeping.Lock()
	defer j.keeping.Unlock()
	j.Progress.Counting = c.Tally.Read
	return j.kept()
}

// guardShrink refuses a list under 80 % of the one that it would replace.
// Within one window the count is exact; beyond, it is an estimate.
func (j *job) guardShrink(parts int) error {
	c := j.Progress.Count
	ids := c.Tally.Accepted
	if parts > 1 || c.Tally.Read > usher.WindowRows || c.Repeats {
		ids = min(ids, pipeline.Distinct(c.Sketch))
	}
	before := j.Progress.NumberOfIDs.Before
	if j.Job.Force || ids*100 >= before*shrinkPercent {
		return nil
	}
	j.Progress.Phase = "" // a replay looks at both lists anew
	return usher.Refuse(usher.Shrink, `if the shorter list is right, publish the job with "force": true`,
		"the export has %d ids for campaign %s, which targets %d now: under %d %%", ids, j.Job.Campaign, before, shrinkPercent)
}

// clear empties the target. The phase is written before and after: before,
// because from then on the old list may be gone; after, because what is added
// next must not be cleared by a redelivery.
func (j *job) clear(ctx context.Context) error {
	if j.Progress.Phase == usher.PhaseAdd {
		return nil
	}
	if j.Progress.Phase == usher.PhaseCount {
		j.Progress.Phase, j.Progress.Checkpoint = usher.PhaseClear, usher.Checkpoint{}
		j.warnf("not_atomic", "the list was cleared before it was filled again; what the platform served in between is not documented")
		if err := j.saved(); err != nil {
			return err
		}
	}
	if err := j.clearTarget(ctx); err != nil {
		return err
	}
	j.Progress.Phase = usher.PhaseAdd
	return j.saved()
}
