package xlsx

import (
	"errors"
	"io"
	"slices"
	"strings"
)

// Cells says which cells of a sheet are read.
type Cells struct {
	Rows   int   // that are read, from the first one; -1: all
	Wanted []int // the columns whose values are read, counted from 0; nil: all

	// Each is called for every value of any column, and reports whether the value is read even
	// if its column is not wanted. nil: there is no call.
	Each func(column int, text string) bool

	// Whole is called for the values of the first wanted column, and reports whether all cells
	// of the row are read, which takes as long as to read the sheet up to there. nil: there is
	// no call.
	Whole func(text string) bool

	// Row is called for each row with values, before it is written. Reading ends with its
	// error. nil: there is no call. Mark marks the texts for Row.Marks.
	Row  func(row *Row) error
	Mark func(text string) Mark
}

// Text reads a sheet as CSV: with commas, CR LF within cells kept, and an empty line for
// a row without values. Each other row has all its columns up to its last cell, or up to
// the last wanted column.
type Text struct {
	book    *Book
	index   int
	sheet   *sheet
	strings *sharedStrings // nil: the workbook has none
	marks   []byte         // of the shared strings, see Book.marks; nil: not read
	cells   Cells
	row     int // rows that were written
	out     []byte
	at      int // in out
	err     error
}

// Text opens a sheet by its index.
func (b *Book) Text(index int, cells Cells) (*Text, error) {
	need := needed{last: -1}
	var err error
	if b.strings != "" {
		seen := cells.Wanted
		if cells.Each != nil {
			seen = nil
		}
		err = b.survey(index, seen, cells.Rows, &need)
	}
	if err != nil {
		return nil, err
	}
	p, err := b.part(b.parts[index])
	if err != nil {
		return nil, err
	}
	t := &Text{book: b, index: index, sheet: &sheet{part: p}, cells: cells}
	if need.last < 0 {
		return t, nil
	}
	if p, err = b.part(b.strings); err != nil {
		t.Close()
		return nil, err
	}
	t.strings = newSharedStrings(p, &need)
	return t, nil
}

// survey finds the shared strings that are needed again.
func (b *Book) survey(index int, wanted []int, rows int, need *needed) error {
	p, err := b.part(b.parts[index])
	if err != nil {
		return err
	}
	defer p.close()
	for s := (&sheet{part: p}); rows != 0; rows-- {
		if err := s.next(); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if err := need.addCells(s.cells, wanted); err != nil {
			return err
		}
	}
	return nil
}

// Read implements io.Reader.
func (t *Text) Read(p []byte) (int, error) {
	for t.at == len(t.out) {
		if t.err != nil {
			return 0, t.err
		}
		t.out, t.at = t.out[:0], 0
		t.err = t.fill()
	}
	n := copy(p, t.out[t.at:])
	t.at += n
	return n, nil
}

// fill writes a row, and at most some of the empty rows before it.
func (t *Text) fill() error {
	const most = 1 << 10
	if t.row+1 < t.sheet.row { // empty rows before the row that was read
		n := min(t.sheet.row-1-t.row, most)
		t.row += n
		t.out = append(t.out, strings.Repeat("\n", n)...)
		return nil
	}
	if t.row < t.sheet.row {
		t.row = t.sheet.row
		return t.write()
	}
	if t.cells.Rows == 0 {
		return io.EOF
	}
	t.cells.Rows--
	err := t.sheet.next()
	if errors.Is(err, io.EOF) && t.strings != nil {
		if err := t.strings.finish(); err != nil {
			return err
		}
	}
	return err
}

// write writes the row that was read.
func (t *Text) write() error {
	from := len(t.out)
	width, first, err := t.writeWanted()
	if err != nil {
		return err
	}
	if t.cells.Row != nil && len(t.sheet.cells) > 0 {
		if err := t.cells.Row(&Row{Number: t.sheet.row, First: first, Formulas: t.sheet.formulas, text: t}); err != nil {
			return err
		}
	}
	if t.cells.Whole != nil && first != "" && t.cells.Whole(first) {
		t.out = t.out[:from]
		return t.writeWhole()
	}
	t.endRow(width)
	return nil
}

