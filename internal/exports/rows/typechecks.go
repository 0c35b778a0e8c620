package rows

import (
	"bytes"

	"usher"
)

// MaxTypeChecks is the number of columns that TypeChecks can have.
const MaxTypeChecks = 8

// TypeChecks counts the rows of another type than the wanted one, by columns of types.
type TypeChecks struct {
	other   [usher.RowTypes]bool // the types that contradict the wanted one
	columns []typeCheck
}

// typeCheck has the counts of a column of types.
type typeCheck struct {
	types TypeCache
	rows  int64 // with an id, and of another type
}

// NewTypeChecks returns TypeChecks of n columns, at most MaxTypeChecks.
func NewTypeChecks(wanted usher.IDType, n int) *TypeChecks {
	t := &TypeChecks{columns: make([]typeCheck, n)}
	for i := usher.RowOther + 1; i < usher.RowTypes; i++ {
		t.other[i] = !wanted.Fits(i)
	}
	return t
}

// Contradicts returns the bit of a column if its cell in a record names another type, otherwise 0.
func (t *TypeChecks) Contradicts(column int, cell []byte) uint8 {
	if t.other[t.columns[column].types.Lookup(cell)] {
		return 1 << column
	}
	return 0
}

// Add counts the rows of a record for the columns whose bits are set. A row without an id is no
// evidence.
func (t *TypeChecks) Add(columns uint8, record []byte) {
	if columns == 0 {
		return
	}
	ids := int64(0)
	for line := range bytes.Lines(record) {
		if !IsGap(line) {
			ids++
		}
	}
	for i := range t.columns {
		if columns&(1<<i) != 0 {
			t.columns[i].rows += ids
		}
	}
}

// Rows returns the number of rows of another type by a column.
func (t *TypeChecks) Rows(column int) int64 { return t.columns[column].rows }
