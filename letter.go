package usher

import (
	"encoding/json"
	"time"
)

// DeadLetter is a job that died, kept for people, as `usher dead ls --json`
// prints it.
type DeadLetter struct {
	Seq      uint64          `json:"seq"` // in the stream of dead letters
	ID       *string         `json:"id"`  // null where none could be read
	Run      int             `json:"run"`
	Kind     Kind            `json:"kind"`
	Target   string          `json:"target"` // "segment 17", "campaign SANDBOX1-x"
	Class    Class           `json:"class"`
	Message  string          `json:"message"`
	Hint     string          `json:"hint"`
	Attempts int             `json:"attempts"`
	Crashes  int             `json:"crashes"`
	At       time.Time       `json:"at"`
	Job      json.RawMessage `json:"job"` // null where none could be read
	Edited   *Edit           `json:"edited,omitempty"`
	Trace    string          `json:"trace,omitempty"` // the id of the publisher's trace, where it gave one
}

// Edit says that a dead job's body was changed before it ran again.
type Edit struct {
	Run    int       `json:"run"` // that died with the body before
	By     string    `json:"by"`
	At     time.Time `json:"at"`
	Reason string    `json:"reason,omitempty"`
	Fields []string  `json:"fields"` // JSON pointers of what was changed; never a value
}

// LetterGroup is dead letters of one cause, as `usher dead groups --json`
// prints it.
type LetterGroup struct {
	Class   Class     `json:"class"`
	Kind    Kind      `json:"kind"`
	Target  string    `json:"target"`
	Message string    `json:"message"` // where they differ: their shape, # for numbers and ids
	Count   int       `json:"count"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
	Sample  string    `json:"sample"` // the id of one of them
	Group   string    `json:"group"`  // names the group, the same one every time
}

// Event is a change of a job's state, published to usher.events.<job>.
type Event struct {
	ID    string    `json:"id"`
	Run   int       `json:"run"`
	Kind  Kind      `json:"kind"`
	State State     `json:"state"`
	At    time.Time `json:"at"`
	Tally Tally     `json:"tally"`
	Error *JobError `json:"error"`
}

// Audit is a creative that we changed, or meant to, published to
// usher.audit.<campaign>.
type Audit struct {
	At       time.Time          `json:"at"`
	Job      string             `json:"job"`
	Run      int                `json:"run"`
	Rule     string             `json:"rule"`
	Actor    string             `json:"actor"`
	Reason   string             `json:"reason"`
	Campaign string             `json:"campaign"`
	Creative string             `json:"creative"`
	Before   string             `json:"before"`
	Wanted   string             `json:"wanted"`
	After    string             `json:"after"`
	Late     bool               `json:"late,omitempty"`     // a change that came once more, after it was accounted for
	Restores string             `json:"restores,omitempty"` // the job whose newer word this put back
	Metrics  map[string]float64 `json:"metrics"`

	// Of what a rule did: the rules.evaluate job that decided it and as of when,
	// the value of each part of the rule's condition, and when the platform says
	// that it changed the creative, which tells its change from somebody else's.
	AsOf         time.Time `json:"asOf,omitzero"` // the evaluation's
	Evaluation   string    `json:"evaluation,omitempty"`
	Values       []Value   `json:"values,omitempty"`
	LatestUpdate string    `json:"latestUpdate,omitempty"`
}
