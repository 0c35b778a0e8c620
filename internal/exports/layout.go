package exports

import (
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/internal/exports/rows"
)

// sampleRows is how many rows of the head are looked at.
const sampleRows = 200

// column is what the head tells of a column or path.
type column struct {
	name        string // "" where there is no header
	filled, ids int    // of the rows looked at
	lists       int    // of these, those of several ids
	bytes       bool   // 16 bytes a value

	types [usher.RowTypes]int // of the filled, what they say as a column of types
}

func (c *column) count(cell []byte) {
	if len(rows.TrimSpace(cell)) > 0 {
		c.filled++
		c.types[rows.ParseType(cell)]++
	}
	if looksLikeIDs(cell) {
		c.ids++
		if !looksLikeID(cell) {
			c.lists++
		}
	}
}

func (c *column) holdsIDs() bool { return c.ids > 0 && 2*c.ids >= c.filled }

// choose returns the column of device ids: by the usual names, narrowed down by
// the values where several have one, else by the values alone. -1 means that
// there is none, or more than one.
func choose(columns []column) int {
	hold := only(pick(columns, (*column).holdsIDs))
	for rank := 3; rank >= 2; rank-- {
		named := pick(columns, func(c *column) bool { return nameRank(c.name) == rank })
		if len(named) > 1 {
			named = pick(columns, func(c *column) bool { return nameRank(c.name) == rank && c.holdsIDs() })
			if len(named) != 1 {
				return -1
			}
		}
		// A name that only has a usual one within gives way to the values:
		// device_id_type.
		if len(named) == 1 && (rank == 3 || hold < 0 || columns[named[0]].ids > 0 || columns[named[0]].filled == 0) {
			return named[0]
		}
	}
	if len(columns) == 1 {
		return 0
	}
	return hold
}

// only is the one that picked holds, else -1.
func only(picked []int) int {
	if len(picked) == 1 {
		return picked[0]
	}
	return -1
}

func pick(columns []column, wanted func(*column) bool) []int {
	var out []int
	for i := range columns {
		if wanted(&columns[i]) {
			out = append(out, i)
		}
	}
	return out
}

// listed names columns, for hints.
func listed(columns []column) string {
	return listedOf(columns, pick(columns, func(*column) bool { return true }))
}

