package workers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"usher"
	"usher/internal/rtb"
)

// segmentAdd uploads an export into a segment, by
// POST /v3/segments/{segmentId}/users.
func (j *Job) segmentAdd(ctx context.Context) error {
	return j.upload(ctx, upload{
		prepare:    j.checkSegment,
		size:       &j.worker.segmentSize,
		suppresses: true,
		send: func(ctx context.Context, b *usher.Batch) error {
			return j.Platform.Segments.Upload(ctx, j.Work.Job.Segment, b)
		},
	})
}

// checkSegment reads the job's segment and refuses a profile that does not fit
// its type.
func (j *Job) checkSegment(ctx context.Context) error {
	_, err := j.readSegment(ctx)
	return err
}

// readSegment is checkSegment, and returns the segment.
func (j *Job) readSegment(ctx context.Context) (rtb.Segment, error) {
	if j.segment != nil {
		return *j.segment, j.judgeSegment(j.segment)
	}
	segment, err := j.Platform.Segments.Get(ctx, j.Work.Job.Segment)
	if IsNotFound(err) {
		return segment, &usher.Permanent{Class: usher.NotFound, Err: err,
			Hint: "check the segment's id, which is not its name, and the advertiser"}
	}
	if err != nil {
		return segment, err
	}
	if j.worker.Named != nil {
		j.worker.Named(ctx, j.ledgerTarget().Advertiser, &segment)
	}
	return segment, j.judgeSegment(&segment)
}

// judgeSegment returns an error if the segment does not take the job's ids.
func (j *Job) judgeSegment(segment *rtb.Segment) error {
	idType, source := j.Work.Job.Profile.Type, j.Work.Job.Source
	switch {
	case segment.Type == rtb.TypeIDFA && idType == usher.IDFA,
		segment.Type == rtb.TypeAndroidID && idType != usher.IDFA:
		return nil
	case (segment.Type == rtb.TypeIDFA || segment.Type == rtb.TypeAndroidID) && source != nil && source.IDs != nil:
		return usher.Refuse(usher.InvalidJob, "publish a new job with the right profile, because this one has its ids as digests of the profile that it names; or use a segment of their type",
			"segment %s is of type %s and takes no %s", segment.ID, segment.Type, idType)
	case segment.Type == rtb.TypeIDFA:
		return usher.Refuse(usher.InvalidJob, "use profile idfa, or a segment of type ANDROID_ID",
			"segment %s is of type IDFA and takes no %s", segment.ID, idType)
	case segment.Type == rtb.TypeAndroidID:
		return usher.Refuse(usher.InvalidJob, "use profile aaid or android_id, or a segment of type IDFA",
			"segment %s is of type ANDROID_ID and takes no %s", segment.ID, idType)
	}
	return usher.Refuse(usher.InvalidJob, "use a segment of type IDFA or ANDROID_ID",
		"segment %s is of type %s and takes no device ids", segment.ID, segment.Type)
}

// A removal takes one call for each id, so parts and batches are small: a part
// has about 10,000 ids, and little is repeated after a crash.
const (
	removePartBytes = 10_000 * 37
	removeBatchIDs  = 100
	removeInFlight  = 4
)

// segmentRemove removes ids from a segment, by
// DELETE /v3/segments/{segmentId}/{segmentType}/{userId}. The suppression list
// does not apply: ids that must not be uploaded may be removed.
func (j *Job) segmentRemove(ctx context.Context) error {
	segmentType := j.segmentType()
	var segment rtb.Segment
	err := j.upload(ctx, upload{
		prepare: func(ctx context.Context) (err error) {
			if segment, err = j.readSegment(ctx); err == nil {
				_, err = j.beginAlone(ctx, nil)
			}
			return err
		},
		removes:   true,
		partBytes: removePartBytes, batchIDs: removeBatchIDs, inFlight: removeInFlight,
		send: func(ctx context.Context, b *usher.Batch) error { return j.removeBatch(ctx, segmentType, b) },
	})
	if err == nil && j.Work.Parts == 0 && !j.split {
		j.removeFollowing(ctx, &segment)
	}
	return err
}

// Bounds of removeFollowing. The time keeps the slot free for jobs on other targets.
const (
	followingJobs = 32 // at once
	followingTime = 250 * time.Millisecond
)

// removeFollowing carries out removals that follow this one on the segment, many at once. A
// queue of opt-outs, of one id each, so goes at the platform's rate limit.
func (j *Job) removeFollowing(ctx context.Context, segment *rtb.Segment) {
	for began := j.Local(); j.Local().Sub(began) < followingTime && !j.worker.Breaker.Open(); {
		leases, err := j.Lease.TakeAlong(ctx, followingJobs)
		if err != nil {
			j.Log.Warn("taking the removals that follow failed, they run later", "error", err)
		}
		if len(leases) == 0 {
			return
		}
		var running sync.WaitGroup
		for _, lease := range leases {
			running.Go(func() { j.worker.handle(lease, segment) })
		}
		running.Wait()
	}
}

// segmentType returns the segment's type, which the path needs. It follows from the profile,
// because checkSegment refuses a profile that does not fit the type.
func (j *Job) segmentType() string {
	if j.Work.Job.Profile.Type == usher.IDFA {
		return rtb.TypeIDFA
	}
	return rtb.TypeAndroidID
}

// removeTries is the number of ids of a batch after which removeBatch gives up if the platform has
// refused all of them. It then most likely refuses every removal.
const removeTries = 8

// removeBatch removes the ids of a batch. It is idempotent: an id that the
// segment does not have counts as removed. The batch says which ids the platform
// has refused to remove. A refusal as an error means that none was removed.
func (j *Job) removeBatch(ctx context.Context, segmentType string, b *usher.Batch) error {
	digests, err := b.Text()
	if err != nil {
		return fmt.Errorf("read batch: %w", err)
	}
	var refused []usher.RefusedDigest
	for at, digest := range bytes.Split(digests, []byte{','}) {
		err := j.Platform.Segments.RemoveUser(ctx, j.Work.Job.Segment, segmentType, string(digest))
		var refusal *usher.Permanent
		switch {
		case err == nil, IsNotFound(err):
		case errors.As(err, &refusal) && refusal.Class == usher.Refused:
			refused = append(refused, usher.RefusedDigest{At: at, Why: refusal})
			if all := len(refused) == at+1; all && (len(refused) == removeTries || len(refused) == b.IDs) {
				return err
			}
		default:
			return err
		}
	}
	b.Refused = refused
	return nil
}
