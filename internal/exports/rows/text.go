package rows

import (
	"bytes"

	"usher"
)

// Text reads a plain list. Its blocks are the text itself, cut at line ends.
type Text struct {
	lines  *Lines
	pool   *Pool
	header bool // the first line that is not blank is a header, and not read yet
}

// NewText returns a reader of lines. If header, the first line that is not blank
// is left out.
func NewText(lines *Lines, pool *Pool, header bool) *Text {
	return &Text{lines: lines, pool: pool, header: header}
}

// Next returns the next block, which has at least one row, or io.EOF.
func (t *Text) Next() (*usher.Block, error) {
	b := t.pool.Get()
	for {
		data, err := t.lines.Next(b.Space)
		if err != nil {
			t.pool.Put(b)
			return nil, err
		}
		if t.header {
			data = t.dropHeader(data)
		}
		if hasRow(data) {
			b.Data = data
			return &b.Block, nil
		}
	}
}

// dropHeader returns data without its first line that is not blank.
func (t *Text) dropHeader(data []byte) []byte {
	for len(data) > 0 {
		line, rest := CutLine(data)
		data = rest
		if !IsBlank(line) {
			t.header = false
			break
		}
	}
	return data
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
