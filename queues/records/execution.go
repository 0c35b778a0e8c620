package records

import (
	"fmt"
	"slices"
	"time"

	"usher"
)

// Execution is the state of the current run of a job or of a part: who runs it, how
// far it is, and how often it was tried.
type Execution struct {
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
	Verdict *Verdict `json:"verdict,omitempty"`

	Progress usher.Progress `json:"progress"`
}

// Verdict is how an execution ends.
type Verdict struct {
	State usher.State     `json:"state"`
	Error *usher.JobError `json:"error,omitempty"`
}

// Valid reports whether usher can have written the execution.
func (x *Execution) Valid() bool { return x.Run > 0 && x.State != "" }

// Advance sets the progress. If it is ahead of the last one, crashes are counted
// from zero again.
func (x *Execution) Advance(p usher.Progress) {
	last := x.Progress
	if p.Checkpoint.Batches > last.Checkpoint.Batches || p.Counted > last.Counted || p.Phase != last.Phase || (p.Intent != nil) != (last.Intent != nil) {
		x.CrashesInRow = 0
	}
	x.Progress = p
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
	case p.Forget != nil:
		what = forgetActivity(p)
	case p.Mirror != nil && p.Phase != "":
		what = mirrorActivity(p)
	default:
		return nil
	}
	return &what
}

// forgetActivity describes the phase of a device.forget.
func forgetActivity(p *usher.Progress) string {
	f := p.Forget
	at := slices.IndexFunc(f.Targets, func(e usher.Erasure) bool { return !e.Done })
	if at < 0 {
		at = len(f.Targets) - 1
	}
	where := ""
	if at >= 0 {
		where = fmt.Sprintf(" %s, target %d of %d", f.Targets[at].Target, at+1, len(f.Targets))
	}
	calls := fmt.Sprintf("; %d calls made, %d planned to ask for digests, about %s", f.Made, f.Planned, time.Duration(f.Seconds)*time.Second)
	switch p.Phase {
	case usher.PhaseSuppress:
		return "puts the ids on the suppression list"
	case usher.PhaseErase:
		return "removes the ids from" + where + calls
	case usher.PhaseAwait:
		return "waits until no batch with the ids can be on its way"
	}
	return "asks whether the ids are gone from" + where + calls
}

// mirrorActivity describes the phase of a mirror.
func mirrorActivity(p *usher.Progress) string {
	m := p.Mirror
	parts := ""
	if m.Total > 0 {
		parts = fmt.Sprintf(", %d of %d parts done", m.Done, m.Total)
	}
	switch p.Phase {
	case usher.PhaseRead:
		return fmt.Sprintf("reads the export: %d rows so far%s", p.Counting, parts)
	case usher.PhaseCompare:
		return "compares the export with the ledger" + parts
	case usher.PhaseClear:
		return "clears the list"
	case usher.PhaseAdd:
		return "adds ids: " + changedOf(m.Changed, m.Add, m) + parts
	case usher.PhaseRemove:
		return "removes ids: " + changedOf(m.Changed, m.Remove, m) + parts
	}
	return "writes the new generation of the ledger"
}

// changedOf says how many ids of a phase are done, and how long the rest will take.
func changedOf(done, all int64, m *usher.Mirror) string {
	text := fmt.Sprintf("%d of %d", done, all)
	if passed := m.Updated.Sub(m.Started); done > 0 && done < all && passed > time.Second {
		left := time.Duration(float64(passed) / float64(done) * float64(all-done))
		text += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	return text
}
