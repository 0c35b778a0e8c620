package xlsx

import (
	"errors"
	"io"
	"slices"
	"strings"
)

// Text reads a sheet as CSV: with commas, CR LF within cells kept, and an empty line for
// a row without values. Each other row has all its columns up to its last cell, or up to
// the last wanted column.
type Text struct {
	sheet   *sheet
	strings *sharedStrings // nil: the workbook has none
	wanted  []int          // columns; nil: all
	each    func(column int, text string) bool
	rows    int // to read; -1: all
	row     int // rows that were written
	out     []byte
	at      int // in out
	err     error
}

// Text opens a sheet by its index. wanted are the columns whose values are read, counted
// from 0; nil are all. each is called for every value of any column, unless it is nil, and
// reports whether the value is read even if its column is not wanted. rows is how many
// rows are read, -1 for all of them.
func (b *Book) Text(index int, wanted []int, each func(column int, text string) bool, rows int) (*Text, error) {
	need := needed{last: -1}
	var err error
	if b.strings != "" {
		seen := wanted
		if each != nil {
			seen = nil
		}
		err = b.survey(index, seen, rows, &need)
	}
	if err != nil {
		return nil, err
	}
	p, err := b.part(b.parts[index])
	if err != nil {
		return nil, err
	}
	t := &Text{sheet: &sheet{part: p}, wanted: wanted, each: each, rows: rows}
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
		for i := range s.cells {
			if c := &s.cells[i]; c.shared >= 0 && (wanted == nil || slices.Contains(wanted, c.column)) {
				if err := need.add(c.shared); err != nil {
					return err
				}
			}
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
	if t.rows == 0 {
		return io.EOF
	}
	t.rows--
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
	width := 0
	for i := range t.sheet.cells {
		c := &t.sheet.cells[i]
		unwanted := t.wanted != nil && !slices.Contains(t.wanted, c.column)
		if unwanted && t.each == nil {
			continue
		}
		text, err := t.textOf(c)
		if err != nil {
			return err
		}
		if read := t.each != nil && t.each(c.column, text); unwanted && !read {
			continue
		}
		for ; width < c.column; width++ {
			t.out = append(t.out, ',')
		}
		t.out = appendQuoted(t.out, text)
	}
	if len(t.sheet.cells) > 0 {
		// A row is not blank, and has the wanted columns.
		last := 1
		if t.wanted != nil {
			last = max(last, slices.Max(t.wanted))
		}
		for ; width < last; width++ {
			t.out = append(t.out, ',')
		}
	}
	t.out = append(t.out, '\n')
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
func (t *Text) More() bool { return t.rows == 0 }

// Close closes the sheet.
func (t *Text) Close() {
	t.sheet.part.close()
	if t.strings != nil {
		t.strings.part.close()
	}
}
