package rtb

import (
	"context"
	"encoding/json"
	"strings"
)

// Campaign is the definition of a campaign. Settings that the interface does not
// document are kept as raw JSON, so that a campaign that was read can be sent back.
type Campaign struct {
	Code                 string             `json:"code,omitempty"                 help:"at most 32 characters of A-Z a-z 0-9 -; begins with the advertiser code and a hyphen"`
	Creatives            []Creative         `json:"creatives"                      help:"objects: code, creativeId, dimensions, clickthroughUrl, type"`
	AdvertiserDomain     string             `json:"advertiserDomain,omitempty"     help:"read only"`
	InventorySettings    *InventorySettings `json:"inventorySettings,omitempty"    required:"true"`
	BiddingSettings      *BiddingSettings   `json:"biddingSettings,omitempty"      required:"true"`
	TimeSettings         json.RawMessage    `json:"timeSettings,omitempty"         help:"an object; contents not documented"`
	TargetingSettings    json.RawMessage    `json:"targetingSettings,omitempty"    help:"an object: geoSettings, contextualSettings, retargetingSettings, deviceTargetingSettings"`
	OptimisationSettings json.RawMessage    `json:"optimisationSettings,omitempty" help:"an object: optimisationStrategy, commenceOptimisationAfter"`
	ProductSettings      json.RawMessage    `json:"productSettings,omitempty"      help:"an object; contents not documented"`
	LastModificationTime string             `json:"lastModificationTime,omitempty" help:"read only; YYYY-MM-DDTHH:MM:SS.mmm, no zone"`
}

// Creative is a creative of a campaign.
type Creative struct {
	Code            string     `json:"code"`
	CreativeID      string     `json:"creativeId"       help:"returned by the upload of its file"`
	Dimensions      Dimensions `json:"dimensions"       required:"false"`
	ClickthroughURL string     `json:"clickthroughUrl"  required:"false"`
	Type            string     `json:"type"             help:"such as IMAGE"                      required:"false"`
	Status          string     `json:"status,omitempty" help:"PENDING, ACTIVE, INACTIVE"`
}

// Dimensions are a width and a height in pixels.
type Dimensions struct {
	Width  Count `json:"width"`
	Height Count `json:"height"`
}

// InventorySettings define where a campaign runs.
type InventorySettings struct {
	InventoryType      string   `json:"inventoryType,omitempty"      help:"such as TRANSPARENT"`
	PlacementType      []string `json:"placementType,omitempty"      help:"such as ATF, BTF, UNKNOWN"`
	PublisherWhiteList []string `json:"publisherWhiteList,omitempty"`
}

// BiddingSettings define what a campaign pays.
type BiddingSettings struct {
	BiddingStrategy BiddingStrategy `json:"biddingStrategy"      required:"false"`
	Budget          Budget          `json:"budget"               required:"false"`
	PacingType      string          `json:"pacingType,omitempty" help:"such as ACCELERATED"`
}

// BiddingStrategy defines how a campaign bids.
type BiddingStrategy struct {
	Strategy string  `json:"strategy" help:"such as CPMCappedBiddingStrategy"`
	MaxBid   float64 `json:"maxBid"   help:"the maximum bid per 1,000 impressions"`
}

// Budget is the daily budget of a campaign.
type Budget struct {
	Daily    float64 `json:"daily"              help:"in the account's currency"`
	Currency string  `json:"currency,omitempty" help:"read only"`
}

// CampaignPath identifies a campaign.
type CampaignPath struct {
	CampaignCode string `path:"campaignCode" help:"a campaign's code, such as SANDBOX1-spring"`
}

// CampaignCreativePath identifies a creative of a campaign.
type CampaignCreativePath struct {
	CampaignCode string `path:"campaignCode" help:"a campaign's code, such as SANDBOX1-spring"`
	CreativeCode string `path:"creativeCode" help:"a creative's code"`
}

