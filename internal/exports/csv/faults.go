package csv

import (
	"bytes"
	"cmp"
	"errors"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/internal/exports/rows"
)

// faults count the records so far that contradict the layout.
type faults struct {
	records     int64           // read, those with faults included
	uneven      int64           // records with another number of columns
	firstUneven int64           // the number of the first of these records
	columns     int             // that it has
	turned      bool            // the header is repeated with its columns in another order
	renamed     bool            // another header stands in the middle, with another name over the ids
	joined      bool            // a header follows a record on the same line
	worded      bool            // a row has nothing but words that no other row has
	forIDs      map[string]bool // words that stand for missing ids
	bareLF      int64           // the number of the first record that a bare LF has split; 0: none
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
	case f.turned:
		return r.lines.Origin().Broken("submit a job for each of the exports that were put together here, or write them with the same columns",
			"its header is repeated with the columns in another order, at or before %s", r.row())
	case f.renamed:
		return r.lines.Origin().Broken("submit a job for each of the exports that were put together here, or write them with the same columns; if lines stand before the only header, set source.skip to their number",
			"another header, of other ids than the first rows have, stands at or before %s", r.row())
	case f.joined:
		return r.lines.Origin().Broken("end each file with a line end before they are put together, or submit a job for each of them",
			"a header follows a row on the same line, at or before %s", r.row())
	case f.worded:
		return r.lines.Origin().Broken("submit a job for each of the exports that were put together here, or write them with the same columns; if lines stand before the header, set source.skip to their number; if it is no header, name the column of device ids in source.column",
			"what looks like another header stands at or before %s: nothing but words that its columns do not have as values", r.row())
	case f.bareLF > 0 && !r.layout.isSettled():
		return r.lines.Origin().Broken("have cells with line ends written in quotes; if these rows may count as invalid.malformed, set source.escape and source.quote",
			"%s ends in LF alone and lacks columns, while the other rows end in CR LF", r.lines.Row(f.bareLF))
	}
	if r.layout.isSettled() || f.uneven <= fewUneven || 100*f.uneven <= f.records {
		return r.movedIDs(false)
	}
	return r.lines.Origin().Broken(
		"find out how its cells are written, and set source.escape, source.quote or source.delimiter to that; if lines stand before the header, set source.skip",
		"%d of its first %d rows do not have the %d columns of its header or its first rows; the first of them is %s, which has %d",
		f.uneven, f.records, r.layout.Columns, r.lines.Row(f.firstUneven), f.columns)
}

// movedIDs returns an error if more than a few records have their id in another column.
func (r *Reader) movedIDs(ended bool) error {
	if !r.faults.moved.Many(r.faults.records, ended) {
		return nil
	}
	return r.faults.moved.Err(r.lines.Origin(), columnAt(r.layout.Column))
}

// ending returns the error that reading ends with: err, or what the end has shown.
func (r *Reader) ending(err error) error {
	if !errors.Is(err, io.EOF) {
		return err
	}
	return cmp.Or(r.movedIDs(true), err)
}

func columnAt(at int) string { return "column " + strconv.Itoa(at+1) }

// writeAgain is what to do about PHP's own dialect, which is not read: nothing tells whether
// a quote behind a backslash is the last one of its cell.
const writeAgain = `; if PHP wrote it, have it written again with fputcsv($f, $row, escape: "")`

// Hints for exports whose quotes contradict the dialect, or may be read in two ways.
const (
	SetEscape  = "set source.quote to none if quotes are ordinary characters, as MySQL's client and Hive write them, or source.escape to backslash_in_quotes or backslash if a backslash escapes a quote" + writeAgain
	TellEscape = "set source.escape to double if a backslash is an ordinary character, or to backslash_in_quotes or backslash if it escapes quotes; or source.quote to none if quotes are ordinary characters" + writeAgain
)

