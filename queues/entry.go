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
	Holder       string      `json:"holder,omitempty"` // token of the lease; "": none
	Via          uint64      `json:"via,omitempty"`    // the message whose delivery keeps the lease alive; 0: the job's own
	Attempts     int         `json:"attempts"`
	Crashes      int         `json:"crashes"`
	CrashesInRow int         `json:"crashesInRow,omitempty"` // since the checkpoint last advanced
	Counts       bool        `json:"counts,omitempty"`       // whether the next take counts as an attempt

	// Verdict is how the execution ends, once that is decided. A redelivery only
	// completes the settlement.
	Verdict *verdict `json:"verdict,omitempty"`

	Progress usher.Progress `json:"progress"`
}

type verdict struct {
	State usher.State     `json:"state"`
	Error *usher.JobError `json:"error,omitempty"`
}

// jobEntry is a job's record with its internal state. Key jobs.<id>.
type jobEntry struct {
	execution
	Record    usher.Record `json:"record"`
	Order     uint64       `json:"order"`
	Published time.Time    `json:"published"` // of this run
	Trace     string       `json:"trace,omitempty"`
	Replay    string       `json:"replay,omitempty"` // the replay that this run belongs to
	// First is the sum of the first run's body if the body was edited since. A message
	// with that body still belongs to the job.
	First string `json:"first,omitempty"`

	// Kept is the job as stored in a letter. Only for cut jobs, whose message is
	// acknowledged before they end.
	Kept json.RawMessage `json:"kept,omitempty"`
	Bits []byte          `json:"bits,omitempty"` // one bit for each part that has ended
	Cut  string          `json:"cut,omitempty"`  // see cutOf
	Anew int             `json:"anew,omitempty"` // the last run that started from the beginning although the job was unchanged
	// Ranges are the parts, from the decision to cut until they are published, so that
	// a redelivery in between publishes the same parts.
	Ranges []usher.Part `json:"ranges,omitempty"`

	// Owed are the events of the changes of state that NATS may not have, oldest first.
	Owed      []usher.Event `json:"owed,omitempty"`
	ownEvents int           // how many of them were added since the entry was read

	holders []holder // of a running job or its running parts; only in records that are shown
}

// noteHolder notes who runs the job of an entry that is to be shown.
func (e *jobEntry) noteHolder(stored *store.Entry) {
	if e.State == usher.Running && e.Holder != "" {
		e.holders = []holder{e.holder(stored)}
	}
}

// Valid reports whether the entry is one that usher writes.
func (e *jobEntry) Valid() bool {
	whole := !e.cut() || len(e.Bits) == (e.Record.Parts.Total+7)/8
	return e.Record.ID != "" && whole && e.execution.Valid()
}

// Valid reports whether the execution is one that usher writes.
func (x *execution) Valid() bool { return x.Run > 0 && x.State != "" }

// partEntry is one part of a cut job. Key parts.<id>.<part>.
type partEntry struct {
	execution
	Cut string `json:"cut"` // see cutOf; tells whether a replay's part is the same

	stored *store.Entry
}

// endedFor reports whether the part need not run in a run: it has ended in it, or was done
// completely in an earlier one.
func (e *partEntry) endedFor(run int) bool {
	if e.Run == run {
		return e.State.Ended()
	}
	return e.State == usher.Done && e.Progress.Checkpoint.Tally.Refused.Sum() == 0
}

// cut reports whether the job was cut into parts.
func (e *jobEntry) cut() bool { return len(e.Bits) > 0 }

// carriedByParts reports whether the parts are published, so that they end the job, and
// not its own message.
func (e *jobEntry) carriedByParts() bool { return e.cut() && e.Ranges == nil }

func (e *jobEntry) setBit(part int) { e.Bits[part/8] |= 1 << (part % 8) }

func (e *jobEntry) partHasEnded(part int) bool { return e.Bits[part/8]&(1<<(part%8)) != 0 }

func (e *jobEntry) ended() int {
	n := 0
	for _, b := range e.Bits {
		n += bits.OnesCount8(b)
	}
	return n
}

// refresh updates the record that people see, and notes the event that a change of its
// state owes.
func (e *jobEntry) refresh(q *Queue) {
	r := &e.Record
	if r.Run != e.Run || r.State != e.State || !e.cut() && r.Crashes != e.Crashes {
		defer func() { e.owe(q.now().UTC()) }() // with the tally of below
	}
	r.Run, r.State = e.Run, e.State
	r.NumberOfIDs, r.Understood = e.Progress.NumberOfIDs, e.Progress.Understood
	if e.State == usher.Running {
		r.Why = activity(&e.Progress)
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

// activity describes long running work that sends nothing, or returns nil.
func activity(p *usher.Progress) *string {
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
