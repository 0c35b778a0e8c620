package exports

import (
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"usher"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// headBytes is how much of an export is read to detect its format.
const headBytes = 64 << 10

// head is the beginning of an export, as UTF-8 text without a byte order mark.
type head struct {
	places.Origin

	text []byte
	all  bool // the export is not longer
}

// readHead reads the beginning of f, and decides on the plan's compression and
// encoding. It returns nil for Parquet.
func (o *Opener) readHead(ctx context.Context, f *places.File, plan *usher.Plan) (*head, error) {
	raw, all, err := readBeginning(places.NewInput(ctx, f, 0, f.Size))
	if err != nil {
		return nil, err
	}
	if plan.Format == "parquet" || plan.Format == "" && parquet.IsParquet(raw) && (plan.Compression == "" || plan.Compression == "none") {
		return nil, decideParquet(f, raw, plan)
	}
	if err := decideCompression(f, raw, plan); err != nil {
		return nil, err
	}
	switch plan.Compression {
	case "none":
	case "zip":
		raw, all, err = o.archiveBeginning(ctx, f)
	default:
		raw, all, err = o.expandBeginning(ctx, f, plan.Compression)
	}
	if err != nil {
		return nil, err
	}
	switch plan.Encoding {
	case "":
		plan.Encoding = detectEncoding(raw)
	case "utf-8", "utf-16le", "utf-16be":
	default:
		return nil, usher.Refuse(usher.InvalidJob, "accepted are auto, utf-8, utf-16le and utf-16be", "read source: source.encoding is unknown")
	}
	return &head{Origin: f.Origin, text: decodeHead(raw, plan.Encoding), all: all}, nil
}

// decideParquet accepts a Parquet file, which is compressed inside.
func decideParquet(f *places.File, raw []byte, plan *usher.Plan) error {
	if !parquet.IsParquet(raw) {
		return f.Broken("set source.format to what it is, or leave it out; a Parquet file is not compressed as a whole", "it is no Parquet file")
	}
	plan.Format, plan.Compression, plan.Encoding = "parquet", "none", "utf-8"
	return nil
}

// decideCompression decides on the plan's compression.
func decideCompression(f *places.File, raw []byte, plan *usher.Plan) error {
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
	plan.Compression = detectCompression(raw)
	ext := strings.ToLower(path.Ext(f.Name))
	if len(raw) < 4 && slices.Contains([]string{".gz", ".zst", ".parquet"}, ext) {
		return f.Broken("write the export again and submit the job when the file is complete", "it is too short for what its name says it is")
	}
	return nil
}

// archiveBeginning reads the beginning of the first member of an archive that is
// not empty.
func (o *Opener) archiveBeginning(ctx context.Context, f *places.File) ([]byte, bool, error) {
	a, err := o.openArchive(ctx, f)
	if err != nil {
		return nil, false, err
	}
	for i := range a.members {
		in, err := a.open(i)
		if err != nil {
			return nil, false, err
		}
		raw, all, err := readBeginning(in)
		in.close()
		last := i == len(a.members)-1
		if err != nil || len(raw) > 0 || last {
			return raw, all, errors.Join(err, refusePacked(f.Origin, raw))
		}
	}
	return nil, true, nil
}

// expandBeginning reads the beginning of a compressed export.
func (o *Opener) expandBeginning(ctx context.Context, f *places.File, compression string) ([]byte, bool, error) {
	e, err := o.expand(places.NewInput(ctx, f, 0, f.Size), compression)
	if err != nil {
		return nil, false, err
	}
	defer e.close()
	raw, all, err := readBeginning(e)
	if err != nil {
		return nil, false, err
	}
	return raw, all, refusePacked(f.Origin, raw)
}

// refusePacked refuses compressed data that is compressed again, and formats that
// are not read.
func refusePacked(from places.Origin, raw []byte) error {
	if detectCompression(raw) != "none" || isZip(raw) {
		return from.Broken("compress it once only", "it is compressed twice")
	}
	return refuseForeign(from, raw)
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
		if rest = after; !rows.IsBlank(line) {
			out = append(out, rows.TrimSpace(line))
		}
	}
	return out
}
