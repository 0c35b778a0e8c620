package usher

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Work is the content of one delivery, as queues hands it to workers: a job, or
// one part of a job that was cut.
type Work struct {
	ID      string
	Run     int
	Kind    Kind
	Job     Job
	Dropped Tally  // inline ids that were dropped when the job was published
	Order   uint64 // stream sequence of the job's first publish; a replay keeps it
	// Superseded is the newer job that is known to have set all creatives of the campaign,
	// or "".
	Superseded string
	Published  time.Time // when this run was published; the job's age counts from here
	Trace      string    // the publisher's W3C traceparent, or ""
	Attempts   int       // including this one
	Crashes    int

	Part int // 0-based; 0 for a job that is not cut
	// Step is the phase of a mirror that the part belongs to; "" for a part of an export.
	Step  Phase
	Parts int // the number of parts; 0 for the job itself before it is cut
	Range Part

	Progress Progress // as saved by earlier attempts
}

// Progress is what an attempt saves for the next one. It is part of the record,
// which people see, so it contains no raw id.
type Progress struct {
	Plan        *Plan          `json:"plan,omitempty"`
	Planned     int            `json:"planned,omitempty"`    // the run that made Plan
	Understood  *Understood    `json:"understood,omitempty"` // how Plan reads the export; nil for inline ids
	Phase       Phase          `json:"phase,omitempty"`      // of target.clear, target.replace, mirrors and device.forget
	Mirror      *Mirror        `json:"mirror,omitempty"`     // of a mirror, and of its parts
	Forget      *Forget        `json:"forget,omitempty"`     // of a device.forget
	Before      int            `json:"before,omitempty"`     // the run that has noted what the target held before it; 0: none
	New         *int64         `json:"new,omitempty"`        // see Record.New
	Deltas      int            `json:"deltas,omitempty"`     // files written for the ledger in DeltaEpoch
	DeltaEpoch  int64          `json:"deltaEpoch,omitempty"` // of the ledger
	Count       Checkpoint     `json:"count,omitzero"`       // result of the count phase, which sends nothing
	Counted     int            `json:"counted,omitempty"`    // number of parts that the count phase has read
	Checkpoint  Checkpoint     `json:"checkpoint"`
	NumberOfIDs NumberOfIDs    `json:"numberOfIds"`
	Warnings    []Warning      `json:"warnings,omitempty"` // in addition to those of the checkpoint
	Intent      *Intent        `json:"intent,omitempty"`
	Bidding     *BiddingIntent `json:"bidding,omitempty"`  // of campaign.budget and campaign.bid
	Counting    int64          `json:"counting,omitempty"` // rows of the current part, which Count does not include yet
	Check       *Check         `json:"check,omitempty"`    // nil if no check is running
	Slow        *SlowSource    `json:"slow,omitempty"`     // nil if the source is fast enough
}

// HasIntent reports whether the job may have changed a campaign.
func (p *Progress) HasIntent() bool { return p.Intent != nil || p.Bidding != nil }

// IsUnrecorded reports whether a delivery of the job, which has returned it to the queue, has sent a
// change of a campaign that is not on record.
func (p *Progress) IsUnrecorded() bool {
	return p.Intent != nil && len(p.Intent.Posted) > 0 || p.Bidding != nil && !p.Bidding.Sent.IsZero()
}

// SlowSource is a source that delivers less than sources.min_rate while usher waits for it.
type SlowSource struct {
	Since time.Time `json:"since"` // since when, in this attempt
	Bytes int64     `json:"bytes"` // that have come in this attempt
	Rate  float64   `json:"rate"`  // bytes per second of waiting, in the last minute of it at most
	Least int64     `json:"least"` // sources.min_rate
}

// slowFor is how long a source must be slow until people are told.
const slowFor = 30 * time.Second

// Lasts reports whether the source is slow for so long that people should know. nil is not slow.
func (s *SlowSource) Lasts(now time.Time) bool { return s != nil && now.Sub(s.Since) >= slowFor }

func (s *SlowSource) String() string {
	return fmt.Sprintf("the source delivers %.1f kB/s, %d bytes so far; sources.min_rate is %g kB/s", s.Rate/1000, s.Bytes, float64(s.Least)/1000)
}

