package csv

import (
	"bytes"
	"slices"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// seam is how two exports were put together.
type seam uint8

const (
	noSeam       seam = iota
	turnedHeader      // the header is repeated with its columns in another order
	otherHeader       // another header, with another name over the ids
	onlyWords         // a row with nothing but words that no other row has
	joinedHeader      // a header and a row stand on one line
	joinedRows        // two rows stand on one line
)

// seams are the errors for seams: what stands at a row, and what to do.
var seams = [...]struct{ what, hint string }{
	turnedHeader: {
		"the header is repeated in %s, with its columns in another order",
		"submit a job for each of the exports that were put together here, or write them with the same columns",
	},
	otherHeader: {
		"another header, of other ids than those of the first rows, is in %s",
		"submit a job for each of the exports that were put together here, or write them with the same columns; if lines stand before the only header, set source.skip to their number",
	},
	onlyWords: {
		"%s looks like another header: it has only words that its columns do not have as values",
		"submit a job for each of the exports that were put together here, or write them with the same columns; if lines stand before the header, set source.skip to their number; if it is no header, name the column of device ids in source.column",
	},
	joinedHeader: {
		"a header and a row are on one line in %s: files were put together without a line end",
		"end each file with a line end before they are put together, or submit a job for each of them",
	},
	joinedRows: {
		"two ids and the columns of two rows are on one line in %s: files were put together without a line end, or a list of ids lacks its quotes",
		"end each file with a line end before they are put together, or submit a job for each of them; write a list of ids within quotes; if such lists may count as invalid.malformed, " + Declare,
	},
}

func (f *faults) addSeam(s seam) {
	if f.seam == noSeam {
		f.seam, f.seamRow = s, f.records
	}
}

// err is the error for a seam at a row.
func (s seam) err(from places.Origin, row string) error {
	return from.Broken(seams[s].hint, seams[s].what, row)
}

// seamError is the error for the first seam.
func (r *Reader) seamError() error {
	return r.faults.seam.err(r.lines.Origin(), r.lines.Row(r.faults.seamRow))
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
		r.checkNames(split.Fields, name)
	}
}

// checkNames looks at the fields of a record whose wanted cell has the given name.
func (r *Reader) checkNames(fields []string, name Name) {
	sum, _ := FieldSum(fields)
	others, _ := FieldSum(slices.Delete(slices.Clone(fields), r.layout.Column, r.layout.Column+1))
	own, _ := FieldSum([]string{r.layout.Name})
	switch {
	case r.layout.Name != "" && sum == r.layout.HeaderSum:
		r.faults.addSeam(turnedHeader)
	case name == SameIDs:
	case r.layout.Name != "" && others+own == r.layout.HeaderSum:
		r.faults.addSeam(otherHeader)
	case name == State, slices.ContainsFunc(fields, r.isNoName): // no header
		r.addWord(fields[r.layout.Column])
	case name == OtherIDs, name == IDName && r.layout.Name != "", slices.ContainsFunc(fields, r.namesIDs):
		r.faults.addSeam(otherHeader)
	case r.hasKnownWords(fields):
		r.addWord(fields[r.layout.Column])
	case len(r.layout.WordColumns) > 0 && !r.faults.forIDs[fields[r.layout.Column]]:
		r.faults.addSeam(onlyWords)
	}
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
	return slices.ContainsFunc(r.layout.WordColumns, func(w usher.Words) bool {
		return w.Column < len(fields) && (slices.Contains(w.Hashes, WordHash(fields[w.Column])) || w.States && r.isState(fields[w.Column]))
	})
}

// checkSeam looks for two rows on one line, as files have that were put together without a
// line end: such a record has the fields of both, and the last field of the first row and
// the first field of the second row are one. Either row may be a header. If the one cell is an
// id, it may also be a list without quotes, which counts as malformed in a settled dialect.
func (r *Reader) checkSeam(record []byte, fields int) {
	columns, at := r.layout.Columns, r.layout.Column
	if columns < 2 || fields != 2*columns-1 || at >= columns {
		return
	}
	split, open := r.layout.SplitRecord(record)
	if open || len(split.Fields) != fields {
		return
	}
	first, second := split.Fields[:columns], split.Fields[columns-1:]
	switch {
	case joinsRowsAt(split.Fields, columns, at) && (!r.layout.isSettled() || !rows.LooksLikeIDs([]byte(second[0]))):
		r.faults.addSeam(joinedRows)
	case beginsWithID(first[at]) && r.isHeader(second[1:], strings.TrimLeft(second[0], "0123456789")),
		endsWithID(second[at]) && r.isHeader(first[:columns-1], strings.TrimRight(first[columns-1], "0123456789")):
		r.faults.addSeam(joinedHeader)
	}
}

// isHeader reports whether fields are names, and one of them or of another field is of ids.
func (r *Reader) isHeader(fields []string, other string) bool {
	ofIDs := func(field string) bool { return r.layout.NameOf([]byte(field)) > AnyName }
	return r.layout.NameOf != nil && !slices.ContainsFunc(fields, r.isNoName) && (ofIDs(other) || slices.ContainsFunc(fields, ofIDs))
}

