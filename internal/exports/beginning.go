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
	"usher/internal/exports/choose"
	"usher/internal/exports/layout"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/unpack"
)

// readHead reads the beginning of f, and decides on the plan's compression and
// encoding. It returns nil for Parquet. The head has windows of
// this many bytes, none for noWindows.
func (o *Opener) readHead(ctx context.Context, f *places.File, plan *usher.Plan, window int) (*layout.Head, error) {
	raw, all, err := readBeginning(places.NewInput(ctx, f, 0, f.Size))
	if err != nil {
		return nil, err
	}
	plain := plan.Compression == "" || plan.Compression == "none"
	switch {
	case plan.Format == usher.FormatParquet, plan.Format == "" && plain && parquet.IsParquet(raw):
		return nil, decideParquet(f, raw, plan)
	case plan.Format == usher.FormatAvro, plan.Format == "" && plain && bytes.HasPrefix(raw, []byte(avro.Magic)):
		return o.avroHead(ctx, f, raw, plan, window)
	case plan.Format == usher.FormatXLSX:
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
func (o *Opener) textHead(ctx context.Context, f *places.File, begins beginning, plan *usher.Plan, window int) (_ *layout.Head, err error) {
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
	h := &layout.Head{Origin: begins.from, Text: unpack.Decode(begins.raw, plan.Encoding), All: begins.all}
	h.AddWindows(begins.windows, plan.Encoding)
	return h, unpack.RefuseMarkup(f.Origin, h.Text)
}

// decideParquet accepts a Parquet file, which is compressed inside.
func decideParquet(f *places.File, raw []byte, plan *usher.Plan) error {
	if !parquet.IsParquet(raw) {
		return f.Broken("set source.format to the format of the file, or leave it out; a Parquet file is not compressed as a whole", "it is not a Parquet file")
	}
	plan.Format, plan.Compression, plan.Encoding = usher.FormatParquet, "none", "utf-8"
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
		return from.Broken(unpack.OnceHint(raw), "it is compressed twice")
	}
	return unpack.RefuseForeign(from, raw)
}

// readBeginning reads layout.HeadBytes bytes. all is true if in is not longer.
func readBeginning(in io.Reader) (data []byte, all bool, err error) {
	data, err = io.ReadAll(io.LimitReader(in, layout.HeadBytes+1))
	if err != nil {
		return nil, false, err
	}
	if len(data) > layout.HeadBytes {
		return data[:layout.HeadBytes], false, nil
	}
	return data, true, nil
}

// An export is sampled in its head and in windows behind it, because an export may be
// sorted: the first rows of a column may be empty, or of one type of id.
const (
	windows       = 7
	windowBytes   = 16 << 10
	expandedBytes = 4 << 20 // of a compressed export in which the windows lie
	noWindows     = 0
)

// windowOf returns the number of bytes of a window. ANDROID_IDs need many samples: what shows that
// a spreadsheet has changed them is one id in 1,850.
func windowOf(s choose.Search) int {
	if s.Type == usher.AndroidID {
		return 4 * windowBytes
	}
	return windowBytes
}

// spread reads windows at even distances behind the head, or in the first MiB of a file
// that is read from its beginning only.
func spread(ctx context.Context, f *places.File, window int) ([][]byte, error) {
	if f.Whole || f.Size < 0 {
		in := places.NewInput(ctx, f, 0, f.Size)
		if _, err := io.CopyN(io.Discard, in, layout.HeadBytes+1); err != nil {
			return nil, err
		}
		return expandWindows(in, window), nil
	}
	var raw [][]byte
	step := max((f.Size-layout.HeadBytes)/windows, int64(window))
	step -= step % 2 // the unit of UTF-16
	for at := int64(layout.HeadBytes); at < f.Size && len(raw) < windows; at += step {
		data := make([]byte, min(int64(window), f.Size-at))
		if err := f.ReadFull(ctx, data, at); err != nil {
			return raw, err
		}
		raw = append(raw, data)
	}
	return raw, nil
}

// expandWindows reads windows of a stream that is read from its beginning, behind the
// head. A window that cannot be read is left out: what is wrong with the export is found
// when it is verified or read.
func expandWindows(in io.Reader, window int) [][]byte {
	const step = (expandedBytes - layout.HeadBytes) / windows / 2 * 2 // even, for UTF-16
	var raw [][]byte
	for range windows {
		data := make([]byte, window)
		n, err := io.ReadFull(in, data)
		if n > 0 {
			raw = append(raw, data[:n])
		}
		if err == nil {
			_, err = io.CopyN(io.Discard, in, int64(step-window))
		}
		if err != nil {
			break
		}
	}
	return raw
}

// detect finds out what f is, unless src declares it. It also returns the least number of
// bytes of the first part: enough to contain the header, or the whole export if it may not
// be cut.
func (o *Opener) detect(ctx context.Context, f *places.File, src *usher.Source, s choose.Search) (plan usher.Plan, first int64, err error) {
	plan = usher.Plan{
		Compression: choose.Declared(src.Compression), Encoding: choose.Declared(src.Encoding), Format: usher.Format(choose.Declared(src.Format)), Sheet: src.Sheet,
		Type: s.Type, Removes: s.Removes,
	}
	h, err := o.readHead(ctx, f, &plan, windowOf(s))
	if err != nil || plan.Format == usher.FormatParquet {
		return plan, 0, err
	}
	first, err = h.Layout(src, s, &plan)
	return plan, first, err
}
