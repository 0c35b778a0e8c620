package exports

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"usher"
	"usher/hashing"
	"usher/internal/exports/choose"
	"usher/internal/exports/csv"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
	"usher/internal/exports/unpack"
)

// detect finds out what f is, unless src declares it. It also returns the least number of
// bytes of the first part: enough to contain the header, or the whole export if it may not
// be cut.
func (o *Opener) detect(ctx context.Context, f *places.File, src *usher.Source, s choose.Search) (plan usher.Plan, first int64, err error) {
	plan = usher.Plan{Compression: declared(src.Compression), Encoding: declared(src.Encoding), Format: declared(src.Format), Sheet: src.Sheet}
	h, err := o.readHead(ctx, f, &plan, windowOf(s))
	if err != nil || plan.Format == "parquet" {
		return plan, 0, err
	}
	if plan.Format != "xlsx" {
		plan.Sheet = ""
	}
	if err := h.checkText(src.Delimiter); err != nil {
		return plan, 0, err
	}
	plan.Skip = src.Skip
	switch plan.IncompleteLastRow = declared(src.IncompleteLastRow); plan.IncompleteLastRow {
	case "", "drop":
	case "refuse":
		plan.IncompleteLastRow = ""
	default:
		return plan, 0, usher.Refuse(usher.InvalidJob, "accepted are refuse and drop", "read source: source.incompleteLastRow is unknown")
	}
	if err := h.skipLines(src.Skip); err != nil {
		return plan, 0, err
	}
	if plan.Format == "" {
		if plan.Format, err = h.format(src); err != nil {
			return plan, 0, err
		}
	}
	switch plan.Format {
	case "ndjson", "json", "avro":
		err = h.layoutNDJSON(src, s, &plan)
	case "csv":
		err = h.layoutCSV(src, s, &plan)
	case "xlsx":
		err = h.layoutWorkbook(src, s, &plan)
	case "text":
		err = h.layoutText(src, s, &plan)
	default:
		err = usher.Refuse(usher.InvalidJob, "accepted are auto, text, csv, ndjson, json, parquet, avro and xlsx", "read source: source.format is unknown")
	}
	if h.whole {
		return plan, math.MaxInt64, err
	}
	return plan, h.rowsOffset() + 1, err
}

// declared returns the value that a source declares, "" for auto.
func declared(value string) string {
	value = strings.ToLower(value)
	if value == "auto" {
		return ""
	}
	return value
}

// checkText refuses what is not text, and text whose lines do not end in LF. The
// delimiter may be a control character.
func (h *head) checkText(delimiter string) error {
	if err := h.refuseOtherText(delimiter); err != nil {
		return err
	}
	if i := unpack.IndexBinary(h.text, delimiter); i >= 0 {
		return h.Broken("write it as plain text, CSV or NDJSON; if it is compressed or encoded, set source.compression or source.encoding",
			"it is not text: byte %d of it is a control character", i)
	}
	if trimmed := rows.TrimSpace(h.text); bytes.IndexByte(trimmed, '\n') < 0 && bytes.IndexByte(trimmed, '\r') >= 0 {
		return h.Broken("write its lines with the usual end, LF or CR LF", "its lines end in CR alone")
	}
	return nil
}

// rowsOffset returns the offset at which the first line begins that is neither blank
// nor declares the delimiter, or a slightly larger one.
func (h *head) rowsOffset() int64 {
	at := len(rows.BOM) + int(h.skipped) // there may be no BOM
	for i, rest := 0, h.text; len(rest) > 0; i++ {
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

// format distinguishes JSON, NDJSON, CSV and plain text.
func (h *head) format(src *usher.Source) (string, error) {
	lines := h.lines(sampleRows)
	if len(lines) == 0 {
		return "text", nil
	}
	if h.isDocument() {
		return "json", nil
	}
	if opensJSON(lines[0]) {
		return "ndjson", nil
	}
	if _, ok := csv.DeclaredDelimiter(lines[0]); ok || declared(src.Delimiter) != "" {
		return "csv", nil
	}
	if unpack.IsDrawn(lines[0]) {
		return "", h.Broken("write it as CSV: .mode csv in sqlite3 and DuckDB, \\copy … CSV HEADER in psql, --batch in MySQL's client", "it is a table drawn for people")
	}
	plan := usher.Plan{}
	if err := declareDialect(src, &plan); err != nil {
		return "", err
	}
	if found, err := h.readings(&plan); err != nil || len(found) > 0 {
		return "csv", nil //nolint:nilerr // several delimiters fit, which layoutCSV refuses
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
func (h *head) formatOfLines(lines [][]byte) (string, error) {
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
		return "text", nil
	case 2*mixed > lists: // rows of several columns, whose ids may be in any of them
		return "", h.Broken(`set source.delimiter to the character that separates its columns; if that is a usual one, say by source.quote and source.escape how its cells are written`+csv.WriteAgain,
			"its lines have other values beside ids, but no delimiter gives them the same number of columns")
	}
	return "csv", h.refuseColumnsOfIDs(lines) // of one column, so that its lists of ids are split
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
func (h *head) holdsLists() bool {
	enclosed, lists := 0, 0
	lines := h.lines(sampleRows)
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
