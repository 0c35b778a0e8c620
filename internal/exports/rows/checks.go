package rows

import (
	"bytes"

	"usher"
)

// MaxChecks is the number of columns that Checks can have.
const MaxChecks = 32

// Effect is what a check does about a row with an id whose cell is against the job.
type Effect uint8

// The effects.
const (
	Count    Effect = iota // the row is counted, for a warning
	Withhold               // the row, with an id or not, is withheld
	Refuse                 // the export is refused
)

// Check is a column that is looked at in every row.
type Check struct {
	Effect Effect

	// Against reports whether a cell is against the job. It is called once for the same few
	// cells that a column repeats.
	Against func(cell []byte) bool
	// Absent reports whether a record without the cell is against the job.
	Absent bool
}

// Checks looks at columns beside that of the ids in every row. The columns that withhold rows come
// first.
type Checks struct {
	// Refused returns the error for a record that a check has refused: the index of its column, and
	// what names the record.
	Refused func(check int, record string) error

	columns []checked
	absent  uint32
}

// checked is a check with what it has found.
type checked struct {
	Check

	cells recent[bool]
	rows  int64 // counted
}

// NewChecks returns the checks of columns, at most MaxChecks. It returns nil for none.
func NewChecks(list []Check, refused func(check int, record string) error) *Checks {
	if len(list) == 0 {
		return nil
	}
	c := &Checks{Refused: refused, columns: make([]checked, len(list))}
	for i, check := range list {
		c.columns[i].Check = check
		if check.Absent {
			c.absent |= 1 << i
		}
	}
	return c
}

// Absent returns the bits of the columns whose missing cell is against the job. A record begins
// with it; Look says what a cell of the record makes of its bit.
func (c *Checks) Absent() uint32 {
	if c == nil {
		return 0
	}
	return c.absent
}

// Look returns the bits of a record with that of a column set if its cell is against the job, and
// cleared otherwise.
func (c *Checks) Look(bits uint32, column int, cell []byte) uint32 {
	return bits&^(1<<column) | c.Bit(column, cell)
}

// Bit returns the bit of a column if its cell is against the job, otherwise 0.
func (c *Checks) Bit(column int, cell []byte) uint32 {
	if at := &c.columns[column]; at.cells.lookup(cell, at.Against) {
		return 1 << column
	}
	return 0
}

// Apply does what the checks say of a record whose columns with bits are against the job: it withholds
// or counts the record's n rows, which begin at from and end the block. A row without an id is against
// nothing, except that it may be withheld. If a check refuses the record, Apply takes its rows out of
// the block and returns the index of the check's column; otherwise -1.
func (c *Checks) Apply(b *Block, bits uint32, from, n int) (refused int) {
	if bits == 0 {
		return -1 // most records: the compiler inlines this much into the readers
	}
	return c.apply(b, bits, from, n)
}

// apply is Apply for a record that is against the job.
func (c *Checks) apply(b *Block, bits uint32, from, n int) (refused int) {
	ids := int64(0)
	for line := range bytes.Lines(b.Data[from:]) {
		if !IsGap(line) {
			ids++
		}
	}
	for i := range c.columns {
		at := &c.columns[i]
		switch {
		case bits&(1<<i) == 0:
		case at.Effect == Withhold:
			b.Data = usher.AppendWithheld(b.Data[:from], i, n)
			return -1
		case at.Effect == Refuse && ids > 0:
			b.Data = b.Data[:from]
			return i
		default:
			at.rows += ids
		}
	}
	return -1
}

// Rows returns the number of rows that the check of a column has counted.
func (c *Checks) Rows(column int) int64 { return c.columns[column].rows }
