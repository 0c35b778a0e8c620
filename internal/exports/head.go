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
	"usher/internal/exports/avro"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
	"usher/internal/exports/unpack"
)

// headBytes is how much of an export is read to detect its format.
const headBytes = 64 << 10

// head is the beginning of an export, as UTF-8 text without a byte order mark.
type head struct {
	places.Origin

	text    []byte
	all     bool    // the export is not longer
	windows []*head // other places of the export; their text begins with a row
	window  []byte  // of a window: all of it, which begins anywhere

	sheets      []string     // of a workbook
	otherSheets []otherSheet // of a workbook, if the source names no sheet
	formulas    map[int]int  // of a sheet: by column, formulas without values in the head
	fields      []string     // of the schema of an Avro file, as paths

	skip         string // what lines begin with that are no rows
	skipped      int64  // bytes of the lines that were skipped at the beginning
	skippedLines int
	whole        bool // the export may not be cut into parts: its cells have line ends
}

// skipLines drops the lines that the source says to skip at the beginning, and
// remembers what the others begin with.
func (h *head) skipLines(skip usher.Skip) error {
	h.skip = skip.Prefix
	for _, w := range h.windows {
		w.skip = skip.Prefix
	}
	for range skip.Lines {
		if bytes.IndexByte(h.text, '\n') < 0 && !h.all {
			return h.Broken("set source.skip to the number of lines before the header", "source.skip says to skip %d lines, but its first %d bytes have fewer", skip.Lines, headBytes)
		}
		_, rest := rows.CutLine(h.text)
		h.skipped += int64(len(h.text) - len(rest))
		h.skippedLines++
		h.text = rest
	}
	return nil
}

// unended returns 1 if the export is not longer than the head and its last line has no
// end, so that it may have been cut off; otherwise 0.
func (h *head) unended() int {
	if h.all && len(h.text) > 0 && h.text[len(h.text)-1] != '\n' {
		return 1
	}
	return 0
}

func (h *head) isSkipped(line []byte) bool {
	return h.skip != "" && bytes.HasPrefix(line, []byte(h.skip))
}

// readHead reads the beginning of f, and decides on the plan's compression and
// encoding. It returns nil for Parquet. The head has windows of
// this many bytes, none for noWindows.
func (o *Opener) readHead(ctx context.Context, f *places.File, plan *usher.Plan, window int) (*head, error) {
	raw, all, err := readBeginning(places.NewInput(ctx, f, 0, f.Size))
	if err != nil {
		return nil, err
	}
	plain := plan.Compression == "" || plan.Compression == "none"
	switch {
	case plan.Format == "parquet", plan.Format == "" && plain && parquet.IsParquet(raw):
		return nil, decideParquet(f, raw, plan)
	case plan.Format == "avro", plan.Format == "" && plain && bytes.HasPrefix(raw, []byte(avro.Magic)):
		return o.avroHead(ctx, f, raw, plan, window)
	case plan.Format == "xlsx":
		return o.workbookHead(ctx, f, raw, plan)
	}
	if err := decideCompression(f, raw, plan); err != nil {
		return nil, err
	}
	if plan.Compression == "zip" {
		switch is, err := o.isWorkbook(ctx, f); {
		case err != nil:
			return nil, err
		case is && plan.Format != "":
			return nil, f.Broken("set source.format to xlsx, or leave it out; submit a job for each format", "it is an .xlsx workbook, and source.format says %s", plan.Format)
		case is:
			return o.workbookHead(ctx, f, raw, plan)
		}
	}
	return o.textHead(ctx, f, beginning{raw: raw, all: all, from: f.Origin}, plan, window)
}

// textHead is readHead for text, whose compression is known. begins is the beginning of
// the file as it is.
func (o *Opener) textHead(ctx context.Context, f *places.File, begins beginning, plan *usher.Plan, window int) (_ *head, err error) {
	switch plan.Compression {
	case "none":
		if window > 0 && !begins.all {
			begins.windows, err = spread(ctx, f, window)
		}
	case "zip":
		begins, err = o.archiveBeginning(ctx, f, plan, window)
	default:
		begins, err = o.expandBeginning(ctx, f, plan.Compression, window)
	}
	if err != nil {
		return nil, err
	}
	switch plan.Encoding {
	case "":
		plan.Encoding = unpack.DetectEncoding(begins.raw)
	case "utf-8", "utf-16le", "utf-16be":
	default:
		return nil, usher.Refuse(usher.InvalidJob, "accepted are auto, utf-8, utf-16le and utf-16be", "read source: source.encoding is unknown")
	}
	h := &head{Origin: begins.from, text: unpack.Decode(begins.raw, plan.Encoding), all: begins.all}
	h.addWindows(begins.windows, plan.Encoding)
	return h, unpack.RefuseMarkup(f.Origin, h.text)
}

// decideParquet accepts a Parquet file, which is compressed inside.
func decideParquet(f *places.File, raw []byte, plan *usher.Plan) error {
	if !parquet.IsParquet(raw) {
		return f.Broken("set source.format to the format of the file, or leave it out; a Parquet file is not compressed as a whole", "it is not a Parquet file")
	}
	plan.Format, plan.Compression, plan.Encoding = "parquet", "none", "utf-8"
	return nil
}

