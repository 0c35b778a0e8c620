package exports

import (
	"slices"
	"strconv"

	"usher"
)

// layoutCSV finds the delimiter, the header and the column of a CSV export.
func (h *head) layoutCSV(src *usher.Source, plan *usher.Plan) error {
	if err := h.decideDelimiter(src, plan); err != nil {
		return err
	}
	records := h.records(plan.Delimiter[0])
	wanted := declared(src.Column)
	number, _ := strconv.Atoi(wanted)
	if len(records) == 0 {
		plan.Column = max(number-1, 0)
		return h.noRows()
	}
	header, columns := h.columnsOf(records)
	if wanted == "" {
		plan.Column = choose(columns)
	} else {
		var err error
		if plan.Column, err = h.findColumn("column", src.Column, records, columns, &header); err != nil {
			return err
		}
	}
	if err := h.layoutTypes(src, records, columns, &header, plan); err != nil {
		return err
	}
	if plan.Column < 0 {
		return h.ambiguous(columns)
	}
	if header {
		plan.Header = headerName(records[0], plan.Column)
	}
	return nil
}

// layoutTypes finds the column of types that the source names. Without a name there
// is none.
func (h *head) layoutTypes(src *usher.Source, records [][]string, columns []column, header *bool, plan *usher.Plan) error {
	if declared(src.TypeColumn) == "" {
		return nil
	}
	at, err := h.findColumn("typeColumn", src.TypeColumn, records, columns, header)
	if err != nil {
		return err
	}
	if at == plan.Column {
		return h.sameColumn()
	}
	plan.TypeColumn = at + 1
	return nil
}

// findColumn finds the column that a field of the source names: by number, by its
// exact name, or by a similar name. The number comes first because a cell of the
// first row may be that number without being a header. A name makes the first row a
// header.
func (h *head) findColumn(field, wanted string, records [][]string, columns []column, header *bool) (int, error) {
	exact := pickCells(records[0], func(cell string) bool { return headerText([]byte(cell)) == wanted })
	similar := pickCells(records[0], func(cell string) bool { return sameName(headerText([]byte(cell)), wanted) })
	number, _ := strconv.Atoi(wanted)
	switch {
	case number >= 1 && number <= len(columns):
		return number - 1, nil
	case len(exact) == 1:
		*header = true
		return exact[0], nil
	case len(exact) == 0 && len(similar) == 1:
		*header = true
		return similar[0], nil
	case len(exact)+len(similar) > 0:
		return -1, h.Broken("set source."+field+" to the column's number", "it has several columns of the name that source.%s gives", field)
	case !*header:
		return -1, h.noColumn(field, "a number from 1 to "+strconv.Itoa(len(columns))+", since the export has no header")
	default:
		return -1, h.noColumn(field, listed(columns))
	}
}

// pickCells returns the indexes of the wanted cells.
func pickCells(cells []string, wanted func(string) bool) []int {
	var out []int
	for i, cell := range cells {
		if wanted(cell) {
			out = append(out, i)
		}
	}
	return out
}

// headerName returns the plan's Header. It is never empty: that would mean that
// there is no header.
func headerName(record []string, column int) string {
	if column < len(record) {
		if name := headerText([]byte(record[column])); name != "" {
			return name
		}
	}
	return "column " + strconv.Itoa(column+1)
}

// columnsOf counts the records by column, and reports whether the first record is a
// header: none of its cells is an id, and one of them is a known name, or a name
// above a column of ids.
func (h *head) columnsOf(records [][]string) (header bool, columns []column) {
	below := countColumns(records[1:])
	for i, cell := range records[0] {
		if looksLikeIDs([]byte(cell)) {
			return false, countColumns(records)
		}
		if i == len(below) {
			below = append(below, column{})
		}
		c := &below[i]
		c.name = headerText([]byte(cell))
		header = header || nameRank(c.name) > nameUnknown && !isValue(records, i) || c.holdsIDs() && looksLikeName(c.name)
	}
	if header {
		return true, below
	}
	return false, countColumns(records)
}

func countColumns(records [][]string) []column {
	var columns []column
	for _, record := range records {
		for i, cell := range record {
			if i == len(columns) {
				columns = append(columns, column{})
			}
			columns[i].count([]byte(cell))
		}
	}
	return columns
}

// isValue reports whether a cell of the first record occurs again below, as the
// values of a column of types do. A header that is repeated as a whole does not
// count.
func isValue(records [][]string, i int) bool {
	return slices.ContainsFunc(records[1:], func(record []string) bool {
		return i < len(record) && record[i] == records[0][i] && !slices.Equal(record, records[0])
	})
}
