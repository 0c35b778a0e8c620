package parquet

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"

	"usher/internal/exports/places"
)

// maxHeader is the size of the largest header of a page.
const maxHeader = 64 << 10

// chunkReader reads the chunks of a column, one after the other, entry by entry.
type chunkReader struct {
	file   *places.File
	in     *places.Input
	buf    *bufio.Reader
	column Column

	chunk chunk
	left  int64 // entries of the chunk in pages that were not read yet

	page page
}

func newChunkReader(ctx context.Context, f *places.File, column Column, m *Memory) *chunkReader {
	in := places.NewInput(ctx, f, 0, 0)
	return &chunkReader{file: f, in: in, buf: bufio.NewReaderSize(in, maxHeader), column: column, page: page{memory: m}}
}

func (c *chunkReader) close() { c.page.close() }

// open begins with a chunk.
func (c *chunkReader) open(chunk chunk) error {
	if chunk.away {
		return c.file.Broken("write it as one file without encryption", "a column of its Parquet data is encrypted or lies in another file")
	}
	c.in.Reset(chunk.from, chunk.from+chunk.size)
	c.buf.Reset(c.in)
	c.chunk, c.left = chunk, chunk.values
	c.page.reset(chunk.from)
	return nil
}

// entry returns the next entry of the chunk. present is false if the record, or
// its list, has no value. rep is its repetition level: 0 for the first entry of a
// record. It returns io.EOF after the last entry. The value is valid until the next
// call.
func (c *chunkReader) entry() (value []byte, present bool, rep uint32, err error) {
	for c.page.entries == 0 {
		if c.left == 0 {
			return nil, false, 0, io.EOF
		}
		if err := c.readPage(); err != nil {
			return nil, false, 0, err
		}
	}
	c.page.entries--
	var ok bool
	if c.column.maxRep > 0 {
		if rep, ok = c.page.reps.next(); !ok {
			return nil, false, 0, c.damaged()
		}
	}
	if c.column.maxDef > 0 {
		def, ok := c.page.defs.next()
		if !ok || int(def) > c.column.maxDef {
			return nil, false, 0, c.damaged()
		}
		if int(def) < c.column.maxDef {
			return nil, false, rep, nil
		}
	}
	if value, ok = c.page.values.next(); !ok {
		return nil, false, 0, c.damaged()
	}
	return value, true, rep, nil
}

// readPage reads the next page of the chunk. A page may have no entries.
func (c *chunkReader) readPage() error {
	c.page.offset = c.in.Offset() - int64(c.buf.Buffered())
	data, err := c.buf.Peek(maxHeader)
	if len(data) == 0 {
		return c.jobError(cmp.Or(err, io.ErrUnexpectedEOF))
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return c.jobError(err)
	}
	h, size := parseHeader(data)
	if size == 0 || h.compressed < 0 || h.size < 0 || h.entries < 0 {
		return c.damaged()
	}
	if max(h.compressed, h.size) > maxPage {
		return c.file.Broken("write it with pages or row groups that are smaller", "its Parquet data has a page of more than %d bytes", maxPage)
	}
	if h.compressed > c.chunk.from+c.chunk.size-c.page.offset-int64(size) {
		return c.damaged()
	}
	if _, err := c.buf.Discard(size); err != nil {
		return c.jobError(err)
	}
	if _, err := io.ReadFull(c.buf, c.page.buffer(int(h.compressed))); err != nil {
		return c.jobError(err)
	}
	if h.isData() {
		if h.entries > c.left {
			return c.damaged()
		}
		c.left -= h.entries
	}
	return c.jobError(c.page.open(&h, &c.column, c.chunk.codec))
}

// jobError returns the error for the job that reading a page has led to.
func (c *chunkReader) jobError(err error) error {
	var unknown *unknownError
	switch {
	case err == nil:
		return nil
	case c.in.Err() != nil:
		return c.in.Err()
	case errors.As(err, &unknown):
		return c.file.Broken("write it with snappy, gzip, zstd, LZ4_RAW, brotli or no compression, and plain, dictionary, delta or byte stream split encoding; or as CSV",
			"its Parquet data has %v, which usher does not read", unknown)
	case errors.Is(err, errDictionary):
		return c.file.Broken("write it without a dictionary, or with smaller row groups", "its Parquet data has a dictionary of more than %d values", maxDictionary)
	case errors.Is(err, errDamaged), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return c.damaged()
	}
	return err
}

func (c *chunkReader) damaged() error {
	return c.file.Broken("write the export again and submit the job when the file is complete",
		"its Parquet data is damaged: column %s, the page at byte %d", c.column.ShownName(), c.page.offset)
}
