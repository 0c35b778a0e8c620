package workers

import (
	"context"
	"fmt"
	"sync"
	"time"

	"usher"
	"usher/internal/ledger"
	"usher/pipeline"
)

// targetAdd uploads an export into the mobile device targeting of a campaign,
// by POST /v3/campaigns/{campaignCode}/mobileDeviceIdTarget.
func (j *Job) targetAdd(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	j.readSize = j.finalNumberOfIDs
	return j.upload(ctx, j.targetUpload(stop))
}

// targetUpload returns the upload into the job's campaign. The upload calls stop if the
// platform keeps only the last upload.
func (j *Job) targetUpload(stop context.CancelCauseFunc) upload {
	check := newGrowthCheck(j.Work.Progress.Checkpoint)
	if j.worker.KeepDuplicates && !j.Work.Kind.Mirrors() {
		check.ended = true
	}
	return upload{
		prepare: func(ctx context.Context) error {
			if j.Work.Progress.Plan == nil {
				return j.readTarget(ctx)
			}
			return j.checkCampaign(ctx) // an earlier attempt has recorded the number of ids
		},
		size:       &j.worker.targetSize,
		suppresses: true,
		send: func(ctx context.Context, b *usher.Batch) error {
			if _, err := j.Platform.Campaigns.AddMobileTargets(ctx, j.Work.Job.Campaign, b); err != nil {
				return err
			}
			return check.accepted(ctx, b, j.numberOfIDs, stop)
		},
	}
}

// readTarget checks that the campaign exists and records how many ids it
// targets before the job.
func (j *Job) readTarget(ctx context.Context) error {
	err := j.checkCampaign(ctx)
	if err == nil {
		j.Work.Progress.NumberOfIDs.Before, err = j.numberOfIDs(ctx)
	}
	return err
}

func (j *Job) checkCampaign(ctx context.Context) error {
	_, err := j.Platform.Campaigns.Get(ctx, j.Work.Job.Campaign)
	if IsNotFound(err) {
		return &usher.Permanent{Class: usher.NotFound, Err: err, Hint: "check the campaign's code and the advertiser"}
	}
	return err
}

// numberOfIDs reads how many ids the campaign targets. It is 0 if the campaign has no
// targeting.
func (j *Job) numberOfIDs(ctx context.Context) (int64, error) {
	targeting, err := j.Platform.Campaigns.MobileTargets(ctx, j.Work.Job.Campaign)
	if IsNotFound(err) {
		return 0, nil
	}
	return int64(targeting.NumberOfIDs), err
}

// recordTime limits a call whose result is only for the record, because the job has ended
// and its slot is needed.
const recordTime = 3 * time.Second

// finalNumberOfIDs reads how many ids the campaign targets when the job has ended. It
// works even if the job was cancelled.
func (j *Job) finalNumberOfIDs() (int64, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(j.Lease.Context()), recordTime)
	defer cancel()
	return j.numberOfIDs(ctx)
}

// growthCheck detects a platform that keeps only the last upload instead of adding to
// the list; its documentation does not say which. After two batches without a common id the
// list must hold more ids than the larger of them. Only batches of one window certainly have
// none in common: an event log has the same ids in all. The check does not compare the sizes
// before and after a batch, because a list that already holds all of the ids does not grow.
type growthCheck struct {
	mu      sync.Mutex
	window  int64 // of the last batch
	batches int   // of the window, 0 or 1
	largest int   // of these batches
	ended   bool
}

// newGrowthCheck returns the check for an upload that resumes at a checkpoint.
// If the platform adds, the batches before the checkpoint are in the list.
func newGrowthCheck(c usher.Checkpoint) *growthCheck {
	if c.Tally.Accepted == 0 {
		return &growthCheck{}
	}
	return &growthCheck{window: (c.Rows - 1) / usher.WindowRows, batches: 1, ended: c.Batches > 1}
}

