package layout

import (
	"bytes"
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"usher"
	"usher/hashing"
	"usher/internal/exports/choose"
	"usher/internal/exports/csv"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
)

// layoutCSV finds the delimiter, the header and the column of a CSV export.
func (h *Head) layoutCSV(src *usher.Source, s choose.Search, plan *usher.Plan) error {
	read, err := h.DecideDialect(src, plan)
	if err != nil {
		return cmp.Or(h.preamble(src), err)
	}
	if len(read) == 0 {
		number, _ := strconv.Atoi(choose.Declared(src.Column))
		plan.Column = max(number-1, 0)
		return h.noRows()
	}
	records := h.sampledRecords(plan)
	header, columns := h.columnsOf(records)
	if choose.Declared(src.Column) == "" {
		err = h.chooseCell(s, records, columns, header, plan)
	} else {
		plan.Column, err = h.findColumn("column", src, records, columns, &header)
		plan.Why = choose.WhyNamed
	}
	if err != nil {
		return err
	}
	if err := h.layoutTypes(src, records, columns, &header, plan); err != nil {
		return err
	}
	if header {
		plan.Header, plan.TypeHeader = headerName(records[0], plan.Column), typeHeader(records[0], plan)
	}
	h.findCommented(s, header, plan.Delimiter)
	sample := h.sampleOf(records, columns, plan)
	if err := s.Complete(sample, plan.Chosen, plan); err != nil {
		return err
	}
	if header {
		if err := h.checkHeader(records, plan.Column); err != nil {
			return err
		}
	}
	plan.OtherIDs, plan.UnrelatedIDs = sample.OtherIDs()
	h.setWidth(read, plan)
	plan.MostIDs = mostIDs(records, plan.Columns)
	plan.WordColumns = wordColumns(rowsBelow(records, header), plan)
	return nil
}

// chooseCell chooses the column of ids.
func (h *Head) chooseCell(s choose.Search, records [][]string, columns []choose.Column, header bool, plan *usher.Plan) error {
	c := s.Choose(columns)
	if c.At < 0 || c.ByValues {
		if err := h.refuseJSONCells(records, plan); err != nil {
			return err
		}
	}
	if c.At < 0 {
		return cmp.Or(h.jsonBehind(), h.unchosenCell(records, header, c))
	}
	plan.Column, plan.Why, plan.ByValues, plan.Chosen = c.At, c.Why, c.ByValues && plan.Format == usher.FormatXLSX, true
	return nil
}

// mostIDs returns the largest number of ids in one of the records that have the usual number of
// columns, 0 for any.
func mostIDs(records [][]string, columns int) int {
	most := 1
	for _, record := range records {
		if columns > 0 && len(record) != columns || len(record) == 1 && csv.IsJSON([]byte(record[0])) {
			continue
		}
		ids := 0
		for _, cell := range record {
			ids += rows.CountIDs([]byte(cell), "")
		}
		most = max(most, ids)
	}
	return most
}

// sampleOf returns records as a sample. A cell that a short record lacks is empty.
func (h *Head) sampleOf(records [][]string, columns []choose.Column, plan *usher.Plan) *choose.Sample {
	at, below := plan.Column, rowsBelow(records, plan.Header != "")
	if plan.Header != "" && at < len(columns) && columns[at].Name == "" { // only source.column shows that the first row is a header
		columns = slices.Clone(columns)
		columns[at].Name = plan.Header
	}
	sample := &choose.Sample{From: h.Origin, Columns: columns, At: at, Named: plan.Header != "", All: h.All && plan.Files <= 1}
	sample.Rows = func(other int) iter.Seq2[[]string, [][]string] {
		return func(yield func(ids []string, beside [][]string) bool) {
			beside := make([][]string, 1)
			for _, record := range below {
				if beside[0] = cellAt(record, other); !yield(cellAt(record, at), beside) {
					return
				}
			}
		}
	}
	if plan.TypeColumn > 0 {
		sample.Types = func(yield func(string) bool) {
			for _, cell := range cellsOf(below, plan.TypeColumn-1) {
				if !yield(string(cell)) {
					return
				}
			}
		}
	}
	return sample
}

