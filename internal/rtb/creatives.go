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
	ID       string `json:"id"       help:"the creativeId of campaigns"`
	Location string `json:"location" help:"a URL"`
}

// CreativeStatus is the approval status of a creative.
type CreativeStatus struct {
	CreativeID      string `json:"creativeID"`
	CreativeCode    string `json:"creativeCode"`
	ApprovalStatus  string `json:"approvalStatus"            help:"PENDING, ACTIVE, INACTIVE"`
	ApprovalMessage string `json:"approvalMessage,omitempty"`
	LatestUpdate    string `json:"latestUpdate,omitempty"    help:"YYYY-MM-DDTHH:MM:SS.mmm, no zone"`
}

// CreativePush is the file of a creative: JPEG, GIF, PNG, or SWF for Flash Player 8
// or later.
type CreativePush struct {
	Creative File `help:"JPEG, GIF, PNG or SWF" file:"creative"`
}

// CreativePull is the address of a creative's file.
type CreativePull struct {
	URL string `help:"publicly reachable" form:"url"`
}

// CreativePath identifies a creative.
type CreativePath struct {
	CreativeCode string `path:"creativeCode" help:"a creative's code"`
}

// CreativeStatusChange sets the status of a creative.
type CreativeStatusChange struct {
	CreativeCode string `path:"creativeCode"     help:"a creative's code"`
	Status       string `help:"ACTIVE, INACTIVE" form:"status"`
}

// CampaignStatusChange sets the status of all creatives of a campaign.
type CampaignStatusChange struct {
	CampaignCode string `path:"campaignCode"     help:"a campaign's code, such as SANDBOX1-spring"`
	Status       string `help:"ACTIVE, INACTIVE" form:"status"`
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
	CreativesPush = post[CreativePush, Upload]("creatives.push", "/v3/creatives/upload/push", "Upload a creative's file",
		"Upload the file of a creative: JPEG, GIF, PNG, or SWF for Flash Player 8 or later. Another format is refused.", 400)
	CreativesPull = post[CreativePull, Upload]("creatives.pull", "/v3/creatives/upload/pull", "Have the platform fetch a creative's file",
		"Make the platform fetch the file of a creative from a publicly reachable address. The formats are those of an upload.", 400)
	CampaignsStatus = get[CampaignPath, StatusesAnswer]("campaigns.status", "/v3/campaigns/{campaignCode}/status", "Read the status of a campaign's creatives",
		"Read the status of each creative of a campaign.", 404)
	CreativesStatus = get[CreativePath, StatusAnswer]("creatives.status", "/v3/creatives/{creativeCode}/status", "Read the status of a creative",
		"Read the status of a creative.", 404)
	CreativesSetStatus = post[CreativeStatusChange, Nothing]("creatives.set-status", "/v3/creatives/{creativeCode}/status", "Set the status of a creative of a locked campaign",
		"Set a creative ACTIVE or INACTIVE. Its campaign must be locked. A change that is not allowed is refused with code E10059.", 400, 404)
	CampaignsSetStatus = post[CampaignStatusChange, Nothing]("campaigns.set-status", "/v3/campaigns/{campaignCode}/status", "Set the status of all creatives of a locked campaign",
		"Set all creatives of a campaign ACTIVE or INACTIVE. The campaign must be locked. Warnings name the creatives that could not be changed; if none could be changed, the call is refused with code E10059.", 400, 404)
)

func creativeOperations() []Operation {
	return []Operation{
		CreativesPush.Operation, CreativesPull.Operation,
		CampaignsStatus.Operation, CreativesStatus.Operation, CreativesSetStatus.Operation, CampaignsSetStatus.Operation,
	}
}

// CreativesService sets the status of a creative.
type CreativesService service

// SetStatus sets a creative ACTIVE or INACTIVE. Its campaign must be locked. A
// change that is not allowed is refused with code E10059.
func (s *CreativesService) SetStatus(ctx context.Context, creative, status string) ([]usher.Warning, error) {
	_, warnings, err := CreativesSetStatus.Do(ctx, s.client, CreativeStatusChange{creative, status})
	return warnings, err
}

// Status reads the status of each creative of a campaign.
func (s *CampaignsService) Status(ctx context.Context, code string) ([]CreativeStatus, error) {
	answer, _, err := CampaignsStatus.Do(ctx, s.client, CampaignPath{code})
	return answer.Status, err
}

// SetStatus sets all creatives of a campaign ACTIVE or INACTIVE. The campaign must
// be locked. Warnings name the creatives that could not be changed; if none could be
// changed, the call is refused with code E10059.
func (s *CampaignsService) SetStatus(ctx context.Context, code, status string) ([]usher.Warning, error) {
	_, warnings, err := CampaignsSetStatus.Do(ctx, s.client, CampaignStatusChange{code, status})
	return warnings, err
}
