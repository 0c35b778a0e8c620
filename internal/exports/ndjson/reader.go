package ndjson

import (
	"errors"
	"io"

	"usher"
	"usher/internal/exports/rows"
)

// Reader reads the values at a path of a part. Each value is a row. A record
// without a value is an empty row.
type Reader struct {
	lines  *rows.Lines
	pool   *rows.Pool
	ids    *Finder
	types  *Finder // nil: the rows have no types
	cached rows.TypeCache

	space   []byte // the buffer that lines fills
	rest    []byte // of space, not read yet
	scratch []byte // an unescaped string
}

// NewReader returns a reader of the values at path. typePath is the path of the
// types of ids, "" for none.
func NewReader(lines *rows.Lines, pool *rows.Pool, path, typePath string) *Reader {
	r := &Reader{lines: lines, pool: pool, ids: NewFinder(path)}
	if typePath != "" {
		r.types = NewFinder(typePath)
	}
	return r
}

// Next returns the next block, or io.EOF.
func (r *Reader) Next() (*usher.Block, error) {
	if r.space == nil {
		r.space = make([]byte, r.pool.Size())
	}
	b := r.pool.Get()
	b.Reset(r.types != nil)
	for len(b.Space)-len(b.Data) >= r.lines.MaxLine()+2 {
		record, err := r.record()
		if errors.Is(err, io.EOF) && len(b.Data) > 0 {
			break
		}
		if err != nil {
			r.pool.Put(b)
			return nil, err
		}
		var n int
		b.Data, n = r.appendRows(b.Data, record)
		if r.types != nil {
			b.AddTypes(n, r.typeOf(record))
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

// appendRows appends the rows of a record and returns their number: one for each
// value at the path, an empty one if there is no value, and InvalidRow if the
// record is not JSON or too long.
func (r *Reader) appendRows(out, record []byte) ([]byte, int) {
	if !r.ids.Find(record) {
		return append(out, rows.InvalidRow+"\n"...), 1
	}
	if r.ids.Count() == 0 {
		return append(out, '\n'), 1
	}
	total := 0
	for _, s := range r.ids.found {
		if id := record[s.from+1 : max(s.to-1, s.from+1)]; s.plain && rows.HasUUIDShape(id) {
			out = append(append(out, id...), '\n')
			total++
			continue
		}
		var n int
		out, n = rows.AppendCell(out, r.cell(record[s.from:s.to]), r.lines.MaxLine())
		total += n
	}
	return out, total
}

// typeOf returns the type that a record names.
func (r *Reader) typeOf(record []byte) usher.RowType {
	if !r.types.Find(record) || r.types.Count() != 1 {
		return usher.RowOther
	}
	s := r.types.found[0]
	return r.cached.Lookup(r.cell(record[s.from:s.to]))
}

// cell returns a found value as a cell.
func (r *Reader) cell(value []byte) []byte {
	switch value[0] {
	case '"':
		r.scratch = appendUnescaped(r.scratch[:0], value[1:len(value)-1])
		return r.scratch
	case 'n': // null
		return nil
	case '{':
		return []byte(rows.InvalidRow)
	}
	return value
}
