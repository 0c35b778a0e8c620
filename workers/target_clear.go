package workers

import (
	"context"

	"usher"
)

// targetClear removes a campaign's mobile device targeting, by
// DELETE /v3/campaigns/{campaignCode}/mobileDeviceIdTarget.
func (j *job) targetClear(ctx context.Context) error {
	if err := j.turn(ctx); err != nil {
		return err
	}
	if j.Progress.Phase != usher.PhaseClear {
		if err := j.readTarget(ctx); err != nil {
			return err
		}
		// From here on the number before is no longer to be had.
		j.Progress.Phase = usher.PhaseClear
		if err := j.saved(); err != nil {
			return err
		}
	}
	j.after = j.targeted
	return j.clearTarget(ctx)
}

// clearTarget may be repeated; what has no targeting is clear.
func (j *job) clearTarget(ctx context.Context) error {
	if err := j.platform.Campaigns.ClearMobileTargets(ctx, j.Job.Campaign); err != nil && !isNotFound(err) {
		return err
	}
	return nil
}
