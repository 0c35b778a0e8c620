package layout

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/avro"
	"usher/internal/exports/choose"
	"usher/internal/exports/csv"
	"usher/internal/exports/names"
	"usher/internal/exports/ndjson"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/unpack"
)

// Own returns the plan of a further file of an export, or of a member of an
// archive: that of the export with the file's own header and columns, which are found by
// their names wherever they stand. It refuses a file without them, or of another format.
// raw is the beginning of a member before it is decoded, nil for a file.
func (h *Head) Own(src *usher.Source, s choose.Search, plan usher.Plan, raw []byte) (usher.Plan, error) {
	own := plan
	own.Header = ""
	if len(h.Text) == 0 {
		return own, nil
	}
	if raw != nil {
		if err := h.checkMember(raw, plan); err != nil {
			return own, err
		}
	}
	if err := h.CheckText(plan.Delimiter); err != nil {
		return own, err
	}
	if err := h.SkipLines(plan.Skip); err != nil {
		return own, err
	}
	as := *src
	as.Delimiter, as.Quote, as.Escape = plan.Delimiter, plan.Quote, plan.Escape
	format := plan.Format
	if choose.Declared(src.Format) == "" && len(h.lines(1)) > 0 {
		var err error
		if format, err = h.Format(&as); err != nil {
			return own, err
		}
	}
	if !reads(plan.Format, format) {
		return own, h.Broken(inOneFormat, otherFormat, format, plan.Format)
	}
	switch plan.Format {
	case usher.FormatNDJSON, usher.FormatJSON, usher.FormatAvro:
		records := h.sampledObjects(plan.Format)
		own.MostIDs = max(own.MostIDs, ndjson.MostIDs(records, plan.Path))
		if s.Evidence != nil {
			s.Examine(choose.SampleOf(h.Origin, records, choose.Paths(records, h.Fields...), plan.Path))
		}
		var err error
		own.Checks, own.Decided, err = h.ownPaths(ownSearch(src, &plan), records, &plan)
		return own, err
	case usher.FormatText:
		return h.ownList(src, s, plan, own)
	case usher.FormatCSV:
		return h.ownColumns(src, s, plan, own)
	}
	return own, nil
}

// ownPaths finds the fields of a file that are looked at in every record, in its first ones, and those that are
// decided, as usher.Plan has them. Those of the plan come first.
func (h *Head) ownPaths(s choose.Search, records [][]byte, plan *usher.Plan) (checks []usher.ColumnCheck, decided []string, err error) {
	const few = 50 // of many small files, all records would take long
	records = records[:min(len(records), few)]
	s.Only = nil // the plan has these, and the first records may lack the field
	columns := choose.Paths(records, h.Fields...)
	list, err := s.Checks(choose.SampleOf(h.Origin, records, columns, plan.Path))
	if err != nil {
		return nil, nil, err
	}
	checks, err = s.Limit(h.Origin, choose.WithChecks(slices.Clone(plan.Checks), list))
	return checks, append(slices.Clone(plan.Decided), s.Decided(columns, checks)...), err
}

// checkMember refuses a member of an archive that is not text, or in another encoding than
// the first one. raw is its beginning.
func (h *Head) checkMember(raw []byte, plan usher.Plan) error {
	format, what := usher.Format(""), ""
	switch {
	case parquet.IsParquet(raw):
		format, what = usher.FormatParquet, "the Parquet file"
	case bytes.HasPrefix(raw, []byte(avro.Magic)):
		format, what = usher.FormatAvro, "the Avro file"
	case unpack.BeginsWorkbook(raw):
		format, what = usher.FormatXLSX, "the workbook"
	case unpack.DetectCompression(raw) != "none":
		return h.Broken(unpack.OnceHint(raw), "it is compressed within an archive")
	}
	if format != "" {
		return h.Broken("submit a job for each format; give "+what+" as it is: it is compressed inside", otherFormat, format, plan.Format)
	}
	if err := unpack.RefuseForeign(h.Origin, raw); err != nil {
		return err
	}
	if own := unpack.DetectEncoding(raw); own != plan.Encoding {
		return h.Broken("write all files of the export in one encoding", "its encoding is %s, and that of the first file is %s", own, plan.Encoding)
	}
	return nil
}

// otherFormat says that a file has another format than the first file of its folder or
// archive.
const otherFormat = "its format is %s, and that of the first file is %s"

// inOneFormat is the hint for otherFormat.
const inOneFormat = "submit a job for each format, or write all files of the export in one"

// reads reports whether a file of a format can be read as another format.
func reads(as, format usher.Format) bool {
	return format == as || (as == usher.FormatJSON || as == usher.FormatAvro) && format == usher.FormatNDJSON
}

