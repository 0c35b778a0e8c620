package usher

import (
	"encoding/json"
	"fmt"
	"maps"
)

// Tally says where every row of an export went. Always
//
//	Read = Accepted + Duplicate + Suppressed + ΣJunk + ΣInvalid + ΣRefused
//
// for a batch, a part and a job; Check tells.
type Tally struct {
	Read       int64  `json:"read"`       // rows read: lines or records that hold a value
	Accepted   int64  `json:"accepted"`   // the platform answered well, or a dry run would have sent it
	Duplicate  int64  `json:"duplicate"`  // came before in the same window
	Suppressed int64  `json:"suppressed"` // on the suppression list
	Junk       Counts `json:"junk"`       // looks like an id and names no device, or a placeholder
	Invalid    Counts `json:"invalid"`    // failed its shape
	Refused    Counts `json:"refused"`    // by the platform, by its code
}

// Reasons of Junk and Invalid. They are the JSON keys.
const (
	ZeroID      = "zero_id"     // zero and all-same-digit ids
	SharedID    = "shared_id"   // 9774d56d682e549c: a vendor's bug, shared by many devices
	OtherID     = "other_id"    // IMEI, MAC
	Placeholder = "placeholder" // null, unknown, N/A …
	Macro       = "macro"       // {ifa}, ${adid}, [replace_me], %ifa%
	Header      = "header"      // a header repeated further down
	Empty       = "empty"       // a record's empty or missing cell

	Shape       = "shape"        // nothing that the profile knows
	LooksHashed = "looks_hashed" // 32 hex characters, no UUIDv4: an MD5 under input raw
	SHA1        = "sha1"         // 40 hex characters
	SHA256      = "sha256"       // 64 hex characters
	WrongType   = "wrong_type"   // a well-formed id of another type
)

// Counts are numbers of rows by reason. Its JSON is never null.
type Counts map[string]int64

// Sum is the number of rows under all reasons.
func (c Counts) Sum() int64 {
	var sum int64
	for _, n := range c {
		sum += n
	}
	return sum
}

// MarshalJSON writes {} for none.
func (c Counts) MarshalJSON() ([]byte, error) {
	if c == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(map[string]int64(c))
}

// add returns c with more added; c may be nil.
func (c Counts) add(more Counts) Counts {
	for reason, n := range more {
		if n == 0 {
			continue
		}
		if c == nil {
			c = Counts{}
		}
		c[reason] += n
	}
	return c
}

// Add adds other to t.
func (t *Tally) Add(other Tally) {
	t.Read += other.Read
	t.Accepted += other.Accepted
	t.Duplicate += other.Duplicate
	t.Suppressed += other.Suppressed
	t.Junk = t.Junk.add(other.Junk)
	t.Invalid = t.Invalid.add(other.Invalid)
	t.Refused = t.Refused.add(other.Refused)
}

// Clone returns a copy that shares no map with t.
func (t Tally) Clone() Tally {
	t.Junk, t.Invalid, t.Refused = maps.Clone(t.Junk), maps.Clone(t.Invalid), maps.Clone(t.Refused)
	return t
}

// Check returns an error when the columns do not add up to Read.
func (t Tally) Check() error {
	sum := t.Accepted + t.Duplicate + t.Suppressed + t.Junk.Sum() + t.Invalid.Sum() + t.Refused.Sum()
	if sum != t.Read {
		return fmt.Errorf("check tally: %d rows read, but the columns add up to %d: this is a bug in usher, please report it with the job's record", t.Read, sum)
	}
	return nil
}

// RejectPercent is the share of rows that count against maxRejectPercent:
// invalid and refused, but not junk, duplicates or suppressed. 0 for no rows.
func (t Tally) RejectPercent() float64 {
	if t.Read == 0 {
		return 0
	}
	return 100 * float64(t.Invalid.Sum()+t.Refused.Sum()) / float64(t.Read)
}
