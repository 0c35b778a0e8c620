package exports

import (
	"bytes"

	"usher"
)

// text yields plain text untouched.
type text struct {
	lines  *lines
	blocks *blocks
	header bool  // the first line that is not blank is still to be left out
	row    int64 // number of the next row
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
		if rows := countRows(data); rows > 0 {
			b.Data, b.Row = data, t.row
			t.row += rows
			return &b.Block, nil
		}
	}
}

func (t *text) at() int64 { return t.row }

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

// countRows counts the lines of data that are not blank. Lines mostly have one
// length, so it goes by strides and checks a run of them with one count of line
// ends, which costs a fraction of looking for each.
func countRows(data []byte) int64 {
	var rows int64
	stride := 0
	for len(data) > 0 {
		if run, n := countRun(data, stride); n > 0 {
			rows += n
			data = data[run:]
			continue
		}
		line, rest := cutLine(data)
		if !isBlank(line) {
			rows++
		}
		stride = len(line) + 1
		data = rest
	}
	return rows
}

// countRun counts the rows of the lines at data's beginning that are stride
// bytes long and begin with a visible ASCII character, and returns how many
// bytes they take.
func countRun(data []byte, stride int) (size int, rows int64) {
	if stride < 2 {
		return 0, 0
	}
	for size+stride <= len(data) && data[size+stride-1] == '\n' && data[size] > ' ' && data[size] < 0x7F {
		size += stride
		rows++
	}
	if int64(bytes.Count(data[:size], []byte{'\n'})) == rows {
		return size, rows
	}
	// Shorter lines add up to strides.
	rows = 0
	for run := data[:size]; len(run) > 0; {
		var line []byte
		if line, run = cutLine(run); !isBlank(line) {
			rows++
		}
	}
	return size, rows
}
