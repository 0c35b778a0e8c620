package exports

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"usher"
	"usher/internal/exports/csv"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// sniffBytes is how much of an export is looked at to tell what it is.
const sniffBytes = 64 << 10

// head is the beginning of an export, as UTF-8 text without a BOM.
type head struct {
	places.Origin
	text []byte
	all  bool // the export has no more than this
}

// sniff finds out what f is, as far as src does not declare it. The first part
// must have at least first bytes, so that the header is in it.
func (o *Opener) sniff(ctx context.Context, f *places.File, src *usher.Source) (plan usher.Plan, first int64, err error) {
	plan = usher.Plan{Compression: declared(src.Compression), Encoding: declared(src.Encoding), Format: declared(src.Format)}
	h, err := o.head(ctx, f, &plan)
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
	return plan, h.rowsAt() + 1, err
}

// checkText refuses what is not text, or has no lines as usher knows them.
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

// rowsAt is the offset at which the first line that is not blank begins, behind
// a spreadsheet's sep= and a BOM.
func (h *head) rowsAt() int64 {
	at := len(rows.BOM) // at most
	for i, rest := 0, h.text; len(rest) > 0; i++ {
		line, after := rows.CutLine(rest)
		_, separator := csv.DeclaredDelimiter(line)
		if !rows.IsBlank(line) && (i > 0 || !separator) {
			break
		}
		at += len(rest) - len(after)
		rest = after
	}
	return int64(at)
}

// declared is what a source declares, "" for auto.
func declared(value string) string {
	value = strings.ToLower(value)
	if value == "auto" {
		return ""
	}
	return value
}

// head reads the beginning of f, and settles the plan's compression and
// encoding.
func (o *Opener) head(ctx context.Context, f *places.File, plan *usher.Plan) (*head, error) {
	raw, all, err := readHead(places.NewInput(ctx, f, 0, f.Size))
	if err != nil {
		return nil, err
	}
	if plan.Format == "parquet" || plan.Format == "" && parquet.IsParquet(raw) && (plan.Compression == "" || plan.Compression == "none") {
		return nil, settleParquet(f, raw, plan)
	}
	if err := settleCompression(f, raw, plan); err != nil {
		return nil, err
	}
	switch plan.Compression {
	case "none":
	case "zip":
		if raw, all, err = o.archiveHead(ctx, f); err != nil {
			return nil, err
		}
	default:
		if raw, all, err = o.expandHead(ctx, f, plan); err != nil {
			return nil, err
		}
	}
	switch plan.Encoding {
	case "":
		plan.Encoding = sniffEncoding(raw)
	case "utf-8", "utf-16le", "utf-16be":
	default:
		return nil, usher.Refuse(usher.InvalidJob, "accepted are auto, utf-8, utf-16le and utf-16be", "read source: source.encoding is unknown")
	}
	return &head{Origin: f.Origin, text: decodeHead(raw, plan.Encoding), all: all}, nil
}

// settleParquet accepts a Parquet file, which is compressed within.
func settleParquet(f *places.File, raw []byte, plan *usher.Plan) error {
	if !parquet.IsParquet(raw) {
		return f.Broken("set source.format to what it is, or leave it out; a Parquet file is not compressed as a whole", "it is no Parquet file")
	}
	plan.Format, plan.Compression, plan.Encoding = "parquet", "none", "utf-8"
	return nil
}

// settleCompression decides on the plan's compression.
func settleCompression(f *places.File, raw []byte, plan *usher.Plan) error {
	switch plan.Compression {
	case "none", "gzip", "zstd", "zip":
		return nil
	case "":
	default:
		return usher.Refuse(usher.InvalidJob, "accepted are auto, none, gzip, zstd and zip", "read source: source.compression is unknown")
	}
	if err := refuseForeign(f.Origin, raw); err != nil {
		return err
	}
	plan.Compression = sniffCompression(raw)
	ext := strings.ToLower(path.Ext(f.Name))
	if len(raw) < 4 && slices.Contains([]string{".gz", ".zst", ".parquet"}, ext) {
		return f.Broken("write the export anew and submit the job again once its file is whole", "it is too short for what its name says it is")
	}
	return nil
}

// archiveHead reads the beginning of an archive's first member that has one.
func (o *Opener) archiveHead(ctx context.Context, f *places.File) ([]byte, bool, error) {
	a, err := o.openArchive(ctx, f)
	if err != nil {
		return nil, false, err
	}
	for i := range a.members {
		in, err := a.open(i)
		if err != nil {
			return nil, false, err
		}
		raw, all, err := readHead(in)
		in.close()
		last := i == len(a.members)-1
		if err != nil || len(raw) > 0 || last {
			return raw, all, errors.Join(err, refusePacked(f.Origin, raw))
		}
	}
	return nil, true, nil
}

// refusePacked refuses what is compressed, or foreign, within something.
func refusePacked(from places.Origin, raw []byte) error {
	if sniffCompression(raw) != "none" || isZip(raw) {
		return from.Broken("compress it once only", "it is compressed twice")
	}
	return refuseForeign(from, raw)
}

// expandHead reads the beginning of a compressed export.
func (o *Opener) expandHead(ctx context.Context, f *places.File, plan *usher.Plan) ([]byte, bool, error) {
	e, err := o.expand(places.NewInput(ctx, f, 0, f.Size), plan.Compression)
	if err != nil {
		return nil, false, err
	}
	defer e.close()
	raw, all, err := readHead(e)
	if err != nil {
		return nil, false, err
	}
	return raw, all, refusePacked(f.Origin, raw)
}

// readHead reads sniffBytes, or all of it where it is shorter.
func readHead(in io.Reader) (data []byte, all bool, err error) {
	data, err = io.ReadAll(io.LimitReader(in, sniffBytes+1))
	if err != nil {
		return nil, false, err
	}
	if len(data) > sniffBytes {
		return data[:sniffBytes], false, nil
	}
	return data, true, nil
}

// lines returns the head's lines that are whole and not blank, at most n. A
// single line that is longer than the head counts as it is.
func (h *head) lines(n int) [][]byte {
	var out [][]byte
	for rest := h.text; len(rest) > 0 && len(out) < n; {
		line, after := rows.CutLine(rest)
		if len(line) == len(rest) && !h.all && len(out) > 0 {
			break
		}
		if rest = after; !rows.IsBlank(line) {
			out = append(out, rows.TrimSpace(line))
		}
	}
	return out
}

// format tells NDJSON from CSV from plain text.
func (h *head) format(src *usher.Source) string {
	lines := h.lines(sampleRows)
	if len(lines) == 0 {
		return "text"
	}
	if first := lines[0]; opensJSON(first) {
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
			return "csv" // of one column, so that lists are split
		}
	}
	return "text"
}

// opensJSON reports whether a line begins a JSON object or array rather than an
// id in braces or a macro.
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
