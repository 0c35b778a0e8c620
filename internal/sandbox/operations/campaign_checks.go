package operations

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"usher/internal/rtb"
)

var (
	creativeStatuses = []string{rtb.Pending, rtb.Active, rtb.Inactive}
	deviceTypes      = []string{"DESKTOP", "SLATE", "MOBILE", "CONSOLE", "WEARABLE", "TV"}
)

// checkCampaign checks a definition. It accepts any value in fields for which the interface
// only shows example values (inventoryType, strategy, …).
func (s *State) checkCampaign(code string, d rtb.Campaign) error {
	switch {
	case d.Code != "" && d.Code != code:
		return Invalid("code", "must be the code in the path, because it cannot change")
	case len(d.Creatives) == 0:
		return Invalid("creatives", "must hold at least one creative")
	case d.InventorySettings == nil:
		return Invalid("inventorySettings", "is required")
	case d.BiddingSettings == nil:
		return Invalid("biddingSettings", "is required")
	case d.BiddingSettings.BiddingStrategy.MaxBid < 0:
		return Invalid("biddingSettings.biddingStrategy.maxBid", "must not be negative")
	case d.BiddingSettings.Budget.Daily < 0:
		return Invalid("biddingSettings.budget.daily", "must not be negative")
	}
	for i, domain := range d.InventorySettings.PublisherWhiteList {
		if _, err := hostname(domain); err != nil {
			return Invalid(fmt.Sprintf("inventorySettings.publisherWhiteList[%d]", i), "must be a domain such as example.com")
		}
	}
	if err := checkSettings(d); err != nil {
		return err
	}
	return s.checkCreatives(code, d.Creatives)
}

func (s *State) checkCreatives(campaign string, creatives []rtb.Creative) error {
	seen := map[string]bool{}
	for i, cr := range creatives {
		field := fmt.Sprintf("creatives[%d]", i)
		if err := checkCreative(field, cr); err != nil {
			return err
		}
		if seen[cr.Code] {
			return Invalid(field+".code", fmt.Sprintf("%s appears twice", cr.Code))
		}
		if other, found := s.creatives.Get(cr.Code); found && other.Campaign != campaign {
			return Refused(CodeCodeTaken, "%s.code: %s belongs to another campaign", field, cr.Code)
		}
		seen[cr.Code] = true
	}
	return nil
}

func checkCreative(field string, cr rtb.Creative) error {
	switch {
	case cr.Code == "":
		return Invalid(field+".code", "is required")
	case nameRule(cr.Code) != "":
		return Invalid(field+".code", nameRule(cr.Code))
	case cr.CreativeID == "":
		return Invalid(field+".creativeId", "is required")
	case cr.Dimensions.Width < 0:
		return Invalid(field+".dimensions.width", "must not be negative")
	case cr.Dimensions.Height < 0:
		return Invalid(field+".dimensions.height", "must not be negative")
	case cr.ClickthroughURL != "" && !isWebAddress(cr.ClickthroughURL):
		return Invalid(field+".clickthroughUrl", "must be an address that begins with http:// or https://")
	case cr.Status != "" && !slices.Contains(creativeStatuses, cr.Status):
		return Invalid(field+".status", "must be one of "+strings.Join(creativeStatuses, ", "))
	}
	return nil
}

func isWebAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// checkSettings checks the documented parts of the settings objects. Other parts are stored
// without checks.
func checkSettings(d rtb.Campaign) error {
	for _, settings := range []struct {
		field string
		text  json.RawMessage
	}{
		{"timeSettings", d.TimeSettings}, {"targetingSettings", d.TargetingSettings},
		{"optimisationSettings", d.OptimisationSettings}, {"productSettings", d.ProductSettings},
	} {
		var object map[string]json.RawMessage
		if len(settings.text) == 0 {
			continue
		}
		if err := ParseJSON(settings.text, settings.field, &object); err != nil {
			return err
		}
	}
	if len(d.TargetingSettings) == 0 {
		return nil
	}
	return checkTargeting(d.TargetingSettings)
}

// checkTargeting checks that the devices are documented, and that the categories are in the
// table of categories, by id or name.
func checkTargeting(text json.RawMessage) error {
	var settings struct {
		ContextualSettings struct {
			IABCategories []any `json:"iabCategories"`
		} `json:"contextualSettings"`
		DeviceTargetingSettings struct {
			Devices []string `json:"devices"`
		} `json:"deviceTargetingSettings"`
	}
	if err := ParseJSON(text, "targetingSettings", &settings); err != nil {
		return err
	}
	for i, device := range settings.DeviceTargetingSettings.Devices {
		if !slices.Contains(deviceTypes, device) {
			return Invalid(fmt.Sprintf("targetingSettings.deviceTargetingSettings.devices[%d]", i), "must be one of "+strings.Join(deviceTypes, ", "))
		}
	}
	const field = "targetingSettings.contextualSettings.iabCategories"
	if len(settings.ContextualSettings.IABCategories) == 0 {
		return nil
	}
	known := map[string]bool{}
	for _, category := range categories() {
		known[strconv.FormatInt(int64(category.ID), 10)], known[category.Name] = true, true
	}
	for i, category := range settings.ContextualSettings.IABCategories {
		if !known[fmt.Sprint(category)] {
			return Invalid(fmt.Sprintf("%s[%d]", field, i), "must be an id or name of GET /v3/metadata/categories")
		}
	}
	return nil
}
