package rows

import (
	"bytes"

	"usher"
)

// text yields plain text untouched.
type Text struct {
	lines  *Lines
	blocks *Blocks
	header bool // the first line that is not blank is still to be left out
}

func NewText(l *Lines, b *Blocks, header bool) *Text {
	return &Text{lines: l, blocks: b, header: header}
}

func (t *Text) Next() (*usher.Block, error) {
	b := t.blocks.Get()
	for {
		data, err := t.lines.Next(b.Space)
		if err != nil {
			t.blocks.Put(b)
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

// cutLine returns data's first line without its \n, and what follows.
func CutLine(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, []byte{'\n'})
	return line, rest
}

// hasRow reports whether a line of data is not blank, which the first byte mostly
// tells.
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
