package csv

import (
	"bytes"
	"errors"
	"io"

	"usher"
	"usher/hashing"
	"usher/internal/exports/rows"
)

// Layout says where a part of a CSV export has its cells.
type Layout struct {
	Dialect

	Column     int        // of the ids, counted from 0
	TypeColumn int        // of the types of ids, counted from 0; -1: none
	CheckedAt  []int      // the columns of Checks, counted from 0
	Columns    int        // of each record; 0: any number
	CRLF       bool       // records end in CR LF
	Name       string     // of the column of ids in the header; "": there is no header
	HeaderSum  uint64     // the FieldSum of the header
	HeaderLen  int        // bytes of its fields
	Cut        bool       // the export has several parts: records may not contain line ends
	First      bool       // this is the first part, whose first line may declare the delimiter
	Header     bool       // the first record is a header, which is left out
	Skip       usher.Skip // its number of lines is 0 unless this is the first part
	DropLast   bool       // leave out a last record that is not complete
	ShortestID int        // the length of the shortest id that is known; 0: none
	MostIDs    int        // the largest number of ids in a sampled record; a malformed record with more is an error; 0: any number

	// Fits reports whether a value in another column may be meant where Column has none: it is
	// written like an id of the wanted type. FitLen is the length of the shortest such value.
	// nil: such values are not looked for.
	Fits   func(value []byte) bool
	FitLen int

	NameOf func(cell []byte) Name // nil: headers within the rows are not looked for

	Checks *rows.TypeChecks // of the columns CheckedAt

	Chosen       bool          // by samples: ids in other columns are looked for where Column has none
	OtherIDs     []int         // the columns that may have ids beside Column
	UnrelatedIDs []int         // further columns whose names say that their ids are others
	WordColumns  []usher.Words // the columns whose words tell a record from a header of names that are not known
}

// Name is what a cell may be as the name of a column.
type Name uint8

// The names.
const (
	NoName   Name = iota
	State         // a state of a row or of an id, such as denied: no name of ids, but perhaps of something else
	AnyName       // not known as a name of ids
	IDName        // of ids of any kind: id, uuid, customer_uuid
	SameIDs       // of ids of the kind that the layout's column has
	OtherIDs      // of ids of another kind
)

// Reader reads one column of a part. A record that cannot be parsed is a
// usher.MalformedRow, and so is one that has the wanted cell but another number of
// columns, since the cell may be that of another column. A missing cell is empty.
type Reader struct {
	layout Layout
	lines  *rows.Lines
	pool   *rows.Pool

	space     []byte    // the buffer that lines fills
	rest      []byte    // of space or joined, not read yet
	joined    []byte    // a record that spans several pieces, and the text after it
	scratch   [2][]byte // texts of cells: the id's and the type's
	typeCell  []byte    // the record's cell of types
	types     rows.TypeCache
	other     uint8 // the columns of Checks by which the record is of another type
	malformed bool  // the record has no cell
	ended     bool  // rest ends where the part ends
	shortest  rows.ShortestID
	faults    faults
	gaps      rows.Gaps
	watched   int // the column that gaps watches

	chunk    *structure // of the beginning of rest
	taken    int        // number of its records that were read
	from     int        // where the next record begins
	field    int        // the first field of that record
	fields   int        // number of fields of the record before it
	onlySlow int        // rest is read one record at a time until it is this short
}

// NewReader returns a reader of the lines of a part.
func NewReader(lines *rows.Lines, pool *rows.Pool, layout Layout) *Reader {
	if !layout.isSettled() {
		lines.MostIDs = layout.MostIDs
	}
	return &Reader{layout: layout, lines: lines, pool: pool, shortest: rows.NewShortestID(layout.ShortestID)}
}

// Next returns the next block, or io.EOF.
func (r *Reader) Next() (*usher.Block, error) {
	if r.space == nil {
		r.space = make([]byte, r.pool.Size())
		r.chunk = newStructure()
	}
	b := r.pool.Get()
	b.Reset(r.layout.TypeColumn >= 0)
	if err := r.fill(b); err != nil && (!errors.Is(err, io.EOF) || len(b.Data) == 0) {
		return nil, r.pool.Refuse(b, err)
	}
	return &b.Block, nil
}

// fill appends rows to b while it has room for another one.
func (r *Reader) fill(b *rows.Block) error {
	for len(b.Space)-len(b.Data) >= r.lines.MaxLine()+2 {
		var cell []byte
		known := r.findStructure()
		if known {
			r.appendKnown(b)
		} else {
			var err error
			if cell, err = r.record(); err != nil {
				return r.ending(err)
			}
			r.appendCell(b, cell)
		}
		if err := r.tooManyFaults(); err != nil {
			return err
		}
	}
	return nil
}

// appendCell appends the rows of a record's cell to b.
func (r *Reader) appendCell(b *rows.Block, cell []byte) {
	n, from := 1, len(b.Data)
	if r.malformed {
		b.Data, r.malformed, r.other = rows.AppendMalformed(b.Data), false, 0
	} else {
		b.Data, n = rows.AppendCell(b.Data, cell, r.lines.MaxLine())
		r.shortest.Add(cell)
	}
	r.appendTypes(b, n, b.Data[from:])
}

