package csv

import (
	"bytes"
	"errors"
	"io"

	"usher"
	"usher/internal/exports/rows"
)

// maxRecord is how far a quoted cell may go over line ends before its quote
// counts as never closed.
const maxRecord = 1 << 20

// table yields one column of a CSV export.
type Reader struct {
	Layout

	lines  *rows.Lines
	blocks *rows.Blocks

	space   []byte    // what lines fills
	rest    []byte    // of space or joined, not yet split
	quote   int       // where rest has its first quote; len(rest) or more: none
	joined  []byte    // a record that goes over pieces, and what follows it
	scratch [2][]byte // unquoted cells
	kind    []byte    // the record's cell of types
	typist  rows.TypeCache

	found  *structure // of rest's first chunk
	taken  int        // how many of its records are taken
	from   int        // where the next one begins
	mark   int        // the first of its marks
	fields int        // how many the one before has
	byHand int        // rest is read record by record until no more than this is left
}

// tableLayout says where a part of a CSV export has its cells.
type Layout struct {
	Delimiter  byte
	Column     int  // 0-based
	TypeColumn int  // 0-based column of types; -1: none
	Cut        bool // a part of several: records may not go over line ends
	First      bool // the first line, which may be sep=; as spreadsheets write it
	Header     bool // the first record is still to be left out
}

func NewReader(l *rows.Lines, b *rows.Blocks, layout Layout) *Reader {
	return &Reader{Layout: layout, lines: l, blocks: b}
}

func (t *Reader) Next() (*usher.Block, error) {
	if t.space == nil {
		t.space = make([]byte, t.blocks.Size)
		t.found = newStructure()
	}
	b := t.blocks.Get()
	b.Begin(t.TypeColumn >= 0)
	maxLine := t.lines.MaxLine
	for len(b.Space)-len(b.Data) >= maxLine+2 {
		if t.plain() {
			t.cells(b)
			continue
		}
		cell, err := t.record()
		if errors.Is(err, io.EOF) && len(b.Data) > 0 {
			break
		}
		if err != nil {
			t.blocks.Put(b)
			return nil, err
		}
		t.add(b, cell)
	}
	return &b.Block, nil
}

// add appends the rows of a cell to b.
func (t *Reader) add(b *rows.Block, cell []byte) {
	var added int
	b.Data, added = rows.AppendCell(b.Data, cell, t.lines.MaxLine)
	t.typed(b, added)
}

// typed says of which type the rows are that one record has appended to b.
func (t *Reader) typed(b *rows.Block, added int) {
	if t.TypeColumn >= 0 {
		b.AddTypes(added, t.typist.Lookup(t.kind))
	}
}

// plain reports whether records that rest begins with are known by their
// structure, which it looks for when it has to.
func (t *Reader) plain() bool {
	if t.taken < t.found.known {
		return true
	}
	if len(t.rest) <= t.byHand || t.First || t.Header || t.lines.HasTokens {
		return false
	}
	t.found.read(t.rest, t.Delimiter, t.Cut)
	t.taken, t.from, t.mark = 0, 0, 0
	if t.found.known == 0 || t.found.odd {
		// One record at a time from here on, but not for every odd quote.
		t.byHand = len(t.rest) - len(t.found.text)
	}
	return t.found.known > 0
}

// cells appends the wanted cells of records whose structure is known, as long as
// there is room.
func (t *Reader) cells(b *rows.Block) {
	s, text := t.found, t.found.text
	out := b.Space[:cap(b.Space)]
	n, room := len(b.Data), len(out)-t.lines.MaxLine-2
	from, mark, fields := t.from, t.mark, max(t.fields, 1)
	for t.taken < s.known && n <= room {
		end := int(s.ends[t.taken])
		if last := mark + fields - 1; last >= s.parts || int(s.marks[last]) != end {
			fields = s.fields(mark, end)
		}
		line, marks := text[from:end], s.marks[mark:mark+fields]
		begin := from
		from, mark = end+1, mark+fields
		t.taken++
		if (len(line) == 0 || line[0] <= ' ') && !t.isRow(line) {
			continue
		}
		cell, whole := t.cell(marks, begin, t.Column, 0)
		if t.TypeColumn >= 0 {
			t.kind, _ = t.cell(marks, begin, t.TypeColumn, 1)
		}
		if rows.HasUUIDShape(cell) && whole {
			rows.PutUUID((*[37]byte)(out[n:]), (*[36]byte)(cell))
			n += 37
			t.typed(b, 1)
			continue
		}
		b.Data = out[:n]
		t.add(b, cell)
		n = len(b.Data)
	}
	b.Data = out[:n]
	t.from, t.mark, t.fields = from, mark, fields
	if t.taken == s.known {
		t.consume(from)
	}
}

// cell is a cell of the record that begins at a byte and whose fields end at
// marks, empty where it has none; which of the two scratches it may use. whole
// says that it is on one line.
func (t *Reader) cell(marks []uint16, begin, column, scratch int) (cell []byte, whole bool) {
	if column >= len(marks) {
		return nil, true
	}
	if column > 0 {
		begin = int(marks[column-1]) + 1
	}
	end := int(marks[column])
	text := t.found.text
	if end > begin && text[end-1] == '\r' {
		end--
	}
	if cell = text[begin:end]; len(cell) == 0 || cell[0] != '"' {
		return cell, true
	}
	cell = t.unquoted(cell, scratch)
	return cell, t.Cut || bytes.IndexByte(cell, '\n') < 0
}

