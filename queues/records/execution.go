package records

import (
	"fmt"
	"slices"
	"strings"
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
	Holder       string      `json:"holder,omitempty"`       // token of the lease; "": none
	Released     uint64      `json:"released,omitempty"`     // the message that named the job when it was taken; 0: the job's own was delivered
	TakenAlongBy string      `json:"takenAlongBy,omitempty"` // the job whose delivery keeps the lease alive; "": its own does
	NotBefore    *time.Time  `json:"notBefore,omitempty"`    // when the delivery that was returned comes again; nil: it was not returned
	Attempts     int         `json:"attempts"`
	Crashes      int         `json:"crashes"`
	CrashesInRow int         `json:"crashesInRow,omitempty"` // since the checkpoint last advanced
	Counts       bool        `json:"counts,omitempty"`       // whether the next take counts as an attempt

	// Ending is how the execution ends, once that is decided. A redelivery only
	// completes the settlement.
	Ending *Ending `json:"ending,omitempty"`

	Progress usher.Progress `json:"progress"`
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

// slow returns how slowly the source delivers, or has delivered in the attempt that is repeated; nil: it is
// fast enough.
func (x *Execution) slow() *usher.SlowSource {
	if x.State != usher.Running && x.State != usher.Retrying {
		return nil
	}
	return x.Progress.Slow
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
	}
	if p.Slow != nil {
		what = strings.TrimPrefix(what+"; "+p.Slow.String(), "; ")
	}
	if what == "" {
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
	calls := ""
	if f.Planned > 0 {
		calls = fmt.Sprintf("; %d of %d calls made", f.Made, f.Planned)
		if rest := max(f.Planned-f.Made, 0); rest > 0 && f.Seconds > 0 {
			left := time.Duration(float64(f.Seconds) * float64(rest) / float64(f.Planned) * float64(time.Second))
			calls += fmt.Sprintf(", about %s left", left.Round(time.Second))
		}
	}
	switch p.Phase {
	case usher.PhaseSuppress:
		return "puts the ids on the suppression list"
	case usher.PhaseFind:
		return "looks for the ids in" + where + calls
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
	left := timeLeft(int64(m.Done), int64(m.Total), m)
	switch p.Phase {
	case usher.PhaseRead:
		return fmt.Sprintf("reads the export: %d rows so far%s", p.Counting, parts+left)
	case usher.PhaseCompare:
		without := ""
		if len(m.Except) > 0 {
			without = ", without the members of " + strings.Join(m.Except, ", ")
		}
		return "compares the export with the ledger" + without + parts + left
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
	return fmt.Sprintf("%d of %d", done, all) + timeLeft(done, all, m)
}

// timeLeft says how long the rest of a phase will take, if that is known.
func timeLeft(done, all int64, m *usher.Mirror) string {
	passed := m.Updated.Sub(m.Started)
	if done <= 0 || done >= all || passed <= time.Second {
		return ""
	}
	left := time.Duration(float64(passed) / float64(done) * float64(all-done))
	return fmt.Sprintf(", about %s left", left.Round(time.Second))
}
