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
	LastModificationTime string `json:"lastModificationTime,omitempty" help:"YYYY-MM-DDTHH:MM:SS.mmm, no zone"`
}

// UserTargeting limits the users of a segment to a list of user ids.
type UserTargeting struct {
	CampaignCode         string `json:"campaignCode"`
	NumberOfIDs          Count  `json:"numberOfIds"`
	SegmentID            string `json:"segmentId"`
	LastModificationTime string `json:"lastModificationTime,omitempty"`
}

// UserTargetings is a list of targetings by user id.
type UserTargetings []UserTargeting

// UnmarshalJSON reads a record or a list of records: the interface does not document
// which of them a read returns.
func (u *UserTargetings) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		*u = make(UserTargetings, 1)
		return json.Unmarshal(data, &(*u)[0])
	}
	return json.Unmarshal(data, (*[]UserTargeting)(u))
}

// MobileUpload is a file of MD5 digests, separated by commas.
type MobileUpload struct {
	CampaignCode string `path:"campaignCode"                     help:"a campaign's code, such as SANDBOX1-spring"`
	MobileIDs    File   `help:"MD5 digests, separated by commas" file:"mobileIds,digest"`
}

// UserUpload is a file of third-party user ids, separated by commas.
type UserUpload struct {
	CampaignCode string `path:"campaignCode"                              help:"a campaign's code, such as SANDBOX1-spring"`
	SegmentID    string `path:"segmentId"                                 help:"a segment's id"`
	UserIDs      File   `help:"third-party user ids, separated by commas" file:"userIds"`
}

// MobileAnswer has the mobile device targeting of a campaign.
type MobileAnswer struct {
	MobileDeviceTargeting MobileTargeting `json:"mobileDeviceTargeting"`
}

// MobileAdded is the answer to an upload. The record is optional: an upload that
// succeeded without it must not be repeated.
type MobileAdded struct {
	MobileDeviceTargeting MobileTargeting `json:"mobileDeviceTargeting,omitzero"`
}

// UsersAnswer has the targetings of a campaign by user id, the latest first.
type UsersAnswer struct {
	SegmentUserIDsTargeting UserTargetings `json:"segmentUserIdsTargeting"`
}

// UsersAdded is the answer to an upload. The record is optional as in MobileAdded.
type UsersAdded struct {
	SegmentUserIDsTargeting UserTargeting `json:"segmentUserIdsTargeting,omitzero"`
}

// The operations on targeting.
var (
	CampaignsMobileTargets = get[CampaignPath, MobileAnswer]("campaigns.mobile-targets", "/v3/campaigns/{campaignCode}/mobileDeviceIdTarget", "Read a campaign's mobile device targeting",
		"Read a campaign's mobile device targeting. A campaign without one may be not_found.", 404)
	CampaignsAddMobileTargets = post[MobileUpload, MobileAdded]("campaigns.add-mobile-targets", "/v3/campaigns/{campaignCode}/mobileDeviceIdTarget", "Upload a file of device id digests that a campaign targets",
		"Upload a batch of device ids to a campaign's mobile device targeting. The interface does not document whether they are added to the ids of earlier uploads or replace them; read the targeting back.", 400, 404)
	CampaignsClearMobileTargets = remove[CampaignPath, Nothing]("campaigns.clear-mobile-targets", "/v3/campaigns/{campaignCode}/mobileDeviceIdTarget", "Remove a campaign's mobile device targeting",
		"Remove a campaign's mobile device targeting.", 404)
	CampaignsAddUserTargets = post[UserUpload, UsersAdded]("campaigns.add-user-targets", "/v3/campaigns/{campaignCode}/segmentUserIdsTargeting/{segmentId}", "Upload a file of user ids that a campaign targets among a segment's users",
		"Upload third-party user ids, separated by commas. The users must have been added to the segment.", 400, 404)
	CampaignsUserTargets = get[CampaignPath, UsersAnswer]("campaigns.user-targets", "/v3/campaigns/{campaignCode}/segmentUserIdsTargeting", "Read a campaign's targeting by user ids",
		"Read a campaign's targetings by user id.", 404)
	CampaignsClearUserTargets = remove[CampaignPath, Nothing]("campaigns.clear-user-targets", "/v3/campaigns/{campaignCode}/segmentUserIdsTargeting", "Remove a campaign's targeting by user ids",
		"Remove a campaign's targetings by user id.", 404)
)

func targetingOperations() []Operation {
	return []Operation{
		CampaignsMobileTargets.Operation, CampaignsAddMobileTargets.Operation, CampaignsClearMobileTargets.Operation,
		CampaignsAddUserTargets.Operation, CampaignsUserTargets.Operation, CampaignsClearUserTargets.Operation,
	}
}

// MobileTargets reads a campaign's mobile device targeting. A campaign without one
// may be not_found.
func (s *CampaignsService) MobileTargets(ctx context.Context, campaign string) (MobileTargeting, error) {
	answer, _, err := CampaignsMobileTargets.Do(ctx, s.client, CampaignPath{campaign})
	return answer.MobileDeviceTargeting, err
}

// AddMobileTargets uploads a batch of device ids to a campaign's mobile device
// targeting. The interface does not document whether they are added to the ids of
// earlier uploads or replace them; read the targeting back.
func (s *CampaignsService) AddMobileTargets(ctx context.Context, campaign string, b *usher.Batch) (MobileTargeting, error) {
	answer, warnings, err := CampaignsAddMobileTargets.Do(ctx, s.client, MobileUpload{campaign, File{Batch: b}})
	b.Warnings = usher.AddWarnings(b.Warnings, warnings...)
	return answer.MobileDeviceTargeting, err
}

// ClearMobileTargets removes a campaign's mobile device targeting.
func (s *CampaignsService) ClearMobileTargets(ctx context.Context, campaign string) error {
	_, _, err := CampaignsClearMobileTargets.Do(ctx, s.client, CampaignPath{campaign})
	return err
}
