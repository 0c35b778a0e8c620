package layout

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"

	"usher"
	"usher/hashing"
	"usher/internal/exports/choose"
	"usher/internal/exports/csv"
	"usher/internal/exports/rows"
	"usher/internal/exports/unpack"
)

// Layout completes a plan whose compression and encoding are known. What src declares is not found out.
// It returns the least number of bytes of the first part: enough to contain the header, or the whole
// export if it may not be cut.
func (h *Head) Layout(src *usher.Source, s choose.Search, plan *usher.Plan) (first int64, err error) {
	if plan.Format != usher.FormatXLSX {
		plan.Sheet = ""
	}
	if err := h.CheckText(src.Delimiter); err != nil {
		return 0, err
	}
	plan.Skip = src.Skip
	switch plan.IncompleteLastRow = choose.Declared(src.IncompleteLastRow); plan.IncompleteLastRow {
	case "", "drop":
	case "refuse":
		plan.IncompleteLastRow = ""
	default:
		return 0, usher.Refuse(usher.InvalidJob, "accepted are refuse and drop", "read source: source.incompleteLastRow is unknown")
	}
	if err := h.SkipLines(src.Skip); err != nil {
		return 0, err
	}
	if plan.Format == "" {
		if plan.Format, err = h.Format(src); err != nil {
			return 0, err
		}
	}
	switch plan.Format {
	case usher.FormatNDJSON, usher.FormatJSON, usher.FormatAvro:
		err = h.layoutNDJSON(src, s, plan)
	case usher.FormatCSV:
		err = h.layoutCSV(src, s, plan)
	case usher.FormatXLSX:
		err = h.layoutWorkbook(src, s, plan)
	case usher.FormatText:
		err = h.layoutText(src, s, plan)
	default:
		err = usher.Refuse(usher.InvalidJob, "accepted are auto, text, csv, ndjson, json, parquet, avro and xlsx", "read source: source.format is unknown")
	}
	if h.whole {
		return math.MaxInt64, err
	}
	return h.rowsOffset() + 1, err
}

// CheckText refuses what is not text, and text whose lines do not end in LF. The
// delimiter may be a control character.
func (h *Head) CheckText(delimiter string) error {
	if err := h.refuseOtherText(delimiter); err != nil {
		return err
	}
	if i := unpack.IndexBinary(h.Text, delimiter); i >= 0 {
		return h.Broken("write it as plain text, CSV or NDJSON; if it is compressed or encoded, set source.compression or source.encoding",
			"it is not text: byte %d of it is a control character", i)
	}
	if trimmed := rows.TrimSpace(h.Text); bytes.IndexByte(trimmed, '\n') < 0 && bytes.IndexByte(trimmed, '\r') >= 0 {
		return h.Broken("write its lines with the usual end, LF or CR LF", "its lines end in CR alone")
	}
	return nil
}

// rowsOffset returns the offset at which the first line begins that is neither blank
// nor declares the delimiter, or a slightly larger one.
func (h *Head) rowsOffset() int64 {
	at := len(rows.BOM) + int(h.skipped) // there may be no BOM
	for i, rest := 0, h.Text; len(rest) > 0; i++ {
		line, after := rows.CutLine(rest)
		_, declares := csv.DeclaredDelimiter(line)
		if !rows.IsBlank(line) && !h.isSkipped(line) && (i > 0 || !declares) {
			break
		}
		at += len(rest) - len(after)
		rest = after
	}
	return int64(at)
}

// Format distinguishes JSON, NDJSON, CSV and plain text.
func (h *Head) Format(src *usher.Source) (usher.Format, error) {
	lines := h.lines(SampleRows)
	if len(lines) == 0 {
		return usher.FormatText, nil
	}
	if h.isDocument() {
		return usher.FormatJSON, nil
	}
	if opensJSON(lines[0]) {
		return usher.FormatNDJSON, nil
	}
	if _, ok := csv.DeclaredDelimiter(lines[0]); ok || choose.Declared(src.Delimiter) != "" {
		return usher.FormatCSV, nil
	}
	if unpack.IsDrawn(lines[0]) {
		return "", h.Broken("write it as CSV: .mode csv in sqlite3 and DuckDB, \\copy … CSV HEADER in psql, --batch in MySQL's client", "it is a table drawn for people")
	}
	plan := usher.Plan{}
	if err := declareDialect(src, &plan); err != nil {
		return "", err
	}
	if found, err := h.readings(&plan); err != nil || len(found) > 0 {
		return usher.FormatCSV, nil //nolint:nilerr // several delimiters fit, which layoutCSV refuses
	}
	if err := h.refuseUnread(h.sampledLines()); err != nil {
		return "", err
	}
	format, err := h.formatOfLines(lines)
	if err != nil {
		err = cmp.Or(h.preamble(src), err)
	}
	return format, err
}