// accepted counts a batch that the platform accepted. After the second one of a window it reads
// the number of ids and, if the list holds too few, calls stop.
func (g *growthCheck) accepted(ctx context.Context, b *usher.Batch, numberOfIDs func(context.Context) (int64, error), stop context.CancelCauseFunc) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended {
		return nil
	}
	if b.Window != g.window {
		g.window, g.batches, g.largest = b.Window, 0, 0
	}
	g.largest = max(g.largest, b.IDs)
	if g.batches == 0 {
		g.batches = 1
		return nil
	}
	n, err := numberOfIDs(ctx)
	if err != nil {
		return err
	}
	g.ended = true
	if n <= int64(g.largest) {
		// The error is the cause of the context, because a batch that fails with a
		// refusal would be halved and sent again.
		stop(usher.Refuse(usher.Refused, "this platform keeps only the last upload: put all ids into one batch (upload.batch_ids), or use a segment",
			"campaign targets %d ids after two batches, of which one alone had %d", n, g.largest))
		return context.Canceled
	}
	return nil
}

// targetClear removes the mobile device targeting of a campaign, by
// DELETE /v3/campaigns/{campaignCode}/mobileDeviceIdTarget.
func (j *Job) targetClear(ctx context.Context) error {
	if err := j.awaitTurn(ctx); err != nil {
		return err
	}
	if j.Work.Progress.Phase != usher.PhaseClear {
		if err := j.readTarget(ctx); err != nil {
			return err
		}
		// Saved first, because the number of ids before the job is lost once
		// the target is cleared.
		j.Work.Progress.Phase = usher.PhaseClear
		if err := j.Save(); err != nil {
			return err
		}
	}
	j.readSize = j.finalNumberOfIDs
	return j.clearKnown(ctx)
}

// clearKnown clears the target and tells its ledger that it is empty.
func (j *Job) clearKnown(ctx context.Context) error {
	commit, err := j.beginAlone(ctx, &ledger.Pending{Cleared: true})
	if err != nil {
		return err
	}
	if err := j.clearTarget(ctx); err != nil || commit == nil {
		return err
	}
	if _, err := j.worker.Ledger.Commit(ctx, commit); err != nil {
		return fmt.Errorf("tell the ledger of %s that it is empty: %w", commit.Head.Target, err)
	}
	return nil
}

// clearTarget removes the targeting. It is idempotent: a campaign without targeting is not
// an error.
func (j *Job) clearTarget(ctx context.Context) error {
	if err := j.Platform.Campaigns.ClearMobileTargets(ctx, j.Work.Job.Campaign); err != nil && !IsNotFound(err) {
		return err
	}
	return nil
}

// leastPercent is the size that a new list must have, relative to the old one. Mirrors have
// another guard, maxRemovePercent in mirror.go, which counts what would be removed.
const leastPercent = 80

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
		if _, err := j.saveCheckpoint(usher.Checkpoint{}); err != nil { // so that the record shows the phase
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
		if _, err := j.saveCheckpoint(usher.Checkpoint{}); err != nil {
			return err
		}
	}
	if err := usher.CheckOnlyValues(plan.Checks, &p.Count); err != nil {
		p.Phase = "" // a replay reads the export again
		return err
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
	c, err := pipeline.Upload(ctx, blocks, options)
	c.Matched = blocks.Matched()
	return c, err
}

// reportCount shows in the record how many rows of a part have been counted. A
// crash repeats the part, so nothing resumes from this.
func (j *Job) reportCount(_ context.Context, c usher.Checkpoint) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.Work.Progress.Counting = c.Tally.Read
	_, err := j.trySave()
	return err
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
	if j.Work.Job.Force || ids*100 >= before*leastPercent {
		return nil
	}
	j.Work.Progress.Phase = "" // a replay reads both lists again
	return usher.Refuse(usher.Shrink, `if the shorter list is right, publish the job with "force": true`,
		"the export has %d ids for campaign %s, which now targets %d: less than %d %%", ids, j.Work.Job.Campaign, before, leastPercent)
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
		if err := j.noteBefore(ctx); err != nil {
			return err
		}
		p.Phase, p.Checkpoint = usher.PhaseClear, usher.Checkpoint{}
		j.Warnf(usher.WarnNotAtomic, "the list was cleared before it was filled again; what the platform served in between is not documented")
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
