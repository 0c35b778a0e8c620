package usher

import (
	"strings"
	"time"
)

// Evaluation is one run of rules, as `usher rules run RUN --json` prints it
// beside its decisions. Its id is that of the rules.evaluate job that made it,
// or undo-<id> for the undoing of another.
type Evaluation struct {
	ID      string    `json:"id"`
	File    string    `json:"file"`           // the rule file's name
	Rule    string    `json:"rule,omitempty"` // the only rule of the file that acted; "" for all
	Account string    `json:"account"`        // the advertiser's code
	AsOf    time.Time `json:"asOf"`
	At      time.Time `json:"at"` // when it was decided

	State  EvaluationState `json:"state"`
	Counts map[Action]int  `json:"counts"`          // of all decisions, kept or not
	Jobs   []string        `json:"jobs"`            // that carry it out, one a campaign and direction
	Why    string          `json:"why,omitempty"`   // what a held one waits for, or why another did nothing
	Event  bool            `json:"event,omitempty"` // decided on the numbers that its job carried

	By     string     `json:"by,omitempty"`     // who approved, rejected or undid
	Reason string     `json:"reason,omitempty"` // theirs
	Judged *time.Time `json:"judged,omitempty"` // when they did
	UndoOf string     `json:"undoOf,omitempty"` // the evaluation that this one takes back
}

// EvaluationState is where an evaluation stands.
type EvaluationState string

// The states. A held one becomes approved or rejected by a person.
const (
	EvaluationDone     EvaluationState = "done"     // decided; its jobs are published
	EvaluationHeld     EvaluationState = "held"     // waits for approval; nothing of it that is held was done
	EvaluationApproved EvaluationState = "approved" // what was held was published, too
	EvaluationRejected EvaluationState = "rejected" // what was held is not done
)

// Tick is a moment of a rule's schedule: the last one that was evaluated.
type Tick struct {
	File       string    `json:"file"`
	Rule       string    `json:"rule"`
	At         time.Time `json:"at"`
	Evaluation string    `json:"evaluation"` // "" where the rule was new then
}

// Change is a status that a rule set, and how the platform showed the creative
// afterwards. Rules remember their latest ones: the last one of a creative says
// whose it is.
type Change struct {
	At           time.Time `json:"at"`
	AsOf         time.Time `json:"asOf"` // the evaluation's: cooldowns and counts of a day go by it
	Job          string    `json:"job"`
	Evaluation   string    `json:"evaluation"`
	File         string    `json:"file,omitempty"` // "" of a change by a person: an undo
	Rule         string    `json:"rule,omitempty"`
	Pauses       bool      `json:"pauses"` // else it resumes
	Before       string    `json:"before"`
	After        string    `json:"after"`
	LatestUpdate string    `json:"latestUpdate"`
}

// ruleActor begins the actor of what a rule does.
const ruleActor = "rules/"

// Actor is who an evaluation's jobs are by, in the audit: the person who undid,
// else rules/<file>.
func (e *Evaluation) Actor() string {
	if e.UndoOf != "" {
		return e.By
	}
	return ruleActor + e.File
}

// FileOfActor is the rule file that an actor stands for, "" of a person.
func FileOfActor(actor string) string {
	file, is := strings.CutPrefix(actor, ruleActor)
	if !is {
		return ""
	}
	return file
}

// Ruling is a decision that is kept, with the creative as the rules saw it: a
// job that carries it out leaves alone what has changed since.
type Ruling struct {
	Decision
	Seen Seen `json:"seen"`
}

// Seen is a creative as the platform showed it.
type Seen struct {
	Status       string `json:"status"`
	LatestUpdate string `json:"latestUpdate"` // in the platform's own words
}

// Carries is the kind of job that carries the ruling out, "" where nothing
// does. What is held for approval is carried out once that is given.
func (r *Ruling) Carries(approved bool) Kind {
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

// Remembered is what rules remember of a creative, of its changes, oldest
// first; zone is the account's.
func Remembered(changes []Change, zone *time.Location) CreativeMemory {
	var m CreativeMemory
	for _, c := range changes {
		if c.Rule == "" {
			m.Owner = nil // by a person
			continue
		}
		rule := c.File + "/" + c.Rule
		var left *Ownership
		if c.Pauses {
			left = &Ownership{Rule: rule, Run: c.Evaluation, At: c.At, Status: c.After, LatestUpdate: c.LatestUpdate}
		}
		m = m.Changed(rule, c.AsOf, c.AsOf.In(zone).Format(time.DateOnly), left)
	}
	return m
}

// RuleFile is a rule file as a worker acts by it.
type RuleFile struct {
	Name   string    `json:"name"`
	Path   string    `json:"path"`
	Text   string    `json:"text"`
	Wrong  string    `json:"wrong,omitempty"` // what is wrong with a newer version, which does not count
	Worker string    `json:"worker"`          // that said so last
	At     time.Time `json:"at"`              // when it did
}