// ownList is ownLayout for a plain list.
func (h *Head) ownList(src *usher.Source, s choose.Search, plan, own usher.Plan) (usher.Plan, error) {
	found, quiet := usher.Plan{}, s
	quiet.Evidence = nil
	if err := h.layoutText(src, quiet, &found); err != nil {
		return own, err
	}
	own.Header = found.Header
	if lines := h.sampledLines(); s.Evidence != nil && len(lines) > 0 {
		if own.Header != "" {
			lines = lines[1:]
		}
		s.Examine(&choose.Sample{From: h.Origin, Columns: countLines(own.Header, lines), Named: own.Header != ""})
	}
	const hint = "submit a job for each kind of file, or set source.column to 1 if all have the same ids"
	switch {
	case own.Header == "", choose.Declared(src.Column) != "":
	case plan.Header == "" && !isOfDevices(names.MeaningOf(own.Header)):
		return own, h.Broken(hint, "it is a list of %s, and the first file has no header", hashing.MaskIDs(own.Header))
	case plan.Header != "" && !sameMeaning(own.Header, plan.Header):
		return own, h.Broken(hint, "it is a list of %s, and the first file one of %s", hashing.MaskIDs(own.Header), hashing.MaskIDs(plan.Header))
	}
	return own, nil
}

// sameMeaning reports whether two headers may stand for the same ids.
func sameMeaning(a, b string) bool {
	meaningA, meaningB := names.MeaningOf(a), names.MeaningOf(b)
	if names.Same(a, b) || meaningA.Sense == meaningB.Sense && meaningA.Digest == meaningB.Digest {
		return true
	}
	return meaningA.Digest == meaningB.Digest && (!meaningA.IsType() || !meaningB.IsType()) && isOfDevices(meaningA) && isOfDevices(meaningB)
}

// isOfDevices reports whether a name is of device ids, of one type or any.
func isOfDevices(m names.Meaning) bool { return m.IsDevice() && m.Sense != names.SenseVendor }

// ownColumns is ownLayout for CSV.
func (h *Head) ownColumns(src *usher.Source, s choose.Search, plan, own usher.Plan) (usher.Plan, error) {
	read := complete(h.records(&plan))
	if len(read) == 0 {
		return own, nil
	}
	records := withoutBraces(fieldsOf(read))
	header, columns := h.columnsOf(records)
	if plan.Header != "" && slices.ContainsFunc(records[0], func(cell string) bool { return names.Same(names.HeaderText([]byte(cell)), plan.Header) }) {
		header = true
	}
	const hint = "write all files of the export with a header, or all without one"
	switch {
	case header && plan.Header == "":
		return own, h.Broken(hint, "it begins with a header, unlike the first file")
	case !header && plan.Header != "":
		return own, h.Broken(hint, "it has no header, unlike the first file")
	case !header:
		h.setWidth(read, &own)
		if own.Columns != plan.Columns {
			return own, h.Broken("write all files of the export with the same columns, or with a header",
				"it has %d columns, and the first file has %d", max(own.Columns, 1), max(plan.Columns, 1))
		}
		h.findCommented(s, header, own.Delimiter)
		s.Examine(h.sampleOf(records, columns, &own))
		own.MostIDs = max(own.MostIDs, mostIDs(records, own.Columns))
		own.WordColumns = wordColumns(records, &own)
		return own, cmp.Or(h.checkOrder(plan, columns), h.checkTypes(plan, columns))
	}
	for i := range records[0] {
		columns[i].Name = names.HeaderText([]byte(records[0][i])) // columnsOf may have seen no header
	}
	var err error
	if own.Column, err = h.ownColumn(src, plan, columns); err != nil {
		return own, err
	}
	own.Header = headerName(records[0], own.Column)
	sample := h.sampleOf(records, columns, &own)
	own.OtherIDs, own.UnrelatedIDs = sample.OtherIDs()
	h.findCommented(s, header, own.Delimiter)
	s.Examine(sample)
	if own.Checks, err = ownSearch(src, &plan).Checks(sample); err != nil {
		return own, err
	}
	for i := range plan.Withheld() {
		own.Checks[i].Name = plan.Checks[i].Name // as the tally and the matched values name it
	}
	h.setWidth(read, &own)
	own.MostIDs = max(own.MostIDs, mostIDs(records, own.Columns))
	own.WordColumns = wordColumns(records[1:], &own)
	own.TypeColumn = 0
	if err := h.layoutTypes(src, records, columns, &header, &own); err != nil {
		return own, err
	}
	own.TypeHeader = typeHeader(records[0], &own)
	if plan.TypeHeader != "" && !names.Same(own.TypeHeader, plan.TypeHeader) {
		return own, h.otherColumn("typeColumn", own.TypeColumn, plan.TypeHeader)
	}
	return own, nil
}

