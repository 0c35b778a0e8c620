package workers

import (
	"context"

	"usher"
)

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

// clearTarget removes the targeting. It is idempotent: a campaign without targeting is not
// an error.
func (j *Job) clearTarget(ctx context.Context) error {
	if err := j.Platform.Campaigns.ClearMobileTargets(ctx, j.Work.Job.Campaign); err != nil && !IsNotFound(err) {
		return err
	}
	return nil
}
