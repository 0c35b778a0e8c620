package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"usher/internal/exports/places"
)

// maxPage is how large a page of a Parquet file may be, compressed or not. Some
// writers make one page of a row group's column.
const maxPage = 32 << 20

// maxDictionary is how many values a dictionary may have. A page of more has
// values so short that they are not ids.
const maxDictionary = 4 << 20

// pageHeadBytes is how much of a page is looked at for its head.
const pageHeadBytes = 64 << 10

// Encodings and types of pages of Parquet.
const (
	encodingPlain           = 0
	encodingPlainDictionary = 2
	encodingRLE             = 3
	encodingDeltaLength     = 6
	encodingDeltaBytes      = 7
	encodingRLEDictionary   = 8
	encodingByteStreamSplit = 9

	pageData       = 0
	pageIndex      = 1
	pageDictionary = 2
	pageDataV2     = 3
)

// chunkReader reads a column's values of a row group after another, entry by
// entry. It believes nothing that the file claims: pages have a limit, and what
// is compressed must come to the size it was said to have.
type chunkReader struct {
	in   *places.Input
	leaf Column
	buf  *bufio.Reader

	chunk chunk
	left  int64 // entries of the chunk that no page was read for
	at    int64 // where the page begins

	pages            *Memory
	compressed, room []byte // from pages
	page             []byte // what is left of the page, in one of them
	codecs           codecs

	dictionary *dictionary
	entries    int // left in the page
	reps, defs hybrid
	values     fieldValues
}

func newChunkReader(in *places.Input, l Column, p *Memory) *chunkReader {
	return &chunkReader{in: in, leaf: l, pages: p, buf: bufio.NewReaderSize(in, pageHeadBytes)}
}

func (c *chunkReader) close() {
	c.codecs.close()
	c.pages.packed.give(&c.compressed)
	c.pages.expanded.give(&c.room)
	c.page, c.entries = nil, 0
}

// open begins with a chunk.
func (c *chunkReader) open(chunk chunk) error {
	if chunk.away {
		return c.in.File.Broken("write it as one file without encryption", "a column of its Parquet data is encrypted or lies in another file")
	}
	c.in.At, c.in.Size = chunk.from, chunk.from+chunk.size
	c.buf.Reset(c.in)
	c.chunk, c.left, c.at, c.entries, c.dictionary = chunk, chunk.values, chunk.from, 0, nil
	return nil
}

// entry is the next entry of the chunk: a value, or none where a record, or its
// list, has none. begins says that a record begins with it. It is io.EOF after
// the last, and the value is good until the next call.
func (c *chunkReader) entry() (value []byte, there, begins bool, err error) {
	for c.entries == 0 {
		if c.left == 0 {
			return nil, false, false, io.EOF
		}
		if err := c.readPage(); err != nil {
			return nil, false, false, err
		}
	}
	c.entries--
	begins = true
	if c.leaf.maxRep > 0 {
		rep, ok := c.reps.next()
		if !ok {
			return nil, false, false, c.damaged()
		}
		begins = rep == 0
	}
	if c.leaf.maxDef > 0 {
		def, ok := c.defs.next()
		if !ok || int(def) > c.leaf.maxDef {
			return nil, false, false, c.damaged()
		}
		if int(def) < c.leaf.maxDef {
			return nil, false, begins, nil
		}
	}
	value, ok := c.values.next()
	if !ok {
		return nil, false, false, c.damaged()
	}
	return value, true, begins, nil
}

func (c *chunkReader) damaged() error {
	return c.in.File.Broken("write the export anew and submit the job again once its file is whole",
		"its Parquet data is damaged: column %s, the page at byte %d", c.leaf.ShownName(), c.at)
}

// unread says that the writer used something that usher does not know.
func (c *chunkReader) unread(what string, n int64) error {
	return c.in.File.Broken("write it with snappy, gzip, zstd, LZ4_RAW, brotli or no compression, and plain, dictionary, delta or byte stream split encoding; or as CSV",
		"its Parquet data has %s number %d, which usher does not read", what, n)
}

// failed tells what is wrong with the export from what went wrong in reading it.
func (c *chunkReader) failed(err error) error {
	if c.in.Err != nil {
		return c.in.Err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return c.damaged()
	}
	return err
}

// readPage reads the chunk's next page. Of one that has no values, entries is 0.
func (c *chunkReader) readPage() error {
	c.at = c.in.At - int64(c.buf.Buffered())
	data, err := c.buf.Peek(pageHeadBytes)
	if err != nil && !errors.Is(err, io.EOF) || len(data) == 0 {
		return c.failed(err)
	}
	h, used := parsePageHead(data)
	if used == 0 {
		return c.damaged()
	}
	if _, err := c.buf.Discard(used); err != nil {
		return c.failed(err)
	}
	if h.compressed < 0 || h.size < 0 || h.entries < 0 {
		return c.damaged()
	}
	if max(h.compressed, h.size) > maxPage {
		return c.in.File.Broken("write it with pages or row groups that are smaller", "its Parquet data has a page of more than %d bytes", maxPage)
	}
	if h.compressed > c.in.Size-c.at-int64(used) {
		return c.damaged()
	}
	c.pages.packed.size(&c.compressed, int(h.compressed))
	if _, err := io.ReadFull(c.buf, c.compressed); err != nil {
		return c.failed(err)
	}
	if h.checked && crc32.ChecksumIEEE(c.compressed) != h.checksum {
		return c.damaged()
	}
	switch h.kind {
	case pageData, pageDataV2:
		return c.openPage(&h)
	case pageDictionary:
		return c.openDictionary(&h)
	case pageIndex:
		return nil
	}
	return c.unread("a page of type", h.kind)
}

