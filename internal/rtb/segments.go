package rtb

import (
	"context"

	"usher"
)

// Segment is an audience segment.
type Segment struct {
	ID               string `json:"id,omitempty"` // generated
	Name             string `json:"name"`
	Type             string `json:"type"`                       // INTELLI_PIXEL, EMAIL_OPEN, EMAIL_CLICK, VIEW, CART, PURCHASE, IDFA, ANDROID_ID
	Status           string `json:"status,omitempty"`           // such as ACTIVE
	DurationInDays   Count  `json:"durationInDays,omitempty"`   // days after which a user leaves the segment
	IntelliPixelPath string `json:"intelliPixelPath,omitempty"` // mandatory for INTELLI_PIXEL: * or a pattern such as /sport/*
	HTMLScript       string `json:"htmlScript,omitempty"`       // read only
}

// The types of segments of device ids. In the path of the operations on a user, AID
// stands for ANDROID_ID.
const (
	TypeIDFA      = "IDFA"
	TypeAndroidID = "ANDROID_ID"
	PathAndroidID = "AID"
)

// SegmentPath identifies a segment.
type SegmentPath struct {
	SegmentID string `path:"segmentId"` // a segment's id
}

// SegmentTypePath identifies a type of segment.
type SegmentTypePath struct {
	SegmentType string `path:"segmentType"` // such as IDFA or ANDROID_ID
}

// SegmentUser identifies a user of a segment.
type SegmentUser struct {
	SegmentID   string `path:"segmentId"`     // a segment's id
	SegmentType string `path:"segmentType"`   // IDFA, or AID for a segment of type ANDROID_ID
	UserID      string `path:"userId,digest"` // the MD5 of the device id, 32 hex characters
}

// NewSegment is a segment to be created. Its ID must be empty.
type NewSegment struct {
	Segment Segment `body:"json"`
}

// SegmentUpdate replaces a segment.
type SegmentUpdate struct {
	SegmentID string  `path:"segmentId"` // a segment's id
	Segment   Segment `body:"json"`
}

// SegmentUpload is a file of user hashes, separated by commas.
type SegmentUpload struct {
	SegmentID string `path:"segmentId"`    // a segment's id
	Users     File   `file:"users,digest"` // MD5 digests, separated by commas
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
	SegmentsCreate     = post[NewSegment, SegmentID]("segments.create", "/v3/segments", "Create a segment", 400)
	SegmentsList       = get[Nothing, SegmentsAnswer]("segments.list", "/v3/segments", "List the segments")
	SegmentsGet        = get[SegmentPath, SegmentAnswer]("segments.get", "/v3/segments/{segmentId}", "Read a segment", 404)
	SegmentsByType     = get[SegmentTypePath, SegmentsAnswer]("segments.by-type", "/v3/segments/type/{segmentType}", "List the segments of a type", 400)
	SegmentsUpdate     = put[SegmentUpdate, Nothing]("segments.update", "/v3/segments/{segmentId}", "Replace a segment", 400, 404)
	SegmentsDelete     = remove[SegmentPath, Nothing]("segments.delete", "/v3/segments/{segmentId}", "Delete a segment", 404)
	SegmentsContains   = get[SegmentUser, ContainsAnswer]("segments.contains", "/v3/segments/{segmentId}/{segmentType}/{userId}", "Ask whether a user is in a segment", 400, 404)
	SegmentsAddUser    = post[SegmentUser, Nothing]("segments.add-user", "/v3/segments/{segmentId}/{segmentType}/{userId}", "Add a user to a segment", 400, 404)
	SegmentsRemoveUser = remove[SegmentUser, Nothing]("segments.remove-user", "/v3/segments/{segmentId}/{segmentType}/{userId}", "Remove a user from a segment", 400, 404)
	SegmentsUpload     = post[SegmentUpload, Nothing]("segments.upload", "/v3/segments/{segmentId}/users", "Add the users of a file to a segment", 400, 404)
)

