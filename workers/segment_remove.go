package workers

import (
	"bytes"
	"context"
	"fmt"

	"usher"
	"usher/internal/rtb"
)

// A removal is one call an id, so its parts and batches are small: a part is
// about 10,000 ids, and a checkpoint is never far behind.
const (
	removePartBytes = 10_000 * 37
	removeBatchIDs  = 100
	removeInFlight  = 4
)

// segmentRemove takes ids out of a segment, by
// DELETE /v3/segments/{segmentId}/{segmentType}/{userId}. The suppression list
// does not apply: who must not be uploaded may well be taken out.
func (j *job) segmentRemove(ctx context.Context) error {
	// The path wants the segment's type. It follows from the profile, since
	// readSegment holds the one to the other.
	segmentType := rtb.TypeAndroidID
	if j.Job.Profile.Type == usher.IDFA {
		segmentType = rtb.TypeIDFA
	}
	return j.upload(ctx, upload{
		prepare:   j.readSegment,
		partBytes: removePartBytes, batchIDs: removeBatchIDs, inFlight: removeInFlight,
		send: func(ctx context.Context, b *usher.Batch) error { return j.removeAll(ctx, segmentType, b) },
	})
}

// removeAll takes a batch's ids out. A batch that is sent again takes them out
// again, which changes nothing; a platform that answers 404 for a user who is
// not there means the same.
func (j *job) removeAll(ctx context.Context, segmentType string, b *usher.Batch) error {
	digests, err := b.Text()
	if err != nil {
		return fmt.Errorf("read batch: %w", err)
	}
	for digest := range bytes.SplitSeq(digests, []byte{','}) {
		err := j.platform.Segments.RemoveUser(ctx, j.Job.Segment, segmentType, string(digest))
		if err != nil && !isNotFound(err) {
			return err
		}
	}
	return nil
}
