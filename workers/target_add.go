package workers

import (
	"context"
	"time"

	"usher"
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
			return check.accepted(ctx, b.IDs, j.numberOfIDs, stop)
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
