package exports

import (
	"bytes"
	"slices"
	"strings"

	"usher"
)

// delimiters are what may part the fields of a CSV export.
const delimiters = "\t,;|"

// separatorLine returns what a spreadsheet's first line sep=; declares.
func separatorLine(line []byte) (delimiter byte, ok bool) {
	line = bytes.Trim(bytes.TrimSuffix(line, []byte{'\r'}), `"`)
	if len(line) != 5 || !bytes.EqualFold(line[:4], []byte("sep=")) || !strings.ContainsRune(delimiters, rune(line[4])) {
		return 0, false
	}
	return line[4], true
}

// settleDelimiter decides on the plan's delimiter: as declared, as the sep= line
// has it, else by looking. An export of one column has the tab, which no list of
// ids in a cell is parted by.
func (h *head) settleDelimiter(src *usher.Source, plan *usher.Plan) error {
	if d := declared(src.Delimiter); d != "" {
		if len(d) != 1 || !strings.Contains(delimiters, d) {
			return usher.Refuse(usher.InvalidJob, "accepted are auto, a comma, a semicolon, a bar and a tab", "read source: source.delimiter is unknown")
		}
		plan.Delimiter = d
		return nil
	}
	first, _ := cutLine(h.text)
	if d, ok := separatorLine(first); ok {
		plan.Delimiter = string(d)
		return nil
	}
	switch found := h.delimiters(); len(found) {
	case 0:
		plan.Delimiter = "\t"
	case 1:
		plan.Delimiter = string(found[0])
	default:
		return h.broken("set source.delimiter, and source.column if need be", "which delimiter it has cannot be told")
	}
	return nil
}

// delimiters returns the delimiters that part the head into rows of the same
// number of fields, at least two: of several the ones that lay open a usual name
// or a column of ids.
func (h *head) delimiters() []byte {
	var even, telling []byte
	for _, d := range []byte(delimiters) {
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
	if first, rest := cutLine(text); len(first) > 0 {
		if _, ok := separatorLine(first); ok {
			text = rest
		}
	}
	var rows [][]string
	for len(text) > 0 && len(rows) < sampleRows {
		if line, rest := cutLine(text); isBlank(line) && (delimiter != '\t' || bytes.IndexByte(line, '\t') < 0) {
			text = rest
			continue
		}
		row, size, open := splitAll(text, delimiter)
		if open || size == len(text) && !h.all && len(rows) > 0 {
			break
		}
		rows = append(rows, row)
		text = text[size:]
	}
	return rows
}

// splitAll splits the record that data begins with.
func splitAll(data []byte, delimiter byte) (row []string, size int, open bool) {
	for {
		f, open := nextField(data[size:], delimiter)
		if open {
			return nil, 0, true
		}
		row = append(row, string(f.text(nil)))
		size += f.size
		if f.last {
			return row, size, false
		}
	}
}
