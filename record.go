package usher

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// State is the state of a job.
type State string

// The states. A Failed job is in the dead letters.
const (
	Queued    State = "queued"    // waits for a worker
	Running   State = "running"   // a worker has it
	Retrying  State = "retrying"  // waits for its next attempt, another job, a lock or a limit
	Done      State = "done"      // ended well
	Failed    State = "failed"    // in the dead letters
	Cancelled State = "cancelled" // ended by a person; it makes no dead letter
)

// WaitsForSlot is the Why of a job that can be taken as soon as a slot is free. When a
// record is read, the reason why no slot is free is added.
const WaitsForSlot = "waits for a free slot"

// Ended reports whether the job has ended. A replay starts a new run.
func (s State) Ended() bool { return s == Done || s == Failed || s == Cancelled }

// RecordLife is how long records of jobs and receipts are kept: for that time, a second job with the same
// id has no effect.
const RecordLife = 100 * 24 * time.Hour

// Record is the record of a job, as printed by `usher jobs show ID --json`.
type Record struct {
	V          int             `json:"v"` // 1
	ID         string          `json:"id"`
	Run        int             `json:"run"` // 1, 2, …: each replay adds 1
	Kind       Kind            `json:"kind"`
	Job        json.RawMessage `json:"job"`                  // as published, with inline ids replaced by their number
	TargetName string          `json:"targetName,omitempty"` // of the segment on the platform, as it was last seen there; absent: not known
	State      State           `json:"state"`
	Attempts   int             `json:"attempts"`            // for a cut job, the maximum of its parts
	Crashes    int             `json:"crashes"`             // for a cut job, the sum of its parts
	Publisher  string          `json:"publisher,omitempty"` // the name of the token that submitted it over HTTP
	Submitted  time.Time       `json:"submitted"`
	Started    *time.Time      `json:"started"`
	Finished   *time.Time      `json:"finished"`

	Understood *Understood `json:"understood"` // null until the export is planned, and for inline ids
	Tally      Tally       `json:"tally"`
	Batches    int64       `json:"batches"` // acknowledged by the platform
	Bytes      int64       `json:"bytes"`   // bytes of their request bodies
	Parts      PartCount   `json:"parts"`
	// CrashedParts are the parts whose workers crashed in this run, at most ten: those with the most crashes first.
	CrashedParts []PartCrashes `json:"crashedParts,omitempty"`

	Distinct    int64        `json:"distinct"`              // estimate with a standard error of 1.6 %, at most accepted; of a mirror, the exact number of ids in the export
	Removed     int64        `json:"removed"`               // ids that a mirror has removed
	Refreshed   int64        `json:"refreshed"`             // members that a mirror has uploaded again, before they lapsed
	New         *int64       `json:"new,omitempty"`         // distinct accepted ids that were no members of the target before the job; absent: not known, because the target has no ledger, or the ledger cannot say
	Consequence *Consequence `json:"consequence,omitempty"` // of a mirror that is done
	NumberOfIDs NumberOfIDs  `json:"numberOfIds"`
	Receipt     *Receipt     `json:"receipt,omitempty"` // only of a device.forget
	Warnings    []Warning    `json:"warnings"`
	Samples     []Sample     `json:"samples"` // at most 10 for each reason
	Error       *JobError    `json:"error"`
	Why         *string      `json:"why"` // what the job waits for, or what it does while it sends nothing
	// Slow is set while the source delivers less than sources.min_rate, and until the next attempt after that.
	Slow *SlowSource `json:"slow,omitempty"`

	WaitsFor *WaitsFor `json:"waitsFor,omitempty"` // set while the job waits for others on its target

	Retry  *Retry `json:"retry,omitempty"`  // set while the job waits for its next attempt after a failure
	Edited *Edit  `json:"edited,omitempty"` // set if the job's body was edited between two runs
}

// Label returns how people call the target of the job: iOS customers (4), segment 4, target CODE.
func (r *Record) Label() string {
	var job Job
	_ = json.Unmarshal(r.Job, &job) // unreadable fields are left empty
	if r.Kind == RulesEvaluate {
		return "rules " + job.Rules
	}
	return TargetLabel(r.TargetName, job.Target(r.Kind))
}

