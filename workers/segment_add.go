package workers

import (
	"context"

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
	return segment, j.judgeSegment(&segment)
}

// judgeSegment returns an error if the segment does not take the job's ids.
func (j *Job) judgeSegment(segment *rtb.Segment) error {
	idType := j.Work.Job.Profile.Type
	switch {
	case segment.Type == rtb.TypeIDFA && idType == usher.IDFA,
		segment.Type == rtb.TypeAndroidID && idType != usher.IDFA:
		return nil
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