// writeWanted writes the cells that are read, and returns how many commas the row then has and
// the value of the first wanted column.
func (t *Text) writeWanted() (width int, first string, err error) {
	wanted := t.cells.Wanted
	for i := range t.sheet.cells {
		c := &t.sheet.cells[i]
		unwanted := wanted != nil && !slices.Contains(wanted, c.column)
		if unwanted && t.cells.Each == nil {
			continue
		}
		text, err := t.textOf(c)
		if err != nil {
			return 0, "", err
		}
		if wanted != nil && c.column == wanted[0] {
			first = text
		}
		if read := t.cells.Each != nil && t.cells.Each(c.column, text); unwanted && !read {
			continue
		}
		width = t.writeCell(c.column, width, text)
	}
	return width, first, nil
}

// endRow ends a row that has width commas.
func (t *Text) endRow(width int) {
	if len(t.sheet.cells) > 0 {
		// A row is not blank, and has the wanted columns.
		last := 1
		if t.cells.Wanted != nil {
			last = max(last, slices.Max(t.cells.Wanted))
		}
		for ; width < last; width++ {
			t.out = append(t.out, ',')
		}
	}
	t.out = append(t.out, '\n')
}

// writeWhole writes all cells of the row that was read.
func (t *Text) writeWhole() error {
	cells, err := t.book.row(t.index, t.sheet.row)
	width := 0
	for i := range cells {
		width = t.writeCell(cells[i].column, width, cells[i].text)
	}
	t.out = append(t.out, '\n')
	return err
}

// writeCell writes the text of a cell behind the commas that are missing, and returns how many
// commas the row then has.
func (t *Text) writeCell(column, width int, text string) int {
	for ; width < column; width++ {
		t.out = append(t.out, ',')
	}
	t.out = appendQuoted(t.out, text)
	return width
}

// row returns the cells of a row by its number, with the texts of shared strings.
func (b *Book) row(index, number int) ([]cell, error) {
	p, err := b.part(b.parts[index])
	if err != nil {
		return nil, err
	}
	defer p.close()
	s := &sheet{part: p}
	for s.row < number {
		if err := s.next(); err != nil {
			return nil, noEOF(err)
		}
	}
	return s.cells, b.resolve(s.cells)
}

// resolve sets the texts of cells with shared strings.
func (b *Book) resolve(cells []cell) error {
	need := needed{last: -1}
	if err := need.addCells(cells, nil); err != nil {
		return err
	}
	if need.last < 0 {
		return nil
	}
	p, err := b.part(b.strings)
	if err != nil {
		return err
	}
	defer p.close()
	list := newSharedStrings(p, &need)
	for i := range cells {
		if c := &cells[i]; c.shared >= 0 {
			if c.text, err = list.at(c.shared); err != nil {
				return err
			}
		}
	}
	return nil
}

// textOf returns the text of a cell.
func (t *Text) textOf(c *cell) (string, error) {
	switch {
	case c.shared < 0:
		return c.text, nil
	case t.strings == nil:
		return "", ErrDamaged
	}
	return t.strings.at(c.shared)
}

// appendQuoted appends a cell.
func appendQuoted(out []byte, text string) []byte {
	text = strings.ReplaceAll(text, "\x00", "\uFFFD")
	if !strings.ContainsAny(text, "\",\r\n") {
		return append(out, text...)
	}
	out = append(out, '"')
	out = append(out, strings.ReplaceAll(text, `"`, `""`)...)
	return append(out, '"')
}

// More reports whether reading ended because of the number of rows.
func (t *Text) More() bool { return t.cells.Rows == 0 }

// Unknown returns, by column, how many cells of the rows that were read have a formula whose value
// the file does not have, or is an empty text.
func (t *Text) Unknown() map[int]int { return t.sheet.unknown }

// Hidden returns the number of rows with values that were read, and how many of them are hidden, as a filter
// hides them.
func (t *Text) Hidden() (filled, hidden int) { return t.sheet.filled, t.sheet.hidden }

// Close closes the sheet.
func (t *Text) Close() {
	t.sheet.part.close()
	if t.strings != nil {
		t.strings.part.close()
	}
}
