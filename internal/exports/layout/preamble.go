package layout

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/internal/exports/csv"
	"usher/internal/exports/rows"
)

// beforeTable is the error for an export that has n lines before its table.
func (h *Head) beforeTable(n int, format string, args ...any) error {
	hint := "set source.skip to " + strconv.Itoa(n) + ", the number of lines before the table"
	if mark := h.mark(n); mark != "" {
		hint += fmt.Sprintf(", or source.skip to %q, which they begin with", mark)
	}
	return h.Broken(hint, format, args...)
}

// mark returns the character that the first n lines begin with and the next one does not, such as #.
// It returns "" if there is none.
func (h *Head) mark(n int) string {
	mark, rest := byte(0), h.Text
	if h.skippedLines > 0 || h.skip != "" {
		return ""
	}
	for range n {
		var line []byte
		if line, rest = rows.CutLine(rest); rows.IsBlank(line) {
			continue
		}
		if mark == 0 && strings.IndexByte("#%!*>-", line[0]) >= 0 {
			mark = line[0]
		}
		if line[0] != mark {
			return ""
		}
	}
	if mark == 0 || len(rest) > 0 && rest[0] == mark {
		return ""
	}
	return string(mark)
}

// preamble returns the error for an export that has lines before its table: it cannot be read as a
// whole, but behind these lines it can. It returns nil for any other export. Lines that name columns
// or have ids are part of the table.
func (h *Head) preamble(src *usher.Source) error {
	const most = 20
	plan, rest := usher.Plan{}, *h
	if err := declareDialect(src, &plan); err != nil || rest.table(&plan) != nil {
		return nil //nolint:nilerr // the caller returns the error
	}
	for n := 1; n <= most; n++ {
		line, after := rows.CutLine(rest.Text)
		if len(after) == 0 || namesColumns(line) || rows.CountIDs(line, "") > 0 {
			return nil
		}
		rest.Text = after
		if records := rest.table(&plan); records != nil {
			first := max(namesBeforeIDs(fieldsOf(records), len(records[0].Fields)), 0)
			return h.beforeTable(n+rest.linesBefore(&records[first]), "its first lines are not part of the table that follows")
		}
	}
	return nil
}

// namesColumns reports whether a line has several names of columns, one of them a usual one.
func namesColumns(line []byte) bool {
	return slices.ContainsFunc([]byte(csv.Delimiters), func(d byte) bool {
		var cells []string
		for cell := range bytes.SplitSeq(line, []byte{d}) {
			cells = append(cells, string(cell))
		}
		return isNamed([][]string{cells})
	})
}

// table returns the records of the head if they are a table of ids that a dialect which the plan
// allows fits, otherwise nil.
func (h *Head) table(plan *usher.Plan) []csv.Record {
	found, err := h.readings(plan)
	if err != nil {
		return nil
	}
	for _, r := range found {
		if fields := fieldsOf(r.records); len(fields) > 0 && len(fields[0]) > 1 && r.faults() == 0 && (isNamed(fields) || slices.ContainsFunc(fields, hasIDs)) {
			return r.records
		}
	}
	return nil
}

// linesBeforeNames returns how many lines stand before the first record with a usual
// name, if that is not the first record, no ids stand before it, and its words are no values
// of the records below it. Otherwise it returns 0.
func (h *Head) linesBeforeNames(records []csv.Record) int {
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
func (h *Head) linesBefore(record *csv.Record) int {
	before := 0
	if !bytes.HasPrefix(h.Text, record.Raw) {
		before = bytes.Index(h.Text, slices.Concat([]byte{'\n'}, record.Raw)) + 1
	}
	return h.skippedLines + bytes.Count(h.Text[:before], []byte{'\n'})
}

// linesBeforeHeader returns how many lines stand before the first record that has as
// many fields as most have, if the first record has fewer, or if it has more and a header follows.
// Of several such records before the ids, the last one with names counts. Otherwise it returns 0.
func (h *Head) linesBeforeHeader(records []csv.Record) int {
	if len(records) < 3 {
		return 0
	}
	usual, n := usualFields(fieldsOf(records))
	first, header := len(records[0].Fields), namesBeforeIDs(fieldsOf(records), usual)
	if first == usual || 2*n <= len(records) || first > usual && (header < 0 || isNamed(fieldsOf(records))) {
		return 0
	}
	at := slices.IndexFunc(records, func(r csv.Record) bool { return len(r.Fields) == usual })
	return h.linesBefore(&records[max(at, header)])
}
