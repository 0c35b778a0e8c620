package rows

import "bytes"

// recent remembers what was made of the last few cells of a column that repeats the same few words.
type recent[T any] struct {
	cells [4][]byte
	made  [4]T
	next  int // the entry to replace
}

// lookup returns what of makes of a cell, which it calls unless that is remembered.
func (r *recent[T]) lookup(cell []byte, of func([]byte) T) T {
	for i, known := range r.cells {
		if known != nil && bytes.Equal(known, cell) {
			return r.made[i]
		}
	}
	made := of(cell)
	if len(cell) <= maxTypeWord {
		r.cells[r.next] = append(make([]byte, 0, maxTypeWord), cell...)
		r.made[r.next] = made
		r.next = (r.next + 1) % len(r.cells)
	}
	return made
}
