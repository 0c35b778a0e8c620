package usher

import (
	"encoding/json"
	"time"
)

// DeadLetter is a failed job, as printed by `usher dead ls --json`.
type DeadLetter struct {
	Seq        uint64          `json:"seq"` // sequence in the stream of dead letters
	ID         *string         `json:"id"`  // null if the job is not readable
	Run        int             `json:"run"`
	Kind       Kind            `json:"kind"`
	Target     string          `json:"target"`               // "segment 17", "campaign SANDBOX1-x"
	TargetName string          `json:"targetName,omitempty"` // of the segment on the platform, as it was last seen there; absent: not known
	Class      Class           `json:"class"`
	Message    string          `json:"message"`
	Hint       string          `json:"hint"`
	Attempts   int             `json:"attempts"`
	Crashes    int             `json:"crashes"`
	At         time.Time       `json:"at"`
	Job        json.RawMessage `json:"job"` // null if it is not readable
	Edited     *Edit           `json:"edited,omitempty"`
	Trace      string          `json:"trace,omitempty"` // trace ID of the publisher, or ""
	Later      *Later          `json:"later,omitempty"` // what a later job means for the letter; absent: nothing, or it is not known
}

// Later says that a later job has made a dead letter needless, or that its replay would undo what that job did.
type Later struct {
	Job      string    `json:"job,omitempty"` // absent: somebody has lifted the order of a creative
	At       time.Time `json:"at,omitzero"`   // when the job has ended; absent: not known
	Needless bool      `json:"needless"`      // it has done what the failed job should do, so that the letter can be discarded; otherwise a replay must be forced
	Why      string    `json:"why"`           // in words
}

// String returns why, with the time if it is known.
func (l *Later) String() string {
	if l.At.IsZero() {
		return l.Why
	}
	return l.Why + " at " + l.At.UTC().Format(time.RFC3339)
}

// Valid reports whether the letter is one that usher writes.
func (d *DeadLetter) Valid() bool { return d.Class != "" && !d.At.IsZero() }

// Edit describes an edit of a dead letter's job before its replay.
type Edit struct {
	Run    int       `json:"run"` // the run that failed with the old body
	By     string    `json:"by"`
	At     time.Time `json:"at"`
	Reason string    `json:"reason,omitempty"`
	Fields []string  `json:"fields"` // JSON pointers of the changed fields, without values
}

// LetterGroup is a group of dead letters with one cause, as printed by `usher dead groups
// --json`.
type LetterGroup struct {
	Class      Class     `json:"class"`
	Kind       Kind      `json:"kind"`
	Target     string    `json:"target"`
	TargetName string    `json:"targetName,omitempty"` // as of a letter
	Message    string    `json:"message"`              // of the newest of them; the others may have other numbers and ids
	Count      int       `json:"count"`
	First      time.Time `json:"first"`
	Last       time.Time `json:"last"`
	Sample     string    `json:"sample"` // the id of the newest that has one
	Group      string    `json:"group"`  // stable name of the group
	Hint       string    `json:"hint"`   // what to do, as the newest of them says
	Recent     [12]int   `json:"recent"` // how many came in each five minutes of the last hour, oldest first

	Needless   int    `json:"needless,omitempty"`   // letters that a later job has made needless
	Superseded int    `json:"superseded,omitempty"` // letters whose replay would undo what a later job did, as far as it is known
	Later      *Later `json:"later,omitempty"`      // of one of these letters
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

// Valid reports whether the event is one that usher publishes.
func (e *Event) Valid() bool { return e.ID != "" && e.State != "" && !e.At.IsZero() }

// Audit is an entry about a change of a creative, or of a number of the campaign's
// biddingSettings, made or attempted, published to usher.audit.<campaign>.
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
	After    string             `json:"after"`              // unknown: the platform did not show the creative when its change was read back
	Late     bool               `json:"late,omitempty"`     // a change that arrived again after it was recorded
	Restores string             `json:"restores,omitempty"` // the newer job whose status this change restored
	Keeps    bool               `json:"keeps,omitempty"`    // a rule had paused the creative already: it stays paused, and the rule may not resume it
	Metrics  map[string]float64 `json:"metrics"`
	// TakesBack is what somebody has changed on the platform since a rule set it, and a rule
	// has changed again, such as INACTIVE → ACTIVE.
	TakesBack string `json:"takesBack,omitempty"`

	// Only for a rule's change: the time and id of the evaluation that decided it, the
	// value of each part of the condition, and the platform's time of the change, which
	// distinguishes it from later changes by others.
	AsOf         time.Time `json:"asOf,omitzero"`
	Approved     time.Time `json:"approved,omitzero"` // when a person approved it; zero: nobody had to
	Evaluation   string    `json:"evaluation,omitempty"`
	Cause        Cause     `json:"cause,omitempty"` // of a pause by a rule: active_hours (or active_days) or pause_when
	Values       []Value   `json:"values,omitempty"`
	LatestUpdate string    `json:"latestUpdate,omitempty"`

	// Of a change of a number: the change, whose To is the number as it was read back, and
	// the campaign's whole definition before and after it.
	Bidding     *BiddingChange `json:"bidding,omitempty"`
	Definitions *Definitions   `json:"definitions,omitempty"`
}

// Valid reports whether the entry is one that usher writes.
func (a *Audit) Valid() bool { return !a.At.IsZero() }
