package ndjson

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"usher"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// Layout says where the records of a part have their values.
type Layout struct {
	Path      string     // of the ids
	TypePath  string     // of the types of ids; "": none
	CheckedAt []string   // the paths of Checks
	Skip      usher.Skip // its number of lines is 0 unless this is the first part
	DropLast  bool       // leave out a last record that is not complete

	// MostIDs is the largest number of ids in a sampled record, as CountIDs counts them. A record
	// that cannot be parsed and has more is an error. 0: any number.
	MostIDs int

	// Absent is returned instead of io.EOF if there are records, and none of them has a
	// value at the path, not even null. It is for whole files; nil: this is no error.
	Absent error

	Origin places.Origin

	Checks *rows.Checks // of the paths CheckedAt; nil: none

	// OtherPath returns the path of an id in a record that has no value at Path, "" if the record
	// has none that may be meant. If OtherPath is nil, ids at other paths are not looked for.
	OtherPath func(record []byte) string

	// Filler returns the path of another id in a record whose value at Path is null, blank or
	// a placeholder, or "" if the record has none. If Filler is nil, nothing is searched.
	Filler func(record []byte) string

	// Late looks for fields that say no and that no sampled record has. isNew says that the record has a
	// field that no record of the part had before, and ids has found its ids. Late returns the function that makes the
	// error for a row of the id at an index, nil if no field beside it says no. The function is nil if there is no
	// such id. If Late is nil, nothing is looked for.
	Late func(record []byte, isNew bool, ids *Finder) func(id int, row string) error
}

// Reader reads the values at a path of a part. Each value is a row. A record
// without a value is an empty row, and a line that is no record is a
// usher.MalformedRow.
type Reader struct {
	layout   Layout
	lines    *rows.Lines // nil for a document
	document *Document   // nil for lines
	longest  int         // bytes of a record
	maxLine  int         // bytes of a value
	pool     *rows.Pool
	ids      *Finder
	types    *Finder // nil: the rows have no types
	checked  []*Finder
	cached   rows.TypeCache

	read  bool // a record was read
	found bool // a record has a value at the path
	moved rows.Moved
	other otherLines

	gaps    rows.Gaps
	watched *Finder // the path that gaps watches

	space   []byte   // the buffer that lines fills
	rest    []byte   // of space, not read yet
	joined  [][]byte // further records of the current line
	open    bool     // the current record is the file's last, and its line has no end
	records int64    // read so far
	scratch []byte   // an unescaped string
	counts  []int    // of the rows of each value of the current record
	bits    []uint32 // of the checks of each value
	values  []byte   // the rows of a record whose values differ in bits, before they are judged
}

// NewReader returns a reader of the lines of a part.
func NewReader(lines *rows.Lines, pool *rows.Pool, layout Layout) *Reader {
	lines.MostIDs, lines.Key = layout.MostIDs, lastSegment(layout.Path)
	r := newReader(pool, lines.MaxLine(), layout)
	r.lines, r.longest = lines, r.maxLine
	r.space = make([]byte, pool.Size())
	return r
}

// NewDocumentReader returns a reader of a document, which skips nothing. maxLine is the
// longest value.
func NewDocumentReader(d *Document, pool *rows.Pool, maxLine int, layout Layout) *Reader {
	d.mostIDs, d.key = layout.MostIDs, lastSegment(layout.Path)
	r := newReader(pool, maxLine, layout)
	r.document, r.longest = d, d.most
	return r
}

func newReader(pool *rows.Pool, maxLine int, layout Layout) *Reader {
	r := &Reader{layout: layout, maxLine: maxLine, pool: pool, ids: NewFinder(layout.Path)}
	if layout.TypePath != "" {
		r.types = NewFinderBeside(layout.TypePath, layout.Path)
	}
	if layout.Late != nil {
		r.ids.fields = new(fields)
	}
	for _, path := range layout.CheckedAt {
		r.checked = append(r.checked, NewFinderBeside(path, layout.Path))
	}
	return r
}

// AllowAbsent makes the reader accept an export without any value at the path.
func (r *Reader) AllowAbsent() { r.layout.Absent = nil }

