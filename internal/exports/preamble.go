package exports

import (
	"bytes"
	"slices"

	"usher/internal/exports/csv"
	"usher/internal/exports/rows"
)

// linesBeforeNames returns how many lines stand before the first record with a usual
// name, if that is not the first record, no ids stand before it, and its words are no values
// of the records below it. Otherwise it returns 0.
func (h *head) linesBeforeNames(records []csv.Record) int {
	at := slices.IndexFunc(records, func(r csv.Record) bool { return isNamed([][]string{r.Fields}) || hasIDs(r.Fields) })
	if at <= 0 || hasIDs(records[at].Fields) {
		return 0
	}
	from := fieldsOf(records[at:])
	for i, cell := range from[0] {
		if cell != "" && isValue(from, i) {
			return 0
		}
	}
	return h.linesBefore(&records[at])
}

func hasIDs(fields []string) bool {
	return slices.ContainsFunc(fields, func(cell string) bool { return rows.LooksLikeIDs([]byte(cell)) })
}

// linesBefore returns how many lines stand before a record of the head in the export.
func (h *head) linesBefore(record *csv.Record) int {
	before := 0
	if !bytes.HasPrefix(h.text, record.Raw) {
		before = bytes.Index(h.text, slices.Concat([]byte{'\n'}, record.Raw)) + 1
	}
	return h.skippedLines + bytes.Count(h.text[:before], []byte{'\n'})
}

// linesBeforeHeader returns how many lines stand before the first record that has as
// many fields as most have, if these have more than the first record. Of several such
// records before the ids, the last one with names counts. Otherwise it returns 0.
func (h *head) linesBeforeHeader(records []csv.Record) int {
	usual, n := usualFields(fieldsOf(records))
	if len(records) < 3 || len(records[0].Fields) >= usual || 2*n <= len(records) {
		return 0
	}
	first := slices.IndexFunc(records, func(r csv.Record) bool { return len(r.Fields) == usual })
	return h.linesBefore(&records[max(first, namesBeforeIDs(fieldsOf(records), usual))])
}