// checkOrder refuses a file without a header whose ids are in another column than those of
// the first file.
func (h *Head) checkOrder(plan usher.Plan, columns []choose.Column) error {
	if plan.Column < len(columns) && columns[plan.Column].IDs > 0 {
		return nil
	}
	holding := choose.Pick(columns, func(i int) bool {
		return i != plan.Column && columns[i].HoldsIDs() && !slices.Contains(plan.OtherIDs, i)
	})
	if len(holding) == 0 {
		return nil
	}
	return h.Broken("write all files of the export with the same order of columns, or with a header, or submit a job for each kind of file",
		"its device ids are in column %s, and those of the first file in column %d", choose.ListedOf(columns, holding), plan.Column+1)
}

// checkTypes refuses a file without a header that has no types in the column of types, but in
// another one.
func (h *Head) checkTypes(plan usher.Plan, columns []choose.Column) error {
	hasTypes := func(i int) bool { return columns[i].Filled > columns[i].Types[usher.RowOther] }
	if plan.TypeColumn == 0 || plan.TypeColumn > len(columns) || hasTypes(plan.TypeColumn-1) {
		return nil
	}
	if holding := choose.Pick(columns, hasTypes); len(holding) > 0 {
		return h.Broken("write all files of the export with the same order of columns, or with a header, or submit a job for each kind of file",
			"its types of ids are in column %s, and those of the first file in column %d", choose.ListedOf(columns, holding), plan.TypeColumn)
	}
	return nil
}

// otherColumn is the error for a column that the source gives by its number, and that has
// another name in the first file.
func (h *Head) otherColumn(field string, number int, name string) error {
	return h.Broken("write all files of the export with the same columns, or set source."+field+" to a name",
		"its column %d is not that of the first file, %s", number, hashing.MaskIDs(name))
}

// ownColumn finds the column of the plan in another file: at the number that the source
// gives, otherwise by the name that it has in the first file.
func (h *Head) ownColumn(src *usher.Source, plan usher.Plan, columns []choose.Column) (int, error) {
	if number, err := strconv.Atoi(choose.Declared(src.Column)); err == nil || plan.Header == unnamed(plan.Column) {
		if err != nil {
			number = plan.Column + 1
		}
		if number >= 1 && number <= len(columns) && names.Same(cmp.Or(columns[number-1].Name, unnamed(number-1)), plan.Header) {
			return number - 1, nil
		}
		return -1, h.otherColumn("column", number, plan.Header)
	}
	named := choose.Pick(columns, func(i int) bool { return columns[i].Name == plan.Header })
	if len(named) == 0 {
		named = choose.Pick(columns, func(i int) bool { return names.Same(columns[i].Name, plan.Header) })
	}
	switch len(named) {
	case 0:
		return -1, h.lacksColumn(plan, columns)
	case 1:
		return named[0], nil
	}
	return -1, choose.SeveralNamed(h.Origin, "column", columns, named)
}

// lacksColumn is the error for a file that does not have the column of the first file.
func (h *Head) lacksColumn(plan usher.Plan, columns []choose.Column) error {
	hint, first := "write all files of the export with this column, or submit a job for each kind of file", "the first file"
	if plan.Delimiter != "" && len(columns) > 0 && strings.ContainsAny(columns[0].Name, csv.Delimiters) {
		hint = "write all files of the export with the same delimiter, or submit a job for each kind of file"
		first += fmt.Sprintf(", whose delimiter is %q", plan.Delimiter)
	}
	return h.Broken(hint, "it has no column %s like %s; it has: %s", hashing.MaskIDs(plan.Header), first, choose.Listed(columns))
}

// unnamed is a plan's Header if the cell of the header is blank.
func unnamed(at int) string { return "column " + strconv.Itoa(at+1) }

// ownSearch is the search for the columns of a file of an export, or of a member of an archive, that
// are looked at in every row.
func ownSearch(src *usher.Source, plan *usher.Plan) choose.Search {
	s := choose.SearchOf(src, plan, "")
	s.Evidence = nil
	return s
}

// CheckFormat refuses a file of another format than the first file of its folder, if the
// format of one of them is told by its first bytes. format is then that of the file; it is
// "" for text. h is nil for Parquet.
func (h *Head) CheckFormat(from places.Origin, src *usher.Source, format, first usher.Format) (err error) {
	if format == "" && first.IsBinary() {
		if err := h.CheckText(src.Delimiter); err != nil {
			return err
		}
		if format, err = h.Format(src); err != nil {
			return err
		}
	}
	if format != "" && format != first {
		return from.Broken(inOneFormat, otherFormat, format, first)
	}
	return nil
}

// OwnSheet is ownPlan for a workbook, whose head is that of sheet.
func (h *Head) OwnSheet(src *usher.Source, s choose.Search, plan usher.Plan, sheet string) (usher.Plan, error) {
	if err := h.SkipLines(plan.Skip); err != nil {
		return plan, err
	}
	plan.Delimiter = SheetDelimiter
	own := plan
	own.Header, own.Sheet = "", sheet
	own, err := h.ownColumns(src, s, plan, own)
	own.Delimiter = ""
	if err == nil {
		err = h.checkBook(s, &own)
	}
	return own, err
}
