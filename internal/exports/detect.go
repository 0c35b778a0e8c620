package exports

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"usher"
	"usher/internal/exports/csv"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// detect finds out what f is, unless src declares it. It also returns how many
// bytes the first part must have at least to contain the header.
func (o *Opener) detect(ctx context.Context, f *places.File, src *usher.Source) (plan usher.Plan, first int64, err error) {
	plan = usher.Plan{Compression: declared(src.Compression), Encoding: declared(src.Encoding), Format: declared(src.Format)}
	h, err := o.readHead(ctx, f, &plan)
	if err != nil || plan.Format == "parquet" {
		return plan, 0, err
	}
	if err := h.checkText(); err != nil {
		return plan, 0, err
	}
	if plan.Format == "" {
		plan.Format = h.format(src)
	}
	switch plan.Format {
	case "ndjson":
		err = h.layoutNDJSON(src, &plan)
	case "csv":
		err = h.layoutCSV(src, &plan)
	case "text":
		err = h.layoutText(src, &plan)
	default:
		err = usher.Refuse(usher.InvalidJob, "accepted are auto, text, csv, ndjson and parquet", "read source: source.format is unknown")
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

// checkText refuses what is not text, and text whose lines do not end in LF.
func (h *head) checkText() error {
	if i := binaryByte(h.text); i >= 0 {
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
	at := len(rows.BOM) // there may be none
	for i, rest := 0, h.text; len(rest) > 0; i++ {
		line, after := rows.CutLine(rest)
		_, declares := csv.DeclaredDelimiter(line)
		if !rows.IsBlank(line) && (i > 0 || !declares) {
			break
		}
		at += len(rest) - len(after)
		rest = after
	}
	return int64(at)
}

// format distinguishes NDJSON, CSV and plain text.
func (h *head) format(src *usher.Source) string {
	lines := h.lines(sampleRows)
	if len(lines) == 0 {
		return "text"
	}
	if opensJSON(lines[0]) {
		return "ndjson"
	}
	if _, ok := csv.DeclaredDelimiter(lines[0]); ok || declared(src.Delimiter) != "" {
		return "csv"
	}
	if len(h.delimiters()) > 0 {
		return "csv"
	}
	for _, line := range lines {
		if looksLikeIDs(line) && !looksLikeID(line) {
			return "csv" // of one column, so that its lists of ids are split
		}
	}
	return "text"
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
		return rest[0] == '{' || rest[0] == '['
	}
}

// checkLayout refuses a further file of an export, or a member of an archive, with
// another layout than the plan. It reports whether the file begins with a header.
// raw is the beginning of a member as it lies in the archive, nil for a file.
func (h *head) checkLayout(src *usher.Source, plan *usher.Plan, raw []byte) (header bool, err error) {
	const hint = "have all files of the export written in the same way, with the same columns in the same order"
	if len(h.text) == 0 {
		return false, nil
	}
	if detectCompression(raw) != "none" {
		return false, h.Broken("compress it once only", "it is compressed within an archive")
	}
	if err := errors.Join(refuseForeign(h.Origin, raw), h.checkText()); err != nil {
		return false, err
	}
	as := *src
	as.Delimiter = plan.Delimiter
	if declared(src.Format) == "" && len(h.lines(1)) > 0 && h.format(&as) != plan.Format || raw != nil && detectEncoding(raw) != plan.Encoding {
		return false, h.Broken(hint, "it is not of the format of the first file, %s", plan.Format)
	}
	own := usher.Plan{}
	switch plan.Format {
	case "text":
		err = h.layoutText(&as, &own)
		return own.Header != "", err
	case "csv":
		if !h.hasHeader(plan) {
			return false, nil
		}
		if err := h.layoutCSV(&as, &own); err != nil || own.Column != plan.Column || own.TypeColumn != plan.TypeColumn {
			return false, h.Broken(hint, "its columns are not those of the first file")
		}
		return true, nil
	}
	return false, nil
}

// hasHeader reports whether a CSV file begins with a header.
func (h *head) hasHeader(plan *usher.Plan) bool {
	records := h.records(plan.Delimiter[0])
	if len(records) == 0 {
		return false
	}
	if header, _ := h.columnsOf(records); header {
		return true
	}
	return plan.Header != "" && plan.Column < len(records[0]) && sameName(headerText([]byte(records[0][plan.Column])), plan.Header)
}
