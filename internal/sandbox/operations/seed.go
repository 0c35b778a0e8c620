package operations

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox/store"
)

// Seed creates the configured login if it is missing and, in a new state, the rest of the
// initial state.
func (s *State) Seed(now time.Time) error {
	changes := s.seedLogin()
	if s.counters.Len() == 0 {
		for i, definition := range seedSegments() {
			definition.ID, definition.Status = fmt.Sprint(i+1), rtb.Active
			changes = append(changes, s.segments.Put(definition.ID, segment{s.config.Advertiser, definition}))
		}
		changes = append(changes, s.counters.Put("segment", int64(len(seedSegments()))))
		for i, c := range seedCampaigns() {
			changes = append(changes, s.seedCampaign(i, c, now)...)
		}
	}
	if err := s.store.Commit(changes...); err != nil {
		return err
	}
	return s.store.Commit(s.missingFlights(now)...)
}

// Login is a login that POST /sandbox/users creates.
type Login struct {
	Username   string `json:"username"`
	Password   string `json:"password"`
	Advertiser string `json:"advertiser"`
	Realm      string `json:"realm"` // default ADMIN
}

// AddLogin creates or changes a login, links it to an advertiser, and creates
// the advertiser if it does not exist.
func (s *State) AddLogin(l Login) error {
	if l.Realm == "" {
		l.Realm = rtb.RealmAdmin
	}
	switch {
	case l.Username == "" || l.Password == "":
		return Invalid("username, password", "are required")
	case CodeRule(l.Advertiser) != "":
		return Invalid("advertiser", CodeRule(l.Advertiser))
	case realmRule(l.Realm) != "":
		return Invalid("realm", realmRule(l.Realm))
	}
	row := user{Password: hashPassword(l.Username, l.Password), Links: s.users.Row(l.Username).Links}
	changes := append(s.seedAdvertiser(l.Advertiser), s.users.Put(l.Username, row.withLink(l.Advertiser, l.Realm)))
	return s.store.Commit(changes...)
}

// seedSegments returns the initial segments. Their ids are 1 to 4.
func seedSegments() []rtb.Segment {
	return []rtb.Segment{
		{Name: "iOS customers", Type: rtb.TypeIDFA, DurationInDays: 30},
		{Name: "Android customers", Type: rtb.TypeAndroidID, DurationInDays: 30},
		{Name: "Product page visitors", Type: "VIEW", DurationInDays: 14},
		{Name: "iOS newsletter", Type: rtb.TypeIDFA, DurationInDays: 90},
	}
}

// seededCampaign is an initial campaign with the number of its creatives.
type seededCampaign struct {
	name      string
	creatives int
}

func seedCampaigns() []seededCampaign {
	return []seededCampaign{
		{"spring", 2}, {"summer", 3}, {"autumn", 4}, {"winter", 5}, {"launch", 2}, {"loyalty", 3}, {"retarget", 4}, {"video", 5}, {"brand", 3},
	}
}

// seedBudget returns the daily budget of an initial campaign by its index.
func seedBudget(index int) float64 { return 50 * float64(index+1) }

// seedCreative returns the code of creative i (from 0) of an initial campaign.
func seedCreative(campaign string, i int) string { return fmt.Sprintf("%s-%d", campaign, i+1) }

// seedLogin creates or updates the configured login, whose password may have changed.
func (s *State) seedLogin() []store.Change {
	changes := s.seedAdvertiser(s.config.Advertiser)
	u := s.users.Row(s.config.Username)
	password := hashPassword(s.config.Username, s.config.Password)
	if u.Password == password && u.Links[s.config.Advertiser] == rtb.RealmAdmin && !u.Gone {
		return changes
	}
	u.Password, u.Gone = password, false
	return append(changes, s.users.Put(s.config.Username, u.withLink(s.config.Advertiser, rtb.RealmAdmin)))
}

// seedAdvertiser creates an advertiser, if it does not exist.
func (s *State) seedAdvertiser(code string) []store.Change {
	if s.advertisers.Has(code) {
		return nil
	}
	domain := strings.ToLower(code) + ".example.com"
	model := rtb.AdvertiserModel{
		Code: code, Name: code, Domain: domain, CorrespondenceEmailAddress: "billing@" + domain,
		Margins: rtb.Margins{MediaMargin: new(15.0), AdvertisingChargeCPM: new(0.1)},
	}
	return []store.Change{s.advertisers.Put(code, advertiser{Model: withDefaults(model)})}
}

func (s *State) seedCampaign(index int, c seededCampaign, now time.Time) []store.Change {
	code := s.config.Advertiser + "-" + c.name
	row := campaign{Advertiser: s.config.Advertiser, Modified: now, Definition: rtb.Campaign{
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
	var changes []store.Change
	for i := range c.creatives {
		creativeCode := seedCreative(c.name, i)
		row.Creatives = append(row.Creatives, creativeCode)
		changes = append(changes, s.creatives.Put(creativeCode, creative{
			Campaign: code, Submitted: now.Add(-24 * time.Hour), Updated: now,
			Creative: rtb.Creative{
				Code: creativeCode, CreativeID: "asset-" + creativeCode, Dimensions: sizes[i], Type: "IMAGE",
				ClickthroughURL: "https://shop.example.com/" + c.name, Status: rtb.Active,
			},
		}))
	}
	return append(changes, s.campaigns.Put(code, row))
}
