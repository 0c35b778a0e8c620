package operations

import (
	"fmt"
	"slices"
	"strings"

	"usher/internal/rtb"
	"usher/internal/sandbox/store"
)

// CodeRule returns the rule that the code of a campaign or advertiser violates, or "".
func CodeRule(code string) string {
	bad := strings.IndexFunc(code, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
	})
	if code == "" || len(code) > 32 || bad >= 0 {
		return "must be 1 to 32 characters from A-Z a-z 0-9 and hyphen"
	}
	return ""
}

func (s *State) putCampaign(c *Call, in rtb.CampaignDefinition) (rtb.Nothing, error) {
	code := in.CampaignCode
	old, advertiser, err := s.replaceable(c, code)
	if err != nil {
		return rtb.Nothing{}, err
	}
	if err := s.checkCampaign(code, in.Campaign); err != nil {
		return rtb.Nothing{}, err
	}
	return rtb.Nothing{}, s.store.Commit(s.replaceCampaign(c, code, advertiser, in.Campaign, old)...)
}

// replaceable checks that the caller may create or replace a campaign. It returns the
// existing campaign, if any, and the advertiser to which the code belongs.
func (s *State) replaceable(c *Call, code string) (old campaign, advertiser string, err error) {
	old, exists := s.campaigns.Get(code)
	if !exists {
		advertiser, err = s.campaignOwner(c, code)
		return old, advertiser, err
	}
	if err := s.authorize(c, old.Advertiser); err != nil {
		return old, "", err
	}
	return old, old.Advertiser, s.requireLock(c, code)
}

// campaignOwner returns the advertiser of a new campaign, whose code begins with the
// advertiser's code: the advertiser of the token, or another one to which the user may
// write.
func (s *State) campaignOwner(c *Call, code string) (string, error) {
	if rule := CodeRule(code); rule != "" {
		return "", Invalid("campaignCode", rule)
	}
	if strings.HasPrefix(code, c.Advertiser+"-") {
		return c.Advertiser, nil
	}
	owner := ""
	for _, advertiser := range s.reachable(c.User) {
		if strings.HasPrefix(code, advertiser+"-") && len(advertiser) > len(owner) {
			owner = advertiser
		}
	}
	if owner == "" {
		return "", Invalid("campaignCode", fmt.Sprintf("must begin with the advertiser code and a hyphen: %s-", c.Advertiser))
	}
	return owner, s.authorize(c, owner)
}

// replaceCampaign returns the changes that make d the campaign's definition. Creatives whose
// code and creativeId stay the same keep their status.
func (s *State) replaceCampaign(c *Call, code, advertiser string, d rtb.Campaign, old campaign) []store.Change {
	row := campaign{Advertiser: advertiser, Definition: d, Modified: c.Now}
	var changes []store.Change
	var creatives []creative
	for _, definition := range d.Creatives {
		cr := creative{Campaign: code, Creative: definition, Submitted: c.Now, Updated: c.Now}
		cr.Creative.Status = rtb.Pending
		if before, found := s.creatives.Get(definition.Code); found && before.Creative.CreativeID == definition.CreativeID {
			cr.Creative.Status, cr.Submitted, cr.Updated = before.Creative.Status, before.Submitted, before.Updated
		}
		row.Creatives, creatives = append(row.Creatives, definition.Code), append(creatives, cr)
		changes = append(changes, s.creatives.Put(definition.Code, cr))
	}
	for _, removed := range old.Creatives {
		if !slices.Contains(row.Creatives, removed) {
			changes = append(changes, s.creatives.Drop(removed), s.endFlight(code, removed, c.Now))
		}
	}
	row.Definition.Creatives, row.Definition.Code, row.Definition.LastModificationTime = nil, code, ""
	for _, cr := range creatives {
		changes = append(changes, s.updateFlight(row, cr, c.Now))
	}
	return append(changes, s.campaigns.Put(code, row))
}

// findCampaign returns a campaign, or an error if it does not exist or the caller has no
// access to it.
func (s *State) findCampaign(c *Call, code string) (campaign, error) {
	row, found := s.campaigns.Get(code)
	if !found {
		return campaign{}, Unknown("campaign", code)
	}
	return row, s.authorize(c, row.Advertiser)
}

func (s *State) listCampaigns(c *Call, _ rtb.Nothing) (rtb.CampaignsAnswer, error) {
	codes := []string{}
	for _, code := range s.campaigns.Keys() {
		if s.campaigns.Row(code).Advertiser == c.Advertiser {
			codes = append(codes, code)
		}
	}
	return rtb.CampaignsAnswer{CampaignCodes: codes}, nil
}

func (s *State) getCampaign(c *Call, in rtb.CampaignPath) (rtb.CampaignAnswer, error) {
	row, err := s.findCampaign(c, in.CampaignCode)
	if err != nil {
		return rtb.CampaignAnswer{}, err
	}
	answer := row.Definition
	for _, code := range row.Creatives {
		answer.Creatives = append(answer.Creatives, s.creatives.Row(code).current(c.Now, s.config.ApprovalDelay))
	}
	owner := s.advertisers.Row(row.Advertiser).Model
	if answer.AdvertiserDomain == "" {
		answer.AdvertiserDomain = owner.Domain
	}
	bidding := *answer.BiddingSettings
	bidding.Budget.Currency = owner.CurrencyCode
	answer.BiddingSettings = &bidding
	answer.LastModificationTime = formatTime(row.Modified)
	return rtb.CampaignAnswer{Campaign: answer}, nil
}

func (s *State) getCreative(c *Call, in rtb.CampaignCreativePath) (rtb.CreativeAnswer, error) {
	if _, err := s.findCampaign(c, in.CampaignCode); err != nil {
		return rtb.CreativeAnswer{}, err
	}
	row, found := s.creatives.Get(in.CreativeCode)
	if !found || row.Campaign != in.CampaignCode {
		return rtb.CreativeAnswer{}, Unknown("creative", in.CreativeCode)
	}
	return rtb.CreativeAnswer{Creative: row.current(c.Now, s.config.ApprovalDelay)}, nil
}

func (s *State) lockCampaign(c *Call, in rtb.CampaignPath) (rtb.Nothing, error) {
	if _, err := s.findCampaign(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	if err := s.checkOtherLock(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	return rtb.Nothing{}, s.store.Commit(s.locks.Put(in.CampaignCode, lock{c.User, c.Now.Add(s.config.LockTTL)}))
}

func (s *State) unlockCampaign(c *Call, in rtb.CampaignPath) (rtb.Nothing, error) {
	if _, err := s.findCampaign(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	if err := s.checkOtherLock(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	return rtb.Nothing{}, s.store.Commit(s.locks.Drop(in.CampaignCode))
}

// checkOtherLock checks that no other login holds the campaign's lock.
func (s *State) checkOtherLock(c *Call, code string) error {
	held, found := s.locks.Get(code)
	if found && c.Now.Before(held.Until) && held.User != c.User {
		return Refused(CodeLockedByOther, "campaign %s is locked by another login", code)
	}
	return nil
}

// requireLock checks that the caller holds the campaign's lock.
func (s *State) requireLock(c *Call, code string) error {
	if err := s.checkOtherLock(c, code); err != nil {
		return err
	}
	if held, found := s.locks.Get(code); !found || !c.Now.Before(held.Until) {
		return Refused(CodeNotLocked, "campaign %s must be locked first: PUT /v3/campaigns/%s/lock", code, code)
	}
	return nil
}
