package operations

import (
	"time"

	"usher/hashing"
	"usher/internal/rtb"
	"usher/internal/sandbox/store"
)

// Config has the settings of a State. All fields except ReplaceTargets are required.
type Config struct {
	Username   string // of the initial login
	Password   string
	Advertiser string // of the initial login

	LockTTL        time.Duration
	TokenTTL       time.Duration
	ApprovalDelay  time.Duration // of PENDING creatives; negative: none
	ReplaceTargets bool          // a second upload of mobileIds replaces the first one
}

// State is the state of the platform. It is not safe for concurrent use.
type State struct {
	config Config
	store  *store.Store

	users       *store.Table[user]
	advertisers *store.Table[advertiser]
	blocked     *store.Table[blockedDomain] // by advertiser/domain
	tokens      *store.Table[token]         // by the SHA-256 of the token
	segments    *store.Table[segment]
	campaigns   *store.Table[campaign]
	creatives   *store.Table[creative] // by code, which is unique across campaigns
	locks       *store.Table[lock]     // by campaign code
	targets     *store.Table[target]   // by the name of the set
	flights     *store.Table[flight]   // by campaign/creative
	assets      *store.Table[asset]
	publishers  *store.Table[publisher]
	adslots     *store.Table[rtb.Adslot]
	payments    *store.Table[payment] // by transaction reference
	counters    *store.Table[int64]
}

// New adds the tables of the platform to an empty store.
func New(config Config, s *store.Store) *State {
	return &State{
		config: config, store: s,
		users:       store.NewTable[user](s, "users"),
		advertisers: store.NewTable[advertiser](s, "advertisers"),
		blocked:     store.NewTable[blockedDomain](s, "blocked"),
		tokens:      store.NewTable[token](s, "tokens"),
		segments:    store.NewTable[segment](s, "segments"),
		campaigns:   store.NewTable[campaign](s, "campaigns"),
		creatives:   store.NewTable[creative](s, "creatives"),
		locks:       store.NewTable[lock](s, "locks"),
		targets:     store.NewTable[target](s, "targets"),
		flights:     store.NewTable[flight](s, "flights"),
		assets:      store.NewTable[asset](s, "assets"),
		publishers:  store.NewTable[publisher](s, "publishers"),
		adslots:     store.NewTable[rtb.Adslot](s, "adslots"),
		payments:    store.NewTable[payment](s, "payments"),
		counters:    store.NewTable[int64](s, "counters"),
	}
}

// Fingerprint returns the fingerprint of a segment's members, or of a campaign's
// mobile device targeting, and whether the segment or campaign exists. The kind
// is segments or campaigns.
func (s *State) Fingerprint(kind, id string) (f hashing.Fingerprint, found bool) {
	switch kind {
	case "segments":
		return s.store.Fingerprint(segmentSet(id)), s.segments.Has(id)
	case "campaigns":
		return s.store.Fingerprint(mobileSet(id)), s.campaigns.Has(id)
	}
	return f, false
}

// The names of sets.
func segmentSet(id string) string { return "segment/" + id }

func mobileSet(campaign string) string { return "mobile/" + campaign }

func userSet(campaign, segment string) string { return "users/" + campaign + "/" + segment }

// addIDs returns the change that adds an upload to a set.
func (s *State) addIDs(set string, ids *IDs) store.Change {
	if s.store.FingerprintsOnly() {
		return store.CountMembers(set, ids.Fingerprint)
	}
	return store.AddMembers(set, ids.Digests)
}

// next returns the next value of a counter, and the change that stores it.
func (s *State) next(counter string) (int64, store.Change) {
	n := s.counters.Row(counter) + 1
	return n, s.counters.Put(counter, n)
}

// user is a login and its links to advertisers.
type user struct {
	Password string            `json:"password"`           // see hashPassword
	Links    map[string]string `json:"links"`              // advertiser → realm
	Currency string            `json:"currency,omitempty"` // of reports; empty: USD
	Maker    string            `json:"maker,omitempty"`    // the login that created the user
	Gone     bool              `json:"gone,omitempty"`     // deactivated
}

type advertiser struct {
	Model  rtb.AdvertiserModel `json:"model"`            // with its defaults filled in
	Parent string              `json:"parent,omitempty"` // the advertiser of the token that created it
}

type blockedDomain struct {
	Advertiser string `json:"advertiser"`
	Domain     string `json:"domain"`
}

type token struct {
	User       string    `json:"user"`
	Advertiser string    `json:"advertiser"`
	Until      time.Time `json:"until"`
}

type segment struct {
	Advertiser string      `json:"advertiser"`
	Segment    rtb.Segment `json:"segment"`
}

type campaign struct {
	Advertiser string       `json:"advertiser"`
	Definition rtb.Campaign `json:"definition"` // without creatives, which are rows of another table
	Creatives  []string     `json:"creatives"`  // codes, in the order of the definition
	Modified   time.Time    `json:"modified"`
}

type creative struct {
	Campaign  string       `json:"campaign"`
	Creative  rtb.Creative `json:"creative"`
	Submitted time.Time    `json:"submitted"` // the start of the approval delay
	Updated   time.Time    `json:"updated"`
}

type lock struct {
	User  string    `json:"user"`
	Until time.Time `json:"until"`
}

// target is a campaign's targeting by mobile device ids, or by the user ids of a
// segment.
type target struct {
	Campaign string    `json:"campaign"`
	Segment  string    `json:"segment,omitempty"`
	Batch    string    `json:"batch,omitempty"`
	Modified time.Time `json:"modified"`
}

// asset is a creative's file, without its content.
type asset struct {
	Advertiser string    `json:"advertiser"`
	Format     string    `json:"format"` // jpeg, gif, png, swf
	Bytes      int64     `json:"bytes"`
	At         time.Time `json:"at"`
}

type publisher struct {
	Advertiser string        `json:"advertiser"`
	Publisher  rtb.Publisher `json:"publisher"`
}

// payment is a successful card payment. It has no data of the card.
type payment struct {
	Advertiser  string    `json:"advertiser"`
	At          time.Time `json:"at"`
	Currency    string    `json:"currency"`
	Amount      float64   `json:"amount"` // credited, after Fees
	Fees        float64   `json:"fees"`
	AmountInUSD float64   `json:"amountInUsd"`
}
