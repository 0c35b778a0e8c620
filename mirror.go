package usher

import "time"

// DefaultMaxRemovePercent is the default of a mirror's maxRemovePercent.
const DefaultMaxRemovePercent = 20

// Mirror is the progress of a mirror or, in a part of one, of that part.
type Mirror struct {
	Run      int       `json:"run"`                // the run that began it; another run starts over
	Today    time.Time `json:"today"`              // the day that the ledger records for uploads
	Duration int       `json:"duration,omitempty"` // days until a member of the segment lapses; 0: never

	// Set in phase read: the number of parts of the export, the tally of its rows, and the
	// number of sorted files with their digests.
	Parts int        `json:"parts,omitempty"`
	Read  Checkpoint `json:"read,omitzero"`
	Runs  int        `json:"runs,omitempty"`

	// Except says as of which generations the members of other targets are left out.
	Except []string `json:"except,omitempty"`

	// Set in phase compare.
	Members    int64 `json:"members,omitempty"`    // digests that the target held
	Wanted     int64 `json:"wanted,omitempty"`     // distinct digests of the export
	Suppressed int64 `json:"suppressed,omitempty"` // wanted digests that were suppressed after they were read
	Add        int64 `json:"add,omitempty"`        // digests to upload, including those to refresh
	Refresh    int64 `json:"refresh,omitempty"`
	Unchanged  int64 `json:"unchanged,omitempty"`
	Remove     int64 `json:"remove,omitempty"`
	Leaving    int64 `json:"leaving,omitempty"` // of those to remove, the ones that are in the export, but withheld
	Clear      bool  `json:"clear,omitempty"`   // the target is cleared and filled again
	Again      bool  `json:"again,omitempty"`   // it is compared again, because the ledger has changed, and by one worker

	// Withheld has the ids of the export that are not wanted, because of exceptions and a holdout.
	Withheld Counts `json:"withheld,omitempty"`

	// Set in the phases that send.
	Sent Checkpoint `json:"sent,omitzero"` // progress of the part that is being sent

	// The current phase, if it is cut into parts.
	Total   int       `json:"total,omitempty"`
	Done    int       `json:"done,omitempty"`
	Shared  bool      `json:"shared,omitempty"`  // the parts are published
	Started time.Time `json:"started,omitzero"`  // when the phase began
	Updated time.Time `json:"updated,omitzero"`  // when the numbers were read
	Changed int64     `json:"changed,omitempty"` // digests that the phase has uploaded or removed
	Removed int64     `json:"removed,omitempty"` // digests that the job has removed

	Consequence *Consequence `json:"consequence,omitempty"` // once it is done
}

// StepProgress is the progress of the parts of one step of a mirror.
type StepProgress struct {
	Done    int   // parts that have ended
	Running int   // parts that a worker is running
	Failed  bool  // a part has failed, so the job ends
	Rows    int64 // rows that they have read
	Changed int64 // digests that they have uploaded or removed
}
