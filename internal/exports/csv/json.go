package csv

import (
	"bytes"

	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

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
