package exports

import (
	"bytes"
	"slices"
	"strings"

	"usher"
	"usher/internal/exports/csv"
	"usher/internal/exports/rows"
)

// decideDelimiter decides on the plan's delimiter: the declared one, the one that
// the first line declares, or the one that fits the head. An export of one column
// has the tab as its delimiter, since no list of ids in a cell has tabs.
func (h *head) decideDelimiter(src *usher.Source, plan *usher.Plan) error {
	if d := declared(src.Delimiter); d != "" {
		if len(d) != 1 || !strings.ContainsAny(d, csv.Delimiters) {
			return usher.Refuse(usher.InvalidJob, "accepted are auto, a comma, a semicolon, a bar and a tab", "read source: source.delimiter is unknown")
		}
		plan.Delimiter = d
		return nil
	}
	first, _ := rows.CutLine(h.text)
	if d, ok := csv.DeclaredDelimiter(first); ok {
		plan.Delimiter = string(d)
		return nil
	}
	switch found := h.delimiters(); len(found) {
	case 0:
		plan.Delimiter = "\t"
	case 1:
		plan.Delimiter = string(found[0])
	default:
		return h.Broken("set source.delimiter, and source.column if need be", "which delimiter it has cannot be told")
	}
	return nil
}

// delimiters returns the delimiters that split the head into records of the same
// number of fields, at least two. If some of them lead to a known name or to a
// column of ids, it returns only those.
func (h *head) delimiters() []byte {
	var fitting, telling []byte
	for _, d := range []byte(csv.Delimiters) {
		records := h.records(d)
		if !isEven(records) && !isNamed(records) {
			continue
		}
		fitting = append(fitting, d)
		_, columns := h.columnsOf(records)
		if slices.ContainsFunc(columns, func(c column) bool { return c.holdsIDs() || nameRank(c.name) >= nameTelling }) {
			telling = append(telling, d)
		}
	}
	if len(telling) > 0 {
		return telling
	}
	return fitting
}

// isNamed reports whether the first record has several fields, one of them a usual
// name. The records below may then have any number of fields.
func isNamed(records [][]string) bool {
	return len(records) > 0 && len(records[0]) > 1 &&
		slices.ContainsFunc(records[0], func(cell string) bool { return nameRank(headerText([]byte(cell))) == nameUsual })
}

// isEven reports whether four records in five have as many fields as the first one,
// at least two.
func isEven(records [][]string) bool {
	if len(records) == 0 || len(records[0]) < 2 {
		return false
	}
	same := 0
	for _, record := range records {
		if len(record) == len(records[0]) {
			same++
		}
	}
	return 5*same >= 4*len(records)
}

// records splits the head into its first complete records.
func (h *head) records(delimiter byte) [][]string {
	text := h.text
	if first, rest := rows.CutLine(text); len(first) > 0 {
		if _, ok := csv.DeclaredDelimiter(first); ok {
			text = rest
		}
	}
	var records [][]string
	for len(text) > 0 && len(records) < sampleRows {
		if line, rest := rows.CutLine(text); rows.IsBlank(line) && (delimiter != '\t' || bytes.IndexByte(line, '\t') < 0) {
			text = rest
			continue
		}
		record, size, open := csv.SplitRecord(text, delimiter)
		if open || size == len(text) && !h.all && len(records) > 0 {
			break
		}
		records = append(records, record)
		text = text[size:]
	}
	return records
}
