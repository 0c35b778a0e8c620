package usher

import (
	"slices"
	"time"
)

// Blindness is what people must know of a rule, one of three things. The rule cannot decide
// because reports lack rows or numbers, or have several currencies, on campaigns or creatives that are
// ACTIVE and had spend in the last 7 days. Or, if Orphaned is set, no file has the rule any more, and nothing resumes the creatives that
// it has paused. Or, if TookBack is set, the rule took back in a run what somebody had changed on the
// platform. People are told once, when it begins.
type Blindness struct {
	File     string      `json:"file"`
	Rule     string      `json:"rule"`               // if Orphaned: FILE/NAME of the rule that is gone
	Orphaned bool        `json:"orphaned,omitempty"` // nothing resumes what it paused
	TookBack string      `json:"tookBack,omitempty"` // the run that did; "": it is blind or gone
	Since    time.Time   `json:"since"`
	Count    int         `json:"count"` // of campaigns, creatives or numbers
	On       []BlindSpot `json:"on"`    // the first MaxBlindSpots of them

	// ByCampaign has how many there are in each campaign, if Orphaned: a run sees only some.
	ByCampaign map[string]int `json:"byCampaign,omitempty"`
}

// TookBackLife is how long people are shown what rules took back.
const TookBackLife = 7 * 24 * time.Hour

// MaxBlindSpots is the number of campaigns or creatives that a Blindness names.
const MaxBlindSpots = 20

// BlindSpot is a campaign or creative on which a rule is blind, or that it left paused, or what it
// changed again.
type BlindSpot struct {
	Campaign string    `json:"campaign"`
	Creative string    `json:"creative,omitempty"` // "": the whole campaign
	Missing  string    `json:"missing,omitempty"`  // what the report lacks
	Changed  string    `json:"changed,omitempty"`  // what somebody had changed: "daily budget 80 USD → 100 USD"
	Since    time.Time `json:"since"`
	Spend    float64   `json:"spend,omitempty"` // gross, on the newest day that has one
	Day      string    `json:"day,omitempty"`   // that day, YYYY-MM-DD
}

// Valid reports whether usher can have written the value.
func (b *Blindness) Valid() bool { return b.File != "" && b.Rule != "" && len(b.On) > 0 }

// JoinTookBack joins what each rule has taken back, run by run, into one.
func JoinTookBack(list []Blindness) []Blindness {
	var joined []Blindness
	for _, b := range list {
		last := len(joined) - 1
		if b.TookBack == "" || last < 0 || joined[last].TookBack == "" || joined[last].File != b.File || joined[last].Rule != b.Rule {
			joined = append(joined, b)
			continue
		}
		j := &joined[last]
		j.Count += b.Count
		j.On = slices.Concat(j.On, b.On[:min(len(b.On), MaxBlindSpots-len(j.On))])
	}
	return joined
}

// BlindCause is what is missing on some campaigns or creatives.
type BlindCause struct {
	Missing string
	On      []BlindSpot
}

// Causes returns what is missing, that on most campaigns or creatives first.
func (b *Blindness) Causes() []BlindCause {
	var list []BlindCause
	for _, s := range b.On {
		i := slices.IndexFunc(list, func(c BlindCause) bool { return c.Missing == s.Missing })
		if i < 0 {
			i, list = len(list), append(list, BlindCause{Missing: s.Missing})
		}
		list[i].On = append(list[i].On, s)
	}
	slices.SortStableFunc(list, func(a, b BlindCause) int { return len(b.On) - len(a.On) })
	return list
}

// Spent returns the spend of all on their newest known days, and the newest of these.
func (c *BlindCause) Spent() (spend float64, day string) {
	for _, s := range c.On {
		spend, day = spend+s.Spend, max(day, s.Day)
	}
	return spend, day
}

// Name returns the campaign, or the campaign and the creative.
func (s *BlindSpot) Name() string {
	if s.Creative == "" {
		return s.Campaign
	}
	return s.Campaign + " " + s.Creative
}

// BlindnessChange is what a run found of the rules of a file.
type BlindnessChange struct {
	At time.Time
	// Rules are the rules that the run looked at, with what they are blind on. A rule without
	// anything is not blind.
	Rules map[string][]BlindSpot
	// Exist reports whether the file has a rule.
	Exist func(rule string) bool
	// Campaigns are those whose creatives the run looked at, and Orphans the creatives in them
	// that a rule of no file has paused, by FILE/NAME of the rule.
	Campaigns []string
	Orphans   map[string][]BlindSpot
}