// unquoted is what a quoted field holds, of which the structure is known.
func (t *Reader) unquoted(raw []byte, scratch int) []byte {
	f := field{value: raw[1 : len(raw)-1]}
	f.doubled = bytes.IndexByte(f.value, '"') >= 0
	if !f.doubled {
		return f.value
	}
	t.scratch[scratch] = f.text(t.scratch[scratch])
	return t.scratch[scratch]
}

// record returns the next record's wanted cell, empty where it has none. It is
// good until the next call.
func (t *Reader) record() ([]byte, error) {
	for {
		if len(t.rest) == 0 {
			if err := t.more(); err != nil {
				return nil, err
			}
		}
		line, _ := rows.CutLine(t.rest)
		if !t.isRow(line) {
			t.consume(min(len(line)+1, len(t.rest)))
			continue
		}
		cell, size, err := t.cellOf(line)
		if err != nil {
			return nil, err
		}
		t.consume(size)
		if !t.Header {
			return cell, nil
		}
		t.Header = false
	}
}

// isRow reports whether a line begins a record: a blank line does not, nor does
// a spreadsheet's sep= at the very beginning.
func (t *Reader) isRow(line []byte) bool {
	if t.First {
		t.First = false
		if _, ok := DeclaredDelimiter(line); ok {
			return false
		}
	}
	if len(line) > 0 && line[0] > ' ' {
		return true
	}
	return !rows.IsBlank(line) || t.Delimiter == '\t' && bytes.IndexByte(line, '\t') >= 0
}

// cellOf returns the wanted cell of the record that begins with line, which
// rest begins with, and the record's size.
func (t *Reader) cellOf(line []byte) ([]byte, int, error) {
	size := min(len(line)+1, len(t.rest))
	if len(line) > 0 && line[0] == 0 { // an over-long line
		if len(line) > 1 {
			return nil, 0, t.tooLong()
		}
		t.kind = nil
		return []byte(rows.InvalidRow), size, nil
	}
	if t.quote >= len(line) {
		if t.TypeColumn >= 0 {
			t.kind = cellAt(line, t.Delimiter, t.TypeColumn)
		}
		return cellAt(line, t.Delimiter, t.Column), size, nil
	}
	if !t.Cut {
		return t.quotedRecord()
	}
	cell, _, open := t.split(line)
	if open {
		return nil, 0, t.lines.Origin.Broken("submit the job again with source.cut: false, which reads quoted line ends in one piece",
			"a quote is not closed on its line, which an export that is cut into parts cannot have")
	}
	return cell, size, nil
}

// quotedRecord is cellOf for a record with quotes, which may go over line ends.
func (t *Reader) quotedRecord() ([]byte, int, error) {
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

func (t *Reader) unclosed() error {
	return t.lines.Origin.Broken("correct the quotes; within a quoted cell a quote is written twice",
		"a quote is not closed within %d bytes or before the end", maxRecord)
}

func (t *Reader) tooLong() error {
	return t.lines.Origin.Broken("remove or shorten the long cell", "a quoted cell has a line of more than %d bytes", t.lines.MaxLine)
}

// split scans the record that data begins with. It returns the wanted cell,
// nil where the record has none, and the record's size. open says that a quote
// is not closed in data.
func (t *Reader) split(data []byte) (cell []byte, size int, open bool) {
	t.kind = nil
	for i := 0; ; i++ {
		f, open := nextField(data[size:], t.Delimiter)
		if open {
			return nil, 0, true
		}
		if i == t.Column {
			cell = t.textOf(&f, 0)
		}
		if i == t.TypeColumn {
			t.kind = t.textOf(&f, 1)
		}
		size += f.size
		if f.last {
			return cell, size, false
		}
	}
}

// textOf is the field's value, for which it may use a scratch.
func (t *Reader) textOf(f *field, scratch int) []byte {
	value := f.text(t.scratch[scratch])
	if f.doubled || len(f.extra) > 0 {
		t.scratch[scratch] = value
	}
	return value
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
func (t *Reader) more() error {
	data, err := t.lines.Next(t.space)
	if err != nil {
		return err
	}
	t.rest, t.quote, t.byHand = data, indexQuote(data), 0
	return nil
}

// join reads the next piece behind rest, for a record that is open at its end.
func (t *Reader) join() error {
	t.joined = append(t.joined[:0], t.rest...) // before space is filled anew
	data, err := t.lines.Next(t.space)
	if errors.Is(err, io.EOF) {
		return t.unclosed()
	}
	if err != nil {
		return err
	}
	t.joined = append(t.joined, data...)
	t.rest, t.quote, t.byHand = t.joined, indexQuote(t.joined), 0
	return nil
}

func indexQuote(data []byte) int {
	if i := bytes.IndexByte(data, '"'); i >= 0 {
		return i
	}
	return len(data)
}

// consume drops n bytes of rest.
func (t *Reader) consume(n int) {
	t.rest = t.rest[n:]
	if t.quote -= n; t.quote < 0 {
		t.quote = indexQuote(t.rest)
	}
}
