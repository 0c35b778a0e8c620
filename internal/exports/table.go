package exports

import (
	"bytes"
	"errors"
	"io"

	"usher"
)

// maxRecord is how far a quoted cell may go over line ends before its quote
// counts as never closed.
const maxRecord = 1 << 20

// table yields one column of a CSV export.
type table struct {
	lines     *lines
	blocks    *blocks
	delimiter byte
	column    int  // 0-based
	cut       bool // a part of several: records may not go over line ends
	first     bool // the first line, which may be sep=; as spreadsheets write it
	header    bool // the first record is still to be left out
	row       int64

	space   []byte // what lines fills
	rest    []byte // of space or joined, not yet split
	quote   int    // where rest has its first quote; len(rest) or more: none
	joined  []byte // a record that goes over pieces, and what follows it
	scratch []byte // an unquoted cell
}

func (t *table) next() (*usher.Block, error) {
	if t.space == nil {
		t.space = make([]byte, t.blocks.size)
	}
	b := t.blocks.get()
	out, row := b.space[:0], t.row
	maxLine := t.lines.maxLine
	for len(b.space)-len(out) >= maxLine+2 {
		cell, err := t.record()
		if errors.Is(err, io.EOF) && len(out) > 0 {
			break
		}
		if err != nil {
			t.blocks.put(b)
			return nil, err
		}
		var rows int64
		out, rows = appendCell(out, cell, maxLine)
		t.row += rows
	}
	b.Data, b.Row, b.Records = out, row, true
	return &b.Block, nil
}

// record returns the next record's wanted cell, empty where it has none. It is
// good until the next call.
func (t *table) record() ([]byte, error) {
	for {
		if len(t.rest) == 0 {
			if err := t.more(); err != nil {
				return nil, err
			}
		}
		line, _ := cutLine(t.rest)
		if !t.isRow(line) {
			t.consume(min(len(line)+1, len(t.rest)))
			continue
		}
		cell, size, err := t.cellOf(line)
		if err != nil {
			return nil, err
		}
		t.consume(size)
		if !t.header {
			return cell, nil
		}
		t.header = false
	}
}

// isRow reports whether a line begins a record: a blank line does not, nor does
// a spreadsheet's sep= at the very beginning.
func (t *table) isRow(line []byte) bool {
	if t.first {
		t.first = false
		if _, ok := separatorLine(line); ok {
			return false
		}
	}
	if len(line) > 0 && line[0] > ' ' {
		return true
	}
	return !isBlank(line) || t.delimiter == '\t' && bytes.IndexByte(line, '\t') >= 0
}

// cellOf returns the wanted cell of the record that begins with line, which
// rest begins with, and the record's size.
func (t *table) cellOf(line []byte) ([]byte, int, error) {
	size := min(len(line)+1, len(t.rest))
	if len(line) > 0 && line[0] == 0 { // an over-long line
		if len(line) > 1 {
			return nil, 0, t.tooLong()
		}
		return []byte(invalidRow), size, nil
	}
	if t.quote >= len(line) {
		return cellAt(line, t.delimiter, t.column), size, nil
	}
	if !t.cut {
		return t.quotedRecord()
	}
	cell, _, open := t.split(line)
	if open {
		return nil, 0, t.lines.from.broken("submit the job again with source.cut: false, which reads quoted line ends in one piece",
			"a quote is not closed on its line, which an export that is cut into parts cannot have")
	}
	return cell, size, nil
}

// quotedRecord is cellOf for a record with quotes, which may go over line ends.
func (t *table) quotedRecord() ([]byte, int, error) {
	for {
		cell, size, open := t.split(t.rest)
		switch {
		case !open && bytes.IndexByte(t.rest[:size], 0) >= 0:
			return nil, 0, t.tooLong()
		case !open:
			return cell, size, nil
		case len(t.rest) > maxRecord:
			return nil, 0, t.unclosed()
		}
		if err := t.join(); err != nil {
			return nil, 0, err
		}
	}
}

func (t *table) unclosed() error {
	return t.lines.from.broken("correct the quotes; within a quoted cell a quote is written twice",
		"a quote is not closed within %d bytes or before the end", maxRecord)
}

func (t *table) tooLong() error {
	return t.lines.from.broken("remove or shorten the long cell", "a quoted cell has a line of more than %d bytes", t.lines.maxLine)
}

// split scans the record that data begins with. It returns the wanted cell,
// nil where the record has none, and the record's size. open says that a quote
// is not closed in data.
func (t *table) split(data []byte) (cell []byte, size int, open bool) {
	for i := 0; ; i++ {
		f, open := nextField(data[size:], t.delimiter)
		if open {
			return nil, 0, true
		}
		if i == t.column {
			cell = f.text(t.scratch)
			if f.doubled || len(f.extra) > 0 {
				t.scratch = cell
			}
		}
		size += f.size
		if f.last {
			return cell, size, false
		}
	}
}

// cellAt returns a cell of a line without quotes.
func cellAt(line []byte, delimiter byte, column int) []byte {
	for range column {
		i := bytes.IndexByte(line, delimiter)
		if i < 0 {
			return nil
		}
		line = line[i+1:]
	}
	if i := bytes.IndexByte(line, delimiter); i >= 0 {
		line = line[:i]
	}
	return line
}

// more reads the next piece.
func (t *table) more() error {
	data, err := t.lines.next(t.space)
	if err != nil {
		return err
	}
	t.rest, t.quote = data, indexQuote(data)
	return nil
}

// join reads the next piece behind rest, for a record that is open at its end.
func (t *table) join() error {
	t.joined = append(t.joined[:0], t.rest...) // before space is filled anew
	data, err := t.lines.next(t.space)
	if errors.Is(err, io.EOF) {
		return t.unclosed()
	}
	if err != nil {
		return err
	}
	t.joined = append(t.joined, data...)
	t.rest, t.quote = t.joined, indexQuote(t.joined)
	return nil
}

func indexQuote(data []byte) int {
	if i := bytes.IndexByte(data, '"'); i >= 0 {
		return i
	}
	return len(data)
}

// consume drops n bytes of rest.
func (t *table) consume(n int) {
	t.rest = t.rest[n:]
	if t.quote -= n; t.quote < 0 {
		t.quote = indexQuote(t.rest)
	}
}
