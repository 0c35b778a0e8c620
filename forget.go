package usher

import "time"

// Forget is the progress of a device.forget.
type Forget struct {
	Run     int       `json:"run"`             // the run that began it; another one begins again
	Actor   string    `json:"actor,omitempty"` // who asked
	Started time.Time `json:"started,omitzero"`

	Digests    int64     `json:"digests,omitempty"`    // of all forms of the ids
	Generation uint64    `json:"generation,omitempty"` // the first one of the suppression list that has them
	Suppressed time.Time `json:"suppressed,omitzero"`  // when they were on the list

	// Planned is the number of calls that the questions take, as known when the targets were
	// listed, and Made the number of calls so far.
	Planned int64 `json:"planned,omitempty"`
	Made    int64 `json:"made,omitempty"`
	Seconds int64 `json:"seconds,omitempty"` // that Planned calls take under the rate limit

	LedgerBytes int64 `json:"ledgerBytes,omitempty"` // read from ledgers to find the digests

	Uploads []Upload  `json:"uploads,omitempty"` // that were running when the digests were suppressed
	Targets []Erasure `json:"targets,omitempty"`
}

// Erasure is the progress of a device.forget on one target.
type Erasure struct {
	Target string `json:"target"`         // segment/17, campaign/CODE
	Type   string `json:"type,omitempty"` // of a segment: IDFA or ANDROID_ID
	// Digests is the number of digests of the forms that fit the target.
	Digests int64 `json:"digests"`
	Ledger  bool  `json:"ledger,omitempty"` // the ledger says which of them are members
	// Busy means that an upload was running when the digests came on the suppression list:
	// its batches may have brought back any of them.
	Busy bool `json:"busy,omitempty"`

	Asked    int64 `json:"asked,omitempty"`    // digests that were looked for
	Files    int   `json:"files,omitempty"`    // files with the members that were found
	Found    int64 `json:"found,omitempty"`    // members in these files
	Removed  int64 `json:"removed,omitempty"`  // of them, how many have been removed
	Verified int64 `json:"verified,omitempty"` // digests that were looked for after the removal
	Told     bool  `json:"told,omitempty"`     // the ledger knows of the removals
	Done     bool  `json:"done,omitempty"`

	Pending int64  `json:"pending,omitempty"` // of a campaign: digests that it may still have
	Until   string `json:"until,omitempty"`   // what takes them out of it
}

// Outcome is what became of a digest in a target.
type Outcome string

// The outcomes.
const (
	WasRemoved Outcome = "removed" // it was a member
	WasAbsent  Outcome = "absent"  // it was none
	IsPending  Outcome = "pending" // it is taken out at the target's next mirror or replace
)

// Receipt says what a device.forget did. `usher jobs show ID --receipt` prints the outcome of
// each digest.
type Receipt struct {
	Actor   string          `json:"actor"`
	Digests int64           `json:"digests"`
	Calls   int64           `json:"calls"`   // that were planned to ask the platform for digests
	Seconds int64           `json:"seconds"` // that they take under the rate limit
	Made    int64           `json:"made"`    // calls made
	Targets []TargetReceipt `json:"targets"`
}

// TargetReceipt counts the outcomes of the digests that fit a target.
type TargetReceipt struct {
	Target  string `json:"target"`
	Removed int64  `json:"removed"`
	Absent  int64  `json:"absent"`
	Pending int64  `json:"pending"`
	Until   string `json:"until,omitempty"`
}

// Receipt returns what the job has done so far.
func (f *Forget) Receipt() *Receipt {
	r := &Receipt{Actor: f.Actor, Digests: f.Digests, Calls: f.Planned, Seconds: f.Seconds, Made: f.Made, Targets: []TargetReceipt{}}
	for _, e := range f.Targets {
		t := TargetReceipt{Target: e.Target, Removed: e.Removed, Pending: e.Pending + e.Found - e.Removed, Until: e.Until}
		t.Absent = max(e.Asked-e.Found-e.Pending, 0)
		r.Targets = append(r.Targets, t)
	}
	return r
}

// ReceiptLine is the outcome of one digest in one target, as `usher jobs show ID --receipt`
// prints it in an array.
type ReceiptLine struct {
	Digest  string  `json:"digest"`
	Target  string  `json:"target"`
	Outcome Outcome `json:"outcome"`
	Until   string  `json:"until,omitempty"` // of a pending one, what takes it out
	Actor   string  `json:"actor"`
}

// Upload is an upload that has begun and not ended: a job, or a part of one.
type Upload struct {
	Advertiser string `json:"advertiser,omitempty"` // "": the configured one
	Target     string `json:"target"`               // segment/17, campaign/CODE
	Key        string `json:"key"`                  // of its record
	Token      string `json:"token,omitempty"`      // of its lease; "": no worker has it
}
