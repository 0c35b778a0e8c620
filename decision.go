package usher

import (
	"maps"
	"time"
)

// Action is what a run of rules decided on a creative.
type Action string

// The actions.
const (
	Pause   Action = "pause"   // set it INACTIVE
	Resume  Action = "resume"  // set it ACTIVE
	None    Action = "none"    // leave it as it is
	Held    Action = "held"    // a guard keeps us from what the rule wants: see Decision.Guard
	Unknown Action = "unknown" // the figures are missing, too few or too old
)

// Guard names what holds a decision back.
type Guard string

// The guards, in the order in which they speak.
const (
	GuardObserve    Guard = "observe"     // the rule's mode: it only records
	GuardHandsOff   Guard = "hands_off"   // somebody else paused it, or touched it since
	GuardPending    Guard = "pending"     // the creative waits for approval by the platform
	GuardCooldown   Guard = "cooldown"    // the rule changed this creative a short while ago
	GuardFlips      Guard = "flips"       // the rule changed it often enough on this day
	GuardKeepActive Guard = "keep_active" // too few creatives of the campaign would serve
	GuardCap        Guard = "cap"         // the rule would change too much in one run
	GuardApproval   Guard = "approval"    // the rule's mode: it asks
	GuardStop       Guard = "stop"        // the stop switch is thrown
)

// Approvable reports whether a person's approval lifts the guard: that of a run
// over its caps, and of a rule that asks.
func (g Guard) Approvable() bool { return g == GuardCap || g == GuardApproval }

// Decision is what a run decided on one creative, as preview, backtest and the
// record of a run print it.
type Decision struct {
	Date     string `json:"date"` // YYYY-MM-DD in the account's zone: the day it is decided on
	Campaign string `json:"campaign"`
	Creative string `json:"creative"`
	Rule     string `json:"rule"` // the rule that decided
	Action   Action `json:"action"`
	Wants    Action `json:"wants,omitempty"` // held: pause or resume
	Guard    Guard  `json:"guard,omitempty"` // held: what holds it; none: what kept it from being more
	Reason   string `json:"reason"`          // in plain English, with the numbers
	// Metrics are what the rule's conditions read, by their names there
	// (previous.ctr), and what those are made of. Those that are UNKNOWN are
	// left out.
	Metrics map[string]float64 `json:"metrics"`
	// Values are the parts of the condition that decided, from the inside out,
	// the last being the condition itself; of what nobody voted on, none.
	Values []Value `json:"values,omitempty"`
	// Report is the newest report date among the rows that were read; empty
	// where there was none.
	Report string `json:"report,omitempty"`
	// Votes are the words of all rules that wanted something, or could not
	// know, where there is more than one.
	Votes []Vote `json:"votes,omitempty"`
}

// Value is a part of a condition and what it came to.
type Value struct {
	Expression string `json:"expression"` // as written: 0.95 * budget
	Result     string `json:"result"`     // a number, true, false, or unknown
}

// Vote is one rule's word on a creative.
type Vote struct {
	Rule   string `json:"rule"`
	Action Action `json:"action"` // pause, resume or unknown
	Guard  Guard  `json:"guard,omitempty"`
}

// Ownership says that a rule paused a creative, and how it left it. While the
// platform shows the creative like that, nobody touched it since.
type Ownership struct {
	Rule         string    `json:"rule"` // <rule file>/<rule>
	Run          string    `json:"run"`  // the run that paused it
	At           time.Time `json:"at"`
	Status       string    `json:"status"`       // as left and read back: INACTIVE
	LatestUpdate string    `json:"latestUpdate"` // as read back, in the platform's own words
}

// CreativeMemory is what rules remember of a creative. The zero value remembers
// nothing.
type CreativeMemory struct {
	Owner *Ownership `json:"owner,omitempty"` // nil: no rule of ours paused it
	// Rules are the changes by rule, <rule file>/<rule>.
	Rules map[string]RuleMemory `json:"rules,omitempty"`
}

// RuleMemory is what one rule did to one creative.
type RuleMemory struct {
	Changed time.Time `json:"changed"` // the last time: the cooldown counts from here
	Day     string    `json:"day"`     // YYYY-MM-DD of Changed in the account's zone
	Flips   int       `json:"flips"`   // changes on that day
}

// Changed is the memory after a rule changed the creative, which day (YYYY-MM-DD
// in the account's zone) that was, and how it was left: of a pause its owner,
// of a resume nil.
func (m CreativeMemory) Changed(rule string, at time.Time, day string, left *Ownership) CreativeMemory {
	rules := make(map[string]RuleMemory, len(m.Rules)+1)
	maps.Copy(rules, m.Rules)
	r := rules[rule]
	if r.Day != day {
		r = RuleMemory{Day: day}
	}
	r.Flips++
	r.Changed = at
	rules[rule] = r
	return CreativeMemory{Owner: left, Rules: rules}
}
