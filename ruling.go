package usher

import (
	"strings"
	"time"
)

// Evaluation is a run of rules, as printed by `usher rules run RUN --json` with its
// decisions. Its id is that of its rules.evaluate job, or undo-<id> for the undo of
// another evaluation.
type Evaluation struct {
	ID      string    `json:"id"`
	File    string    `json:"file"`              // the rule file's name
	Rule    string    `json:"rule,omitempty"`    // the only rule of the file that acted; "" for all
	Account string    `json:"account"`           // the advertiser's code
	Version string    `json:"version,omitempty"` // of the rule file; "" if its decisions do not depend on it, as those of an undo
	AsOf    time.Time `json:"asOf"`
	At      time.Time `json:"at"` // when it was decided

	State  EvaluationState `json:"state"`
	Counts map[Action]int  `json:"counts"`          // of all decisions, stored or not
	Jobs   []string        `json:"jobs"`            // jobs that carry it out, one for each campaign and direction
	Why    string          `json:"why,omitempty"`   // why it is held, or why it did nothing
	Event  bool            `json:"event,omitempty"` // decided on the metrics in its job

	Notices int `json:"notices,omitempty"` // decisions to tell

	By     string     `json:"by,omitempty"`     // who approved, rejected or undid
	Reason string     `json:"reason,omitempty"` // of the approval, rejection or undo
	Judged *time.Time `json:"judged,omitempty"` // when it was approved, rejected or undone
	UndoOf string     `json:"undoOf,omitempty"` // the evaluation that this one undoes
}

// EvaluationState is the state of an evaluation.
type EvaluationState string

// The states. A person approves or rejects a held evaluation.
const (
	EvaluationDone     EvaluationState = "done"     // decided; its jobs are published
	EvaluationHeld     EvaluationState = "held"     // waits for approval; its held decisions are not carried out
	EvaluationApproved EvaluationState = "approved" // its held decisions were published as well
	EvaluationRejected EvaluationState = "rejected" // its held decisions are not carried out
)

// Tick is the last evaluated time of a rule's schedule.
type Tick struct {
	File       string    `json:"file"`
	Rule       string    `json:"rule"`
	At         time.Time `json:"at"`
	Evaluation string    `json:"evaluation"` // "" if the rule was new
}

// Valid reports whether the tick is one that was recorded.
func (t *Tick) Valid() bool { return !t.At.IsZero() }

// Change is a status that a rule has set, with the creative as the platform showed it
// afterwards. Rules remember the latest changes; the last one of a creative tells its
// owner.
type Change struct {
	At           time.Time `json:"at"`
	AsOf         time.Time `json:"asOf"` // of the evaluation; cooldowns and daily limits count from it
	Job          string    `json:"job"`
	Evaluation   string    `json:"evaluation"`
	File         string    `json:"file,omitempty"` // "": an undo by a person
	Rule         string    `json:"rule,omitempty"`
	Pauses       bool      `json:"pauses"` // otherwise it resumes
	Before       string    `json:"before"`
	After        string    `json:"after"`
	LatestUpdate string    `json:"latestUpdate"`
}

// Released is the status after a person has handed a creative back to rules, in the
// audit and in a Change.
const Released = "released"

// undoPrefix begins the id of the evaluation that undoes another one.
const undoPrefix = "undo-"

// UndoID returns the beginning of the id of an undo of an evaluation.
func UndoID(evaluation string) string { return undoPrefix + evaluation }

// ruleActor is the prefix of the actor of a rule's changes.
const ruleActor = "rules/"

// Actor returns the actor of an evaluation's jobs in the audit: the person who requested
// an undo, otherwise rules/<file>.
func (e *Evaluation) Actor() string {
	if e.UndoOf != "" {
		return e.By
	}
	return ruleActor + e.File
}

// RuleFileOfActor returns the rule file of an actor, or "" for a person.
func RuleFileOfActor(actor string) string {
	file, is := strings.CutPrefix(actor, ruleActor)
	if !is {
		return ""
	}
	return file
}

// Ruling is a stored decision with the creative as the rules saw it. A job that carries
// it out does not change a creative that has changed since.
type Ruling struct {
	Decision
	Seen CreativeState `json:"seen"`
}

// CreativeState is a creative as the platform showed it.
type CreativeState struct {
	Status       string `json:"status"`
	LatestUpdate string `json:"latestUpdate"` // in the platform's format
}

// Finding is a decision that a rule tells people of. It begins in one run, and ends in the
// first run in which the rule is due and decides otherwise, unless that is UNKNOWN.
type Finding struct {
	File   string    `json:"file"`
	Rule   string    `json:"rule"`
	Action Action    `json:"action"`
	Wants  Action    `json:"wants,omitempty"`
	Guard  Guard     `json:"guard,omitempty"`
	Run    string    `json:"run"` // in which it began
	Since  time.Time `json:"since"`
}

// FindingChange is a finding that began on a creative, or one that ended.
type FindingChange struct {
	Creative string
	Finding  Finding
	Ended    bool
}

// JobKind returns the kind of job that carries out the ruling, or "". Held rulings are
// carried out after their approval.
func (r *Ruling) JobKind(approved bool) Kind {
	action := r.Action
	if action == Held && approved && r.Guard.Approvable() {
		action = r.Wants
	}
	switch action {
	case Pause:
		return CampaignPause
	case Resume:
		return CampaignResume
	default:
		return ""
	}
}

// NewCreativeMemory returns the memory of a creative from its changes, oldest first. zone
// is the account's time zone.
func NewCreativeMemory(changes []Change, zone *time.Location) CreativeMemory {
	var m CreativeMemory
	for _, c := range changes {
		if c.Rule == "" {
			m.Owner = nil // changed by a person
			m.Undone = c.After != Released && (m.Undone || strings.HasPrefix(c.Evaluation, undoPrefix))
			continue
		}
		rule := c.File + "/" + c.Rule
		var left *Ownership
		if c.Pauses {
			left = &Ownership{Rule: rule, Run: c.Evaluation, At: c.At, Status: c.After, LatestUpdate: c.LatestUpdate}
		}
		m = m.WithChange(rule, c.AsOf, c.AsOf.In(zone).Format(time.DateOnly), left)
	}
	return m
}

// RuleFile is a rule file as used by the workers.
type RuleFile struct {
	Name   string    `json:"name"`
	Path   string    `json:"path"`
	Text   string    `json:"text"`
	Wrong  string    `json:"wrong,omitempty"` // error of a newer version, which is not used; without a text, of a new file
	Worker string    `json:"worker"`          // that announced it last
	At     time.Time `json:"at"`              // when it was announced
}

// Valid reports whether the file is one that was announced.
func (f *RuleFile) Valid() bool { return f.Name != "" }