// Next returns the next block, or io.EOF.
func (r *Reader) Next() (*usher.Block, error) {
	b := r.pool.Get()
	b.Reset(r.types != nil)
	for len(b.Space)-len(b.Data) >= r.longest+2 {
		err := r.appendRecord(b)
		ended := errors.Is(err, io.EOF)
		if ended && len(b.Data) > 0 {
			break
		}
		if ended && r.layout.Absent != nil && r.read && !r.found {
			err = r.layout.Absent
		}
		if err != nil {
			return nil, r.pool.Refuse(b, err)
		}
	}
	return &b.Block, nil
}

// appendRecord appends the rows of the next record to b. It appends none for a line of several
// records, which are the next ones.
func (r *Reader) appendRecord(b *rows.Block) error {
	record, err := r.record()
	if err != nil {
		return r.ending(err)
	}
	valid := r.ids.Find(record)
	if !valid && r.split(record) {
		return nil
	}
	r.records++
	if !valid {
		if err := cmp.Or(r.severalIDs(record), r.checkOther(record)); err != nil {
			return err
		}
	} else {
		r.other = otherLines{}
	}
	if r.open && !valid {
		return r.ending(r.incomplete())
	}
	from := len(b.Data)
	var n int
	b.Data, n = r.appendRows(b.Data, record, valid)
	if r.layout.Filler != nil && valid {
		r.checkGap(record, b.Data[from:])
	}
	if r.types != nil {
		r.addTypes(b, record, n)
	}
	if len(r.checked) > 0 && valid {
		if err := r.check(b, record, from, n); err != nil {
			return err
		}
	}
	if r.layout.Late != nil && valid {
		if err := r.checkLate(record, b.Data[from:]); err != nil {
			return err
		}
	}
	return r.movedIDs(false)
}

// checkLate refuses a row with an id, beside which a field says no although no sampled record had it.
func (r *Reader) checkLate(record, data []byte) error {
	refusal := r.layout.Late(record, r.ids.fields.isNew, r.ids)
	if refusal == nil {
		return nil
	}
	for id, count := range r.counts {
		for range count {
			var row []byte
			if row, data = rows.CutLine(data); usher.WithheldBy(row) >= 0 || rows.IsGap(row) {
				continue
			}
			if err := refusal(id, fmt.Sprintf("record %d", r.records)); err != nil {
				return err
			}
		}
	}
	return nil
}

// ending returns the error that reading ends with: err, or what the end has shown.
func (r *Reader) ending(err error) error {
	if !errors.Is(err, io.EOF) {
		return err
	}
	return cmp.Or(r.otherFormat(true), r.movedIDs(true), err)
}

