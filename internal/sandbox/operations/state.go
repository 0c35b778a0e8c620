package operations

import (
	"time"

	"usher/hashing"
	"usher/internal/rtb"
	"usher/internal/sandbox/files"
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
func (s *State) addIDs(set string, ids *files.IDs) store.Change {
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