// formatOfLines is format for lines that no delimiter separates into columns.
func (h *Head) formatOfLines(lines [][]byte) (usher.Format, error) {
	lists, mixed := 0, 0
	for _, line := range lines {
		if cell := rows.Unquoted(line); rows.LooksLikeIDs(cell) && !rows.LooksLikeID(cell) {
			lists++
			if hasOtherWords(cell) {
				mixed++
			}
		}
	}
	switch {
	case lists == 0:
		return usher.FormatText, nil
	case 2*mixed > lists: // rows of several columns, whose ids may be in any of them
		return "", h.Broken(`set source.delimiter to the character that separates its columns; if that is a usual one, say by source.quote and source.escape how its cells are written`+csv.WriteAgain,
			"its lines have other values beside ids, but no delimiter gives them the same number of columns")
	}
	return usher.FormatCSV, h.refuseColumnsOfIDs(lines) // of one column, so that its lists of ids are split
}

// hasOtherWords reports whether a list of ids has elements that are neither ids nor
// placeholders.
func hasOtherWords(list []byte) bool {
	elements, _ := rows.AppendList(nil, list)
	return slices.ContainsFunc(bytes.Split(bytes.TrimSuffix(elements, []byte{'\n'}), []byte{'\n'}), func(element []byte) bool {
		return len(element) > 0 && !rows.LooksLikeID(element) && !hashing.IsPlaceholder(element)
	})
}

// holdsLists reports whether most lines are nothing but ids in brackets, and some of
// them lists. Their commas separate no columns.
func (h *Head) holdsLists() bool {
	enclosed, lists := 0, 0
	lines := h.lines(SampleRows)
	for _, line := range lines {
		if cell := rows.Unquoted(line); rows.IsEnclosed(cell) && rows.LooksLikeIDs(cell) {
			enclosed++
			if !rows.LooksLikeID(cell) {
				lists++
			}
		}
	}
	return lists > 0 && 2*enclosed > len(lines)
}

// opensJSON reports whether a line begins a JSON object or array, and not an id in
// braces or a macro.
func opensJSON(line []byte) bool {
	if line[0] != '{' && line[0] != '[' {
		return false
	}
	switch rest := rows.TrimSpace(line[1:]); {
	case len(rest) == 0, rest[0] == '"':
		return true
	case line[0] == '{':
		return rest[0] == '}'
	default:
		return rest[0] == '{' || rest[0] == '[' || bytes.HasPrefix(rest, []byte("null")) && bytes.IndexByte(rest, '"') > 0
	}
}

// Survey returns the columns of the head, each with the name that a source gives it, and the index of
// the plan's column of ids; -1 if the head does not have it.
func (h *Head) Survey(plan *usher.Plan) (columns []choose.Column, ids int, err error) {
	if err := h.SkipLines(plan.Skip); err != nil {
		return nil, -1, err
	}
	if plan.Format.HasPaths() {
		columns = choose.Paths(h.sampledObjects(plan.Format))
		return columns, choose.Find(columns, plan.Path), nil
	}
	as := *plan
	if plan.Format == usher.FormatXLSX {
		as.Delimiter = SheetDelimiter
	}
	records := withoutBraces(fieldsOf(complete(h.records(&as))))
	if len(records) == 0 {
		return nil, -1, nil
	}
	_, columns = h.columnsOf(records)
	for i := range columns {
		if !columns[i].LooksNamed() {
			columns[i].Name = strconv.Itoa(i + 1)
		}
	}
	return columns, plan.Column, nil
}
