package sandbox

import (
	"fmt"
	"strings"

	"usher/internal/rtb"
)

// codeRule says which rule of the interface a campaign's or advertiser's code
// breaks, if any.
func codeRule(code string) string {
	bad := strings.IndexFunc(code, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
	})
	if code == "" || len(code) > 32 || bad >= 0 {
		return "must be 1 to 32 characters from A-Z a-z 0-9 and hyphen"
	}
	return ""
}

func (w *world) putCampaign(c *call, in rtb.CampaignDefinition) (rtb.Nothing, error) {
	code := in.CampaignCode
	old, exists := w.campaigns.rows[code]
	advertiser := old.Advertiser
	if exists {
		if err := w.reach(c, advertiser); err != nil {
			return rtb.Nothing{}, err
		}
		if err := w.needLock(c, code); err != nil {
			return rtb.Nothing{}, err
		}
	} else {
		var err error
		if advertiser, err = w.campaignOwner(c, code); err != nil {
			return rtb.Nothing{}, err
		}
	}
	if err := w.checkCampaign(code, in.Campaign); err != nil {
		return rtb.Nothing{}, err
	}
	return rtb.Nothing{}, w.commit(nil, w.replaceCampaign(c, code, advertiser, in.Campaign, old)...)
}

// campaignOwner is the advertiser that a new campaign's code begins with: the
// token's, or another in reach.
func (w *world) campaignOwner(c *call, code string) (string, error) {
	if rule := codeRule(code); rule != "" {
		return "", invalid("campaignCode", rule)
	}
	if strings.HasPrefix(code, c.advertiser+"-") {
		return c.advertiser, nil
	}
	owner := ""
	for _, advertiser := range w.reachable(c.user) {
		if strings.HasPrefix(code, advertiser+"-") && len(advertiser) > len(owner) {
			owner = advertiser
		}
	}
	if owner == "" {
		return "", invalid("campaignCode", fmt.Sprintf("must begin with the advertiser code and a hyphen: %s-", c.advertiser))
	}
	return owner, w.reach(c, owner)
}

// replaceCampaign is the changes that make d the campaign's definition.
func (w *world) replaceCampaign(c *call, code, advertiser string, d rtb.Campaign, old campaign) []change {
	row := campaign{Advertiser: advertiser, Definition: d, Modified: c.now}
	var changes []change
	var flown []creative
	gone := map[string]bool{}
	for _, creativeCode := range old.Creatives {
		gone[creativeCode] = true
	}
	for _, cr := range d.Creatives {
		row.Creatives = append(row.Creatives, cr.Code)
		delete(gone, cr.Code)
		made := creative{Campaign: code, Creative: cr, Submitted: c.now, Updated: c.now}
		made.Creative.Status = rtb.Pending
		if before, found := w.creatives.rows[cr.Code]; found && before.Creative.CreativeID == cr.CreativeID {
			made.Creative.Status, made.Submitted, made.Updated = before.Creative.Status, before.Submitted, before.Updated
		}
		changes, flown = append(changes, w.creatives.put(cr.Code, made)), append(flown, made)
	}
	for creativeCode := range gone {
		changes = append(changes, w.creatives.drop(creativeCode), w.land(code, creativeCode, c.now))
	}
	row.Definition.Creatives, row.Definition.Code, row.Definition.LastModificationTime = nil, code, ""
	for _, cr := range flown {
		changes = append(changes, w.fly(row, cr, c.now))
	}
	return append(changes, w.campaigns.put(code, row))
}

// ownCampaign finds a campaign that the caller may reach.
func (w *world) ownCampaign(c *call, code string) (campaign, error) {
	row, found := w.campaigns.rows[code]
	if !found {
		return campaign{}, unknown("campaign", code)
	}
	return row, w.reach(c, row.Advertiser)
}

func (w *world) lockCampaign(c *call, in rtb.CampaignPath) (rtb.Nothing, error) {
	if _, err := w.ownCampaign(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	if err := w.lockedByOther(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	return rtb.Nothing{}, w.commit(nil, w.locks.put(in.CampaignCode, lock{c.user, c.now.Add(w.o.LockTTL)}))
}

func (w *world) unlockCampaign(c *call, in rtb.CampaignPath) (rtb.Nothing, error) {
	if _, err := w.ownCampaign(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	if err := w.lockedByOther(c, in.CampaignCode); err != nil {
		return rtb.Nothing{}, err
	}
	return rtb.Nothing{}, w.commit(nil, w.locks.drop(in.CampaignCode))
}

func (w *world) lockedByOther(c *call, code string) error {
	held, found := w.locks.rows[code]
	if found && c.now.Before(held.Until) && held.User != c.user {
		return refused(codeLockedByOne, "campaign %s is locked by another login", code)
	}
	return nil
}

// needLock checks that the caller holds the campaign's lock.
func (w *world) needLock(c *call, code string) error {
	if err := w.lockedByOther(c, code); err != nil {
		return err
	}
	if held, found := w.locks.rows[code]; !found || !c.now.Before(held.Until) {
		return refused(codeNotLocked, "campaign %s must be locked first: PUT /v3/campaigns/%s/lock", code, code)
	}
	return nil
}

func (w *world) listCampaigns(c *call, _ rtb.Nothing) (rtb.CampaignsAnswer, error) {
	codes := []string{}
	for _, code := range w.campaigns.keys() {
		if w.campaigns.rows[code].Advertiser == c.advertiser {
			codes = append(codes, code)
		}
	}
	return rtb.CampaignsAnswer{CampaignCodes: codes}, nil
}

func (w *world) getCampaign(c *call, in rtb.CampaignPath) (rtb.CampaignAnswer, error) {
	row, err := w.ownCampaign(c, in.CampaignCode)
	if err != nil {
		return rtb.CampaignAnswer{}, err
	}
	shown := row.Definition
	for _, code := range row.Creatives {
		shown.Creatives = append(shown.Creatives, w.creatives.rows[code].shown(c.now, w.o.ApprovalDelay))
	}
	owner := w.advertisers.rows[row.Advertiser].Model
	if shown.AdvertiserDomain == "" {
		shown.AdvertiserDomain = owner.Domain
	}
	bidding := *shown.BiddingSettings
	bidding.Budget.Currency = owner.CurrencyCode
	shown.BiddingSettings = &bidding
	shown.LastModificationTime = stamp(row.Modified)
	return rtb.CampaignAnswer{Campaign: shown}, nil
}

func (w *world) getCreative(c *call, in rtb.CampaignCreativePath) (rtb.CreativeAnswer, error) {
	if _, err := w.ownCampaign(c, in.CampaignCode); err != nil {
		return rtb.CreativeAnswer{}, err
	}
	row, found := w.creatives.rows[in.CreativeCode]
	if !found || row.Campaign != in.CampaignCode {
		return rtb.CreativeAnswer{}, unknown("creative", in.CreativeCode)
	}
	return rtb.CreativeAnswer{Creative: row.shown(c.now, w.o.ApprovalDelay)}, nil
}