// record returns the next record of the document, or the next line that is not blank and
// not skipped.
func (r *Reader) record() ([]byte, error) {
	if r.document != nil {
		return r.document.Next()
	}
	if len(r.joined) > 0 {
		record := r.joined[0]
		r.joined = r.joined[1:]
		return record, nil
	}
	for {
		for len(r.rest) > 0 {
			line, rest := rows.CutLine(r.rest)
			r.open = len(rest) == 0 && r.rest[len(r.rest)-1] != '\n' && r.lines.AtEOF()
			r.rest = rest
			if r.isRecord(line) {
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

func (r *Reader) isRecord(line []byte) bool {
	if r.layout.Skip.Lines > 0 {
		r.layout.Skip.Lines--
		return false
	}
	prefix := r.layout.Skip.Prefix
	return !rows.IsBlank(line) && (prefix == "" || !bytes.HasPrefix(line, []byte(prefix)))
}

// incomplete returns the error for a last record that is not complete, or io.EOF if
// such a record is left out.
func (r *Reader) incomplete() error {
	if r.layout.DropLast {
		return io.EOF
	}
	return r.lines.Incomplete(r.records)
}

// appendRows appends the rows of a record and returns their number: one for each
// value at the path, an empty one if there is no value, and usher.MalformedRow if
// the record is not valid: no JSON, or too long.
func (r *Reader) appendRows(out, record []byte, valid bool) ([]byte, int) {
	r.counts = r.counts[:0]
	if !valid {
		return rows.AppendMalformed(out), 1
	}
	r.read = true
	if r.ids.Count() == 0 {
		r.lookElsewhere(record)
		return append(out, '\n'), 1
	}
	r.found = true
	total := 0
	for _, s := range r.ids.found {
		if id := record[s.from+1 : max(s.to-1, s.from+1)]; s.plain && rows.HasUUIDShape(id) {
			out = append(append(out, id...), '\n')
			total++
			r.counts = append(r.counts, 1)
			continue
		}
		if record[s.from] == 'n' { // null
			out = append(out, '\n')
			total++
			r.counts = append(r.counts, 1)
			continue
		}
		var n int
		out, n = rows.AppendCell(out, r.cell(record[s.from:s.to]), r.maxLine)
		total += n
		r.counts = append(r.counts, n)
	}
	return out, total
}

// lookElsewhere counts a record without a value at the path that has an id elsewhere.
func (r *Reader) lookElsewhere(record []byte) {
	if r.layout.OtherPath == nil {
		return
	}
	if path := r.layout.OtherPath(record); path != "" {
		r.moved.Add(func() string { return field(path) }, func() string { return fmt.Sprintf("record %d", r.records) })
	}
}

// addTypes adds the types of the n rows of a record. A row has one if one type stands beside its id.
func (r *Reader) addTypes(b *rows.Block, record []byte, n int) {
	if !r.types.FindBeside(record, r.ids) {
		b.AddTypes(n, usher.RowOther)
		return
	}
	counts := r.counts
	for _, g := range r.types.groups {
		named := usher.RowOther
		if g.to-g.from == 1 {
			s := r.types.found[g.from]
			named = r.cached.Lookup(r.cell(record[s.from:s.to]))
		}
		if len(counts) == 0 {
			b.AddTypes(n, named)
			return
		}
		for range g.ids {
			b.AddTypes(counts[0], named)
			counts = counts[1:]
		}
	}
}

// check does what the checks say about the n rows of a record, which begin at from in b. Each row is checked by the
// cells beside its id.
func (r *Reader) check(b *rows.Block, record []byte, from, n int) error {
	bits := r.bits[:0]
	for range max(len(r.counts), 1) {
		bits = append(bits, r.layout.Checks.Absent())
	}
	r.bits = bits
	for i, finder := range r.checked {
		if !finder.FindBeside(record, r.ids) {
			continue
		}
		k := 0
		for _, g := range finder.groups {
			if g.from < g.to {
				r.checkCells(bits[k:k+g.ids], i, record, finder.found[g.from:g.to])
			}
			k += g.ids
		}
	}
	if !slices.ContainsFunc(bits, func(of uint32) bool { return of != bits[0] }) {
		return r.judge(b, bits[0], from, n) // most records have one value
	}
	r.values = append(r.values[:0], b.Data[from:]...)
	rest := r.values
	b.Data = b.Data[:from]
	for k, count := range r.counts {
		own := rest[:sizeOfLines(rest, count)]
		rest = rest[len(own):]
		at := len(b.Data)
		b.Data = append(b.Data, own...)
		if err := r.judge(b, bits[k], at, count); err != nil {
			return err
		}
	}
	return nil
}

// checkCells looks at the cells of a path that stand beside each of some ids. Of several, one that is not against the
// job is enough.
func (r *Reader) checkCells(bits []uint32, check int, record []byte, cells []span) {
	against := uint32(1) << check
	for _, s := range cells {
		against &= r.layout.Checks.Bit(check, r.cell(record[s.from:s.to]))
	}
	for k := range bits {
		bits[k] = bits[k]&^(1<<check) | against
	}
}

// judge does what the checks say about n rows, which begin at from in b and end it.
func (r *Reader) judge(b *rows.Block, bits uint32, from, n int) error {
	if refused := r.layout.Checks.Apply(b, bits, from, n); refused >= 0 {
		return r.layout.Checks.Refused(refused, fmt.Sprintf("record %d", r.records))
	}
	return nil
}

// sizeOfLines returns the size of the first n lines of data.
func sizeOfLines(data []byte, n int) int {
	size := 0
	for range n {
		size += bytes.IndexByte(data[size:], '\n') + 1
	}
	return size
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