func segmentOperations() []Operation {
	return []Operation{
		SegmentsCreate.Operation, SegmentsList.Operation, SegmentsGet.Operation, SegmentsByType.Operation,
		SegmentsUpdate.Operation, SegmentsDelete.Operation, SegmentsContains.Operation,
		SegmentsAddUser.Operation, SegmentsRemoveUser.Operation, SegmentsUpload.Operation,
	}
}

// SegmentsService manages audience segments and their users. Upload adds the warnings of
// the answer to the batch.
type SegmentsService service

// Create creates a segment and returns its id.
//
// POST /v3/segments
func (s *SegmentsService) Create(ctx context.Context, segment Segment) (string, error) {
	answer, _, err := SegmentsCreate.Do(ctx, s.client, NewSegment{segment})
	return answer.ID, err
}

// List lists the advertiser's segments.
//
// GET /v3/segments
func (s *SegmentsService) List(ctx context.Context) ([]Segment, error) {
	answer, _, err := SegmentsList.Do(ctx, s.client, Nothing{})
	return answer.Segments, err
}

// Get reads a segment. An unknown segment is not_found.
//
// GET /v3/segments/{segmentId}
func (s *SegmentsService) Get(ctx context.Context, id string) (Segment, error) {
	answer, _, err := SegmentsGet.Do(ctx, s.client, SegmentPath{id})
	return answer.Segment, err
}

// ByType lists the advertiser's segments of a type.
//
// GET /v3/segments/type/{segmentType}
func (s *SegmentsService) ByType(ctx context.Context, segmentType string) ([]Segment, error) {
	answer, _, err := SegmentsByType.Do(ctx, s.client, SegmentTypePath{segmentType})
	return answer.Segments, err
}

// Update replaces a segment.
//
// PUT /v3/segments/{segmentId}
func (s *SegmentsService) Update(ctx context.Context, id string, segment Segment) error {
	_, _, err := SegmentsUpdate.Do(ctx, s.client, SegmentUpdate{id, segment})
	return err
}

// Delete deletes a segment.
//
// DELETE /v3/segments/{segmentId}
func (s *SegmentsService) Delete(ctx context.Context, id string) error {
	_, _, err := SegmentsDelete.Do(ctx, s.client, SegmentPath{id})
	return err
}

// Contains reports whether a segment has a user: the MD5 of a device id, as 32 hex
// characters. The type is that of the segment: IDFA, or ANDROID_ID, which is sent as
// AID.
//
// GET /v3/segments/{segmentId}/{segmentType}/{userId}
func (s *SegmentsService) Contains(ctx context.Context, id, segmentType, digest string) (bool, error) {
	answer, _, err := SegmentsContains.Do(ctx, s.client, segmentUser(id, segmentType, digest))
	return answer.Contains, err
}

// AddUser adds one user to a segment: the MD5 of a device id, as 32 hex characters.
// The type is that of the segment: IDFA, or ANDROID_ID, which is sent as AID.
//
// POST /v3/segments/{segmentId}/{segmentType}/{userId}
func (s *SegmentsService) AddUser(ctx context.Context, id, segmentType, digest string) error {
	_, _, err := SegmentsAddUser.Do(ctx, s.client, segmentUser(id, segmentType, digest))
	return err
}

// RemoveUser removes one user from a segment: the MD5 of a device id, as 32 hex
// characters. The type is that of the segment: IDFA, or ANDROID_ID, which is sent as
// AID.
//
// DELETE /v3/segments/{segmentId}/{segmentType}/{userId}
func (s *SegmentsService) RemoveUser(ctx context.Context, id, segmentType, digest string) error {
	_, _, err := SegmentsRemoveUser.Do(ctx, s.client, segmentUser(id, segmentType, digest))
	return err
}

// Upload adds a batch of users to a segment.
//
// POST /v3/segments/{segmentId}/users
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
