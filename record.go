package usher

import (
	"encoding/json"
	"fmt"
	"time"
)

// State is where a job stands.
type State string

// The states. Failed means: in the dead letters.
const (
	Queued    State = "queued"
	Running   State = "running"
	Retrying  State = "retrying"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// WaitsForSlot is the Why of a job that nothing keeps from being taken. What
// keeps the slots is found out for whoever reads it.
const WaitsForSlot = "waits for a free slot"

// Ended reports whether nothing will happen any more, unless it is replayed.
func (s State) Ended() bool { return s == Done || s == Failed || s == Cancelled }

// Record is what became of a job, as `usher jobs show ID --json` prints it.
type Record struct {
	V         int             `json:"v"` // 1
	ID        string          `json:"id"`
	Run       int             `json:"run"` // 1, 2, …: replays count it up
	Kind      Kind            `json:"kind"`
	Job       json.RawMessage `json:"job"` // as published, inline ids replaced by their count
	State     State           `json:"state"`
	Attempts  int             `json:"attempts"` // of a cut job: the highest of its parts
	Crashes   int             `json:"crashes"`  // of a cut job: their sum
	Submitted time.Time       `json:"submitted"`
	Started   *time.Time      `json:"started"`
	Finished  *time.Time      `json:"finished"`

	Tally       Tally       `json:"tally"`
	Batches     int64       `json:"batches"` // answered
	Bytes       int64       `json:"bytes"`   // of request bodies answered
	Parts       PartCount   `json:"parts"`
	Distinct    int64       `json:"distinct"` // an estimate, standard error 1.6 %; never above accepted
	NumberOfIDs NumberOfIDs `json:"numberOfIds"`
	Warnings    []Warning   `json:"warnings"`
	Samples     []Sample    `json:"samples"` // at most 10 a reason
	Error       *JobError   `json:"error"`
	Why         *string     `json:"why"` // what a job waits for, or what a running one does while it sends nothing

	Retry  *Retry `json:"retry,omitempty"`  // of a job whose last attempt failed and that waits for its next
	Edited *Edit  `json:"edited,omitempty"` // of a job whose body was changed between two runs
}

// MarshalJSON writes [] for no warnings and no samples.
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

// Retry is an attempt to come, and why there has to be one.
type Retry struct {
	At      time.Time `json:"at"` // not before
	Failure string    `json:"failure"`
}

func (r *Retry) String() string {
	return fmt.Sprintf("tries again at %s, after: %s", r.At.Format(time.RFC3339), r.Failure)
}

// PartCount is a job's parts: 1 of 1 for what was not cut.
type PartCount struct {
	Total int `json:"total"`
	Done  int `json:"done"`
}

// NumberOfIDs is what the platform says a target holds.
type NumberOfIDs struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// Warning is what the platform, or usher, wants known of a job that went on.
type Warning struct {
	Code        string `json:"code"`
	Description string `json:"description"`
	Count       int64  `json:"count"`
}

// AddWarnings merges more into list by code and description. It keeps at most
// 100 different ones; the rest is counted under the code "more".
func AddWarnings(list []Warning, more ...Warning) []Warning {
next:
	for _, w := range more {
		if w.Count == 0 {
			w.Count = 1
		}
		if len(list) >= 100 {
			w.Code, w.Description = "more", "further warnings, not kept one by one"
		}
		for i := range list {
			if list[i].Code == w.Code && list[i].Description == w.Description {
				list[i].Count += w.Count
				continue next
			}
		}
		list = append(list, w)
	}
	return list
}

// Sample is a row that was dropped, masked so that no device can be told.
type Sample struct {
	Row    int64  `json:"row"` // 1-based; of a cut job, from the export's start
	Reason string `json:"reason"`
	Masked string `json:"masked"` // 6D92****-E7DC
}

// SamplesPerReason is how many samples of a reason a record keeps.
const SamplesPerReason = 10

// AddSamples appends those of more whose reason has fewer than
// SamplesPerReason in list.
func AddSamples(list []Sample, more ...Sample) []Sample {
	have := map[string]int{}
	for _, s := range list {
		have[s.Reason]++
	}
	for _, s := range more {
		if have[s.Reason] < SamplesPerReason {
			have[s.Reason]++
			list = append(list, s)
		}
	}
	return list
}

// JobError says why a job ended in the dead letters.
type JobError struct {
	Class   Class  `json:"class"`
	Message string `json:"message"` // what failed, on what
	Hint    string `json:"hint"`    // what to do
}
