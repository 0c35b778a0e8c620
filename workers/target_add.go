package workers

import (
	"context"
	"sync"

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
	var check growth
	return upload{
		prepare:    j.readTarget,
		suppressed: j.Suppressed,
		send: func(ctx context.Context, b *usher.Batch) error {
			if _, err := j.platform.AddMobileTargeting(ctx, j.Job.Campaign, b); err != nil {
				return err
			}
			return check.answered(ctx, b.IDs, j.numberOfIDs, stop)
		},
	}
}

// readTarget reads the campaign, to know that it exists, and how many ids it
// targets before the job.
func (j *job) readTarget(ctx context.Context) error {
	_, err := j.platform.Campaign(ctx, j.Job.Campaign)
	if isNotFound(err) {
		return &usher.Permanent{Class: usher.NotFound, Err: err, Hint: "check the campaign's code and the advertiser"}
	}
	if err != nil {
		return err
	}
	j.Progress.NumberOfIDs.Before, err = j.numberOfIDs(ctx)
	return err
}

// numberOfIDs is how many ids the campaign targets; none where it has no
// targeting.
func (j *job) numberOfIDs(ctx context.Context) (int64, error) {
	targeting, err := j.platform.MobileTargeting(ctx, j.Job.Campaign)
	if isNotFound(err) {
		return 0, nil
	}
	return int64(targeting.NumberOfIDs), err
}

func (j *job) targeted() (int64, error) { return j.numberOfIDs(j.Context()) }

// growth finds out whether the platform adds what is posted or keeps only the
// last upload, which is not documented: after the second batch the list must
// hold more than the larger of the two. (That it grew between them would say
// less: a list that held all of them before does not grow.)
type growth struct {
	mu      sync.Mutex
	batches int
	largest int
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
