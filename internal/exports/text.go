package exports

import (
	"bytes"

	"usher"
)

// text yields plain text untouched.
type text struct {
	lines  *lines
	blocks *blocks
	header bool // the first line that is not blank is still to be left out
}

func (t *text) next() (*usher.Block, error) {
	b := t.blocks.get()
	for {
		data, err := t.lines.next(b.space)
		if err != nil {
			t.blocks.put(b)
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
func (t *text) dropHeader(data []byte) []byte {
	for len(data) > 0 {
		line, rest := cutLine(data)
		data = rest
		if !isBlank(line) {
			t.header = false
			break
		}
	}
	return data
}

// cutLine returns data's first line without its \n, and what follows.
func cutLine(data []byte) (line, rest []byte) {
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
		line, rest := cutLine(data)
		if !isBlank(line) {
			return true
		}
		data = rest
	}
	return false
}