// TargetLabel returns how people call a target: iOS customers (4) for segment 4 or segment/4, or the target
// if its name is not known, which is "".
func TargetLabel(name, target string) string {
	if name == "" {
		return target
	}
	return name + " (" + target[min(len("segment "), len(target)):] + ")"
}

// Change returns how many ids the job has added to its target, as far as it is known, and removed
// from it.
func (r *Record) Change() (added, removed int64) {
	switch {
	case r.Consequence != nil:
		return r.Consequence.Added, r.Consequence.Removed
	case r.Kind == SegmentRemove:
		return 0, r.Tally.Accepted
	case r.Kind == TargetClear:
		return 0, r.NumberOfIDs.Before
	case r.Kind == TargetReplace:
		removed = r.NumberOfIDs.Before
	}
	if r.New != nil {
		return *r.New, removed
	}
	return r.Tally.Accepted, removed
}

// IsDryRun reports whether the job changes nothing.
func (r *Record) IsDryRun() bool {
	var job struct {
		DryRun bool `json:"dryRun"`
	}
	return json.Unmarshal(r.Job, &job) == nil && job.DryRun
}

// Consequence says by how many ids a mirror has changed its target, or a dry run of it would have.
type Consequence struct {
	Added   int64 `json:"added"`
	Removed int64 `json:"removed"`
	Now     int64 `json:"now"`   // members of the target afterwards, by its ledger
	Large   bool  `json:"large"` // it has removed more than half of what maxRemovePercent allows
}

// MarshalJSON writes empty lists of warnings and samples as [].
func (r Record) MarshalJSON() ([]byte, error) {
	if r.Warnings == nil {
		r.Warnings = []Warning{}
	}
	if r.Samples == nil {
		r.Samples = []Sample{}
	}
	type plain Record
	return json.Marshal(plain(r))
}

// WaitsFor is what a job waits for on its target.
type WaitsFor struct {
	Job      string `json:"job"`      // the one right before it; of a pause or resume, the newest one. In a long list it may be "", if it was not looked up
	Position int    `json:"position"` // in the order in which the jobs on the target run: 2 if one runs before it
}

// Retry describes the next attempt and the failure of the last one.
type Retry struct {
	At      time.Time `json:"at"` // the next attempt is not made before this time
	Failure string    `json:"failure"`
}

func (r *Retry) String() string {
	return fmt.Sprintf("tries again at %s, after: %s", r.At.Format(time.RFC3339), r.Failure)
}

// PartCount counts a job's parts. A job that is not cut has one.
type PartCount struct {
	Total int `json:"total"`
	Done  int `json:"done"`
}

// PartCrashes says how often workers crashed while they ran a part.
type PartCrashes struct {
	Part    int `json:"part"` // from 0
	Crashes int `json:"crashes"`
}

// maxCrashedParts is the maximum number of parts in Record.CrashedParts.
const maxCrashedParts = 10

// AddCrashes adds the crashes of a part to those of the parts.
func (r *Record) AddCrashes(part, crashes int) {
	if crashes == 0 {
		return
	}
	r.CrashedParts = append(r.CrashedParts, PartCrashes{part, crashes})
	slices.SortStableFunc(r.CrashedParts, func(a, b PartCrashes) int { return b.Crashes - a.Crashes })
	r.CrashedParts = r.CrashedParts[:min(len(r.CrashedParts), maxCrashedParts)]
}

// NumberOfIDs is the number of ids that the platform reports for a target.
type NumberOfIDs struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// Sample is a dropped row, masked so that it identifies no device.
type Sample struct {
	Row    int64  `json:"row"` // 1-based, counted from the start of the export
	Reason string `json:"reason"`
	Masked string `json:"masked"` // 6D92****-E7DC
}

// SamplesPerReason is the maximum number of samples for each reason in a record.
const SamplesPerReason = 10

// AddSamples appends the samples of more whose reason has fewer than SamplesPerReason in
// list.
func AddSamples(list []Sample, more ...Sample) []Sample {
	counts := map[string]int{}
	for _, s := range list {
		counts[s.Reason]++
	}
	for _, s := range more {
		if counts[s.Reason] < SamplesPerReason {
			counts[s.Reason]++
			list = append(list, s)
		}
	}
	return list
}

// JobError is the reason why a job has failed.
type JobError struct {
	Class   Class  `json:"class"`
	Message string `json:"message"` // what failed
	Hint    string `json:"hint"`    // what to do
}
