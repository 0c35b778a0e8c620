package ndjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"usher/internal/exports/rows"
)

// split keeps the records of a line that is none, and reports whether it has several. Files
// that were put together without a line end have such lines.
func (r *Reader) split(line []byte) bool {
	if begin := bytes.TrimLeft(line, " \t\r"); r.lines != nil && len(begin) > 0 && begin[0] == '{' {
		r.joined = joinedRecords(begin)
	}
	return len(r.joined) > 0
}

// joinedRecords returns the records of a line that is nothing but whole objects, with byte
// order marks between them.
func joinedRecords(line []byte) [][]byte {
	d := NewDocument(bytes.NewReader(bytes.ReplaceAll(line, []byte("}\uFEFF{"), []byte("}{"))), "", len(line)+1, false)
	var records [][]byte
	for {
		record, err := d.Next()
		if errors.Is(err, io.EOF) {
			return records
		}
		if err != nil || record[0] != '{' || !NewFinder("").Find(record) {
			return nil
		}
		records = append(records, bytes.Clone(record))
	}
}

// severalIDs returns an error if a record that cannot be parsed has more ids than any sampled one.
func (r *Reader) severalIDs(record []byte) error {
	if r.layout.MostIDs == 0 {
		return nil
	}
	ids, where := rows.CountIDs(record, lastSegment(r.layout.Path)), fmt.Sprintf("record %d cannot be parsed", r.records)
	if record == nil && r.document != nil {
		ids, where = r.document.dropped.Count(), fmt.Sprintf("record %d is longer than %d bytes", r.records, r.document.most)
	}
	if ids <= r.layout.MostIDs {
		return nil
	}
	return rows.SeveralIDs(r.layout.Origin, where, ids, "")
}

// MostIDs returns the largest number of ids in one of the records that can be parsed, as Layout
// has it.
func MostIDs(records [][]byte, path string) int {
	most, finder := 1, NewFinder("")
	for _, record := range records {
		if n := rows.CountIDs(record, lastSegment(path)); n > most && finder.Find(record) {
			most = n
		}
	}
	return most
}

// lastSegment returns the last segment of a dotted path.
func lastSegment(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// longestGap is the length of the longest placeholder, and of a line end.
const longestGap = 10

// checkGap notices that the ids are in another field than the chosen one. The first record that
// has a placeholder instead of an id at the layout's path, and an id at another path, makes that
// path the watched one. That record and each later one are then counted in r.gaps, by whether the
// layout's path has an id and whether the watched path has one. appended is what the record added
// to the block, usually its id and a line end.
func (r *Reader) checkGap(record, appended []byte) {
	switch {
	case len(appended) > longestGap && r.gaps.Watched() == "", r.ids.Count() == 0:
		return
	case len(appended) > 1 && !rows.IsGap(bytes.TrimRight(appended, "\n")):
		if r.gaps.Watched() != "" && rows.LooksLikeIDs(appended) {
			r.gaps.AddID(rows.LooksLikeID([]byte(r.watched.Value(record))))
		}
		return
	}
	if r.gaps.Watched() == "" {
		path := r.layout.Filler(record)
		if path == "" || !r.gaps.Begin(field(path), fmt.Sprintf("record %d", r.records)) {
			return
		}
		r.watched = NewFinder(path)
	}
	r.gaps.AddGap(rows.LooksLikeID([]byte(r.watched.Value(record))))
}

// movedIDs returns an error if more than a few records have their id elsewhere, or another
// place has ids where this one has none.
func (r *Reader) movedIDs(ended bool) error {
	switch {
	case r.moved.Many(r.records, ended):
		return r.moved.Err(r.layout.Origin, field(r.layout.Path))
	case r.gaps.Filled(ended):
		return r.gaps.Err(r.layout.Origin, field(r.layout.Path))
	}
	return nil
}

// field names a path in messages.
func field(path string) string { return "the field " + path }

// otherLines is the last run of lines that are no JSON, one behind the other.
type otherLines struct {
	from int64 // the number of the first one
	ids  int   // in all of them
}

// checkOther counts a line that cannot be parsed and does not begin as JSON does. It returns an error
// if many such lines with ids follow each other: they are another export.
func (r *Reader) checkOther(line []byte) error {
	line = rows.TrimSpace(line)
	if r.document != nil || len(line) == 0 || line[0] == '{' || line[0] == '[' || line[0] == 0 {
		return nil
	}
	if r.other.from == 0 {
		r.other.from = r.records
	}
	r.other.ids += rows.CountIDs(line, "")
	return r.otherFormat(false)
}

// otherFormat returns the error for lines of another format: for more than a few, or at the end for
// more than one in a hundred.
func (r *Reader) otherFormat(ended bool) error {
	const few = 10
	if r.other.ids <= few && (!ended || r.other.ids == 0 || 100*(r.records-r.other.from+1) <= r.records) {
		return nil
	}
	return r.layout.Origin.Broken("submit a job for each of the exports that were put together here, or remove these lines",
		"from %s on, its lines are no JSON and have ids", r.lines.Row(r.other.from))
}