// CampaignDefinition is a campaign to be created, or to replace another one.
type CampaignDefinition struct {
	CampaignCode string   `path:"campaignCode" help:"a campaign's code, such as SANDBOX1-spring"`
	Campaign     Campaign `body:"json"`
}

// CampaignsAnswer has the codes of campaigns.
type CampaignsAnswer struct {
	CampaignCodes []string `json:"campaignCodes"`
}

// CampaignAnswer has a campaign.
type CampaignAnswer struct {
	Campaign Campaign `json:"campaign"`
}

// CreativeAnswer has a creative.
type CreativeAnswer struct {
	Creative Creative `json:"creative"`
}

// The operations on campaigns.
var (
	CampaignsPut = put[CampaignDefinition, Nothing]("campaigns.put", "/v3/campaigns/{campaignCode}", "Create a campaign, or replace a locked one",
		"Create a campaign, or replace a locked one. The definition of a replacement must also have the code.", 400)
	CampaignsLock = put[CampaignPath, Nothing]("campaigns.lock", "/v3/campaigns/{campaignCode}/lock", "Lock a campaign for 5 minutes",
		"Lock a campaign; the lock expires after 5 minutes.", 400, 404)
	CampaignsUnlock = remove[CampaignPath, Nothing]("campaigns.unlock", "/v3/campaigns/{campaignCode}/lock", "Unlock a campaign",
		"Unlock a campaign.", 400, 404)
	CampaignsList = get[Nothing, CampaignsAnswer]("campaigns.list", "/v3/campaigns", "List the campaigns' codes",
		"List the codes of the advertiser's campaigns.")
	CampaignsGet = get[CampaignPath, CampaignAnswer]("campaigns.get", "/v3/campaigns/{campaignCode}", "Read a campaign",
		"Read a campaign. An unknown campaign is not_found.", 404)
	CampaignsGetCreative = get[CampaignCreativePath, CreativeAnswer]("campaigns.get-creative", "/v3/campaigns/{campaignCode}/{creativeCode}", "Read a creative of a campaign",
		"Read a creative of a campaign.", 404)
)

func campaignOperations() []Operation {
	return []Operation{
		CampaignsPut.Operation, CampaignsLock.Operation, CampaignsUnlock.Operation,
		CampaignsList.Operation, CampaignsGet.Operation, CampaignsGetCreative.Operation,
	}
}

func (d CampaignDefinition) violation(c *Client) (field, rule string) {
	code := d.CampaignCode
	invalid := strings.IndexFunc(code, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
	})
	switch {
	case len(code) > 32 || invalid >= 0:
		return "campaignCode", "must be at most 32 characters from A-Z a-z 0-9 and hyphen"
	case !strings.HasPrefix(code, c.advertiser+"-"):
		return "campaignCode", "must begin with the advertiser code and a hyphen: " + c.advertiser + "-"
	}
	return "", ""
}

// CampaignsService reads campaigns and manages their locks, their targeting and the status
// of all their creatives. AddMobileTargets adds the warnings of the answer to the batch.
type CampaignsService service

// Lock locks a campaign; the lock expires after 5 minutes.
func (s *CampaignsService) Lock(ctx context.Context, code string) error {
	_, _, err := CampaignsLock.Do(ctx, s.client, CampaignPath{code})
	return err
}

// Unlock unlocks a campaign.
func (s *CampaignsService) Unlock(ctx context.Context, code string) error {
	_, _, err := CampaignsUnlock.Do(ctx, s.client, CampaignPath{code})
	return err
}

// List lists the codes of the advertiser's campaigns.
func (s *CampaignsService) List(ctx context.Context) ([]string, error) {
	answer, _, err := CampaignsList.Do(ctx, s.client, Nothing{})
	return answer.CampaignCodes, err
}

// Get reads a campaign. An unknown campaign is not_found.
func (s *CampaignsService) Get(ctx context.Context, code string) (Campaign, error) {
	answer, _, err := CampaignsGet.Do(ctx, s.client, CampaignPath{code})
	return answer.Campaign, err
}
