package ndjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"usher/internal/exports/rows"
)

// split keeps the records of a line that is none, and reports whether it has several. Files
// that were put together without a line end have such lines.
func (r *Reader) split(line []byte) bool {
	if r.lines != nil && len(line) > 0 && line[0] == '{' {
		r.joined = joinedRecords(line)
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

// longestGap is the length of the longest placeholder, and of a line end.
const longestGap = 10

// checkGap looks for an id in another place of a record if its rows have none, and notes whether
// a place that is watched has one.
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
