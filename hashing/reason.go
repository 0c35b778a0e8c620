package hashing

import "usher"

// Reason is the reason why a value has no digest. Its zero value is None.
type Reason uint8

// The reasons: first those that count as junk, then those that count as invalid.
// String returns their keys in a tally.
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

	Reasons // the number of reasons, including None
)

// String returns the reason's key in a tally, or "" for None.
func (r Reason) String() string {
	return [Reasons]string{
		ZeroID: usher.ZeroID, SharedID: usher.SharedID, OtherID: usher.OtherID, Placeholder: usher.Placeholder,
		Macro: usher.Macro, Header: usher.Header, Empty: usher.Empty, Spreadsheet: usher.Spreadsheet,
		Shape: usher.Shape, LooksHashed: usher.LooksHashed, SHA1: usher.SHA1, SHA256: usher.SHA256, WrongType: usher.WrongType,
		Malformed: usher.Malformed,
	}[r]
}

// Junk reports whether the reason counts as junk: the value looks like an id but does not
// identify a device, or it is a placeholder for a missing value.
func (r Reason) Junk() bool { return ZeroID <= r && r <= Spreadsheet }

// Invalid reports whether the reason counts as invalid: the value does not have the
// form of an id. Only these reasons count against maxRejectPercent.
func (r Reason) Invalid() bool { return Shape <= r && r < Reasons }

// Counts holds the number of dropped rows for each reason.
type Counts [Reasons]int64

// AddTo adds the counts to the junk and invalid columns of t. It changes no other
// column.
func (c *Counts) AddTo(t *usher.Tally) {
	for r := None + 1; r < Reasons; r++ {
		column := &t.Invalid
		if r.Junk() {
			column = &t.Junk
		}
		if c[r] == 0 {
			continue
		}
		if *column == nil {
			*column = usher.Counts{}
		}
		(*column)[r.String()] += c[r]
	}
}
