package ndjson

import (
	"errors"
	"io"

	"usher"
	"usher/internal/exports/rows"
)

// records yields the values at a path of an NDJSON export.
type Reader struct {
	lines  *rows.Lines
	blocks *rows.Blocks
	finder Finder
	types  *Finder // of the types; nil: none
	typist rows.TypeCache

	space []byte // what lines fills
	rest  []byte // of space, not yet looked at
	cell  []byte // an unescaped string
}

// newRecords yields the values at path. typePath is the path of the types, "" for
// none.
func NewReader(l *rows.Lines, b *rows.Blocks, path, typePath string) *Reader {
	r := &Reader{lines: l, blocks: b, finder: Finder{path: path}}
	if typePath != "" {
		r.types = &Finder{path: typePath}
	}
	return r
}

func (r *Reader) Next() (*usher.Block, error) {
	if r.space == nil {
		r.space = make([]byte, r.blocks.Size)
	}
	b := r.blocks.Get()
	b.Begin(r.types != nil)
	for len(b.Space)-len(b.Data) >= r.lines.MaxLine+2 {
		record, err := r.record()
		if errors.Is(err, io.EOF) && len(b.Data) > 0 {
			break
		}
		if err != nil {
			r.blocks.Put(b)
			return nil, err
		}
		var rows int
		b.Data, rows = r.appendRows(b.Data, record)
		if r.types != nil {
			b.AddTypes(rows, r.typeOf(record))
		}
	}
	return &b.Block, nil
}

// record returns the next line that is not blank.
func (r *Reader) record() ([]byte, error) {
	for {
		for len(r.rest) > 0 {
			var line []byte
			if line, r.rest = rows.CutLine(r.rest); !rows.IsBlank(line) {
				return line, nil
			}
		}
		data, err := r.lines.Next(r.space)
		if err != nil {
			return nil, err
		}
		r.rest = data
	}
}

// appendRows appends the rows of a record: one for each value at the path, an
// empty one where there is none, and one that is no id for a record that is not
// JSON or too long.
func (r *Reader) appendRows(out, record []byte) ([]byte, int) {
	if !r.finder.Find(record) {
		return append(out, rows.InvalidRow+"\n"...), 1
	}
	if len(r.finder.Found) == 0 {
		return append(out, '\n'), 1
	}
	added := 0
	for _, s := range r.finder.Found {
		if id := record[s.from+1 : max(s.to-1, s.from+1)]; s.plain && rows.HasUUIDShape(id) {
			out = append(append(out, id...), '\n')
			added++
			continue
		}
		var n int
		out, n = rows.AppendCell(out, r.value(record[s.from:s.to]), r.lines.MaxLine)
		added += n
	}
	return out, added
}

// typeOf is the type that a record says.
func (r *Reader) typeOf(record []byte) usher.RowType {
	if !r.types.Find(record) || len(r.types.Found) != 1 {
		return usher.RowOther
	}
	s := r.types.Found[0]
	return r.typist.Lookup(r.value(record[s.from:s.to]))
}

// value is a found value as a cell.
func (r *Reader) value(value []byte) []byte {
	switch value[0] {
	case '"':
		r.cell = appendUnescaped(r.cell[:0], value[1:len(value)-1])
		return r.cell
	case 'n': // null
		return nil
	case '{':
		return []byte(rows.InvalidRow)
	}
	return value
}
