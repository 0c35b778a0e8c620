package exports

import (
	"bufio"
	"compress/bzip2"
	"context"
	"errors"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"usher"
	"usher/internal/exports/places"
)

// freeExpansion is how many bytes a stream may expand to before its ratio is
// checked: a small file of repeated rows is not a bomb.
const freeExpansion = 16 << 20

// expanded is a decompressed stream. It ends with io.EOF only if the compressed
// stream is whole. Truncated data, data after the end, a wrong checksum and a bomb
// are source_broken.
type expanded struct {
	in       *places.Input
	kind     string // gzip, zstd, bzip2, xz or lz4
	out      io.Reader
	close    func()
	consumed *counter
	made     int64 // bytes of out
	maxRatio int64
}

// counter counts the compressed bytes.
type counter struct {
	in io.Reader
	n  int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}

// expand opens a compressed stream of a kind that isStream accepts.
func (o *Opener) expand(in *places.Input, kind string) (*expanded, error) {
	count := &counter{in: in}
	e := &expanded{in: in, kind: kind, consumed: count, maxRatio: o.options.MaxRatio, close: func() {}}
	compressed := bufio.NewReaderSize(count, 64<<10)
	_, err := compressed.Peek(1)
	if err == nil {
		err = e.open(compressed, o.options.MaxWindow)
	}
	if err != nil {
		return nil, e.judge(noEOF(err))
	}
	return e, nil
}

// open opens the decompressor. window is the largest window that it may hold in
// memory, in bytes.
func (e *expanded) open(compressed *bufio.Reader, window int) (err error) {
	switch e.kind {
	case "gzip":
		e.out, err = gzip.NewReader(compressed)
	case "bzip2":
		e.out = bzip2.NewReader(compressed) // holds one block, 900,000 bytes
	case "xz":
		e.out, err = xz.NewReader(compressed, uint32(min(window, math.MaxUint32)))
	case "lz4":
		e.out = &lz4Frames{in: compressed} // holds one block, up to 4 MiB
	default:
		var out *zstd.Decoder
		out, err = zstd.NewReader(compressed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(uint64(window)))
		if err == nil {
			e.out, e.close = out, out.Close
		}
	}
	return err
}

// isPacked reports whether an export has a checksum, which verify checks.
func isPacked(plan *usher.Plan) bool { return plan.Compression != "none" || plan.Format == "xlsx" }

// verify reads a compressed export to its end, where its checksum is. Until then,
// data that is damaged in the middle may be read as other ids, which would be sent.
func (o *Opener) verify(ctx context.Context, f *places.File, plan *usher.Plan) error {
	switch {
	case plan.Format == "xlsx":
		return o.verifyWorkbook(ctx, f)
	case plan.Compression == "zip":
		return o.verifyArchive(ctx, f)
	}
	in := places.NewInput(ctx, f, 0, f.Size)
	e, err := o.expand(in, plan.Compression)
	if err != nil {
		return err
	}
	defer e.close()
	defer o.progress(nil)
	_, err = io.Copy(countingWriter(func(int) { o.progress(&usher.Check{At: in.Offset(), Of: f.Size}) }), e)
	return err
}

// countingWriter drops what is written to it, and reports the number of bytes.
type countingWriter func(n int)

func (w countingWriter) Write(p []byte) (int, error) {
	w(len(p))
	return len(p), nil
}

// noEOF returns io.ErrUnexpectedEOF instead of io.EOF, for a stream that ends before
// its header does.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Read implements io.Reader.
func (e *expanded) Read(p []byte) (int, error) {
	n, err := e.out.Read(p)
	e.made += int64(n)
	switch {
	case e.made > freeExpansion && e.made > e.maxRatio*e.consumed.n:
		return 0, e.in.File().Broken("if the export is real, decompress it and submit it again",
			"its %s data expands to more than %d times its size, as a bomb does", e.kind, e.maxRatio)
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF):
		return n, io.EOF
	}
	return n, e.judge(err)
}

// judge returns the error for the job that decompression has led to.
func (e *expanded) judge(err error) error {
	f := e.in.File()
	switch {
	case e.in.Err() != nil:
		return e.in.Err()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, xz.ErrBuf):
		return f.Broken("write the export again and submit the job when the file is complete",
			"its %s data is truncated", e.kind)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return f.Broken("compress it with zstd up to level 19 and without --long, or with gzip",
			"its zstd data needs more memory than is allowed")
	case errors.Is(err, xz.ErrMemlimit):
		return f.Broken("compress it with xz -6 or a lower level, which have a dictionary of 8 MiB or less, or with gzip",
			"its xz data has a larger dictionary than is allowed")
	case errors.Is(err, xz.ErrOptions), errors.Is(err, xz.ErrUnsupportedCheck):
		return f.Broken("compress it with xz -6, or with gzip", "its xz data has a filter or a checksum that usher does not read")
	case errors.Is(err, errLegacyFrame):
		return f.Broken("compress it with lz4 without -l, or with gzip", "its lz4 data has a legacy frame, whose end cannot be told")
	}
	return f.Broken("write the export again and submit the job; garbage behind the compressed data counts as damage too",
		"its %s data is damaged", e.kind)
}