// cellAt returns the cell of a column of a record.
func cellAt(record []string, at int) []string {
	if at >= len(record) {
		return []string{""}
	}
	return record[at : at+1]
}

// rowsBelow returns the records without the header.
func rowsBelow(records [][]string, header bool) [][]string {
	if header {
		return records[1:]
	}
	return records
}

// setWidth sets the plan's number of columns and the length of its shortest id, and
// has an export whose cells have line ends read in one piece.
func (h *Head) setWidth(records []csv.Record, plan *usher.Plan) {
	var shortest rows.ShortestID
	counts := map[int]int{}
	for i := range records {
		fields := records[i].Fields
		counts[len(fields)]++
		if i < len(records)-h.unended() && plan.Column < len(fields) && rows.LooksLikeIDs([]byte(fields[plan.Column])) {
			shortest.Add([]byte(fields[plan.Column]))
		}
		h.whole = h.whole || records[i].LineFeed
	}
	plan.ShortestID, plan.Columns = shortest.Length(), len(records[0].Fields)
	plan.CRLF = bytes.HasSuffix(records[0].Raw, []byte("\r\n"))
	if plan.Header != "" {
		plan.HeaderSum, plan.HeaderLen = csv.FieldSum(records[0].Fields)
	} else {
		for _, n := range slices.Sorted(maps.Keys(counts)) {
			if counts[n] > counts[plan.Columns] {
				plan.Columns = n
			}
		}
	}
	if plan.Columns == 1 {
		plan.Columns = 0 // its delimiter is only assumed
	}
}

// unchosenCell is unchosen for CSV.
func (h *Head) unchosenCell(records [][]string, header bool, c choose.Choice) error {
	if n := len(records[0]); !header && len(records) == 1 && n > 2 && len(c.Candidates) == n {
		return h.Broken("write one id a line", "all of its %d ids are on one line", n)
	} else if !h.All && n > mostIDColumns && len(c.Candidates) == n-1 { // the head ends within an id
		return h.Broken("write one id a line", "all of its ids are on one line")
	}
	if n := len(c.Candidates); len(records) == 1 && n > mostIDColumns {
		return h.Broken("end each row with LF or CR LF", "its device ids are in %d columns of one row", n)
	}
	return c.Err(h.Origin)
}

// checkHeader refuses a header whose name of the column of ids holds an id, or several names.
func (h *Head) checkHeader(records [][]string, column int) error {
	if column >= len(records[0]) {
		return nil
	}
	if err := h.checkName([]byte(records[0][column])); err != nil {
		return err
	}
	return h.refuseColumnsOfBlanks(records[0][column], cellsOf(records[1:], column))
}

// cellsOf returns the cells of a column.
func cellsOf(records [][]string, column int) [][]byte {
	var cells [][]byte
	for _, record := range records {
		if column < len(record) {
			cells = append(cells, []byte(record[column]))
		}
	}
	return cells
}

// layoutTypes finds the column of types that the source names. Without a name there
// is none.
func (h *Head) layoutTypes(src *usher.Source, records [][]string, columns []choose.Column, header *bool, plan *usher.Plan) error {
	if choose.Declared(src.TypeColumn) == "" {
		return nil
	}
	at, err := h.findColumn("typeColumn", src, records, columns, header)
	if err != nil {
		return err
	}
	if at == plan.Column {
		return choose.SameColumn(h.Origin)
	}
	plan.TypeColumn = at + 1
	return nil
}

