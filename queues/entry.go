package queues

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"time"

	"usher"
	"usher/queues/store"
)

// execution is the state of the current run of a job or of a part: who runs it, how
// far it is, and how often it was tried.
type execution struct {
	Run          int         `json:"run"`
	Seq          uint64      `json:"seq"` // of the message that owns this run
	Sum          string      `json:"sum"` // of the job's body
	State        usher.State `json:"state"`
	Holder       string      `json:"holder,omitempty"` // a lease's token; "" when nobody has it
	Attempts     int         `json:"attempts"`
	Crashes      int         `json:"crashes"`
	CrashesInRow int         `json:"crashesInRow,omitempty"` // since a checkpoint advanced
	Counts       bool        `json:"counts,omitempty"`       // the next take is a new attempt

	// Verdict is how it ends, once decided: what is left is to say so.
	Verdict *verdict `json:"verdict,omitempty"`

	Progress usher.Progress `json:"progress"`
}

type verdict struct {
	State usher.State     `json:"state"`
	Error *usher.JobError `json:"error,omitempty"`
}

// jobEntry is a job's record with what people do not see. Key jobs.<id>.
type jobEntry struct {
	execution
	Record    usher.Record `json:"record"`
	Order     uint64       `json:"order"`
	Published time.Time    `json:"published"` // of this run
	Trace     string       `json:"trace,omitempty"`
	Replay    string       `json:"replay,omitempty"` // the replay that this run belongs to
	// First is the sum of the first run's body, where a later run's was edited:
	// a second message of the publisher's is still that job.
	First string `json:"first,omitempty"`

	// Kept is the job as a letter keeps it, where the message is gone while
	// the job lives: of a cut job.
	Kept json.RawMessage `json:"kept,omitempty"`
	Bits []byte          `json:"bits,omitempty"` // a bit per part that ended
	Cut  string          `json:"cut,omitempty"`  // see cutOf
	Anew int             `json:"anew,omitempty"` // the last run that began anew although nothing of the job had changed
	// Ranges are the parts from when the cut was decided until they are out:
	// a redelivery in between publishes the same ones.
	Ranges []usher.Part `json:"ranges,omitempty"`

	holders []holder // of a running job, or of its running parts, where it was read to be shown
}

// read takes over what is stored, to be shown.
func (e *jobEntry) read(stored *store.Entry) error {
	if err := stored.Decode(e); err != nil {
		return err
	}
	if e.State == usher.Running && e.Holder != "" {
		e.holders = []holder{e.holder(stored)}
	}
	return nil
}

// partEntry is one part of a cut job. Key parts.<id>.<part>.
type partEntry struct {
	execution
	Cut string `json:"cut"` // see cutOf: whether a replay's part is the same

	stored *store.Entry
}

// cut reports whether the job goes in parts.
func (e *jobEntry) cut() bool { return len(e.Bits) > 0 }

// carriedByParts reports whether the parts are out, so that they, and not the
// job's own message, bring it to its end.
func (e *jobEntry) carriedByParts() bool { return e.cut() && e.Ranges == nil }

func (e *jobEntry) setBit(part int) { e.Bits[part/8] |= 1 << (part % 8) }

func (e *jobEntry) ended() int {
	n := 0
	for _, b := range e.Bits {
		n += bits.OnesCount8(b)
	}
	return n
}

// refresh updates the record that people see.
func (e *jobEntry) refresh(q *Queue) {
	r := &e.Record
	r.Run, r.State = e.Run, e.State
	r.NumberOfIDs = e.Progress.NumberOfIDs
	if e.State == usher.Running {
		r.Why = doing(&e.Progress)
	}
	if e.cut() {
		r.Parts.Done = e.ended()
		return // totals come from the parts, see sum
	}
	r.Attempts, r.Crashes = e.Attempts, e.Crashes
	c := e.Progress.Checkpoint
	r.Tally, r.Batches, r.Bytes = c.Tally.Clone(), c.Batches, c.Bytes
	r.Samples = c.Samples
	r.Warnings = usher.AddWarnings(usher.AddWarnings(nil, e.Progress.Warnings...), c.Warnings...)
	switch {
	case c.Tally.Read <= usher.WindowRows && !c.Repeats:
		r.Distinct = r.Tally.Accepted
	case len(c.Sketch) > 0 && q.options.Distinct != nil:
		r.Distinct = min(q.options.Distinct(c.Sketch), r.Tally.Accepted)
	}
	r.Parts = usher.PartCount{Total: 1}
	if e.State == usher.Done {
		r.Parts.Done = 1
	}
}

// doing is what running work does while it sends nothing, where that may take long.
func doing(p *usher.Progress) *string {
	var what string
	switch {
	case p.Check != nil:
		what = p.Check.String()
	case p.Phase == usher.PhaseCount:
		what = "counts the new list before it clears the old one"
		if n := p.Count.Tally.Read + p.Counting; n > 0 {
			what = fmt.Sprintf("%s: %d rows so far", what, n)
		}
	default:
		return nil
	}
	return &what
}
