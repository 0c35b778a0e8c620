package hashing

import "usher"

// Reason says why a value is dropped. Its zero value says that it is not.
type Reason uint8

// The reasons, junk before invalid. String gives their JSON keys.
const (
	None Reason = iota

	ZeroID
	SharedID
	OtherID
	Placeholder
	Macro
	Header
	Empty

	Shape
	LooksHashed
	SHA1
	SHA256
	WrongType

	Reasons // how many there are, None included
)

// String is the reason's key in a tally, "" for None.
func (r Reason) String() string {
	return [Reasons]string{
		ZeroID: usher.ZeroID, SharedID: usher.SharedID, OtherID: usher.OtherID, Placeholder: usher.Placeholder,
		Macro: usher.Macro, Header: usher.Header, Empty: usher.Empty,
		Shape: usher.Shape, LooksHashed: usher.LooksHashed, SHA1: usher.SHA1, SHA256: usher.SHA256, WrongType: usher.WrongType,
	}[r]
}

// Junk reports whether the reason counts as junk: the value looks like an id
// and names no device, or stands for no value at all.
func (r Reason) Junk() bool { return ZeroID <= r && r <= Empty }

// Invalid reports whether the reason counts as invalid: the value failed its
// shape. Only these count against maxRejectPercent.
func (r Reason) Invalid() bool { return Shape <= r && r < Reasons }

// Counts is how many rows were dropped, by reason.
type Counts [Reasons]int64

// AddTo adds the counts to the junk and invalid columns of t, and to no other.
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