// findColumn finds the column that a field of the source names: by number, by its
// exact name, or by a similar name. The number comes first because a cell of the
// first row may be that number without being a header. A name makes the first row a
// header.
func (h *Head) findColumn(field string, src *usher.Source, records [][]string, columns []choose.Column, header *bool) (int, error) {
	wanted := choose.NameOf(src, field)
	exact := pickCells(records[0], func(cell string) bool { return names.HeaderText([]byte(cell)) == wanted })
	similar := pickCells(records[0], func(cell string) bool { return names.Same(names.HeaderText([]byte(cell)), wanted) })
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
		return -1, choose.SeveralNamed(h.Origin, field, columns, append(exact, similar...))
	case !*header:
		return -1, choose.NoColumn(h.Origin, field, wanted, "a number from 1 to "+strconv.Itoa(len(columns))+", since the export has no header")
	default:
		return -1, choose.MissingColumn(h.Origin, src, field, columns)
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
func headerName(record []string, at int) string {
	if at < len(record) {
		if name := names.HeaderText([]byte(record[at])); name != "" {
			return name
		}
	}
	return unnamed(at)
}

// typeHeader returns the plan's TypeHeader, if the record is a header. It holds no id.
func typeHeader(record []string, plan *usher.Plan) string {
	if plan.TypeColumn == 0 {
		return ""
	}
	return hashing.MaskIDs(headerName(record, plan.TypeColumn-1))
}

// columnsOf counts the records by column, and reports whether the first record is a
// header: none of its cells is an id, and one of them is a known name, or a name
// above a column of ids or of numbers.
func (h *Head) columnsOf(records [][]string) (header bool, columns []choose.Column) {
	below := countColumns(records[1:])
	for i, cell := range records[0] {
		if rows.LooksLikeIDs([]byte(cell)) {
			return false, countColumns(records)
		}
		if i == len(below) {
			below = append(below, choose.Column{Number: i + 1})
		}
		c := &below[i]
		c.Name = names.HeaderText([]byte(cell))
		header = header || names.RankOf(c.Name) > names.RankUnknown && !isValue(records, i) || c.HoldsIDs() && names.LooksLikeName(c.Name) && !names.IsState(c.Name) ||
			isWord(cell) && hasNumbers(records[1:], i)
	}
	if header {
		return true, below
	}
	return false, countColumns(records)
}

// hasNumbers reports whether a column has only numbers and dates, and blank cells.
func hasNumbers(records [][]string, at int) bool {
	found := false
	for _, record := range records {
		if at >= len(record) || record[at] == "" {
			continue
		}
		if found = true; strings.ContainsFunc(record[at], func(r rune) bool { return !unicode.IsDigit(r) && !strings.ContainsRune(" .,:-+/%", r) }) {
			return false
		}
	}
	return found
}

func countColumns(records [][]string) []choose.Column {
	var columns []choose.Column
	for _, record := range records {
		for i, cell := range record {
			if i == len(columns) {
				columns = append(columns, choose.Column{Number: i + 1})
			}
			columns[i].Count([]byte(cell))
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

// DelimiterOf returns the delimiter by which the first line has the wanted names, or "".
func (h *Head) DelimiterOf(wanted []string) string {
	line, _ := rows.CutLine(h.Text)
	for h.isSkipped(line) {
		_, rest := rows.CutLine(h.Text)
		h.Text = rest
		line, _ = rows.CutLine(h.Text)
	}
	for _, delimiter := range csv.Delimiters {
		var names []string
		for cell := range strings.SplitSeq(string(line), string(delimiter)) {
			names = append(names, strings.Trim(cell, "\"\r\n "))
		}
		if len(names) > 1 && len(wanted) > 0 && !slices.ContainsFunc(wanted, func(name string) bool { return ColumnNamed(names, name) < 0 }) {
			return string(delimiter)
		}
	}
	return ""
}

// ColumnNamed returns the index of a column with a name, whatever its case; -1: there is none.
func ColumnNamed(header []string, name string) int {
	return slices.IndexFunc(header, func(cell string) bool { return strings.EqualFold(strings.TrimSpace(cell), name) })
}
