package usher

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Tally counts the outcome of every row of an export. For a batch, a part and a job
//
//	Read = Accepted + Unchanged + Duplicate + Suppressed + ΣWithheld + ΣJunk + ΣInvalid + ΣRefused
//
// always holds.
type Tally struct {
	Read       int64  `json:"read"`       // rows read: lines or records with a value
	Accepted   int64  `json:"accepted"`   // accepted by the platform, or not sent in a dry run
	Unchanged  int64  `json:"unchanged"`  // in a mirror: already a member of the target, so it was not sent
	Duplicate  int64  `json:"duplicate"`  // repeated in the same window; in a mirror: repeated anywhere
	Suppressed int64  `json:"suppressed"` // on the suppression list
	Withheld   Counts `json:"withheld"`   // not wanted by the job: by the column of source.only that the row fails; in a mirror also except:TARGET and holdout:KEY
	Junk       Counts `json:"junk"`       // looks like an id but names no device, or is a placeholder
	Invalid    Counts `json:"invalid"`    // does not have the shape of an id
	Refused    Counts `json:"refused"`    // by the platform, by error code
}

// Rejected returns the rows that were not uploaded because of what they hold, or because the platform has
// refused them, by reason. RejectPercent does not count junk.
func (t *Tally) Rejected() Counts {
	all := Counts{}
	for _, counts := range []Counts{t.Junk, t.Invalid, t.Refused} {
		for reason, n := range counts {
			all[reason] += n
		}
	}
	return all
}

// ExceptReason is the key in Withheld of ids that are members of an excepted target.
func ExceptReason(target string) string { return exceptReason + target }

// HoldoutReason is the key in Withheld of ids that a holdout keeps out.
func HoldoutReason(h *Holdout) string { return holdoutReason + h.Key }

const exceptReason, holdoutReason = "except:", "holdout:"

// The reasons in Junk and Invalid. They are JSON keys.
const (
	ZeroID      = "zero_id"     // zero and all-same-digit ids
	SharedID    = "shared_id"   // 9774d56d682e549c: shared by many devices because of a vendor's bug
	OtherID     = "other_id"    // IMEI, MAC
	Placeholder = "placeholder" // null, unknown, N/A …, and ids that are examples in documentation
	Macro       = "macro"       // {ifa}, ${adid}, [replace_me], %ifa%
	Header      = "header"      // a repeated header
	Empty       = "empty"       // an empty or missing cell of a record
	Spreadsheet = "spreadsheet" // 1.2E+15, #NAME?: what a spreadsheet makes of an id

	Shape       = "shape"        // not an id of any known shape
	LooksHashed = "looks_hashed" // 32 hex characters that are not a UUIDv4, or stand among ids with hyphens: an MD5 in input raw
	SHA1        = "sha1"         // 40 hex characters
	SHA256      = "sha256"       // 64 hex characters
	WrongType   = "wrong_type"   // a well-formed id of another type
	Malformed   = "malformed"    // a row that cannot be parsed
)

// Counts counts rows by reason. It is never encoded as null.
type Counts map[string]int64

// Sum returns the number of rows of all reasons.
func (c Counts) Sum() int64 {
	var sum int64
	for _, n := range c {
		sum += n
	}
	return sum
}

// MarshalJSON writes nil as {}.
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
	t.Unchanged += other.Unchanged
	t.Duplicate += other.Duplicate
	t.Suppressed += other.Suppressed
	t.Withheld = t.Withheld.add(other.Withheld)
	t.Junk = t.Junk.add(other.Junk)
	t.Invalid = t.Invalid.add(other.Invalid)
	t.Refused = t.Refused.add(other.Refused)
}

// AddWithheld adds rows that are not wanted, by reason.
func (t *Tally) AddWithheld(more Counts) { t.Withheld = t.Withheld.add(more) }

// Clone returns a copy that shares no map with t.
func (t Tally) Clone() Tally {
	t.Withheld, t.Junk, t.Invalid, t.Refused = maps.Clone(t.Withheld), maps.Clone(t.Junk), maps.Clone(t.Invalid), maps.Clone(t.Refused)
	return t
}

// Check returns an error if the columns do not add up to Read.
func (t Tally) Check() error {
	sum := t.Accepted + t.Unchanged + t.Duplicate + t.Suppressed + t.Withheld.Sum() + t.Junk.Sum() + t.Invalid.Sum() + t.Refused.Sum()
	if sum != t.Read {
		return fmt.Errorf("check tally: %d rows read, but the columns add up to %d: this is a bug in usher, please report it with the job's record", t.Read, sum)
	}
	return nil
}

// Dropped returns the number of rows that are not uploaded because of what they are, and not of who
// is in another target, by reason:
// junk.empty, invalid.sha1, withheld.COLUMN.
func (t Tally) Dropped() Counts {
	dropped := Counts{}
	for column, counts := range map[string]Counts{"junk": t.Junk, "invalid": t.Invalid, "withheld": t.Withheld} {
		for reason, n := range counts {
			ofOthers := column == "withheld" && (strings.HasPrefix(reason, exceptReason) || strings.HasPrefix(reason, holdoutReason))
			if n > 0 && !ofOthers {
				dropped[column+"."+reason] = n
			}
		}
	}
	return dropped
}

// ProportionPercent is the share of the rows from which people are told of a reason.
const ProportionPercent = 1

// Proportions returns a warning for each reason of Dropped that takes at least ProportionPercent of
// the rows.
func (t Tally) Proportions() []Warning {
	var list []Warning
	dropped := t.Dropped()
	for _, reason := range slices.Sorted(maps.Keys(dropped)) {
		if share := percent(dropped[reason], t.Read); share >= ProportionPercent {
			list = append(list, Warning{Code: WarnProportion, Count: dropped[reason], Description: fmt.Sprintf("%s: %d of %d rows (%.1f %%)", reason, dropped[reason], t.Read, share)})
		}
	}
	return list
}

// RejectPercent returns the percentage of invalid and refused rows among those that are not
// withheld, which is compared with maxRejectPercent. It is 0 if there are no such rows.
func (t Tally) RejectPercent() float64 {
	return percent(t.Invalid.Sum()+t.Refused.Sum(), t.Read-t.Withheld.Sum())
}

// MalformedPercent returns the percentage of rows that cannot be parsed, which is
// compared with maxMalformedPercent. It is 0 if there are no rows.
func (t Tally) MalformedPercent() float64 { return percent(t.Invalid[Malformed], t.Read) }

func percent(part, of int64) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(part) / float64(of)
}
