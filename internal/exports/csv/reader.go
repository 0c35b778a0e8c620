package csv

import (
	"cmp"
	"errors"
	"io"

	"usher"
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

	Checks *rows.Checks // of the columns CheckedAt; nil: none

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
	scratch   [3][]byte // texts of cells: the id's, the type's, and one of Checks
	typeCell  []byte    // the record's cell of types
	types     rows.TypeCache
	checked   [][2]checkedField // the first field of each column of Checks, and the last other one
	against   uint32            // the columns of Checks whose cells are against the job
	refused   error             // the record that a check has refused
	malformed bool              // the record has no cell
	ended     bool              // rest ends where the part ends
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
	return &Reader{
		layout: layout, lines: lines, pool: pool, shortest: rows.NewShortestID(layout.ShortestID),
		checked: make([][2]checkedField, len(layout.CheckedAt)),
	}
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
		if err := cmp.Or(r.refused, r.tooManyFaults()); err != nil {
			return err
		}
	}
	return nil
}

// appendCell appends the rows of a record's cell to b.
func (r *Reader) appendCell(b *rows.Block, cell []byte) {
	n, from := 1, len(b.Data)
	if r.malformed {
		b.Data, r.malformed, r.against = rows.AppendMalformed(b.Data), false, 0
	} else {
		b.Data, n = rows.AppendCell(b.Data, cell, r.lines.MaxLine())
		r.shortest.Add(cell)
	}
	r.judge(b, n, from)
}

// judge appends the type of the n rows of a record, which begin at from in b, and does what the
// checks say about them.
func (r *Reader) judge(b *rows.Block, n, from int) {
	if r.layout.TypeColumn >= 0 {
		b.AddTypes(n, r.types.Lookup(r.typeCell))
	}
	if refused := r.layout.Checks.Apply(b, r.against, from, n); refused >= 0 {
		r.refused = r.layout.Checks.Refused(refused, r.row())
	}
}
