package unpack

import (
	"bufio"
	"compress/bzip2"
	"errors"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"usher/internal/exports/places"
)

// FreeExpansion is how many bytes a stream may expand to before its ratio is
// checked: a small file of repeated rows is not a bomb.
const FreeExpansion = 16 << 20

// Stream is a decompressed stream. It ends with io.EOF only if the compressed
// stream is whole. Truncated data, data after the end, a wrong checksum and a bomb
// are source_broken.
type Stream struct {
	in       *places.Input
	kind     string // gzip, zstd, bzip2, xz or lz4
	out      io.Reader
	end      func()
	consumed *Counter
	made     int64 // bytes of out
	maxRatio int64
}

// Counter counts the bytes that are read.
type Counter struct {
	In io.Reader
	N  int64
}

// Read implements io.Reader.
func (c *Counter) Read(p []byte) (int, error) {
	n, err := c.In.Read(p)
	c.N += int64(n)
	return n, err
}

// Limits bound what a stream may take.
type Limits struct {
	Ratio  int64 // of the stream to its compressed bytes, above FreeExpansion
	Window int   // that a decompressor may hold in memory, in bytes
}

// Open opens a compressed stream. kind is one of Compressions other than none and zip. The caller
// closes the stream.
func Open(in *places.Input, kind string, l Limits) (*Stream, error) {
	count := &Counter{In: in}
	e := &Stream{in: in, kind: kind, consumed: count, maxRatio: l.Ratio, end: func() {}}
	compressed := bufio.NewReaderSize(count, 64<<10)
	_, err := compressed.Peek(1)
	if err == nil {
		err = e.open(compressed, l.Window)
	}
	if err != nil {
		return nil, e.jobError(Unexpected(err))
	}
	return e, nil
}

// Close releases the memory of the decompressor.
func (e *Stream) Close() { e.end() }

// open opens the decompressor. window is the largest window that it may hold in
// memory, in bytes.
func (e *Stream) open(compressed *bufio.Reader, window int) (err error) {
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
			e.out, e.end = out, out.Close
		}
	}
	return err
}

// Unexpected returns io.ErrUnexpectedEOF instead of io.EOF, where a stream must not end.
func Unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Read implements io.Reader.
func (e *Stream) Read(p []byte) (int, error) {
	n, err := e.out.Read(p)
	e.made += int64(n)
	switch {
	case e.made > FreeExpansion && e.made > e.maxRatio*e.consumed.N:
		return 0, e.in.File().Broken("if the export is real, decompress it and submit it again",
			"its %s data expands to more than %d times its size, as a bomb does", e.kind, e.maxRatio)
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF):
		return n, io.EOF
	}
	return n, e.jobError(err)
}

// jobError turns an error of decompression into that of the job.
func (e *Stream) jobError(err error) error {
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
		return f.Broken("compress it with lz4 without -l, or with gzip", "its lz4 data has a legacy frame, whose end cannot be determined")
	}
	if e.kind == "gzip" && e.made > 0 && errors.Is(err, gzip.ErrHeader) {
		return f.Broken("submit what gzip -dc FILE > CLEAN.csv writes, which warns and leaves them out; or write the export again",
			"its gzip data is whole, and bytes that are none follow it, such as an error of a server or padding")
	}
	return f.Broken("write the export again and submit the job; garbage behind the compressed data counts as damage too",
		"its %s data is damaged", e.kind)
}