// listedOf names those columns. A cell that does not read as a name may be a value
// and is not shown.
func listedOf(columns []column, which []int) string {
	const most = 30
	var names []string
	for _, i := range which[:min(len(which), most)] {
		name := columns[i].name
		if !readsAsName(name) {
			name = "number " + strconv.Itoa(i+1)
		}
		names = append(names, name)
	}
	if len(which) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// noColumn says that there is no such column as the source names.
func (h *head) noColumn(field, there string) error {
	return h.Broken("set source."+field+" to one that there is: "+there, "it has no column as source.%s names it", field)
}

// ambiguous says that the column cannot be told. Where several hold ids, it is one
// of these.
func (h *head) ambiguous(columns []column) error {
	among := listed(columns)
	if hold := pick(columns, (*column).holdsIDs); len(hold) > 1 {
		among = listedOf(columns, hold)
	}
	return h.Broken("set source.column to one of: "+among,
		"which of its %d columns holds the device ids cannot be told", len(columns))
}

// layoutCSV finds a CSV export's delimiter, header and column.
func (h *head) layoutCSV(src *usher.Source, plan *usher.Plan) error {
	if err := h.settleDelimiter(src, plan); err != nil {
		return err
	}
	rows := h.records(plan.Delimiter[0])
	wanted := declared(src.Column)
	number, _ := strconv.Atoi(wanted)
	if len(rows) == 0 {
		plan.Column = max(number-1, 0)
		return h.noRows()
	}
	header, columns := h.columnsOf(rows)
	if wanted == "" {
		plan.Column = choose(columns)
	} else {
		var err error
		if plan.Column, err = h.settleColumn("column", src.Column, rows, columns, &header); err != nil {
			return err
		}
	}
	if err := h.layoutTypes(src, rows, columns, &header, plan); err != nil {
		return err
	}
	if plan.Column < 0 {
		return h.ambiguous(columns)
	}
	if header {
		plan.Header = headerName(rows[0], plan.Column)
	}
	return nil
}

// layoutTypes finds the column of types, where the source names one. Nothing is
// taken for one that it does not name.
func (h *head) layoutTypes(src *usher.Source, rows [][]string, columns []column, header *bool, plan *usher.Plan) error {
	if declared(src.TypeColumn) == "" {
		return nil
	}
	at, err := h.settleColumn("typeColumn", src.TypeColumn, rows, columns, header)
	if err != nil {
		return err
	}
	if at == plan.Column {
		return h.sameColumn()
	}
	plan.TypeColumn = at + 1
	return nil
}

// sameColumn says that ids and types are to be in one column.
func (h *head) sameColumn() error {
	return h.Broken("set source.typeColumn to the column that says of each row which type of id it has",
		"the column that source.typeColumn names is that of the ids")
}

// noRows accepts an empty export, but not one whose rows cannot be seen.
func (h *head) noRows() error {
	if h.all {
		return nil
	}
	return h.Broken("remove the blank lines or the quote at its beginning", "it has no row in its first %d bytes", sniffBytes)
}

// settleColumn finds the column that a field of the source names: by its number,
// else by its name as it stands, else by its name loosely. A number comes first
// because a cell of the first row may well be that number and no header. A name
// that is found makes the first row a header.
func (h *head) settleColumn(field, wanted string, rows [][]string, columns []column, header *bool) (int, error) {
	exact := pickCells(rows[0], func(cell string) bool { return headerText([]byte(cell)) == wanted })
	alike := pickCells(rows[0], func(cell string) bool { return sameName(headerText([]byte(cell)), wanted) })
	number, _ := strconv.Atoi(wanted)
	switch {
	case number >= 1 && number <= len(columns):
		return number - 1, nil
	case len(exact) == 1:
		*header = true
		return exact[0], nil
	case len(exact) == 0 && len(alike) == 1:
		*header = true
		return alike[0], nil
	case len(exact)+len(alike) > 0:
		return -1, h.Broken("set source."+field+" to the column's number", "it has several columns of the name that source.%s gives", field)
	case !*header:
		return -1, h.noColumn(field, "a number from 1 to "+strconv.Itoa(len(columns))+", since the export has no header")
	default:
		return -1, h.noColumn(field, listed(columns))
	}
}

func pickCells(cells []string, wanted func(string) bool) []int {
	var out []int
	for i, cell := range cells {
		if wanted(cell) {
			out = append(out, i)
		}
	}
	return out
}

// headerName is the plan's Header: never empty, since that would say that there
// is no header.
func headerName(row []string, column int) string {
	if column < len(row) {
		if name := headerText([]byte(row[column])); name != "" {
			return name
		}
	}
	return "column " + strconv.Itoa(column+1)
}

// columnsOf looks at the rows by column, and tells whether the first is a
// header: it has no id, and has a usual name or a name over a column of ids.
func (h *head) columnsOf(rows [][]string) (header bool, columns []column) {
	below := countColumns(rows[1:])
	for i, cell := range rows[0] {
		if looksLikeIDs([]byte(cell)) {
			return false, countColumns(rows)
		}
		if i == len(below) {
			below = append(below, column{})
		}
		c := &below[i]
		c.name = headerText([]byte(cell))
		header = header || nameRank(c.name) > 0 && !isValue(rows, i) || c.holdsIDs() && readsAsName(c.name)
	}
	if header {
		return true, below
	}
	return false, countColumns(rows)
}

func countColumns(rows [][]string) []column {
	var columns []column
	for _, row := range rows {
		for i, cell := range row {
			if i == len(columns) {
				columns = append(columns, column{})
			}
			columns[i].count([]byte(cell))
		}
	}
	return columns
}

// isValue reports whether the first row's cell comes again below, as the values
// of a column of types do: IDFA, GAID. A header that is repeated as a whole is
// none.
func isValue(rows [][]string, i int) bool {
	return slices.ContainsFunc(rows[1:], func(row []string) bool {
		return i < len(row) && row[i] == rows[0][i] && !slices.Equal(row, rows[0])
	})
}

// layoutText finds a plain list's header: only one of the usual names is one,
// since anything else may be a row.
func (h *head) layoutText(src *usher.Source, plan *usher.Plan) error {
	if declared(src.TypeColumn) != "" {
		return h.Broken("remove source.typeColumn, or set source.format to csv", "it is a plain list, which has no column of types")
	}
	lines := h.lines(1)
	if len(lines) == 0 {
		return nil
	}
	first := headerText(lines[0])
	if !looksLikeID(lines[0]) && (nameRank(first) > 0 || sameName(first, src.Column)) {
		plan.Header = first
	}
	switch wanted := declared(src.Column); {
	case wanted == "", wanted == "1", sameName(first, src.Column):
		return nil
	}
	return h.noColumn("column", "1, since the export is a plain list")
}
