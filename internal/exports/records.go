package exports

import (
	"errors"
	"io"

	"usher"
)

// records yields the values at a path of an NDJSON export.
type records struct {
	lines  *lines
	blocks *blocks
	finder finder
	types  *finder // of the types; nil: none
	typist typist

	space []byte // what lines fills
	rest  []byte // of space, not yet looked at
	cell  []byte // an unescaped string
}

func (r *records) next() (*usher.Block, error) {
	if r.space == nil {
		r.space = make([]byte, r.blocks.size)
	}
	b := r.blocks.get()
	b.begin(r.types != nil)
	for len(b.space)-len(b.Data) >= r.lines.maxLine+2 {
		record, err := r.record()
		if errors.Is(err, io.EOF) && len(b.Data) > 0 {
			break
		}
		if err != nil {
			r.blocks.put(b)
			return nil, err
		}
		var rows int
		b.Data, rows = r.appendRows(b.Data, record)
		if r.types != nil {
			b.typed(rows, r.typeOf(record))
		}
	}
	return &b.Block, nil
}

// record returns the next line that is not blank.
func (r *records) record() ([]byte, error) {
	for {
		for len(r.rest) > 0 {
			var line []byte
			if line, r.rest = cutLine(r.rest); !isBlank(line) {
				return line, nil
			}
		}
		data, err := r.lines.next(r.space)
		if err != nil {
			return nil, err
		}
		r.rest = data
	}
}

// appendRows appends the rows of a record: one for each value at the path, an
// empty one where there is none, and one that is no id for a record that is not
// JSON or too long.
func (r *records) appendRows(out, record []byte) ([]byte, int) {
	if !r.finder.find(record) {
		return append(out, invalidRow+"\n"...), 1
	}
	if len(r.finder.found) == 0 {
		return append(out, '\n'), 1
	}
	rows := 0
	for _, s := range r.finder.found {
		if id := record[s.from+1 : max(s.to-1, s.from+1)]; s.plain && hyphenated(id) {
			out = append(append(out, id...), '\n')
			rows++
			continue
		}
		var n int
		out, n = appendCell(out, r.value(record[s.from:s.to]), r.lines.maxLine)
		rows += n
	}
	return out, rows
}

// typeOf is the type that a record says.
func (r *records) typeOf(record []byte) usher.RowType {
	if !r.types.find(record) || len(r.types.found) != 1 {
		return usher.RowOther
	}
	s := r.types.found[0]
	return r.typist.of(r.value(record[s.from:s.to]))
}

// value is a found value as a cell.
func (r *records) value(value []byte) []byte {
	switch value[0] {
	case '"':
		r.cell = appendUnescaped(r.cell[:0], value[1:len(value)-1])
		return r.cell
	case 'n': // null
		return nil
	case '{':
		return []byte(invalidRow)
	}
	return value
}
