package usher

import (
	"fmt"
	"time"
)

// Work is one delivery's worth of work, as queues hands it to workers: a job,
// or one part of a job that was cut.
type Work struct {
	ID        string
	Run       int
	Kind      Kind
	Job       Job
	Dropped   Tally     // of inline ids dropped when the job was sealed
	Order     uint64    // stream sequence of the job's first publish; a replay keeps it
	Published time.Time // of this run: the job's age counts from here
	Trace     string    // the publisher's W3C traceparent; "" for none
	Attempts  int       // this one included
	Crashes   int

	Part  int // 0-based; 0 for a job that is not cut
	Parts int // 0: the job itself, not cut yet; else how many parts there are
	Range Part

	Progress Progress // what an earlier attempt left
}

// Progress is what an attempt leaves for the next one, and for people to see.
// It is kept in the record, so it holds no raw id.
type Progress struct {
	Plan        *Plan       `json:"plan,omitempty"`
	Planned     int         `json:"planned,omitempty"` // the run that decided Plan
	Phase       Phase       `json:"phase,omitempty"`   // of target.replace
	Count       Checkpoint  `json:"count,omitzero"`    // of the count phase, which sends nothing
	Counted     int         `json:"counted,omitempty"` // parts that the count phase has read
	Checkpoint  Checkpoint  `json:"checkpoint"`
	NumberOfIDs NumberOfIDs `json:"numberOfIds"`
	Warnings    []Warning   `json:"warnings,omitempty"` // beside those of the checkpoint
	Intent      *Intent     `json:"intent,omitempty"`
	Counting    int64       `json:"counting,omitempty"` // rows of the part that is being counted, beside Count
	Check       *Check      `json:"check,omitempty"`    // that goes on; nil: none does
}

// Check is how far a compressed file has been read to see that it is whole, before
// anything of it is sent.
type Check struct {
	At int64 `json:"at"` // of so many bytes: compressed ones, or those of a zip's files
	Of int64 `json:"of"` // -1: not known
}

func (c *Check) String() string {
	const what = "checks the compressed export before sending"
	if c.Of <= 0 {
		return what
	}
	return fmt.Sprintf("%s: %d %%", what, min(100*c.At/c.Of, 100))
}

// Phase is how far a target.replace has come.
type Phase string

// The phases, in order. Each resumes where it stopped.
const (
	PhaseCount Phase = "count" // read and hash everything, send nothing
	PhaseClear Phase = "clear"
	PhaseAdd   Phase = "add"
)

// Intent is what a campaign job is about to change, written before it does, so
// that a redelivery knows what may have been done already.
type Intent struct {
	Before map[string]string `json:"before"` // creative code → status
	Wanted string            `json:"wanted"`
	// Changing are the creatives to change, in the platform's order.
	Changing []string `json:"changing"`

	// Lost is when the answer to a change was last lost, and the platform did
	// not show its effect: it may come later still.
	Lost time.Time `json:"lost,omitzero"`
	// Accounted says that all of this is on record, with how the platform then
	// showed the creatives that were changed: what follows only looks for what
	// came late.
	Accounted bool            `json:"accounted,omitempty"`
	Left      map[string]Seen `json:"left,omitempty"`
	// Restoring are the creatives that are to be set to the newest word on
	// them again, as a change of an older job came after it: code → the word.
	Restoring map[string]Word `json:"restoring,omitempty"`
}

// Ending is how a piece of work ended.
type Ending struct {
	State    State     // Done, Failed or Cancelled
	Error    *JobError // of Failed
	Progress Progress

	// After is asked once, by whoever ends the whole job, what the platform
	// says the target holds now; nil where there is nothing to ask.
	After func() (int64, error)
}
