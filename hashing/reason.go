package hashing

import "usher"

// Reason is the reason why a value has no digest. Its zero value is None.
type Reason uint8

// The reasons: first those that count as junk, then those that count as invalid, then one for
// each column of source.only. String returns their keys in a tally.
const (
	None Reason = iota

	ZeroID
	SharedID
	OtherID
	Placeholder
	Macro
	Header
	Empty
	Spreadsheet

	Shape
	LooksHashed
	SHA1
	SHA256
	WrongType
	Malformed

	Withheld // by the first column of source.only; those by the others follow
)

// Reasons is the number of reasons, including None.
const Reasons = Withheld + usher.MaxOnly

// String returns the reason's key in a tally, or "" for None and for rows that are withheld, whose
// key is the name of a column.
func (r Reason) String() string {
	return [Reasons]string{
		ZeroID: usher.ZeroID, SharedID: usher.SharedID, OtherID: usher.OtherID, Placeholder: usher.Placeholder,
		Macro: usher.Macro, Header: usher.Header, Empty: usher.Empty, Spreadsheet: usher.Spreadsheet,
		Shape: usher.Shape, LooksHashed: usher.LooksHashed, SHA1: usher.SHA1, SHA256: usher.SHA256, WrongType: usher.WrongType,
		Malformed: usher.Malformed,
	}[min(r, Withheld)]
}

// Junk reports whether the reason counts as junk: the value looks like an id but does not
// identify a device, or it is a placeholder for a missing value.
func (r Reason) Junk() bool { return ZeroID <= r && r <= Spreadsheet }

// Invalid reports whether the reason counts as invalid: the value does not have the
// form of an id. Only these reasons count against maxRejectPercent.
func (r Reason) Invalid() bool { return Shape <= r && r < Withheld }

// Counts holds the number of dropped rows for each reason.
type Counts [Reasons]int64

// AddTo adds the counts to the columns junk, invalid and withheld of t. It changes no other column.
// withheld are the names of the columns of source.only.
func (c *Counts) AddTo(t *usher.Tally, withheld []string) {
	for r := None + 1; r < Reasons; r++ {
		if c[r] == 0 {
			continue
		}
		column, key := &t.Invalid, r.String()
		switch by := int(r) - int(Withheld); {
		case r.Junk():
			column = &t.Junk
		case by >= 0 && by < len(withheld):
			column, key = &t.Withheld, withheld[by]
		case by >= 0: // a line of an export that only looks like one that a reader has written
			key = usher.Malformed
		}
		if *column == nil {
			*column = usher.Counts{}
		}
		(*column)[key] += c[r]
	}
}