// contradiction returns an error if the dialect is not settled, and a field contradicts
// it: text stands behind its closing quote, or a CR without LF outside quotes.
func (r *Reader) contradiction(f *field) error {
	if r.layout.isSettled() {
		return nil
	}
	switch from := r.lines.Origin(); {
	case f.behind:
		return from.Broken(SetEscape,
			"text stands behind a closing quote in %s", r.row())
	case f.lineEnd:
		return from.Broken("write all its lines with the usual end, LF or CR LF; if a CR is an ordinary character, set source.escape and source.quote",
			"a line ends in CR alone in %s", r.row())
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
		return from.Broken("set source.quote to none if quotes are ordinary characters, or to double if they stand around cells",
			"whether quotes are ordinary characters cannot be told in %s", r.row())
	}
	if r.layout.Assumed && backslash && (r.layout.Columns <= 1 || fields != r.layout.Columns || r.readsEscaped(record)) {
		return from.Broken(TellEscape,
			"whether a backslash escapes the quote behind it cannot be told in %s", r.row())
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
	switch {
	case r.layout.DropLast:
		r.rest = nil
		return io.EOF
	case inQuotes && !r.layout.Quoted:
		return r.lines.Origin().Broken("write the export again and submit the job when the file is complete; if quotes are ordinary characters, set source.quote to none",
			"it ends in the middle of %s, inside quotes", r.row())
	}
	return r.lines.Incomplete(r.faults.records)
}

func (r *Reader) unclosed() error {
	return r.lines.Origin().Broken("correct the quotes: within a quoted cell a quote is written twice; or set source.escape or source.quote to how it is written",
		"a quote is not closed in %s, within %d bytes or before the end", r.row(), maxRecord)
}

func (r *Reader) tooLong() error {
	return r.lines.Origin().Broken("remove or shorten the long cell", "a quoted cell has a line of more than %d bytes in %s", r.lines.MaxLine(), r.row())
}

// check looks for signs of another export that was appended to this one, in a record
// whose wanted cell is no UUID. A record of NDJSON is malformed.
func (r *Reader) check(record, cell []byte) {
	if isObject(rows.TrimSpace(record)) {
		r.malformed = true
		return
	}
	r.checkHeader(record, cell)
	if r.layout.Chosen && rows.MayBeMoved(cell) && r.mayHaveID(record) {
		r.checkMoved(record)
	}
}

// mayHaveID reports whether an id may stand between two delimiters of a record. It takes less
// time than to split the record.
func (r *Reader) mayHaveID(record []byte) bool {
	for field := range bytes.SplitSeq(record, []byte{r.layout.Delimiter}) {
		if rows.LooksLikeID(field) {
			return true
		}
	}
	return false
}

// isObject reports whether a record has the form of a JSON object with a key.
func isObject(record []byte) bool {
	return len(record) > 1 && record[0] == '{' && record[len(record)-1] == '}' && bytes.HasPrefix(rows.TrimSpace(record[1:]), []byte{quote})
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

// checkHeader looks for a header that is repeated with its columns in another order, and
// for one with another name over the ids. cell is the wanted cell of a record.
func (r *Reader) checkHeader(record, cell []byte) {
	const longName = 64
	if r.layout.NameOf == nil || !mayBeName(cell) || r.isName(cell) {
		return
	}
	longest := r.layout.HeaderLen + 4*r.layout.Columns + 2
	name := r.layout.NameOf(cell)
	if name == NoName || name == AnyName && r.layout.Name != "" && (len(record) > longest+longName || len(record) < r.layout.HeaderLen-longName) {
		return
	}
	split, open := r.layout.SplitRecord(record)
	if !open && r.layout.Column < len(split.Fields) {
		r.judgeNames(split.Fields, name)
	}
}

// judgeNames judges the fields of a record whose wanted cell has the given name.
func (r *Reader) judgeNames(fields []string, name Name) {
	sum, _ := FieldSum(fields)
	others, _ := FieldSum(slices.Delete(slices.Clone(fields), r.layout.Column, r.layout.Column+1))
	own, _ := FieldSum([]string{r.layout.Name})
	switch {
	case r.layout.Name != "" && sum == r.layout.HeaderSum:
		r.faults.turned = true
	case name == SameIDs:
	case r.layout.Name != "" && others+own == r.layout.HeaderSum:
		r.faults.renamed = true
	case slices.ContainsFunc(fields, r.isNoName): // no header
		r.addWord(fields[r.layout.Column])
	case name == OtherIDs, name == IDName && r.layout.Name != "", slices.ContainsFunc(fields, r.namesIDs):
		r.faults.renamed = true
	case r.hasKnownWords(fields):
		r.addWord(fields[r.layout.Column])
	case len(r.layout.Telling) > 0 && !r.faults.forIDs[fields[r.layout.Column]]:
		r.faults.worded = true
	}
}

// checkSeam looks for a header that follows a record on the same line, as in files that were
// put together without a line end: such a record has the fields of both, of which the last one
// of the record and the first one of the header are one.
func (r *Reader) checkSeam(record []byte, fields int) {
	columns := r.layout.Columns
	if r.layout.NameOf == nil || columns < 2 || fields != 2*columns-1 {
		return
	}
	split, open := r.layout.SplitRecord(record)
	if open || len(split.Fields) != fields || !beginsWithID([]byte(split.Fields[r.layout.Column])) {
		return
	}
	header := split.Fields[columns-1:]
	header[0] = strings.TrimLeft(header[0], "0123456789")
	namesIDs := slices.ContainsFunc(header, func(field string) bool { return r.layout.NameOf([]byte(field)) > AnyName })
	r.faults.joined = namesIDs && !slices.ContainsFunc(header[1:], r.isNoName)
}

// beginsWithID reports whether a cell is an id, or begins with a UUID, a digest or an
// ANDROID_ID that something follows.
func beginsWithID(cell []byte) bool {
	return slices.ContainsFunc([]int{36, 32, 16, len(cell)}, func(n int) bool { return n <= len(cell) && rows.LooksLikeID(cell[:n]) })
}

// addWord remembers a word that stands for a missing id.
func (r *Reader) addWord(word string) {
	const most = 100
	if r.faults.forIDs == nil {
		r.faults.forIDs = map[string]bool{}
	}
	if len(r.faults.forIDs) < most {
		r.faults.forIDs[word] = true
	}
}

// hasKnownWords reports whether a field of a record, all of which may be names, is a value
// that its column has in other records.
func (r *Reader) hasKnownWords(fields []string) bool {
	return slices.ContainsFunc(r.layout.Telling, func(w usher.Words) bool {
		return w.Column < len(fields) && slices.Contains(w.Hashes, WordHash(fields[w.Column]))
	})
}

// mayBeName is a fast check for what no id is. Names begin with a letter, which may stand
// in quotes, and no known one has only hexadecimal digits.
func mayBeName(cell []byte) bool {
	if len(cell) == 0 || '0' <= cell[0] && cell[0] <= '9' {
		return false
	}
	for _, c := range cell {
		if !rows.IsHex(c) {
			return true
		}
	}
	return false
}

func (r *Reader) isNoName(field string) bool { return r.layout.NameOf([]byte(field)) == NoName }

func (r *Reader) namesIDs(field string) bool { return r.layout.NameOf([]byte(field)) == SameIDs }

// isName reports whether a cell is the name of the column of ids, as a plan has it.
func (r *Reader) isName(cell []byte) bool {
	return bytes.EqualFold(rows.TrimSpace(bytes.Trim(rows.TrimSpace(cell), `"`)), []byte(r.layout.Name))
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
