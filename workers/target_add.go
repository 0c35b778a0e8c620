package workers

import (
	"context"
	"sync"
	"time"

	"usher"
)

// targetAdd uploads an export into a campaign's mobile device targeting, by
// POST /v3/campaigns/{campaignCode}/mobileDeviceIdTarget.
func (j *job) targetAdd(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	j.after = j.targeted
	return j.upload(ctx, j.targetUpload(stop))
}

// targetUpload is the upload into the job's campaign; stop ends it where the
// platform turns out to keep only the last upload.
func (j *job) targetUpload(stop context.CancelCauseFunc) upload {
	check := growthSince(j.Progress.Checkpoint)
	return upload{
		prepare: func(ctx context.Context) error {
			if j.Progress.Plan == nil {
				return j.readTarget(ctx)
			}
			return j.readCampaign(ctx) // what it targeted before is on record
		},
		size:       &j.targetSize,
		suppressed: j.Suppressed,
		send: func(ctx context.Context, b *usher.Batch) error {
			if _, err := j.platform.Campaigns.AddMobileTargets(ctx, j.Job.Campaign, b); err != nil {
				return err
			}
			return check.answered(ctx, b.IDs, j.numberOfIDs, stop)
		},
	}
}

// readTarget reads the campaign, to know that it exists, and how many ids it
// targets before the job.
func (j *job) readTarget(ctx context.Context) error {
	err := j.readCampaign(ctx)
	if err == nil {
		j.Progress.NumberOfIDs.Before, err = j.numberOfIDs(ctx)
	}
	return err
}

func (j *job) readCampaign(ctx context.Context) error {
	_, err := j.platform.Campaigns.Get(ctx, j.Job.Campaign)
	if isNotFound(err) {
		return &usher.Permanent{Class: usher.NotFound, Err: err, Hint: "check the campaign's code and the advertiser"}
	}
	return err
}

// numberOfIDs is how many ids the campaign targets; none where it has no
// targeting.
func (j *job) numberOfIDs(ctx context.Context) (int64, error) {
	targeting, err := j.platform.Campaigns.MobileTargets(ctx, j.Job.Campaign)
	if isNotFound(err) {
		return 0, nil
	}
	return int64(targeting.NumberOfIDs), err
}

// askTime bounds what is asked for the record only: the job is done, and its slot
// is wanted.
const askTime = 3 * time.Second

// targeted is how many ids the campaign targets when the job has ended, be it
// that it was cancelled.
func (j *job) targeted() (int64, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(j.Context()), askTime)
	defer cancel()
	return j.numberOfIDs(ctx)
}

// growth finds out whether the platform adds what is posted or keeps only the
// last upload, which is not documented: after the second batch the list must
// hold more than the larger of the two. (That it grew between them would say
// less: a list that held all of them before does not grow.)
type growth struct {
	mu      sync.Mutex
	batches int
	largest int
}

// growthSince is the growth of an upload that goes on from a checkpoint: what
// was answered before it is in the list, if the platform adds.
func growthSince(c usher.Checkpoint) *growth {
	if c.Tally.Accepted == 0 {
		return &growth{}
	}
	return &growth{batches: int(min(c.Batches, 2))}
}

func (g *growth) answered(ctx context.Context, ids int, numberOfIDs func(context.Context) (int64, error), stop context.CancelCauseFunc) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.batches++; g.batches > 2 {
		return nil
	}
	g.largest = max(g.largest, ids)
	if g.batches < 2 {
		return nil
	}
	n, err := numberOfIDs(ctx)
	if err != nil {
		g.batches--
		return err
	}
	if n <= int64(g.largest) {
		// By the context, not as the batch's error: a refused batch would be
		// halved, and sent again.
		stop(usher.Refuse(usher.Refused, "this platform keeps only the last upload: put all ids into one batch (upload.batch_ids), or use a segment",
			"campaign targets %d ids after two batches, of which one alone had %d", n, g.largest))
		return context.Canceled
	}
	return nil
}
