package rtb

import (
	"context"

	"usher"
)

// Segment is an audience segment.
type Segment struct {
	ID               string `json:"id,omitempty"               help:"generated"`
	Name             string `json:"name"`
	Type             string `json:"type"                       help:"INTELLI_PIXEL, EMAIL_OPEN, EMAIL_CLICK, VIEW, CART, PURCHASE, IDFA, ANDROID_ID"`
	Status           string `json:"status,omitempty"           help:"such as ACTIVE"`
	DurationInDays   Count  `json:"durationInDays,omitempty"   help:"days after which a user leaves the segment"`
	IntelliPixelPath string `json:"intelliPixelPath,omitempty" help:"mandatory for INTELLI_PIXEL: * or a pattern such as /sport/*"`
	HTMLScript       string `json:"htmlScript,omitempty"       help:"read only"`
}

// Label returns how people call the segment: iOS customers (4).
func (s *Segment) Label() string { return s.Name + " (" + s.ID + ")" }

// The types of segments of device ids. In the path of the operations on a user, AID
// stands for ANDROID_ID.
const (
	TypeIDFA      = "IDFA"
	TypeAndroidID = "ANDROID_ID"
	PathAndroidID = "AID"
)

// SegmentPath identifies a segment.
type SegmentPath struct {
	SegmentID string `path:"segmentId" help:"a segment's id"`
}

// SegmentTypePath identifies a type of segment.
type SegmentTypePath struct {
	SegmentType string `path:"segmentType" help:"such as IDFA or ANDROID_ID"`
}

// SegmentUser identifies a user of a segment.
type SegmentUser struct {
	SegmentID   string `path:"segmentId"     help:"a segment's id"`
	SegmentType string `path:"segmentType"   help:"IDFA, or AID for a segment of type ANDROID_ID"`
	UserID      string `path:"userId,digest" help:"the MD5 of the device id, 32 hex characters"`
}

// NewSegment is a segment to be created. Its ID must be empty.
type NewSegment struct {
	Segment Segment `body:"json"`
}

// SegmentUpdate replaces a segment.
type SegmentUpdate struct {
	SegmentID string  `path:"segmentId" help:"a segment's id"`
	Segment   Segment `body:"json"`
}

// SegmentUpload is a file of user hashes, separated by commas.
type SegmentUpload struct {
	SegmentID string `path:"segmentId"                        help:"a segment's id"`
	Users     File   `help:"MD5 digests, separated by commas" file:"users,digest"`
}

// SegmentID is the id of a new segment.
type SegmentID struct {
	ID string `json:"id"`
}

// SegmentAnswer has a segment.
type SegmentAnswer struct {
	Segment Segment `json:"segment"`
}

// SegmentsAnswer has segments.
type SegmentsAnswer struct {
	Segments []Segment `json:"segments"`
}

// ContainsAnswer reports whether a user is in a segment.
type ContainsAnswer struct {
	Contains bool `json:"contains"`
}

