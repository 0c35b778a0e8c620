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
	Version string    `json:"version,omitempty"` // version of the rule file; "" if the decisions do not depend on it, as in an undo
	AsOf    time.Time `json:"asOf"`
	At      time.Time `json:"at"` // when it was decided

	State  EvaluationState `json:"state"`
	Counts map[Action]int  `json:"counts"`           // of all decisions, stored or not; none only of campaigns that the run read
	Guards map[Guard]int   `json:"guards,omitempty"` // of the held decisions, by what holds them
	Jobs   []string        `json:"jobs"`             // jobs that carry it out, one for each campaign and direction
	Why    string          `json:"why,omitempty"`    // why it is held, or why it did nothing
	Event  bool            `json:"event,omitempty"`  // decided on the metrics in its job

	Notices int `json:"notices,omitempty"` // number of decisions that are reported to people

	By     string     `json:"by,omitempty"`     // who approved, rejected or undid
	Reason string     `json:"reason,omitempty"` // why it was approved, rejected or undone
	Judged *time.Time `json:"judged,omitempty"` // when it was approved, rejected or undone
	UndoOf string     `json:"undoOf,omitempty"` // the evaluation that this one undoes
	// LeftOut are the subjects of held decisions that were left out of the approval.
	LeftOut []string `json:"leftOut,omitempty"`
	// Renamed maps the usual id of a job to the one that it got because another job had that id.
	Renamed map[string]string `json:"renamed,omitempty"`
}

// EvaluationState is the state of an evaluation.
type EvaluationState string

// The states. A person approves or rejects a held evaluation.
const (
	EvaluationDone     EvaluationState = "done"     // decided; its jobs are published
	EvaluationHeld     EvaluationState = "held"     // waits for approval; its held decisions are not carried out
	EvaluationApproved EvaluationState = "approved" // its held decisions were published as well, except those that an approval cannot carry out or that it left out
	EvaluationRejected EvaluationState = "rejected" // its held decisions are not carried out
)

// CountApprovable returns the number of held decisions that an approval carries out.
func (e *Evaluation) CountApprovable() int {
	n := 0
	for guard, held := range e.Guards {
		if guard.Approvable() {
			n += held
		}
	}
	return n
}

// RulePause says who has paused a rule, when and why. A paused rule takes no decisions.
type RulePause struct {
	File   string    `json:"file"`
	Rule   string    `json:"rule"`
	By     string    `json:"by"`
	Reason string    `json:"reason,omitempty"`
	At     time.Time `json:"at"`
}

// Valid reports whether usher can have written the pause.
func (p *RulePause) Valid() bool { return p.File != "" && p.Rule != "" && !p.At.IsZero() }

// String says by whom the rule is paused, and why.
func (p *RulePause) String() string {
	text := "paused by " + p.By
	if p.Reason != "" {
		text += ": " + p.Reason
	}
	return text
}

// Tick is the latest time of a rule's schedule that was evaluated.
type Tick struct {
	File       string    `json:"file"`
	Rule       string    `json:"rule"`
	At         time.Time `json:"at"`
	Evaluation string    `json:"evaluation"` // "" if the rule was new
}

// Valid reports whether the tick was recorded.
func (t *Tick) Valid() bool { return !t.At.IsZero() }

// Change is a status or a number that a rule has set, with what the platform showed
// afterwards. Rules remember the latest changes; the last change of a creative or number
// determines its owner.
type Change struct {
	At           time.Time `json:"at"`
	AsOf         time.Time `json:"asOf"` // the time of the evaluation, from which cooldowns and daily limits count
	Job          string    `json:"job"`
	Evaluation   string    `json:"evaluation"`     // "": a job that is not a rule's
	File         string    `json:"file,omitempty"` // "": a person
	Rule         string    `json:"rule,omitempty"`
	Pauses       bool      `json:"pauses"` // true: it paused the creative; false: it resumed it
	Before       string    `json:"before"`
	After        string    `json:"after"`
	LatestUpdate string    `json:"latestUpdate"`
	// Keeps says that a job that is not a rule's wants the creative paused, which a rule has
	// paused. It changes nothing on the platform, but the rule may not resume the creative.
	Keeps bool `json:"keeps,omitempty"`

	Bidding *BiddingChange `json:"bidding,omitempty"` // nil: the change of a creative's status
	// Claimed is true from before the change of a number until it is known to have been
	// made. Meanwhile no other job makes one.
	Claimed bool `json:"claimed,omitempty"`
}

