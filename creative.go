package usher

import (
	"maps"
	"time"
)

// CreativeEntry records the newest job that has set a creative, and the last job
// that has changed it. It lets workers agree on the status even if two of them
// work on the creative at once because a lock has expired.
type CreativeEntry struct {
	Order  uint64 `json:"order"`  // the order of the newest job
	Wanted string `json:"wanted"` // the status that it wants
	Job    string `json:"job"`    // its id

	// The last change that a job has claimed: the order of the job, when it claimed it, and
	// how the platform showed the creative after the change. If the platform shows another
	// state, there has been a later change, which no job has claimed.
	ChangedOrder uint64        `json:"changed,omitempty"`
	ChangedAt    time.Time     `json:"changedAt,omitzero"` // zero: a worker of 1.0.0 has claimed it
	Left         CreativeState `json:"left,omitzero"`

	// Revision is the revision at which the entry was read, or 0 if no job has
	// written one. It is not stored.
	Revision uint64 `json:"-"`
}

// Valid reports whether a job has written the entry.
func (e *CreativeEntry) Valid() bool { return e.Order > 0 || e.ChangedOrder > 0 }

// ChangedBy reports whether the creative is still in the state in which the
// change of the job with this order left it.
func (e *CreativeEntry) ChangedBy(order uint64, now CreativeState) bool {
	return e.ChangedOrder == order && e.Left == now
}

// Ownership records that a rule paused a creative or changed a number, and how the
// platform showed it afterwards. As long as the platform shows the same state, nobody has changed it.
type Ownership struct {
	Rule         string    `json:"rule"` // <rule file>/<rule>
	Run          string    `json:"run"`  // the run that changed it
	At           time.Time `json:"at"`
	Status       string    `json:"status"`       // as read back: INACTIVE, or 80 USD
	LatestUpdate string    `json:"latestUpdate"` // as read back, in the platform's format; "" for a number
	// Cause is why the rule paused the creative; "": it is not known, see Change.
	Cause Cause `json:"cause,omitempty"`
	// Before is the state before a change of a number that may or may not have been made;
	// otherwise "".
	Before string `json:"before,omitempty"`
}

// CreativeMemory is what rules remember about a creative, or about a number of a
// campaign's biddingSettings.
type CreativeMemory struct {
	Owner *Ownership `json:"owner,omitempty"` // nil: no rule has paused it, or changed the number
	// Rules has the changes of each rule, by <rule file>/<rule>.
	Rules map[string]RuleMemory `json:"rules,omitempty"`
}

// RuleMemory is what one rule remembers about a creative.
type RuleMemory struct {
	Changed time.Time `json:"changed"` // last change; the cooldown begins here
	// AsOf is the time of the evaluation if a person approved the last change, which is at Changed;
	// otherwise zero.
	AsOf  time.Time `json:"asOf,omitzero"`
	Day   string    `json:"day"`   // YYYY-MM-DD of Changed in the account's zone
	Flips int       `json:"flips"` // changes on that day
}

// WithChange returns the memory after a rule has changed the creative on a day
// (YYYY-MM-DD in the account's zone). owner is the new owner after a pause, and nil after
// a resume.
func (m CreativeMemory) WithChange(rule string, at time.Time, day string, owner *Ownership) CreativeMemory {
	rules := make(map[string]RuleMemory, len(m.Rules)+1)
	maps.Copy(rules, m.Rules)
	r := rules[rule]
	if r.Day != day {
		r = RuleMemory{Day: day}
	}
	r.Flips++
	r.Changed, r.AsOf = at, time.Time{}
	rules[rule] = r
	return CreativeMemory{Owner: owner, Rules: rules}
}

// Change is a status or a number that a rule has set, with what the platform showed
// afterwards. Rules remember the latest changes, and the last one of each rule. The last change of a
// creative or number determines its owner.
type Change struct {
	At           time.Time `json:"at"`
	AsOf         time.Time `json:"asOf"`              // the time of the evaluation
	Approved     time.Time `json:"approved,omitzero"` // when a person approved it; zero: nobody had to
	Job          string    `json:"job"`
	Evaluation   string    `json:"evaluation"`     // "": a job that is not a rule's
	File         string    `json:"file,omitempty"` // "": a person
	Rule         string    `json:"rule,omitempty"`
	Pauses       bool      `json:"pauses"` // true: it paused the creative; false: it resumed it
	Before       string    `json:"before"`
	After        string    `json:"after"`
	LatestUpdate string    `json:"latestUpdate"`
	// Cause is why a rule paused the creative; its keys may have other values now. "": it is no pause, or
	// it is not known, because a worker of 1.0.2 or older made it, or has written the memory since.
	Cause Cause `json:"cause,omitempty"`
	// Keeps says that a job that is not a rule's wants the creative paused, which a rule has
	// paused. It changes nothing on the platform, but the rule may not resume the creative.
	Keeps bool `json:"keeps,omitempty"`

	Bidding *BiddingChange `json:"bidding,omitempty"` // nil: the change of a creative's status
	// Claimed is true from before the change of a number until it is known to have been
	// made. Meanwhile no other job makes one.
	Claimed bool `json:"claimed,omitempty"`
}

// Released is the status in the audit and in a Change when a person has handed a
// creative back to rules, and until when rules leave alone what nobody limits in time.
const Released = "released"

// CreativeState is a creative, or a number such as 80 USD, as the platform showed it.
type CreativeState struct {
	Status       string `json:"status"`
	LatestUpdate string `json:"latestUpdate"` // in the platform's format
}

// NewCreativeMemory returns the memory of a creative from its changes, oldest first. zone
// is the account's time zone.
func NewCreativeMemory(changes []Change, zone *time.Location) CreativeMemory {
	var m CreativeMemory
	for _, c := range changes {
		if c.Rule == "" {
			m.Owner = nil // changed by a person
			continue
		}
		rule := c.File + "/" + c.Rule
		var owner *Ownership
		if c.Pauses || c.Bidding != nil {
			owner = &Ownership{Rule: rule, Run: c.Evaluation, At: c.At, Status: c.After, LatestUpdate: c.LatestUpdate, Cause: c.Cause}
		}
		if c.Claimed {
			owner.Before = c.Before
		}
		// Cooldowns, daily limits and until begin with the evaluation, so that a job that waited does not
		// delay the next run. An approval may come days later, so they begin with it.
		begin := c.AsOf
		if !c.Approved.IsZero() {
			begin = c.Approved
		}
		m = m.WithChange(rule, begin, begin.In(zone).Format(time.DateOnly), owner)
		if !c.Approved.IsZero() {
			r := m.Rules[rule]
			r.AsOf = c.AsOf
			m.Rules[rule] = r
		}
	}
	return m
}

// PausedTime is a time in which a creative was paused.
type PausedTime struct {
	Rule     string // <rule file>/<rule> that has paused it; "": a person, or somebody outside usher
	Campaign string
	Creative string
	From     time.Time // when the pause was read back; zero: before what is on record
	To       time.Time // when it was resumed; zero: it is still paused
	// Elsewhere says that somebody has resumed it on the platform itself, at an unknown time
	// before To.
	Elsewhere bool
	// Unsure says that somebody else has resumed it at To, and that it is not known whether the pause
	// lasted until then.
	Unsure bool
}

// LastsBeyond reports whether the creative was still paused after a time.
func (p *PausedTime) LastsBeyond(at time.Time) bool { return p.To.IsZero() || p.To.After(at) }