// joinsRowsAt is JoinsRows for rows of a number of columns that have their ids in one of them.
func joinsRowsAt(fields []string, columns, column int) bool {
	return columns > 1 && len(fields) == 2*columns-1 && beginsWithID(fields[column]) && endsWithID(fields[columns-1+column])
}

// JoinsRows reports whether the fields of a record are those of two rows on one line, both of
// which have an id in the same column.
func JoinsRows(fields []string) bool {
	columns := (len(fields) + 1) / 2
	for at := range columns {
		if joinsRowsAt(fields, columns, at) {
			return true
		}
	}
	return false
}

// JoinedRows is the error for two rows on one line.
func JoinedRows(from places.Origin, row string) error { return joinedRows.err(from, row) }

// idLengths are the lengths of UUIDs, digests and ANDROID_IDs.
var idLengths = []int{36, 32, 16}

// beginsWithID reports whether a cell is an id or a list of ids, or begins with an id.
func beginsWithID(cell string) bool {
	return holdsID(cell, func(length int) string { return cell[:length] })
}

// endsWithID reports whether a cell is an id or a list of ids, or ends with an id.
func endsWithID(cell string) bool {
	return holdsID(cell, func(length int) string { return cell[len(cell)-length:] })
}

// holdsID reports whether a cell is an id or a list of ids, or whether a part of it, of the
// length of an id, is an id.
func holdsID(cell string, part func(length int) string) bool {
	return rows.LooksLikeIDs([]byte(cell)) || slices.ContainsFunc(idLengths, func(length int) bool {
		return length < len(cell) && rows.LooksLikeID([]byte(part(length)))
	})
}

// joinedError returns the error for a record that is two rows on one line, or JSON with several
// ids. data begins with a record that contradicts the dialect, as both do.
func (r *Reader) joinedError(data []byte) error {
	if line, _ := rows.CutLine(data); r.checkJSON(line) {
		if r.countIDs(line); r.faults.several == 0 {
			return r.jsonError()
		}
	} else if split, open := r.layout.SplitRecord(data); !open && !split.LineEnd {
		r.checkSeam(split.Raw, len(split.Fields))
	}
	if r.faults.seam == noSeam && r.faults.several == 0 {
		return nil
	}
	return r.tooManyFaults()
}

// mayBeName is a fast check for what no id is. Names begin with a letter, which may stand
// in quotes, and no known one has only hexadecimal digits.
func mayBeName(cell []byte) bool {
	if len(cell) == 0 || '0' <= cell[0] && cell[0] <= '9' {
		return false
	}
	for _, c := range cell {
		if !hashing.IsHexDigit(c) {
			return true
		}
	}
	return false
}

func (r *Reader) isNoName(field string) bool { return r.layout.NameOf([]byte(field)) == NoName }

func (r *Reader) isState(field string) bool { return r.layout.NameOf([]byte(field)) == State }

func (r *Reader) namesIDs(field string) bool { return r.layout.NameOf([]byte(field)) == SameIDs }

// isName reports whether a cell is the name of the column of ids, as a plan has it.
func (r *Reader) isName(cell []byte) bool {
	return bytes.EqualFold(rows.TrimSpace(bytes.Trim(rows.TrimSpace(cell), `"`)), []byte(r.layout.Name))
}

// checkJSON reports whether a record is one of NDJSON, and notes it.
func (r *Reader) checkJSON(record []byte) bool {
	is := IsJSON(rows.TrimSpace(record))
	if is {
		r.faults.json.add(r.faults.records)
	}
	return is
}

// IsJSON reports whether a record has the form of a JSON object with a key, or of an array of
// such objects.
func IsJSON(record []byte) bool {
	if len(record) > 1 && record[0] == '[' && record[len(record)-1] == ']' {
		record = rows.TrimSpace(record[1 : len(record)-1])
	}
	return len(record) > 1 && record[0] == '{' && record[len(record)-1] == '}' && bytes.HasPrefix(rows.TrimSpace(record[1:]), []byte{quote})
}

// run is the last run of records of another format, one behind the other.
type run struct{ from, to int64 } // the numbers of its first and its last record

func (r *run) add(record int64) {
	if r.to == 0 || r.to != record-1 {
		r.from = record
	}
	r.to = record
}

// endsAt returns the number of records of a run that ends at a record, 0 if it does not.
func (r *run) endsAt(record int64) int64 {
	if r.to == 0 || r.to != record {
		return 0
	}
	return r.to - r.from + 1
}

// fewJSON is how many records of NDJSON may follow each other and count as malformed, unless they are
// the last ones and more than one in a hundred.
const fewJSON = 10

func (r *Reader) jsonError() error {
	return JSONBehind(r.lines.Origin(), r.lines.Row(r.faults.json.from))
}

// JSONBehind is the error for an export to which NDJSON was appended, which begins in a row.
func JSONBehind(from places.Origin, row string) error {
	return from.Broken("submit a job for each of the exports that were put together here; if these rows may count as invalid.malformed, "+Declare,
		"from %s on, its rows are records of NDJSON and no longer CSV", row)
}