// Undoes reports whether the change is of an undo.
func (c *Change) Undoes() bool { return strings.HasPrefix(c.Evaluation, undoPrefix) }

// Released is the status in the audit and in a Change when a person has handed a
// creative back to rules.
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
	file, found := strings.CutPrefix(actor, ruleActor)
	if !found {
		return ""
	}
	return file
}

// StoredDecision is a decision with the state of the creative or number that the rules saw.
// A job that carries it out does not change what has another state now.
type StoredDecision struct {
	Decision
	Seen CreativeState `json:"seen"`
	// LastJob is the job of the last change of the number that rules remembered; "": none.
	LastJob string `json:"lastJob,omitempty"`
	// Left is true if the decision was held and a person left it out of the approval.
	Left bool `json:"left,omitempty"`
}

// Subject names what the decision is about: the campaign and its creative, or its number.
func (r *StoredDecision) Subject() string {
	if r.Bidding != nil {
		return r.Campaign + "/" + string(r.Bidding.Field)
	}
	return r.Campaign + "/" + r.Creative
}

// CreativeState is a creative, or a number such as 80 USD, as the platform showed it.
type CreativeState struct {
	Status       string `json:"status"`
	LatestUpdate string `json:"latestUpdate"` // in the platform's format
}

// Finding is a decision that a rule reports to people. It begins in one run, and ends in
// the first run in which the rule is due and decides otherwise, unless that decision is
// UNKNOWN. Each change of a number is a finding.
type Finding struct {
	File   string    `json:"file"`
	Rule   string    `json:"rule"`
	Action Action    `json:"action"`
	Wants  Action    `json:"wants,omitempty"`
	Guard  Guard     `json:"guard,omitempty"`
	To     float64   `json:"to,omitempty"` // what Action sets a number to
	Run    string    `json:"run"`          // the run in which it began
	Since  time.Time `json:"since"`
}

// FindingChange is the beginning or the end of a finding on a creative.
type FindingChange struct {
	Creative string
	Finding  Finding
	Ended    bool
}

// JobKind returns the kind of job that carries out the decision, or "". Held decisions are
// carried out after their approval.
func (r *StoredDecision) JobKind(approved bool) Kind {
	action := r.Action
	if r.Approvable() && approved && !r.Left {
		action = r.Wants
	}
	switch {
	case action == Pause:
		return CampaignPause
	case action == Resume:
		return CampaignResume
	case action.Changes() && r.Bidding != nil:
		return r.Bidding.Field.JobKind()
	}
	return ""
}

// NewCreativeMemory returns the memory of a creative from its changes, oldest first. zone
// is the account's time zone.
func NewCreativeMemory(changes []Change, zone *time.Location) CreativeMemory {
	var m CreativeMemory
	for _, c := range changes {
		if c.Rule == "" {
			m.Owner = nil // changed by a person
			m.Undone = c.After != Released && (m.Undone || c.Undoes())
			continue
		}
		rule := c.File + "/" + c.Rule
		var owner *Ownership
		if c.Pauses || c.Bidding != nil {
			owner = &Ownership{Rule: rule, Run: c.Evaluation, At: c.At, Status: c.After, LatestUpdate: c.LatestUpdate}
		}
		if c.Claimed {
			owner.Before = c.Before
		}
		m = m.WithChange(rule, c.AsOf, c.AsOf.In(zone).Format(time.DateOnly), owner)
	}
	return m
}

// RuleFile is a rule file as used by the workers.
type RuleFile struct {
	Name   string    `json:"name"`
	Path   string    `json:"path"`
	Text   string    `json:"text"`
	Wrong  string    `json:"wrong,omitempty"` // the error of a newer version, which is not used; if Text is empty, the error of a new file
	Worker string    `json:"worker"`          // the worker that announced it last
	At     time.Time `json:"at"`              // when it was announced
}

// Valid reports whether a worker has announced the file.
func (f *RuleFile) Valid() bool { return f.Name != "" }
