package xlsx

import (
	"errors"
	"io"
	"slices"
)

// Mark says what a text is, in two bits. The zero Mark is that of a text that does not matter.
type Mark byte

const (
	markBits = 2
	inByte   = 8 / markBits
)

// Marked is the mark of a cell. Its column counts from 0.
type Marked struct {
	Column int
	Mark   Mark
}

// Row is a row that is read, with the marks of the cells whose values are not.
type Row struct {
	Number   int    // in the sheet, from 1
	First    string // the value of the first wanted column
	Formulas []int  // columns with a formula whose value the file does not have, not even as an empty text; valid during the call

	text *Text
}

// Marks returns the marks of the cells that are not wanted, except zero ones. The list of
// shared strings is read for the first call, to keep their marks instead of their texts.
func (r *Row) Marks() ([]Marked, error) {
	t := r.text
	var marked []Marked
	for i := range t.sheet.cells {
		c := &t.sheet.cells[i]
		if slices.Contains(t.cells.Wanted, c.column) {
			continue
		}
		mark, err := t.markOf(c)
		if err != nil {
			return nil, err
		}
		if mark != 0 {
			marked = append(marked, Marked{c.column, mark})
		}
	}
	return marked, nil
}

// markOf returns the mark of a cell.
func (t *Text) markOf(c *cell) (Mark, error) {
	if c.shared < 0 {
		return t.cells.Mark(c.text), nil
	}
	if t.marks == nil {
		marks, err := t.book.marks(t.cells.Mark)
		if err != nil {
			return 0, err
		}
		t.marks = marks
	}
	if c.shared/inByte >= len(t.marks) {
		return 0, ErrDamaged
	}
	return Mark(t.marks[c.shared/inByte]>>(c.shared%inByte*markBits)) & (1<<markBits - 1), nil
}

// marks returns the marks of all shared strings, four to a byte.
func (b *Book) marks(mark func(text string) Mark) ([]byte, error) {
	if b.strings == "" {
		return nil, ErrDamaged
	}
	p, err := b.part(b.strings)
	if err != nil {
		return nil, err
	}
	defer p.close()
	var marks []byte
	for list := newSharedStrings(p, &needed{last: -1}); ; {
		at := list.read
		err := list.next()
		switch {
		case errors.Is(err, io.EOF):
			return marks, nil
		case err != nil:
			return nil, err
		case at >= maxStrings:
			return nil, ErrLimit
		case at%inByte == 0:
			marks = append(marks, 0)
		}
		marks[at/inByte] |= byte(mark(list.last)) << (at % inByte * markBits)
	}
}
