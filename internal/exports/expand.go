package exports

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

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
	kind     string // gzip or zstd, for messages
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

// expand opens a compressed stream, whose kind is gzip or zstd.
func (o *Opener) expand(in *places.Input, kind string) (*expanded, error) {
	count := &counter{in: in}
	e := &expanded{in: in, kind: kind, consumed: count, maxRatio: o.options.MaxRatio, close: func() {}}
	compressed := bufio.NewReaderSize(count, 64<<10)
	if kind == "gzip" {
		out, err := gzip.NewReader(compressed)
		if err != nil {
			return nil, e.judge(noEOF(err))
		}
		e.out = out
		return e, nil
	}
	if _, err := compressed.Peek(1); err != nil {
		return nil, e.judge(noEOF(err))
	}
	out, err := zstd.NewReader(compressed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(uint64(o.options.MaxWindow)))
	if err != nil {
		return nil, e.judge(noEOF(err))
	}
	e.out, e.close = out, out.Close
	return e, nil
}

// verify reads a compressed export to its end, where its checksum is. Until then,
// data that is damaged in the middle may be read as other ids, which would be sent.
func (o *Opener) verify(ctx context.Context, f *places.File, kind string) error {
	if kind == "zip" {
		return o.verifyArchive(ctx, f)
	}
	in := places.NewInput(ctx, f, 0, f.Size)
	e, err := o.expand(in, kind)
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
	case errors.Is(err, io.ErrUnexpectedEOF):
		return f.Broken("write the export again and submit the job when the file is complete",
			"its %s data is truncated", e.kind)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return f.Broken("compress it with zstd up to level 19 and without --long, or with gzip",
			"its zstd data needs more memory than is allowed")
	}
	return f.Broken("write the export again and submit the job; garbage behind the compressed data counts as damage too",
		"its %s data is damaged", e.kind)
}
