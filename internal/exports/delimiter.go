package exports

import (
	"bytes"
	"slices"
	"strings"

	"usher"
	"usher/internal/exports/csv"
	"usher/internal/exports/rows"
)

// settleDelimiter decides on the plan's delimiter: as declared, as the sep= line
// has it, else by looking. An export of one column has the tab, which no list of
// ids in a cell is parted by.
func (h *head) settleDelimiter(src *usher.Source, plan *usher.Plan) error {
	if d := declared(src.Delimiter); d != "" {
		if len(d) != 1 || !strings.Contains(csv.Delimiters, d) {
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

// delimiters returns the delimiters that part the head into rows of the same
// number of fields, at least two: of several the ones that lay open a usual name
// or a column of ids.
func (h *head) delimiters() []byte {
	var even, telling []byte
	for _, d := range []byte(csv.Delimiters) {
		rows := h.records(d)
		if !isEven(rows) && !isNamed(rows) {
			continue
		}
		even = append(even, d)
		if _, columns := h.columnsOf(rows); len(pick(columns, func(c *column) bool { return c.holdsIDs() || nameRank(c.name) >= 2 })) > 0 {
			telling = append(telling, d)
		}
	}
	if len(telling) > 0 {
		return telling
	}
	return even
}

// isNamed reports whether the first row has several fields, one with a usual
// name: then the rows below may be as uneven as they like.
func isNamed(rows [][]string) bool {
	return len(rows) > 0 && len(rows[0]) > 1 &&
		slices.ContainsFunc(rows[0], func(cell string) bool { return nameRank(headerText([]byte(cell))) == 3 })
}

// isEven reports whether four rows in five have as many fields as the first, at
// least two.
func isEven(rows [][]string) bool {
	if len(rows) == 0 || len(rows[0]) < 2 {
		return false
	}
	same := 0
	for _, row := range rows {
		if len(row) == len(rows[0]) {
			same++
		}
	}
	return 5*same >= 4*len(rows)
}

// records splits the head into its first records that are whole.
func (h *head) records(delimiter byte) [][]string {
	text := h.text
	if first, rest := rows.CutLine(text); len(first) > 0 {
		if _, ok := csv.DeclaredDelimiter(first); ok {
			text = rest
		}
	}
	var found [][]string
	for len(text) > 0 && len(found) < sampleRows {
		if line, rest := rows.CutLine(text); rows.IsBlank(line) && (delimiter != '\t' || bytes.IndexByte(line, '\t') < 0) {
			text = rest
			continue
		}
		row, size, open := csv.SplitRecord(text, delimiter)
		if open || size == len(text) && !h.all && len(found) > 0 {
			break
		}
		found = append(found, row)
		text = text[size:]
	}
	return found
}
