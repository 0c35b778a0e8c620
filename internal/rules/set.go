package rules

import (
	"time"

	"usher"
)

// Set is a rule file that was found good. It is never changed, and may be used
// by several goroutines.
type Set struct {
	Name    string // of the file without its folder and .yaml: what rules.evaluate calls it
	File    string // as it was given, for messages
	Account string // the advertiser's code
	Zone    *time.Location
	Rules   []*Rule // in the order of the file
	Tests   []*Test // beside the rules, for `usher rules test`

	slots [2][]slot // the windows that conditions read, by level
}

// Key is the name under which memory keeps a rule of this set.
func (s *Set) Key(rule string) string { return s.Name + "/" + rule }

// Day is the date, in the account's zone, of a moment.
func (s *Set) Day(at time.Time) string { return at.In(s.Zone).Format(time.DateOnly) }

// Mode says what becomes of a rule's decisions.
type Mode string

// The modes.
const (
	Act     Mode = "act"     // they are carried out; the default
	Approve Mode = "approve" // they wait for `usher rules approve`
	Observe Mode = "observe" // they are recorded
)

// Level is what a rule's metrics are about.
type Level string

// The levels.
const (
	CampaignLevel Level = "campaign" // of the whole campaign; all of its creatives follow; the default
	CreativeLevel Level = "creative" // of each creative
)

// Rule is one rule of a set.
type Rule struct {
	Name     string
	Scope    Scope
	Window   Window
	MinData  []Minimum
	Pause    *Condition
	Resume   *Condition // nil: it never resumes
	Schedule *Schedule  // nil: it is evaluated when asked for only
	Cooldown time.Duration
	Priority int // the higher one decides; default 0
	Limits   Limits
	MaxAge   time.Duration // of the newest report row; 0: any
	Lag      time.Duration // by which the platform's figures are late
	Mode     Mode
	Line     int // in the file

	slot int // of its window, among the set's of its level
}

// Scope is which creatives a rule is about.
type Scope struct {
	Campaigns  []string // globs of campaign codes
	Exclude    []string // globs of campaign codes
	Level      Level
	KeepActive int // creatives of a campaign that stay ACTIVE
}

// Minimum is the least that a window must hold to be believed.
type Minimum struct {
	Field Field // one that adds up
	Least float64
}

// Limits bound what a rule changes, pauses and resumes together. Zero is no
// limit.
type Limits struct {
	Creatives   int     // of one run
	Campaigns   int     // of one run
	Share       float64 // of the creatives in scope, of one run: 0 to 1
	FlipsPerDay int     // of one creative
}

// Creative is where a creative stands on the platform.
type Creative struct {
	Campaign     string
	Code         string
	Status       string // PENDING, ACTIVE, INACTIVE
	LatestUpdate string // the platform's own words
}

// Snapshot is all that a run decides on.
type Snapshot struct {
	Figures   *Figures   // of NewFigures for the same set; its time is the run's
	Creatives []Creative // in any order; those in no rule's scope are left out
	// Due are the rules that vote; nil is all of them.
	Due []string
	// Sizes are how many creatives a rule has in scope, for max_share, where
	// Creatives are not all of them.
	Sizes map[string]int
	// Memory is what is remembered of a creative; nil remembers nothing.
	Memory func(creative string) usher.CreativeMemory
	// Stopped is why the stop switch is thrown; empty: it is not.
	Stopped string
}
