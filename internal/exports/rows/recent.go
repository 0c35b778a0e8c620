package rows

import "bytes"

// recent remembers what was made of the last few cells of a column that repeats the same few words.
type recent[T any] struct {
	cells [4][]byte // nil: not used
	made  [4]T
	last  int // the entry of the cell before
	next  int // the entry to replace
}

// lookup returns what of makes of a cell, which it calls unless that is remembered. Most cells are
// equal to the one before.
func (r *recent[T]) lookup(cell []byte, of func([]byte) T) T {
	if len(cell) > 0 && bytes.Equal(cell, r.cells[r.last]) {
		return r.made[r.last]
	}
	return r.find(cell, of)
}

// find is lookup for a cell that differs from the one before, or is empty.
func (r *recent[T]) find(cell []byte, of func([]byte) T) T {
	for i, known := range r.cells {
		if known != nil && bytes.Equal(known, cell) {
			r.last = i
			return r.made[i]
		}
	}
	made := of(cell)
	if len(cell) <= maxTypeWord {
		r.cells[r.next] = append(make([]byte, 0, maxTypeWord), cell...)
		r.made[r.next] = made
		r.last, r.next = r.next, (r.next+1)%len(r.cells)
	}
	return made
}
