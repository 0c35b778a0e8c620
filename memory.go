package usher

import "time"

// DefaultMaxShift is the default of a mirror's maxShift and of a feed's max_shift.
const DefaultMaxShift = 5

// Memory is how the last good export of a feed, or of a mirrored target, was read. The next
// export is compared with it before anything is sent or removed (internal/exports/memory).
type Memory struct {
	Understood Understood `json:"understood"`

	Rows      int64    `json:"rows"`                // of the export
	Dropped   Counts   `json:"dropped"`             // rows that were not uploaded, by reason: junk.empty, invalid.sha1, withheld.consent
	OtherCase int64    `json:"otherCase,omitempty"` // ids whose letters have the case of another type
	Fields    string   `json:"fields"`              // a checksum of the job's fields that say how an export is read
	Only      []string `json:"only,omitempty"`      // the job's source.only
	// Began says why the export was not compared with the last good one before it, or is "".
	Began string `json:"began,omitempty"`

	Job        string    `json:"job"`                  // that read the export
	At         time.Time `json:"at"`                   // when it became the memory
	ApprovedBy string    `json:"approvedBy,omitempty"` // who approved its differences
}