func (c *chunkReader) openDictionary(h *pageHead) error {
	if h.encoding != encodingPlain && h.encoding != encodingPlainDictionary {
		return c.unread("a dictionary of encoding", h.encoding)
	}
	if err := c.expand(h, c.compressed, int(h.size), true); err != nil {
		return err
	}
	if h.entries > maxDictionary {
		return c.in.File.Broken("write it without a dictionary, or with smaller row groups", "its Parquet data has a dictionary of more than %d values", maxDictionary)
	}
	d, ok := newDictionary(c.page, int(h.entries), c.width())
	if !ok {
		return c.damaged()
	}
	c.dictionary = d
	return nil
}

// width is the fixed width of the column's values, 0 for none.
func (c *chunkReader) width() int {
	if c.leaf.physical == typeFixedByteArray {
		return c.leaf.width
	}
	return 0
}

// openPage takes a page of values apart: repetition levels, definition levels,
// values.
func (c *chunkReader) openPage(h *pageHead) error {
	if h.entries > c.left {
		return c.damaged()
	}
	var reps, defs []byte
	ok := true
	if h.kind == pageDataV2 { // its levels are not compressed
		levels := h.repBytes + h.defBytes
		if h.repBytes < 0 || h.defBytes < 0 || levels > min(h.compressed, h.size) {
			return c.damaged()
		}
		reps, defs = c.compressed[:h.repBytes], c.compressed[h.repBytes:levels]
		if err := c.expand(h, c.compressed[levels:], int(h.size-levels), !h.bare); err != nil {
			return err
		}
	} else {
		if err := c.expand(h, c.compressed, int(h.size), true); err != nil {
			return err
		}
		if c.leaf.maxRep > 0 {
			reps, ok = c.levels(h.repEncoding)
		}
		if c.leaf.maxDef > 0 && ok {
			defs, ok = c.levels(h.defEncoding)
		}
	}
	if !ok {
		return c.damaged()
	}
	c.reps = hybrid{src: reps, width: levelBits(c.leaf.maxRep)}
	c.defs = hybrid{src: defs, width: levelBits(c.leaf.maxDef)}
	c.left -= h.entries
	c.entries = int(h.entries)
	return c.openValues(h.encoding)
}

// levels takes levels with their size before them off the page.
func (c *chunkReader) levels(encoding int64) ([]byte, bool) {
	if encoding != encodingRLE || len(c.page) < 4 {
		return nil, false
	}
	n := binary.LittleEndian.Uint32(c.page)
	if uint64(n) > uint64(len(c.page)-4) {
		return nil, false
	}
	levels := c.page[4 : 4+n]
	c.page = c.page[4+n:]
	return levels, true
}

func (c *chunkReader) openValues(encoding int64) error {
	ok := true
	switch encoding {
	case encodingPlain:
		c.values = &plainValues{src: c.page, width: c.width()}
	case encodingPlainDictionary, encodingRLEDictionary:
		// A page without values may be empty.
		if len(c.page) == 0 {
			c.page = []byte{0}
		}
		if c.dictionary == nil || c.page[0] > 32 {
			return c.damaged()
		}
		c.values = &listedValues{from: c.dictionary, places: hybrid{src: c.page[1:], width: int(c.page[0])}}
	case encodingDeltaLength:
		c.values, ok = newLengthValues(c.page)
	case encodingDeltaBytes:
		c.values, ok = newPrefixedValues(c.page)
	case encodingByteStreamSplit:
		c.values, ok = newSplitValues(c.page, c.width())
	default:
		return c.unread("an encoding of", encoding)
	}
	if !ok {
		return c.damaged()
	}
	return nil
}

// expand has page hold what data comes to, which is as long as it was said to be.
func (c *chunkReader) expand(h *pageHead, data []byte, size int, compressed bool) error {
	if !compressed || c.chunk.codec == codecNone {
		if len(data) != size {
			return c.damaged()
		}
		c.page = data
		return nil
	}
	c.pages.expanded.size(&c.room, size)
	known, err := c.codecs.fill(c.room, data, c.chunk.codec)
	switch {
	case !known:
		return c.unread("a compression of", int64(c.chunk.codec))
	case err != nil:
		return c.damaged()
	}
	c.page = c.room
	if h.kind != pageDataV2 { // whose levels stand before what is compressed
		c.pages.packed.give(&c.compressed)
	}
	return nil
}
