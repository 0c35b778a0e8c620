package rtb

import (
	"bytes"
	"context"
	"encoding/json"

	"usher"
)

// MobileTargeting is a campaign's list of mobile device ids.
type MobileTargeting struct {
	CampaignCode         string `json:"campaignCode"`
	BatchName            string `json:"batchName,omitempty"`
	NumberOfIDs          Count  `json:"numberOfIds"`
	LastModificationTime string `json:"lastModificationTime,omitempty"` // YYYY-MM-DDTHH:MM:SS.mmm, no zone
}

// UserTargeting narrows a segment's users down to a list of user ids.
type UserTargeting struct {
	CampaignCode         string `json:"campaignCode"`
	NumberOfIDs          Count  `json:"numberOfIds"`
	SegmentID            string `json:"segmentId"`
	LastModificationTime string `json:"lastModificationTime,omitempty"`
}

// UserTargetings is a list; of an answer with one record it is a list of one.
type UserTargetings []UserTargeting

// UnmarshalJSON takes a record or a list of records: which of them a read
// returns is not documented.
func (u *UserTargetings) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		*u = make(UserTargetings, 1)
		return json.Unmarshal(data, &(*u)[0])
	}
	return json.Unmarshal(data, (*[]UserTargeting)(u))
}

// MobileUpload is a file of MD5 digests, delimited by commas.
type MobileUpload struct {
	CampaignCode string `path:"campaignCode"` // a campaign's code, such as SANDBOX1-spring
	MobileIDs    File   `file:"mobileIds,digest"`
}

// UserUpload is a file of third-party user ids, delimited by commas.
type UserUpload struct {
	CampaignCode string `path:"campaignCode"` // a campaign's code, such as SANDBOX1-spring
	SegmentID    string `path:"segmentId"`    // a segment's id
	UserIDs      File   `file:"userIds"`
}

// MobileAnswer holds a campaign's targeting.
type MobileAnswer struct {
	MobileDeviceTargeting MobileTargeting `json:"mobileDeviceTargeting"`
}

// MobileAdded is what an upload answers. It may lack the record: what was done
// is done, and asking again would only do it twice.
type MobileAdded struct {
	MobileDeviceTargeting MobileTargeting `json:"mobileDeviceTargeting,omitzero"`
}

// UsersAnswer holds a campaign's targetings by user id, the latest first.
type UsersAnswer struct {
	SegmentUserIDsTargeting UserTargetings `json:"segmentUserIdsTargeting"`
}

// UsersAdded is what an upload answers; see MobileAdded.
type UsersAdded struct {
	SegmentUserIDsTargeting UserTargeting `json:"segmentUserIdsTargeting,omitzero"`
}

// The operations on targeting.
var (
	CampaignsMobileTargets      = get[CampaignPath, MobileAnswer]("campaigns.mobile-targets", "/v3/campaigns/{campaignCode}/mobileDeviceIdTarget", "Read a campaign's mobile device targeting", 404)
	CampaignsAddMobileTargets   = post[MobileUpload, MobileAdded]("campaigns.add-mobile-targets", "/v3/campaigns/{campaignCode}/mobileDeviceIdTarget", "Upload a file of device id digests that a campaign targets", 400, 404)
	CampaignsClearMobileTargets = remove[CampaignPath, Nothing]("campaigns.clear-mobile-targets", "/v3/campaigns/{campaignCode}/mobileDeviceIdTarget", "Remove a campaign's mobile device targeting", 404)
	CampaignsAddUserTargets     = post[UserUpload, UsersAdded]("campaigns.add-user-targets", "/v3/campaigns/{campaignCode}/segmentUserIdsTargeting/{segmentId}", "Upload a file of user ids that a campaign targets among a segment's users", 400, 404)
	CampaignsUserTargets        = get[CampaignPath, UsersAnswer]("campaigns.user-targets", "/v3/campaigns/{campaignCode}/segmentUserIdsTargeting", "Read a campaign's targeting by user ids", 404)
	CampaignsClearUserTargets   = remove[CampaignPath, Nothing]("campaigns.clear-user-targets", "/v3/campaigns/{campaignCode}/segmentUserIdsTargeting", "Remove a campaign's targeting by user ids", 404)
)

func targetingOperations() []Operation {
	return []Operation{
		CampaignsMobileTargets.Operation, CampaignsAddMobileTargets.Operation, CampaignsClearMobileTargets.Operation,
		CampaignsAddUserTargets.Operation, CampaignsUserTargets.Operation, CampaignsClearUserTargets.Operation,
	}
}

// MobileTargets reads a campaign's mobile device targeting. Of a campaign
// that has none the answer may be a Permanent of class not_found.
//
// GET /v3/campaigns/{campaignCode}/mobileDeviceIdTarget
func (s *CampaignsService) MobileTargets(ctx context.Context, campaign string) (MobileTargeting, error) {
	answer, _, err := CampaignsMobileTargets.Do(ctx, s.client, CampaignPath{campaign})
	return answer.MobileDeviceTargeting, err
}

// AddMobileTargets uploads a batch into a campaign's mobile device targeting.
// Whether that adds or replaces is not documented; read it back. About the
// batch see SegmentsService.Upload.
//
// POST /v3/campaigns/{campaignCode}/mobileDeviceIdTarget
func (s *CampaignsService) AddMobileTargets(ctx context.Context, campaign string, b *usher.Batch) (MobileTargeting, error) {
	answer, warnings, err := CampaignsAddMobileTargets.Do(ctx, s.client, MobileUpload{campaign, File{Batch: b}})
	b.Warnings = usher.AddWarnings(b.Warnings, warnings...)
	return answer.MobileDeviceTargeting, err
}

// ClearMobileTargets removes a campaign's mobile device targeting.
//
// DELETE /v3/campaigns/{campaignCode}/mobileDeviceIdTarget
func (s *CampaignsService) ClearMobileTargets(ctx context.Context, campaign string) error {
	_, _, err := CampaignsClearMobileTargets.Do(ctx, s.client, CampaignPath{campaign})
	return err
}

// UserTargets reads a campaign's targetings by user id.
//
// GET /v3/campaigns/{campaignCode}/segmentUserIdsTargeting
func (s *CampaignsService) UserTargets(ctx context.Context, campaign string) ([]UserTargeting, error) {
	answer, _, err := CampaignsUserTargets.Do(ctx, s.client, CampaignPath{campaign})
	return answer.SegmentUserIDsTargeting, err
}

// AddUserTargets uploads third-party user ids, delimited by commas, of users
// that were added to the segment.
//
// POST /v3/campaigns/{campaignCode}/segmentUserIdsTargeting/{segmentId}
func (s *CampaignsService) AddUserTargets(ctx context.Context, campaign, segment string, ids File) (UserTargeting, []usher.Warning, error) {
	answer, warnings, err := CampaignsAddUserTargets.Do(ctx, s.client, UserUpload{campaign, segment, ids})
	return answer.SegmentUserIDsTargeting, warnings, err
}

// ClearUserTargets removes a campaign's targetings by user id.
//
// DELETE /v3/campaigns/{campaignCode}/segmentUserIdsTargeting
func (s *CampaignsService) ClearUserTargets(ctx context.Context, campaign string) error {
	_, _, err := CampaignsClearUserTargets.Do(ctx, s.client, CampaignPath{campaign})
	return err
}
