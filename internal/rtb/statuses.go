package rtb

import (
	"context"

	"usher"
)

// The statuses of a creative. A campaign serves ads only for its ACTIVE ones.
const (
	Pending  = "PENDING" // waits for approval; cannot be set ACTIVE (E10059)
	Active   = "ACTIVE"
	Inactive = "INACTIVE"
)

// CodeStatusRefused is the error code of a creative whose status could not be
// changed as asked.
const CodeStatusRefused = "E10059"

// CreativeStatus is where a creative stands.
type CreativeStatus struct {
	CreativeID      string `json:"creativeID"`
	CreativeCode    string `json:"creativeCode"`
	ApprovalStatus  string `json:"approvalStatus"` // PENDING, ACTIVE, INACTIVE
	ApprovalMessage string `json:"approvalMessage,omitempty"`
	LatestUpdate    string `json:"latestUpdate,omitempty"` // YYYY-MM-DDTHH:MM:SS.mmm, no zone
}

// CreativePath names a creative.
type CreativePath struct {
	CreativeCode string `path:"creativeCode"` // a creative's code
}

// CampaignStatusChange sets the status of all creatives of a campaign.
type CampaignStatusChange struct {
	CampaignCode string `path:"campaignCode"` // a campaign's code, such as SANDBOX1-spring
	Status       string `form:"status"`       // ACTIVE, INACTIVE
}

// CreativeStatusChange sets the status of a creative.
type CreativeStatusChange struct {
	CreativeCode string `path:"creativeCode"` // a creative's code
	Status       string `form:"status"`       // ACTIVE, INACTIVE
}

// StatusesAnswer holds the status of each creative of a campaign.
type StatusesAnswer struct {
	Status []CreativeStatus `json:"status"`
}

// StatusAnswer holds the status of a creative.
type StatusAnswer struct {
	Status CreativeStatus `json:"status"`
}

// The operations on the statuses of campaigns and creatives.
var (
	CampaignsStatus    = get[CampaignPath, StatusesAnswer]("campaigns.status", "/v3/campaigns/{campaignCode}/status", "Read the status of a campaign's creatives", 404)
	CreativesStatus    = get[CreativePath, StatusAnswer]("creatives.status", "/v3/creatives/{creativeCode}/status", "Read the status of a creative", 404)
	CreativesSetStatus = post[CreativeStatusChange, Nothing]("creatives.set-status", "/v3/creatives/{creativeCode}/status", "Set the status of a creative, its campaign being locked", 400, 404)
	CampaignsSetStatus = post[CampaignStatusChange, Nothing]("campaigns.set-status", "/v3/campaigns/{campaignCode}/status", "Set the status of all creatives of a campaign, which must be locked", 400, 404)
)

func statusOperations() []Operation {
	return []Operation{
		CampaignsStatus.Operation, CreativesStatus.Operation, CreativesSetStatus.Operation, CampaignsSetStatus.Operation,
	}
}

// Status reads where each of a campaign's creatives stands.
//
// GET /v3/campaigns/{campaignCode}/status
func (s *CampaignsService) Status(ctx context.Context, code string) ([]CreativeStatus, error) {
	answer, _, err := CampaignsStatus.Do(ctx, s.client, CampaignPath{code})
	return answer.Status, err
}

// Status reads where a creative stands.
//
// GET /v3/creatives/{creativeCode}/status
func (s *CreativesService) Status(ctx context.Context, creative string) (CreativeStatus, error) {
	answer, _, err := CreativesStatus.Do(ctx, s.client, CreativePath{creative})
	return answer.Status, err
}

// SetStatus sets all creatives of a locked campaign ACTIVE or INACTIVE.
// Warnings name those that stayed as they were; where none could be changed the
// error is a Permanent with code E10059, whose Fault has an entry a creative.
//
// POST /v3/campaigns/{campaignCode}/status
func (s *CampaignsService) SetStatus(ctx context.Context, code, status string) ([]usher.Warning, error) {
	_, warnings, err := CampaignsSetStatus.Do(ctx, s.client, CampaignStatusChange{code, status})
	return warnings, err
}

// SetStatus sets a creative of a locked campaign ACTIVE or INACTIVE. A
// move that is not allowed is a Permanent with code E10059.
//
// POST /v3/creatives/{creativeCode}/status
func (s *CreativesService) SetStatus(ctx context.Context, creative, status string) ([]usher.Warning, error) {
	_, warnings, err := CreativesSetStatus.Do(ctx, s.client, CreativeStatusChange{creative, status})
	return warnings, err
}
