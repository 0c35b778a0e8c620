package sandbox

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

// checkCampaign checks a definition. Words of which the interface says only
// that they were seen (inventoryType, strategy, …) are taken as they are.
func (w *world) checkCampaign(code string, d rtb.Campaign) error {
	switch {
	case d.Code != "" && d.Code != code:
		return invalid("code", "must be that of the path, it never changes")
	case len(d.Creatives) == 0:
		return invalid("creatives", "must hold at least one creative")
	case d.InventorySettings == nil:
		return invalid("inventorySettings", "is required")
	case d.BiddingSettings == nil:
		return invalid("biddingSettings", "is required")
	case d.BiddingSettings.BiddingStrategy.MaxBid < 0:
		return invalid("biddingSettings.biddingStrategy.maxBid", "must not be negative")
	case d.BiddingSettings.Budget.Daily < 0:
		return invalid("biddingSettings.budget.daily", "must not be negative")
	}
	for i, domain := range d.InventorySettings.PublisherWhiteList {
		if _, err := hostname(domain); err != nil {
			return invalid(fmt.Sprintf("inventorySettings.publisherWhiteList[%d]", i), "must be a domain such as example.com")
		}
	}
	if err := checkSettings(d); err != nil {
		return err
	}
	return w.checkCreatives(code, d.Creatives)
}

func (w *world) checkCreatives(campaign string, creatives []rtb.Creative) error {
	seen := map[string]bool{}
	for i, cr := range creatives {
		field := fmt.Sprintf("creatives[%d]", i)
		if err := checkCreative(field, cr); err != nil {
			return err
		}
		if seen[cr.Code] {
			return invalid(field+".code", fmt.Sprintf("%s is there twice", cr.Code))
		}
		if other, found := w.creatives.rows[cr.Code]; found && other.Campaign != campaign {
			return refused(codeTaken, "%s.code: %s belongs to another campaign", field, cr.Code)
		}
		seen[cr.Code] = true
	}
	return nil
}

func checkCreative(field string, cr rtb.Creative) error {
	switch {
	case cr.Code == "":
		return invalid(field+".code", "is required")
	case nameRule(cr.Code) != "":
		return invalid(field+".code", nameRule(cr.Code))
	case cr.CreativeID == "":
		return invalid(field+".creativeId", "is required")
	case cr.Dimensions.Width < 0:
		return invalid(field+".dimensions.width", "must not be negative")
	case cr.Dimensions.Height < 0:
		return invalid(field+".dimensions.height", "must not be negative")
	case cr.ClickthroughURL != "" && !isWebAddress(cr.ClickthroughURL):
		return invalid(field+".clickthroughUrl", "must be an address that begins with http:// or https://")
	case cr.Status != "" && !slices.Contains(creativeStatuses, cr.Status):
		return invalid(field+".status", "must be one of "+strings.Join(creativeStatuses, ", "))
	}
	return nil
}

func isWebAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// checkSettings checks what the interface shows of the settings objects. The
// rest is kept as it came.
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
		if err := readJSON(settings.text, settings.field, &object); err != nil {
			return err
		}
	}
	if len(d.TargetingSettings) == 0 {
		return nil
	}
	return checkTargeting(d.TargetingSettings)
}

// checkTargeting holds devices to the interface's list and categories to those
// of the lookup, by id or name.
func checkTargeting(text json.RawMessage) error {
	var settings struct {
		ContextualSettings struct {
			IABCategories []any `json:"iabCategories"`
		} `json:"contextualSettings"`
		DeviceTargetingSettings struct {
			Devices []string `json:"devices"`
		} `json:"deviceTargetingSettings"`
	}
	if err := readJSON(text, "targetingSettings", &settings); err != nil {
		return err
	}
	for i, device := range settings.DeviceTargetingSettings.Devices {
		if !slices.Contains(deviceTypes, device) {
			return invalid(fmt.Sprintf("targetingSettings.deviceTargetingSettings.devices[%d]", i), "must be one of "+strings.Join(deviceTypes, ", "))
		}
	}
	const field = "targetingSettings.contextualSettings.iabCategories"
	if len(settings.ContextualSettings.IABCategories) == 0 {
		return nil
	}
	known := map[string]bool{}
	for category := range categories() {
		known[strconv.FormatInt(int64(category.ID), 10)], known[category.Name] = true, true
	}
	for i, category := range settings.ContextualSettings.IABCategories {
		if !known[fmt.Sprint(category)] {
			return invalid(fmt.Sprintf("%s[%d]", field, i), "must be an id or name of GET /v3/metadata/categories")
		}
	}
	return nil
}