// decideCompression decides on the plan's compression.
func decideCompression(f *places.File, raw []byte, plan *usher.Plan) error {
	switch {
	case plan.Compression == "":
	case slices.Contains(unpack.Compressions, plan.Compression):
		return nil
	default:
		return usher.Refuse(usher.InvalidJob, "accepted are auto, "+strings.Join(unpack.Compressions, ", "), "read source: source.compression is unknown")
	}
	if err := unpack.RefuseForeign(f.Origin, raw); err != nil {
		return err
	}
	plan.Compression = unpack.DetectCompression(raw)
	ext := strings.ToLower(path.Ext(f.Name))
	if len(raw) < shortestMagic && slices.Contains(binaryNames, ext) {
		return f.Broken("write the export again and submit the job when the file is complete", "it is too short for a file with its extension")
	}
	return nil
}

// binaryNames are the extensions of formats whose files are never shorter than
// shortestMagic, not even without rows.
var binaryNames = []string{".gz", ".zst", ".bz2", ".xz", ".lz4", ".zip", ".parquet", ".avro", ".xlsx"}

const shortestMagic = 6

// beginning is a head, decompressed and not yet decoded.
type beginning struct {
	raw     []byte
	all     bool          // the export is not longer
	windows [][]byte      // other places of the export
	from    places.Origin // the file, or the member of an archive
}

// archiveBeginning reads the beginning of the first member of an archive that is
// not empty. It sets the plan's Files.
func (o *Opener) archiveBeginning(ctx context.Context, f *places.File, plan *usher.Plan, window int) (beginning, error) {
	a, err := unpack.OpenFiles(ctx, f, o.options.MaxRatio)
	if err != nil {
		return beginning{}, err
	}
	plan.Files = a.Len()
	for i := range a.Len() {
		in, err := a.OpenMember(i)
		if err != nil {
			return beginning{}, err
		}
		b, err := readSampled(in, window)
		_ = in.Close() // only read
		last := i == a.Len()-1
		if err != nil || len(b.raw) > 0 || last {
			b.from = a.OriginOf(i)
			return b, errors.Join(err, refusePacked(b.from, b.raw))
		}
	}
	return beginning{all: true, from: f.Origin}, nil
}

// expandBeginning reads the beginning of a compressed export.
func (o *Opener) expandBeginning(ctx context.Context, f *places.File, kind string, window int) (beginning, error) {
	e, err := o.expand(places.NewInput(ctx, f, 0, f.Size), kind)
	if err != nil {
		return beginning{}, err
	}
	defer e.Close()
	b, err := readSampled(e, window)
	if err != nil {
		return beginning{}, err
	}
	b.from = f.Origin
	return b, refusePacked(f.Origin, b.raw)
}

// readSampled is readBeginning, and unless window is noWindows, it also reads windows of the rest.
func readSampled(in io.Reader, window int) (b beginning, err error) {
	b.raw, b.all, err = readBeginning(in)
	if err == nil && !b.all && window > 0 {
		b.windows = expandWindows(in, window)
	}
	return b, err
}

// refusePacked refuses compressed data that is compressed again, and formats that
// are not read.
func refusePacked(from places.Origin, raw []byte) error {
	if unpack.DetectCompression(raw) != "none" {
		return from.Broken(unpackHint(raw), "it is compressed twice")
	}
	return unpack.RefuseForeign(from, raw)
}

// unpackHint is what to do about a file that is compressed in itself and as a whole.
func unpackHint(raw []byte) string {
	if beginsWorkbook(raw) {
		return "give the workbook as it is: it is compressed inside"
	}
	return "compress it once only"
}

// beginsWorkbook reports whether raw is the beginning of an .xlsx workbook.
func beginsWorkbook(raw []byte) bool {
	return unpack.IsZip(raw) && (bytes.Contains(raw, []byte("[Content_Types].xml")) || bytes.Contains(raw, []byte("xl/workbook.xml")))
}

// readBeginning reads headBytes bytes. all is true if in is not longer.
func readBeginning(in io.Reader) (data []byte, all bool, err error) {
	data, err = io.ReadAll(io.LimitReader(in, headBytes+1))
	if err != nil {
		return nil, false, err
	}
	if len(data) > headBytes {
		return data[:headBytes], false, nil
	}
	return data, true, nil
}

// lines returns at most n lines of the head that are complete and not blank. A
// single line that is longer than the head is returned as far as it goes.
func (h *head) lines(n int) [][]byte {
	var out [][]byte
	for rest := h.text; len(rest) > 0 && len(out) < n; {
		line, after := rows.CutLine(rest)
		if len(line) == len(rest) && !h.all && len(out) > 0 {
			break
		}
		if rest = after; !rows.IsBlank(line) && !h.isSkipped(line) {
			out = append(out, rows.TrimSpace(line))
		}
	}
	return out
}

// noRows accepts an empty export, but not an export whose first row lies after the
// head.
func (h *head) noRows() error {
	if h.all {
		return nil
	}
	return h.Broken("remove the blank lines or the quote at its beginning", "it has no row in its first %d bytes", headBytes)
}
