package csv

import (
	"bytes"
	"cmp"
	"errors"
	"hash/fnv"
	"io"
	"slices"
	"strconv"

	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// faults count the records so far that contradict the layout.
type faults struct {
	records     int64           // read, those with faults included
	uneven      int64           // records with another number of columns
	firstUneven int64           // the number of the first of these records
	columns     int             // that it has
	seam        seam            // the first one
	seamRow     int64           // the number of its record
	forIDs      map[string]bool // words that stand for missing ids
	bareLF      int64           // the number of the first record that a bare LF has split; 0: none
	several     int             // ids of the first malformed record with more than MostIDs; 0: none
	severalRow  int64           // the number of that record
	json        run             // records of NDJSON
	moved       rows.Moved
}

func (f *faults) addBareLF() {
	if f.bareLF == 0 {
		f.bareLF = f.records
	}
}

// fewUneven is how many records may have another number of columns than the header,
// before the dialect counts as misunderstood: so many, or one in a hundred.
const fewUneven = 10

func (f *faults) addUneven(columns int) {
	if f.uneven++; f.uneven == 1 {
		f.firstUneven, f.columns = f.records, columns
	}
}

// tooManyFaults returns an error if the columns have changed, or if the dialect is not
// settled, and rows with unquoted line ends or more than a few rows with another number
// of columns than the header speak against it.
func (r *Reader) tooManyFaults() error {
	f := &r.faults
	switch {
	case f.seam != noSeam:
		return r.seamError()
	case f.json.endsAt(f.json.to) > fewJSON && !r.layout.isSettled():
		return r.jsonError()
	case f.bareLF > 0 && !r.layout.isSettled():
		return r.lines.Origin().Broken("submit a job for each of the exports that were put together here; if it is one export, have cells with line ends written in quotes; if these rows may count as invalid.malformed, "+Declare,
			"%s ends in LF alone and lacks columns, while the other rows end in CR LF", r.lines.Row(f.bareLF))
	case f.several > 0 && !r.layout.isSettled():
		return rows.SeveralIDs(r.lines.Origin(), r.lines.Row(f.severalRow)+" cannot be parsed", f.several, "; if such rows may count as invalid.malformed, "+Declare)
	}
	if r.layout.isSettled() || f.uneven <= fewUneven || 100*f.uneven <= f.records {
		return r.movedIDs(false)
	}
	if f.firstUneven > fewUneven && f.uneven == f.records-f.firstUneven+1 { // all rows from there on
		return r.lines.Origin().Broken("submit a job for each of the exports that were put together here; if it is one export, find out how its cells are written, and say it by source.escape, source.quote or source.delimiter",
			"from %s on, its rows do not have the %d columns of its header or its first rows; that row has %d", r.lines.Row(f.firstUneven), r.layout.Columns, f.columns)
	}
	return r.lines.Origin().Broken(
		`find out how its cells are written, and say it by source.escape, source.quote or source.delimiter (the only quote that usher knows is "); if lines stand before the header, set source.skip`,
		"%d of its first %d rows do not have the %d columns of its header or its first rows; the first of them is %s, which has %d",
		f.uneven, f.records, r.layout.Columns, r.lines.Row(f.firstUneven), f.columns)
}

// movedIDs returns an error if more than a few records have their id in another column, or
// another column has ids where this one has none.
func (r *Reader) movedIDs(ended bool) error {
	if !r.faults.moved.Many(r.faults.records, ended) {
		return r.filledGaps(ended)
	}
	return r.faults.moved.Err(r.lines.Origin(), columnAt(r.layout.Column))
}

// ending returns the error that reading ends with: err, or what the end has shown.
func (r *Reader) ending(err error) error {
	if !errors.Is(err, io.EOF) {
		return err
	}
	if f := &r.faults; 100*f.json.endsAt(f.records) > f.records && !r.layout.isSettled() {
		return r.jsonError()
	}
	return cmp.Or(r.movedIDs(true), err)
}

func columnAt(at int) string { return "column " + strconv.Itoa(at+1) }

// WriteAgain is what to do about dialects that are not read: other quotes, quotes that nothing
// escapes, and PHP's own, in which nothing tells whether a quote behind a backslash is the last
// one of its cell.
const WriteAgain = `; files of a folder that are written differently need a job for each kind; otherwise have it written again with " around cells and "" within them, in MySQL without ESCAPED BY, in PHP by fputcsv($f, $row, escape: "")`

// Declare is what to do about rows that contradict an assumed dialect, but are as they should be.
const Declare = "say how its cells are written by both source.escape (double, backslash or backslash_in_quotes) and source.quote (double or none)"

// LoneCR is the error for a row with a line end that is CR alone.
func LoneCR(from places.Origin, row string) error {
	return from.Broken("write all its lines with the usual end, LF or CR LF; if the CR is part of a cell, "+Declare, "a line ends in CR alone in %s", row)
}

// Hints for exports whose quotes contradict the dialect, or may be read in two ways.
const (
	SetEscape  = "if a backslash escapes its quotes, set source.escape to backslash_in_quotes (as PostgreSQL, DuckDB and Spark write it) or source.escape to backslash (as MySQL, MariaDB and pandas do); if quotes are ordinary characters, as MySQL's client and Hive write them, set source.quote to none" + WriteAgain
	TellEscape = "if a backslash is an ordinary character, set source.escape to double; if it escapes quotes, set source.escape to backslash_in_quotes (as PostgreSQL, DuckDB and Spark write it) or source.escape to backslash (as MySQL, MariaDB and pandas do); if quotes are ordinary characters, set source.quote to none" + WriteAgain
)

// contradiction returns an error if the dialect is not settled, and a field contradicts
// it: text stands behind its closing quote, or a CR without LF outside quotes.
func (r *Reader) contradiction(f *field) error {
	if r.layout.isSettled() {
		return nil
	}
	switch from := r.lines.Origin(); {
	case f.behind && r.faults.records > fewUneven:
		return from.Broken("submit a job for each of the exports that were put together here; if it is one export, "+SetEscape,
			"text follows a closing quote in %s", r.row())
	case f.behind:
		return from.Broken(SetEscape,
			"text follows a closing quote in %s", r.row())
	case f.lineEnd:
		return LoneCR(from, r.row())
	}
	return nil
}

// ambiguous returns an error if the dialect is not settled, and another one reads the
// record that rest begins with as well as this one: quotes may be ordinary characters
// if it is several records of the right number of fields then, and a backslash before
// a quote may escape it if that reading has an end, and no text behind a quote.
func (r *Reader) ambiguous(record []byte, fields int, backslash bool) error {
	if r.layout.Bare {
		return nil
	}
	from := r.lines.Origin()
	if !r.layout.Quoted && bytes.IndexByte(record[:len(record)-1], '\n') >= 0 && r.layout.ReadsUnquoted(record, r.layout.Columns) {
		return from.Broken("if quotes are ordinary characters, set source.quote to none; if they stand around cells, set source.quote to double",
			"whether quotes are ordinary characters cannot be determined in %s", r.row())
	}
	if r.layout.Assumed && backslash && (r.layout.Columns <= 1 || fields != r.layout.Columns || r.readsEscaped(record)) {
		return from.Broken(TellEscape,
			"whether a backslash escapes the quote behind it cannot be determined in %s", r.row())
	}
	return nil
}

// readsEscaped reports whether the record that rest begins with can be read with
// backslashes that escape quotes. record is how it was read. In an export that is cut
// into parts it would have to end on the same line.
func (r *Reader) readsEscaped(record []byte) bool {
	d, text := r.layout.Dialect, r.rest
	if r.layout.Cut {
		text = record
	}
	d.Escape = EscapeBackslashInQuotes
	other, open := d.SplitRecord(text)
	return !open && !other.Broken && len(other.Fields) == r.layout.Columns
}

// endsEscaped reports whether a record with a backslash before a quote ends in rest, if
// the backslash escapes the quote. Otherwise more text must be read to tell.
func (r *Reader) endsEscaped() bool {
	d := r.layout.Dialect
	d.Escape = EscapeBackslashInQuotes
	_, open := d.SplitRecord(r.rest)
	return !open || len(r.rest) > maxRecord || r.ended
}

// row names the record that is being read.
func (r *Reader) row() string { return r.lines.Row(r.faults.records) }

// incomplete returns the error for a last record that is not complete, or io.EOF if
// such a record is left out.
func (r *Reader) incomplete(inQuotes bool) error {
	switch ids := rows.CountIDs(r.rest, ""); {
	case string(rows.TrimSpace(r.rest)) == "\x1a":
		return r.lines.CtrlZ()
	case r.layout.DropLast && r.layout.MostIDs > 0 && ids > r.layout.MostIDs && bytes.IndexByte(r.rest, '\n') >= 0:
		return rows.SeveralIDs(r.lines.Origin(), r.row()+", which would be left out, has a quote that is not closed", ids, "")
	case r.layout.DropLast:
		r.rest = nil
		return io.EOF
	case inQuotes && !r.layout.Quoted:
		return r.lines.Origin().Broken("write the export again and submit the job when the file is complete; if its last row may be left out, set source.incompleteLastRow to drop; if quotes are ordinary characters, set source.quote to none",
			"it ends in the middle of %s, inside quotes", r.row())
	}
	return r.lines.Incomplete(r.faults.records)
}

func (r *Reader) unclosed() error {
	return r.lines.Origin().Broken("correct the quotes: within a quoted cell a quote is written twice; or say by source.escape or source.quote how it is written",
		"a quote is not closed in %s, within %d bytes or before the end", r.row(), maxRecord)
}

func (r *Reader) tooLong() error {
	return r.lines.Origin().Broken("remove or shorten the long cell", "a quoted cell has a line of more than %d bytes in %s", r.lines.MaxLine(), r.row())
}

// check looks for signs of another export that was appended to this one, in a record
// whose wanted cell is no UUID. A record of NDJSON is malformed.
func (r *Reader) check(record, cell []byte) {
	if r.checkJSON(record) {
		r.malformed = true
		r.countIDs(record)
		return
	}
	r.checkHeader(record, cell)
	if r.layout.Chosen && rows.MayBeMoved(cell) && r.mayHaveID(record, rows.LooksLikeID) {
		r.checkMoved(record)
	}
}

// mayHaveID reports whether something between two delimiters of a record is an id to looks. It
// takes less time than to split the record.
func (r *Reader) mayHaveID(record []byte, looks func(field []byte) bool) bool {
	for field := range bytes.SplitSeq(record, []byte{r.layout.Delimiter}) {
		if looks(field) {
			return true
		}
	}
	return false
}

// countIDs counts the ids of a malformed record.
func (r *Reader) countIDs(record []byte) {
	f := &r.faults
	if f.several > 0 || r.layout.MostIDs == 0 {
		return
	}
	if n := rows.CountIDs(record, ""); n > r.layout.MostIDs {
		f.several, f.severalRow = n, f.records
	}
}

// checkMoved counts a record that has an id in a column that had none in the samples.
func (r *Reader) checkMoved(record []byte) {
	split, open := r.layout.SplitRecord(record)
	if open {
		return
	}
	for at, field := range split.Fields {
		if at != r.layout.Column && rows.LooksLikeID([]byte(field)) && !slices.Contains(r.layout.OtherIDs, at) {
			r.faults.moved.Add(func() string { return columnAt(at) }, r.row)
			return
		}
	}
}

// WordHash returns the hash of a field in usher.Words. Spaces around it do not count.
func WordHash(field string) uint32 {
	sum, _ := FieldSum([]string{field})
	return uint32(sum)
}

// FieldSum returns a number that tells the fields of a header from those of other
// records, in any order, and their length in bytes. Spaces around a field do not count.
func FieldSum(fields []string) (sum uint64, length int) {
	for _, field := range fields {
		text, hash := rows.TrimSpace([]byte(field)), fnv.New64a()
		_, _ = hash.Write(text) // never fails
		sum, length = sum+hash.Sum64(), length+len(text)
	}
	return sum, length
}
