package rtb

import (
	"context"

	"usher"
)

// The statuses of a creative. A campaign serves ads only for its ACTIVE creatives.
const (
	Pending  = "PENDING" // awaits approval; cannot be set ACTIVE (E10059)
	Active   = "ACTIVE"
	Inactive = "INACTIVE"
)

// CodeStatusRefused is the error code of a creative whose status could not be
// changed. The Fault of a failed change has an entry for each such creative.
const CodeStatusRefused = "E10059"

// Upload is an uploaded file of a creative on the content delivery network. The file takes
// up to a minute to reach edge servers in Europe and a few minutes elsewhere.
type Upload struct {
	ID       string `json:"id"`       // the creativeId of campaigns
	Location string `json:"location"` // a URL
}

// CreativeStatus is the approval status of a creative.
type CreativeStatus struct {
	CreativeID      string `json:"creativeID"`
	CreativeCode    string `json:"creativeCode"`
	ApprovalStatus  string `json:"approvalStatus"` // PENDING, ACTIVE, INACTIVE
	ApprovalMessage string `json:"approvalMessage,omitempty"`
	LatestUpdate    string `json:"latestUpdate,omitempty"` // YYYY-MM-DDTHH:MM:SS.mmm, no zone
}

// CreativePush is the file of a creative: JPEG, GIF, PNG, or SWF for Flash Player 8
// or later.
type CreativePush struct {
	Creative File `file:"creative"` // JPEG, GIF, PNG or SWF
}

// CreativePull is the address of a creative's file.
type CreativePull struct {
	URL string `form:"url"` // publicly reachable
}

// CreativePath identifies a creative.
type CreativePath struct {
	CreativeCode string `path:"creativeCode"` // a creative's code
}

// CreativeStatusChange sets the status of a creative.
type CreativeStatusChange struct {
	CreativeCode string `path:"creativeCode"` // a creative's code
	Status       string `form:"status"`       // ACTIVE, INACTIVE
}

// CampaignStatusChange sets the status of all creatives of a campaign.
type CampaignStatusChange struct {
	CampaignCode string `path:"campaignCode"` // a campaign's code, such as SANDBOX1-spring
	Status       string `form:"status"`       // ACTIVE, INACTIVE
}

// StatusAnswer has the status of a creative.
type StatusAnswer struct {
	Status CreativeStatus `json:"status"`
}

// StatusesAnswer has the status of each creative of a campaign.
type StatusesAnswer struct {
	Status []CreativeStatus `json:"status"`
}

// The operations on creatives: uploads, and the status of one creative or of all
// creatives of a campaign.
var (
	CreativesPush      = post[CreativePush, Upload]("creatives.push", "/v3/creatives/upload/push", "Upload a creative's file", 400)
	CreativesPull      = post[CreativePull, Upload]("creatives.pull", "/v3/creatives/upload/pull", "Have the platform fetch a creative's file", 400)
	CampaignsStatus    = get[CampaignPath, StatusesAnswer]("campaigns.status", "/v3/campaigns/{campaignCode}/status", "Read the status of a campaign's creatives", 404)
	CreativesStatus    = get[CreativePath, StatusAnswer]("creatives.status", "/v3/creatives/{creativeCode}/status", "Read the status of a creative", 404)
	CreativesSetStatus = post[CreativeStatusChange, Nothing]("creatives.set-status", "/v3/creatives/{creativeCode}/status", "Set the status of a creative of a locked campaign", 400, 404)
	CampaignsSetStatus = post[CampaignStatusChange, Nothing]("campaigns.set-status", "/v3/campaigns/{campaignCode}/status", "Set the status of all creatives of a locked campaign", 400, 404)
)

func creativeOperations() []Operation {
	return []Operation{
		CreativesPush.Operation, CreativesPull.Operation,
		CampaignsStatus.Operation, CreativesStatus.Operation, CreativesSetStatus.Operation, CampaignsSetStatus.Operation,
	}
}

// CreativesService uploads the files of creatives and sets the status of a
// creative.
type CreativesService service

// Push uploads the file of a creative: JPEG, GIF, PNG, or SWF for Flash Player 8 or
// later. Another format is refused.
//
// POST /v3/creatives/upload/push
func (s *CreativesService) Push(ctx context.Context, file File) (Upload, []usher.Warning, error) {
	return CreativesPush.Do(ctx, s.client, CreativePush{file})
}

// Pull makes the platform fetch the file of a creative from a publicly reachable
// address. The formats are those of an upload.
//
// POST /v3/creatives/upload/pull
func (s *CreativesService) Pull(ctx context.Context, address string) (Upload, []usher.Warning, error) {
	return CreativesPull.Do(ctx, s.client, CreativePull{address})
}

// Status reads the status of a creative.
//
// GET /v3/creatives/{creativeCode}/status
func (s *CreativesService) Status(ctx context.Context, creative string) (CreativeStatus, error) {
	answer, _, err := CreativesStatus.Do(ctx, s.client, CreativePath{creative})
	return answer.Status, err
}

// SetStatus sets a creative ACTIVE or INACTIVE. Its campaign must be locked. A
// change that is not allowed is refused with code E10059.
//
// POST /v3/creatives/{creativeCode}/status
func (s *CreativesService) SetStatus(ctx context.Context, creative, status string) ([]usher.Warning, error) {
	_, warnings, err := CreativesSetStatus.Do(ctx, s.client, CreativeStatusChange{creative, status})
	return warnings, err
}

// Status reads the status of each creative of a campaign.
//
// GET /v3/campaigns/{campaignCode}/status
func (s *CampaignsService) Status(ctx context.Context, code string) ([]CreativeStatus, error) {
	answer, _, err := CampaignsStatus.Do(ctx, s.client, CampaignPath{code})
	return answer.Status, err
}

// SetStatus sets all creatives of a campaign ACTIVE or INACTIVE. The campaign must
// be locked. Warnings name the creatives that could not be changed; if none could be
// changed, the call is refused with code E10059.
//
// POST /v3/campaigns/{campaignCode}/status
func (s *CampaignsService) SetStatus(ctx context.Context, code, status string) ([]usher.Warning, error) {
	_, warnings, err := CampaignsSetStatus.Do(ctx, s.client, CampaignStatusChange{code, status})
	return warnings, err
}
