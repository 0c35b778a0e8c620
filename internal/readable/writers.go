package readable

import (
	"encoding/csv"
	"io"
)

// Escaped returns a writer that writes bidirectional controls as their numbers. Each write must be
// whole texts, such as a line of JSON, in which the number is an escape.
func Escaped(w io.Writer) io.Writer { return escaped{w} }

type escaped struct{ to io.Writer }

// Write implements io.Writer.
func (e escaped) Write(p []byte) (int, error) {
	text := string(p)
	if shown := Unbidi(text); shown != text {
		p = []byte(shown)
	}
	if _, err := e.to.Write(p); err != nil {
		return 0, err
	}
	return len(text), nil
}

// CSV writes a CSV that people open with a spreadsheet: each cell is written as Cell returns it. All
// CSV that usher writes is written by it.
type CSV struct{ writer *csv.Writer }

// NewCSV returns a CSV that is written to w.
func NewCSV(w io.Writer) *CSV { return &CSV{csv.NewWriter(w)} }

// Write writes a row.
func (c *CSV) Write(cells ...string) error {
	row := make([]string, len(cells))
	for i, text := range cells {
		row[i] = Cell(text)
	}
	return c.writer.Write(row)
}

// Flush writes what is buffered, and returns the first error of all writes.
func (c *CSV) Flush() error {
	c.writer.Flush()
	return c.writer.Error()
}
