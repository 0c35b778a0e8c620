package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"time"

	"usher/internal/rtb"
)

// seedSegments are the segments at the start; their ids are 1 to 4.
func seedSegments() []rtb.Segment {
	return []rtb.Segment{
		{Name: "iOS customers", Type: rtb.TypeIDFA, DurationInDays: 30},
		{Name: "Android customers", Type: rtb.TypeAndroidID, DurationInDays: 30},
		{Name: "Product page visitors", Type: "VIEW", DurationInDays: 14},
		{Name: "iOS newsletter", Type: rtb.TypeIDFA, DurationInDays: 90},
	}
}

// seedCampaigns are the campaigns at the start and how many creatives each has.
func seedCampaigns() []struct {
	name      string
	creatives int
} {
	return []struct {
		name      string
		creatives int
	}{
		{"spring", 2}, {"summer", 3}, {"autumn", 4}, {"winter", 5}, {"launch", 2}, {"loyalty", 3}, {"retarget", 4}, {"video", 5}, {"brand", 3},
	}
}

// seedBudget is what a campaign of the start may spend a day, by its index.
func seedBudget(index int) float64 { return 50 * float64(index+1) }

// seed makes what is missing of the start: the configured login always, the
// rest only in a new world.
func (w *world) seed(now time.Time) error {
	changes := w.seedLogin()
	if len(w.counters.rows) == 0 {
		for i, s := range seedSegments() {
			s.ID, s.Status = fmt.Sprint(i+1), rtb.Active
			changes = append(changes, w.segments.put(s.ID, segment{w.o.Advertiser, s}))
		}
		changes = append(changes, w.counters.put("segment", int64(len(seedSegments()))))
		for i, c := range seedCampaigns() {
			changes = append(changes, w.seedCampaign(i, c.name, c.creatives, now)...)
		}
	}
	if err := w.commit(nil, changes...); err != nil {
		return err
	}
	return w.commit(nil, w.missingFlights(now)...)
}

// seedLogin links the configured login, whose password may have changed since.
func (w *world) seedLogin() []change {
	changes := w.seedAdvertiser(w.o.Advertiser)
	u := w.users.rows[w.o.Username]
	password := hashPassword(w.o.Username, w.o.Password)
	if u.Password == password && u.Links[w.o.Advertiser] == rtb.RealmAdmin && !u.Gone {
		return changes
	}
	links := maps.Clone(u.Links)
	if links == nil {
		links = map[string]string{}
	}
	links[w.o.Advertiser] = rtb.RealmAdmin
	u.Password, u.Links, u.Gone = password, links, false
	return append(changes, w.users.put(w.o.Username, u))
}

// seedAdvertiser makes an advertiser, where there is none of this code.
func (w *world) seedAdvertiser(code string) []change {
	if _, found := w.advertisers.rows[code]; found {
		return nil
	}
	domain := strings.ToLower(code) + ".example.com"
	model := rtb.AdvertiserModel{
		Code: code, Name: code, Domain: domain, CorrespondenceEmailAddress: "billing@" + domain,
		Margins: rtb.Margins{MediaMargin: new(15.0), AdvertisingChargeCPM: new(0.1)},
	}
	return []change{w.advertisers.put(code, advertiser{Model: withDefaults(model)})}
}

func (w *world) seedCampaign(index int, name string, creatives int, now time.Time) []change {
	code := w.o.Advertiser + "-" + name
	row := campaign{Advertiser: w.o.Advertiser, Modified: now, Definition: rtb.Campaign{
		Code: code,
		InventorySettings: &rtb.InventorySettings{
			InventoryType: "TRANSPARENT", PlacementType: []string{"ATF", "BTF", "UNKNOWN"},
			PublisherWhiteList: []string{"news.example.com", "sports.example.org"},
		},
		BiddingSettings: &rtb.BiddingSettings{
			BiddingStrategy: rtb.BiddingStrategy{Strategy: "CPMCappedBiddingStrategy", MaxBid: 1.5 + float64(index)/4},
			Budget:          rtb.Budget{Daily: seedBudget(index)}, PacingType: "ACCELERATED",
		},
		TargetingSettings:    json.RawMessage(`{"geoSettings":{},"contextualSettings":{"iabCategories":[]},"retargetingSettings":{},"deviceTargetingSettings":{"devices":["MOBILE","SLATE"]}}`),
		OptimisationSettings: json.RawMessage(`{"optimisationStrategy":"ROUND_ROBIN","commenceOptimisationAfter":0}`),
	}}
	sizes := []rtb.Dimensions{{Width: 300, Height: 250}, {Width: 728, Height: 90}, {Width: 320, Height: 50}, {Width: 160, Height: 600}, {Width: 970, Height: 250}}
	var changes []change
	for i := range creatives {
		creativeCode := fmt.Sprintf("%s-%d", name, i+1)
		row.Creatives = append(row.Creatives, creativeCode)
		changes = append(changes, w.creatives.put(creativeCode, creative{
			Campaign: code, Submitted: now.Add(-24 * time.Hour), Updated: now,
			Creative: rtb.Creative{
				Code: creativeCode, CreativeID: fmt.Sprintf("asset-%s", creativeCode), Dimensions: sizes[i], Type: "IMAGE",
				ClickthroughURL: "https://shop.example.com/" + name, Status: rtb.Active,
			},
		}))
	}
	return append(changes, w.campaigns.put(code, row))
}