// appendTypes appends the type of the n rows of a record to b, and counts those of another type.
func (r *Reader) appendTypes(b *rows.Block, n int, record []byte) {
	if r.layout.TypeColumn >= 0 {
		b.AddTypes(n, r.types.Lookup(r.typeCell))
	}
	if r.other != 0 {
		r.layout.Checks.Add(r.other, record)
	}
}

// findStructure reports whether the structure of the next record is known. It
// finds the structure of the next chunk if necessary.
func (r *Reader) findStructure() bool {
	if r.taken < r.chunk.records {
		return true
	}
	if len(r.rest) <= r.onlySlow || r.layout.First || r.layout.Header || r.lines.HasPlaceholders() {
		return false
	}
	r.chunk.read(r.rest, &r.layout.Dialect, r.layout.Cut || !r.layout.isSettled())
	r.taken, r.from, r.field = 0, 0, 0
	if r.chunk.records == 0 || r.chunk.odd {
		// Read the rest of this chunk one record at a time, instead of finding a
		// structure after each odd quote.
		r.onlySlow = len(r.rest) - len(r.chunk.text)
	}
	return r.chunk.records > 0
}

// appendKnown appends the cells of records whose structure is known, as long as
// there is room.
func (r *Reader) appendKnown(b *rows.Block) {
	s, text := r.chunk, r.chunk.text
	out := b.Space[:cap(b.Space)]
	n, room := len(b.Data), len(out)-r.lines.MaxLine()-2
	from, field, fields := r.from, r.field, max(r.fields, r.layout.Columns, 1)
	for r.taken < s.records && n <= room {
		end := int(s.ends[r.taken])
		if last := field + fields - 1; last >= s.fields || int(s.separators[last]) != end {
			fields = s.count(field, end)
		}
		line, ends := text[from:end], s.separators[field:field+fields]
		begin := from
		from, field = end+1, field+fields
		r.taken++
		if (len(line) == 0 || line[0] <= ' ' || line[0] >= 0x7F || r.layout.Skip.Prefix != "") && !r.isRecord(line) {
			continue
		}
		r.faults.records++
		if fields != r.layout.Columns && r.layout.Columns > 0 {
			r.malformed, r.typeCell, r.other = r.isMisread(text[begin:end+1], fields), nil, 0
			b.Data = out[:n]
			r.appendCell(b, nil)
			n = len(b.Data)
			continue
		}
		cell, oneLine := r.knownCell(ends, begin, r.layout.Column, 0)
		if r.layout.TypeColumn >= 0 {
			r.typeCell, _ = r.knownCell(ends, begin, r.layout.TypeColumn, 1)
		}
		row := n
		r.other = r.otherTypes(ends, begin)
		switch {
		case rows.HasUUIDShape(cell) && oneLine:
			rows.PutUUID((*[37]byte)(out[n:]), (*[36]byte)(cell))
			n += 37
			r.shortest.AddLength(36)
		case hashing.IsHexID(cell):
			n += rows.PutHexID(out[n:], cell)
			r.shortest.AddLength(len(cell))
		default:
			r.checkKnown(text[begin:end+1], cell, ends, begin)
			b.Data = out[:n]
			r.appendCell(b, cell)
			n = len(b.Data)
			continue
		}
		r.appendTypes(b, 1, out[row:n])
		r.watchKnown(text[begin : end+1])
	}
	b.Data = out[:n]
	r.from, r.field, r.fields = from, field, fields
	if r.taken == s.records {
		r.consume(from)
	}
}

// otherTypes returns the columns of Checks by which a record whose structure is known is of another
// type. The record begins at begin, and its fields end at ends.
func (r *Reader) otherTypes(ends []uint16, begin int) (other uint8) {
	for i, at := range r.layout.CheckedAt {
		cell, _ := r.knownCell(ends, begin, at, 1)
		other |= r.layout.Checks.Contradicts(i, cell)
	}
	return other
}

// knownCell returns the cell of a column, empty if the record is too short. The
// record begins at begin, and its fields end at ends. scratch says which scratch
// buffer it may use. oneLine reports whether the cell has no line end.
func (r *Reader) knownCell(ends []uint16, begin, column, scratch int) (cell []byte, oneLine bool) {
	if column >= len(ends) {
		return nil, true
	}
	if column > 0 {
		begin = int(ends[column-1]) + 1
	}
	end := int(ends[column])
	text := r.chunk.text
	if end > begin && text[end-1] == '\r' {
		end--
	}
	if cell = text[begin:end]; len(cell) == 0 || cell[0] != quote || r.layout.Bare {
		return cell, true
	}
	cell = r.unquote(cell, scratch)
	return cell, r.layout.Cut || !r.layout.isSettled() || bytes.IndexByte(cell, '\n') < 0
}

// unquote returns the text of a field that has its quotes at both ends.
func (r *Reader) unquote(cell []byte, scratch int) []byte {
	value := cell[1 : len(cell)-1]
	if rows.HasUUIDShape(value) || bytes.IndexByte(value, quote) < 0 {
		return value // with a doubled quote it would be no id either way
	}
	r.scratch[scratch] = appendUndoubled(r.scratch[scratch][:0], value)
	return r.scratch[scratch]
}