// Check is the progress of reading a compressed file to its end before anything of it
// is sent. It proves that the file is complete.
type Check struct {
	Read  int64 `json:"at"` // bytes read: compressed, or of the files in a zip
	Total int64 `json:"of"` // -1: not known
}

func (c *Check) String() string {
	const what = "checks the compressed export before sending"
	if c.Total <= 0 {
		return what
	}
	return fmt.Sprintf("%s: %d %%", what, min(100*c.Read/c.Total, 100))
}

// Phase is the phase of a target.clear, a target.replace, a mirror or a device.forget.
type Phase string

// The phases, in order. Each resumes where it stopped.
const (
	PhaseCount Phase = "count" // target.replace: read and hash everything, send nothing

	PhaseRead    Phase = "read"    // a mirror: hash the export and sort the digests
	PhaseCompare Phase = "compare" // a mirror: compare them with the ledger

	PhaseClear Phase = "clear" // target.clear, target.replace, a mirror: remove all ids
	PhaseAdd   Phase = "add"   // target.replace, a mirror: add ids

	PhaseRemove Phase = "remove" // a mirror: remove what the export does not have
	PhaseCommit Phase = "commit" // a mirror: make the new generation the current one

	PhaseSuppress Phase = "suppress" // device.forget: put the ids on the suppression list
	PhaseFind     Phase = "find"     // device.forget: find out which targets have them
	PhaseErase    Phase = "erase"    // device.forget: remove them from the targets
	PhaseAwait    Phase = "await"    // device.forget: wait until no batch that began before the suppression can still arrive
	PhaseVerify   Phase = "verify"   // device.forget: ask the platform whether they are gone
)

// Intent is what a campaign job is about to change. It is saved before the first
// change, so that a redelivery knows what may have been changed already.
type Intent struct {
	Before map[string]string `json:"before"` // creative code → status
	Wanted string            `json:"wanted"`
	// Changing lists the creatives to change, in the platform's order. Updated has the
	// latestUpdate that the platform showed for each of them, if it showed one.
	Changing []string          `json:"changing"`
	Updated  map[string]string `json:"updated,omitempty"`
	// TakesBack has, by code, what somebody has changed on the platform since a rule set it; see
	// Audit.TakesBack.
	TakesBack map[string]string `json:"takesBack,omitempty"`

	// Lost is the time at which the response to a change was last lost without
	// the platform showing the change, which may therefore still arrive.
	Lost time.Time `json:"lost,omitzero"`
	// Recorded is set once the outcome of the intent is on record. Afterwards the
	// job only looks for changes that arrive late. Left has, by code, the state
	// that the platform then showed for the creatives that were changed.
	Recorded bool                     `json:"recorded,omitempty"`
	Left     map[string]CreativeState `json:"left,omitempty"`
	// Restoring has, by code, the creatives that an older job has changed after a
	// newer one, with the entry whose status they are set back to.
	Restoring map[string]CreativeEntry `json:"restoring,omitempty"`

	// Posted lists the creatives whose POST may have changed them, until that is on record.
	Posted []string `json:"posted,omitempty"`
	// Run is the run that posted them, if that has ended before it was on record; 0: the job's run.
	// Nothing more of such an intent is posted.
	Run int `json:"run,omitempty"`
}

// Unrecorded returns what is left to record of the intent of a run that has ended, or nil.
func (i *Intent) Unrecorded(run int) *Intent {
	if i == nil || len(i.Posted) == 0 {
		return nil
	}
	return &Intent{
		Before: i.Before, Wanted: i.Wanted, Changing: i.Posted, Updated: i.Updated, TakesBack: i.TakesBack,
		Lost: i.Lost, Posted: slices.Clone(i.Posted), Run: cmp.Or(i.Run, run),
	}
}

// Ending is how a piece of work ended.
type Ending struct {
	State    State     // Done, Failed or Cancelled
	Error    *JobError // set if State is Failed
	Progress Progress

	// ReadSize reads the number of ids of the target from the platform. It is called
	// once, when the whole job ends. nil: the job has no such target.
	ReadSize func() (int64, error)

	// CountNew counts for Record.New when the whole job ends, which may take long. nil: Progress has
	// it, or it is not known.
	CountNew func() (*int64, error)
}
