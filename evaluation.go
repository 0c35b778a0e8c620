package usher

import (
	"slices"
	"strings"
	"time"
)

// Evaluation is a run of rules, as printed by `usher rules runs show RUN --json` with its
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
	Guards map[Guard]int   `json:"guards,omitempty"` // of the decisions that a guard held or left as they are
	Jobs   []string        `json:"jobs"`             // jobs that carry it out, one for each campaign and direction
	Why    string          `json:"why,omitempty"`    // why it is held, or why it did nothing
	Event  bool            `json:"event,omitempty"`  // decided on the metrics in its job

	Notices int `json:"notices,omitempty"` // number of decisions that are reported to people

	By     string     `json:"by,omitempty"`     // who approved, rejected or undid
	Reason string     `json:"reason,omitempty"` // why it was approved, rejected or undone
	Judged *time.Time `json:"judged,omitempty"` // when it was approved, rejected or undone
	UndoOf string     `json:"undoOf,omitempty"` // the evaluation that this one undoes
	// LeftOut are the subjects of held decisions that were left out of the approval, by a person
	// or because the rules no longer want them.
	LeftOut []string `json:"leftOut,omitempty"`
	// Approvals are those after which decisions stayed held, because they were UNKNOWN then.
	Approvals []PartialApproval `json:"approvals,omitempty"`
	// Warnings say what was not carried out: no_longer, what the rules no longer wanted at the
	// approval; changed_meanwhile, numbers that were changed before it; unknown, what stays held; stopped, what the stop switch held back; keep_active, what
	// was not paused because others were after the decision.
	Warnings []Warning `json:"warnings,omitempty"`
	// Renamed maps the usual id of a job to the one that it got because another job had that id.
	Renamed map[string]string `json:"renamed,omitempty"`
}

// PartialApproval is an approval that does not end that an evaluation is held.
type PartialApproval struct {
	By      string    `json:"by"`
	Reason  string    `json:"reason,omitempty"`
	At      time.Time `json:"at"`
	Waiting []string  `json:"waiting"`           // the subjects of the decisions that stayed held
	LeftOut []string  `json:"leftOut,omitempty"` // the subjects of the decisions that it left out
}

// LeftOutBy returns who approved the evaluation without a decision that was left out, by its subject.
func (e *Evaluation) LeftOutBy(subject string) string {
	for i := range e.Approvals {
		if slices.Contains(e.Approvals[i].LeftOut, subject) {
			return e.Approvals[i].By
		}
	}
	return e.By
}

// ApprovalOf returns the number of the approval by which a held decision is carried out, beginning
// with 1; 0: it is not.
func (e *Evaluation) ApprovalOf(d *StoredDecision) int {
	if !d.Approvable() || e.State == EvaluationHeld && len(e.Approvals) == 0 {
		return 0
	}
	subject := d.Subject()
	if slices.Contains(e.LeftOut, subject) {
		return 0
	}
	for i := range e.Approvals {
		if !slices.Contains(e.Approvals[i].Waiting, subject) {
			return i + 1
		}
	}
	if e.State == EvaluationApproved {
		return len(e.Approvals) + 1
	}
	return 0
}

// ApprovedAt returns when a held decision was approved that is carried out. It is zero if no approval
// carries it out.
func (e *Evaluation) ApprovedAt(d *StoredDecision) time.Time {
	n := e.ApprovalOf(d)
	switch {
	case n > 0 && n <= len(e.Approvals):
		return e.Approvals[n-1].At
	case n > 0 && e.Judged != nil:
		return *e.Judged
	}
	return time.Time{}
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

// IsStopped reports whether the stop switch held back changes of the evaluation.
func (e *Evaluation) IsStopped() bool {
	return slices.ContainsFunc(e.Warnings, func(w Warning) bool { return w.Code == WarnStopped })
}

// CountApprovable returns the number of held decisions that an approval carries out or leaves out.
// Those of an earlier approval do not count while others are held.
func (e *Evaluation) CountApprovable() int {
	n := 0
	if parts := len(e.Approvals); parts > 0 && e.State != EvaluationApproved {
		return len(e.Approvals[parts-1].Waiting) + len(e.LeftOut)
	}
	for guard, held := range e.Guards {
		if guard.Approvable() {
			n += held
		}
	}
	return n
}

// Tick is the latest time of a rule's schedule that was evaluated, or as of which a late run was made.
type Tick struct {
	File       string    `json:"file"`
	Rule       string    `json:"rule"`
	At         time.Time `json:"at"`
	Evaluation string    `json:"evaluation"`         // "" if the rule or its schedule was new
	Schedule   string    `json:"schedule,omitempty"` // with its zone; "": not known, as 1.0.0 has recorded it
}

// Valid reports whether the tick was recorded.
func (t *Tick) Valid() bool { return !t.At.IsZero() }

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

// RuleFile is a rule file as used by the workers.
type RuleFile struct {
	Name    string    `json:"name"`
	Path    string    `json:"path"`
	Text    string    `json:"text"`
	Targets string    `json:"targets,omitempty"` // the text of the table of its targets
	Wrong   string    `json:"wrong,omitempty"`   // the error of a newer version, which is not used; if Text is empty, the error of a new file
	Worker  string    `json:"worker"`            // the worker that announced it last
	At      time.Time `json:"at"`                // when it was announced
}

// Valid reports whether a worker has announced the file.
func (f *RuleFile) Valid() bool { return f.Name != "" }
