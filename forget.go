package usher

import "time"

// Forget is the progress of a device.forget.
type Forget struct {
	Run     int       `json:"run"`             // the run that began it; another run starts over
	Actor   string    `json:"actor,omitempty"` // who requested it
	Started time.Time `json:"started,omitzero"`

	Digests    int64     `json:"digests,omitempty"`    // number of digests of all forms of the ids
	Generation uint64    `json:"generation,omitempty"` // the first generation of the suppression list that has the digests
	Suppressed time.Time `json:"suppressed,omitzero"`  // when the digests were on the list

	// Planned is the number of calls to look for the digests, to remove them, and to look
	// again, and Made the number of calls so far. How many must be removed is known when they
	// are found.
	Planned int64 `json:"planned,omitempty"`
	Made    int64 `json:"made,omitempty"`
	Seconds int64 `json:"seconds,omitempty"` // time that the planned calls take under the rate limit

	LedgerBytes int64 `json:"ledgerBytes,omitempty"` // bytes read from ledgers to find the digests

	Uploads []Upload  `json:"uploads,omitempty"` // uploads that were running when the digests were suppressed
	Silent  time.Time `json:"silent,omitzero"`   // since when no worker has answered that batches of before are on their way
	Targets []Erasure `json:"targets,omitempty"`
}

// Erasure is the progress of a device.forget on one target.
type Erasure struct {
	Target string `json:"target"`         // segment/17, campaign/CODE
	Type   string `json:"type,omitempty"` // type of a segment: IDFA or ANDROID_ID
	// Digests is the number of digests of the forms that fit the target.
	Digests int64 `json:"digests"`
	Ledger  bool  `json:"ledger,omitempty"` // the ledger is searched for members, and not the platform
	// Busy means that an upload was running when the digests were put on the suppression
	// list. Its batches may have added any of them again.
	Busy bool `json:"busy,omitempty"`

	Asked    int64 `json:"asked,omitempty"`    // digests that were looked for
	Files    int   `json:"files,omitempty"`    // files with the members that were found
	Found    int64 `json:"found,omitempty"`    // number of members in these files
	Removed  int64 `json:"removed,omitempty"`  // number of these members that have been removed
	Verified int64 `json:"verified,omitempty"` // digests that were looked for after the removal
	Told     bool  `json:"told,omitempty"`     // the removals are recorded in the ledger
	Done     bool  `json:"done,omitempty"`

	Pending int64  `json:"pending,omitempty"` // of a campaign: number of digests that it may still have
	Until   string `json:"until,omitempty"`   // what will take the pending digests out of the target
}

// Outcome is the outcome of a device.forget for one digest in one target.
type Outcome string

// The outcomes.
const (
	WasRemoved Outcome = "removed" // the digest was a member
	WasAbsent  Outcome = "absent"  // the digest was not a member
	IsPending  Outcome = "pending" // the target's next mirror or replace takes the digest out
)

// Receipt says what a device.forget did. `usher jobs show ID --receipt` prints the outcome of
// each digest.
type Receipt struct {
	Actor   string          `json:"actor"`
	Digests int64           `json:"digests"`
	Calls   int64           `json:"calls"`   // calls that are planned: to look for digests, to remove them, and to look again
	Seconds int64           `json:"seconds"` // time that these calls take under the rate limit
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
	Until   string  `json:"until,omitempty"` // of a pending digest: what will take it out
	Actor   string  `json:"actor"`
}

// Upload is an upload that has begun and not ended: a job, or a part of one.
type Upload struct {
	Advertiser string `json:"advertiser,omitempty"` // "": the configured one
	Target     string `json:"target"`               // segment/17, campaign/CODE
	Key        string `json:"key"`                  // key of its record
	Token      string `json:"token,omitempty"`      // token of its lease; "": no worker holds it
}
