package rows

import (
	"bytes"
	"cmp"

	"usher"
)

// List says how a plain list is read.
type List struct {
	Header     bool       // the first line that is not blank is a header, which is left out
	Skip       usher.Skip // its number of lines is 0 unless this is the first part
	DropLast   bool       // leave out a last line that is not complete
	ShortestID int        // the length of the shortest id that is known; 0: none
	MostIDs    int        // a line that is no list and has more ids is an error; 0: any number
}

// Text reads a plain list. Its blocks are the text itself, cut at line ends, unless lines
// have several ids: then each of these is a line of the block.
type Text struct {
	list  List
	lines *Lines
	pool  *Pool
	row   int64 // lines of all blocks so far

	beside int64 // lines that have other words beside an id

	scratch []byte // a line of several ids
}

// NewText returns a reader of lines.
func NewText(lines *Lines, pool *Pool, list List) *Text {
	lines.MostIDs = list.MostIDs
	return &Text{list: list, lines: lines, pool: pool}
}

// Next returns the next block, which has at least one row, or io.EOF.
func (t *Text) Next() (*usher.Block, error) {
	b := t.pool.Get()
	for {
		b.Data = nil
		data, err := t.lines.Next(b.Space)
		if err == nil {
			data, err = t.rowsOf(data)
		}
		whole, records, failed := t.splitLists(data)
		if err = cmp.Or(err, failed); hasRow(whole) {
			b.Data, b.Records = whole, records
		}
		if err != nil {
			return nil, t.pool.Refuse(b, err)
		}
		if b.Data != nil {
			return &b.Block, nil
		}
	}
}

// Warnings returns the warning for lines that have other words beside an id.
func (t *Text) Warnings() []usher.Warning {
	if t.beside == 0 {
		return nil
	}
	return []usher.Warning{{
		Code: "words_beside_ids", Count: t.beside,
		Description: "lines of the list have other words beside an id, so that the id is not read: look at them (usher inspect FILE --rejects ROWS.csv writes them), and remove the words or write the list as CSV",
	}}
}

// rowsOf returns the lines of data that are rows, in place. It refuses a last line that
// was cut off, and returns those before it.
func (t *Text) rowsOf(data []byte) ([]byte, error) {
	data = t.dropFirst(data)
	if t.list.Skip.Prefix != "" {
		data = dropLines(data, t.list.Skip.Prefix)
	}
	if t.lines.AtEOF() && len(data) > 0 && data[len(data)-1] != '\n' {
		whole := data[:bytes.LastIndexByte(data, '\n')+1]
		if t.isCut(whole, TrimSpace(data[len(whole):])) {
			if !t.list.DropLast {
				return whole, t.lines.Incomplete(t.row + int64(bytes.Count(data, []byte{'\n'})) + 1)
			}
			data = whole
		}
	}
	return data, nil
}

// isCut reports whether the last line may be the beginning of an id. It is compared
// with the lines before it in the same block, and with the shortest id that is known.
func (t *Text) isCut(before, last []byte) bool {
	shortest := NewShortestID(t.list.ShortestID)
	if !shortest.IsCut(last) && shortest.Length() > 0 {
		return false
	}
	for line := range bytes.Lines(before) {
		shortest.Add(TrimSpace(line))
	}
	return shortest.IsCut(last)
}

// dropFirst returns data without the lines that are skipped at the beginning, and
// without the header.
func (t *Text) dropFirst(data []byte) []byte {
	for len(data) > 0 && (t.list.Skip.Lines > 0 || t.list.Header) {
		line, rest := CutLine(data)
		switch {
		case t.list.Skip.Lines > 0:
			t.list.Skip.Lines--
		case !IsBlank(line) && !t.isSkipped(line):
			t.list.Header = false
		}
		data = rest
	}
	return data
}

func (t *Text) isSkipped(line []byte) bool {
	return t.list.Skip.Prefix != "" && bytes.HasPrefix(line, []byte(t.list.Skip.Prefix))
}

// dropLines removes the lines that begin with prefix, in place.
func dropLines(data []byte, prefix string) []byte {
	out := data[:0]
	for line := range bytes.Lines(data) {
		if !bytes.HasPrefix(line, []byte(prefix)) {
			out = append(out, line...)
		}
	}
	return out
}

// CutLine returns the first line of data without its line feed, and the rest.
func CutLine(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, []byte{'\n'})
	return line, rest
}

// hasRow reports whether data has a line that is not blank. The first byte is
// enough to tell most times.
func hasRow(data []byte) bool {
	for len(data) > 0 {
		if data[0] > ' ' && data[0] < 0x7F {
			return true
		}
		line, rest := CutLine(data)
		if !IsBlank(line) {
			return true
		}
		data = rest
	}
	return false
}