// The operations on segments.
var (
	SegmentsCreate = post[NewSegment, SegmentID]("segments.create", "/v3/segments", "Create a segment",
		"Create a segment and return its id.", 400)
	SegmentsList = get[Nothing, SegmentsAnswer]("segments.list", "/v3/segments", "List the segments",
		"List the advertiser's segments.")
	SegmentsGet = get[SegmentPath, SegmentAnswer]("segments.get", "/v3/segments/{segmentId}", "Read a segment",
		"Read a segment. An unknown segment is not_found.", 404)
	SegmentsByType = get[SegmentTypePath, SegmentsAnswer]("segments.by-type", "/v3/segments/type/{segmentType}", "List the segments of a type",
		"List the advertiser's segments of a type.", 400)
	SegmentsUpdate = put[SegmentUpdate, Nothing]("segments.update", "/v3/segments/{segmentId}", "Replace a segment",
		"Replace a segment.", 400, 404)
	SegmentsDelete = remove[SegmentPath, Nothing]("segments.delete", "/v3/segments/{segmentId}", "Delete a segment",
		"Delete a segment.", 404)
	SegmentsContains = get[SegmentUser, ContainsAnswer]("segments.contains", "/v3/segments/{segmentId}/{segmentType}/{userId}", "Ask whether a user is in a segment",
		"Report whether a segment has a user: the MD5 of a device id, as 32 hex characters. The type is that of the segment: IDFA, or ANDROID_ID, which is sent as AID.", 400, 404)
	SegmentsAddUser = post[SegmentUser, Nothing]("segments.add-user", "/v3/segments/{segmentId}/{segmentType}/{userId}", "Add a user to a segment",
		"Add one user to a segment: the MD5 of a device id, as 32 hex characters. The type is that of the segment: IDFA, or ANDROID_ID, which is sent as AID.", 400, 404)
	SegmentsRemoveUser = remove[SegmentUser, Nothing]("segments.remove-user", "/v3/segments/{segmentId}/{segmentType}/{userId}", "Remove a user from a segment",
		"Remove one user from a segment: the MD5 of a device id, as 32 hex characters. The type is that of the segment: IDFA, or ANDROID_ID, which is sent as AID.", 400, 404)
	SegmentsUpload = post[SegmentUpload, Nothing]("segments.upload", "/v3/segments/{segmentId}/users", "Add the users of a file to a segment",
		"Add a batch of users to a segment.", 400, 404)
)

func segmentOperations() []Operation {
	return []Operation{
		SegmentsCreate.Operation, SegmentsList.Operation, SegmentsGet.Operation, SegmentsByType.Operation,
		SegmentsUpdate.Operation, SegmentsDelete.Operation, SegmentsContains.Operation,
		SegmentsAddUser.Operation, SegmentsRemoveUser.Operation, SegmentsUpload.Operation,
	}
}

// SegmentsService reads audience segments and changes their users. Upload adds the warnings of
// the answer to the batch.
type SegmentsService service

// List lists the advertiser's segments.
func (s *SegmentsService) List(ctx context.Context) ([]Segment, error) {
	answer, _, err := SegmentsList.Do(ctx, s.client, Nothing{})
	return answer.Segments, err
}

// Get reads a segment. An unknown segment is not_found.
func (s *SegmentsService) Get(ctx context.Context, id string) (Segment, error) {
	answer, _, err := SegmentsGet.Do(ctx, s.client, SegmentPath{id})
	return answer.Segment, err
}

// Contains reports whether a segment has a user: the MD5 of a device id, as 32 hex
// characters. The type is that of the segment: IDFA, or ANDROID_ID, which is sent as
// AID.
func (s *SegmentsService) Contains(ctx context.Context, id, segmentType, digest string) (bool, error) {
	answer, _, err := SegmentsContains.Do(ctx, s.client, segmentUser(id, segmentType, digest))
	return answer.Contains, err
}

// RemoveUser removes one user from a segment: the MD5 of a device id, as 32 hex
// characters. The type is that of the segment: IDFA, or ANDROID_ID, which is sent as
// AID.
func (s *SegmentsService) RemoveUser(ctx context.Context, id, segmentType, digest string) error {
	_, _, err := SegmentsRemoveUser.Do(ctx, s.client, segmentUser(id, segmentType, digest))
	return err
}

// Upload adds a batch of users to a segment.
func (s *SegmentsService) Upload(ctx context.Context, id string, b *usher.Batch) error {
	_, warnings, err := SegmentsUpload.Do(ctx, s.client, SegmentUpload{id, File{Batch: b}})
	b.Warnings = usher.AddWarnings(b.Warnings, warnings...)
	return err
}

// segmentUser returns the path of a user, in which AID stands for ANDROID_ID.
func segmentUser(id, segmentType, digest string) SegmentUser {
	if segmentType == TypeAndroidID {
		segmentType = PathAndroidID
	}
	return SegmentUser{id, segmentType, digest}
}
