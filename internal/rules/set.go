package rules

import (
	"slices"
	"time"

	"usher"
	"usher/internal/rules/calendar"
	"usher/internal/rules/condition"
	"usher/internal/rules/expression"
	"usher/internal/rules/figures"
	"usher/internal/rules/targets"
)

// Set is a valid rule file. It is immutable and safe for concurrent use.
type Set struct {
	Name    string // see NameOf
	File    string // the path given to Load, for messages
	Version string // of the texts of the file and of its targets: two texts have two versions
	Account string // the advertiser's code
	Zone    *time.Location
	Rules   []*Rule // in the order of the file
	Labels  []*Label
	Tests   []*Test        // for `usher rules test`
	Targets *targets.Table // nil: the file has none

	columns figures.Columns // that conditions read
}

// Key returns the key of a rule of this set in usher.CreativeMemory.
func (s *Set) Key(rule string) string { return s.Name + "/" + rule }

// Without returns the set without the rules that paused selects, by their keys. The set stays as
// it is.
func (s *Set) Without(paused func(key string) bool) *Set {
	left := *s
	left.Rules = slices.DeleteFunc(slices.Clone(s.Rules), func(r *Rule) bool { return paused(s.Key(r.Name)) })
	return &left
}

// ReadsOutcomes reports whether a condition reads a number from outside.
func (s *Set) ReadsOutcomes() bool {
	return slices.ContainsFunc(s.Rules, func(r *Rule) bool {
		return slices.ContainsFunc(r.expressions(), (*expression.Expression).ReadsOutcomes)
	})
}

// Day returns the date of a time in the account's zone.
func (s *Set) Day(at time.Time) string { return at.In(s.Zone).Format(time.DateOnly) }

// EndOf returns the last moment of a day (YYYY-MM-DD) in the set's zone. A run at
// that time has the complete day as its running day.
func (s *Set) EndOf(date string) (time.Time, error) {
	day, err := calendar.ParseDay(date)
	if err != nil {
		return time.Time{}, err
	}
	return (day + 1).Begin(s.Zone).Add(-time.Nanosecond), nil
}

// Mode says what happens to a rule's decisions.
type Mode string

// The modes.
const (
	Act     Mode = "act"     // they are carried out; the default
	Approve Mode = "approve" // they wait for `usher rules approve`
	Notify  Mode = "notify"  // they are recorded and reported, and change nothing
	Observe Mode = "observe" // they are only recorded
)

// Rule is one rule of a set.
type Rule struct {
	Name     string
	Scope    Scope
	Window   figures.Window
	MinData  []figures.Minimum
	MinDays  int                  // days of the window with a row; 0: all of them, or one of lifetime
	Pause    *condition.Condition // pause_when, or decrease_when; nil: it has Hours, or it only increases
	Resume   *condition.Condition // resume_when, or increase_when; nil: it resumes only what it paused outside its Hours
	Bidding  *Bidding             // the number that it changes; nil: it pauses and resumes creatives
	Hours    *calendar.Hours      // nil: always
	Schedule *calendar.Schedule   // nil: it is evaluated on request only
	Cooldown time.Duration
	Priority int // the rule with the higher one decides; default 0
	Limits   Limits
	MinAge   time.Duration // of the campaign or creative; 0: any
	MaxAge   time.Duration // of the newest report row; 0: any
	Lag      time.Duration // the delay of the platform's figures
	Mode     Mode
	Notify   usher.Notice // empty: it reports nothing
	Until    string       // when it resumes what it paused, whatever resume_when is; "": never
	Formerly string       // the name that it had; "": it had no other
	Line     int          // in the file

	at     int     // the place of its window, among those of its level
	before int     // of the window before it; -1: no condition reads it
	ages   int     // of the days in which a first row is looked for, if the rule has a MinAge
	days   []*Rule // by the days of for, yesterday first: pause_when on that day
}

// Resumes reports whether the rule resumes creatives that it has paused because of cause; "": it is not known.
func (r *Rule) Resumes(cause usher.Cause) bool {
	return r.Bidding == nil && (r.Resume != nil || r.Until != "" || r.Hours != nil && cause != usher.CauseCondition)
}

// Find returns the rule of a name, or nil.
func (s *Set) Find(name string) *Rule {
	for _, r := range s.Rules {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Scope selects the creatives of a rule.
type Scope struct {
	Campaigns  []string // globs of campaign codes
	Exclude    []string // globs of campaign codes
	Creatives  []string // globs of creative codes; none: all
	Types      []string // globs of types of creatives; none: all
	Labels     []*Label // one of which a creative must have; none: it need not
	Level      figures.Level
	KeepActive int // the number of a campaign's creatives that stay ACTIVE
}

// Limits bound the changes of a rule, pauses and resumes together. Zero means no
// limit.
type Limits struct {
	Creatives   int     // a run
	Campaigns   int     // a run
	Share       float64 // of the creatives or, of Bidding, of the campaigns in scope, a run: 0 to 1
	Amount      float64 // the sum by which numbers change, a run
	FlipsPerDay int     // of one creative or number; of a number 1 by default
}

// Creative is the status of a creative on the platform.
type Creative struct {
	Campaign     string
	Code         string
	Type         string // such as IMAGE; see AnyType
	Status       string // PENDING, ACTIVE, INACTIVE
	LatestUpdate string // as the platform writes it
}

// Figures are the figures of a run, and the sets that take part in it.
type Figures struct {
	*figures.Figures
	sets []*Set // first the set of the run, then the others
	data *expression.Data
}

// NewFigures returns empty figures for a run of a set at a time, whose date in the
// account's zone is the running day. others are the other sets of the account: what
// they want paused is not resumed.
func NewFigures(s *Set, at time.Time, others ...*Set) *Figures {
	f := &Figures{sets: slices.Concat([]*Set{s}, others)}
	var columns []figures.Columns
	for _, set := range f.sets {
		of := set.columns
		of.Zone = set.Zone
		columns = append(columns, of)
	}
	f.Figures = figures.New(at, columns...)
	f.data = expression.NewData(f.Figures)
	return f
}

// Snapshot is the input of a run.
type Snapshot struct {
	Figures   *Figures   // made for the same set, at the time of the run
	Creatives []Creative // in any order; those outside all scopes are ignored
	// Numbers are those of the field, for DecideNumbers: one for each campaign.
	Numbers []Number
	// Disabled reports whether the configuration does not let rules change a field; nil: it
	// does.
	Disabled func(usher.BiddingField) bool
	// Due are the rules that vote; nil means all.
	Due []string
	// Sizes are the numbers of creatives in the rules' scopes, for max_share. A
	// rule without a size has the number of Creatives in its scope.
	Sizes map[string]int
	// Memory returns what rules did to a creative before; nil means nothing.
	Memory func(creative string) usher.CreativeMemory
	// MemoryUnknown says that what rules did before was not read, so that it is not known either
	// whether one of them paused a creative.
	MemoryUnknown bool
	// Campaign is the only one that the run is about, as that of an event is; empty: all are.
	// Currencies of other campaigns do not matter then.
	Campaign string
	// Stopped is the reason of the stop switch; empty: it is off.
	Stopped string
	// Kept are what people keep rules from changing at present, by the code of the creative, or of
	// the campaign with the budget and the bid.
	Kept map[string]usher.Setting
}
