package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// maxPage is the size of the largest page, compressed or not. Some writers put a
// row group's column into one page.
const maxPage = 32 << 20

// maxDictionary is how many values a dictionary may have. The values of a larger
// one are so short that they are not ids.
const maxDictionary = 4 << 20

var (
	errDamaged    = errors.New("the Parquet data is damaged")
	errDictionary = errors.New("the dictionary has too many values")
)

// unknownError says that the writer used a feature that is not read.
type unknownError struct {
	what   string
	number int64
}

func (e *unknownError) Error() string {
	if name := otherCodecs[e.number]; name != "" && e.what == ofCodec {
		return "the compression " + name
	}
	return fmt.Sprintf("%s number %d", e.what, e.number)
}

// ofCodec is what an unknownError is about if a page has a compression that is not read.
const ofCodec = "a compression of"

// Encodings.
const (
	encodingPlain           = 0
	encodingPlainDictionary = 2
	encodingRLE             = 3
	encodingDelta           = 5
	encodingDeltaLength     = 6
	encodingDeltaBytes      = 7
	encodingRLEDictionary   = 8
	encodingByteStreamSplit = 9
)

// page is the page of a chunk that is being read, with the chunk's dictionary.
type page struct {
	memory *Memory
	codecs codecs
	offset int64 // in the file

	packed   []byte // compressed
	unpacked []byte // decompressed
	data     []byte // not read yet, in packed or unpacked

	dictionary     *dictionary
	dictionaryData []byte // the buffer that the dictionary lies in

	entries    int // not read yet
	reps, defs hybrid
	values     values
}

// close returns the page's memory.
func (p *page) close() {
	p.codecs.close()
	p.reset(0)
	p.memory.packed.give(&p.packed)
	p.memory.unpacked.give(&p.unpacked)
}

// reset begins with a chunk at an offset.
func (p *page) reset(offset int64) {
	p.memory.unpacked.give(&p.dictionaryData)
	p.offset, p.data, p.entries, p.dictionary, p.values = offset, nil, 0, nil, nil
}

// buffer returns a buffer for the n bytes of the next page.
func (p *page) buffer(n int) []byte {
	p.memory.packed.resize(&p.packed, n)
	return p.packed
}

// open reads the page that buffer was filled with.
func (p *page) open(h *header, column *Column, codec int32) error {
	if h.checked && crc32.ChecksumIEEE(p.packed) != h.checksum {
		return errDamaged
	}
	width := column.valueWidth()
	switch h.kind {
	case pageData, pageDataV2:
		return p.openData(h, column, codec, width)
	case pageDictionary:
		return p.openDictionary(h, codec, width)
	case pageIndex:
		return nil
	}
	return &unknownError{"a page of type", h.kind}
}

func (p *page) openDictionary(h *header, codec int32, width int) error {
	if h.encoding != encodingPlain && h.encoding != encodingPlainDictionary {
		return &unknownError{"a dictionary of encoding", h.encoding}
	}
	if h.entries > maxDictionary {
		return errDictionary
	}
	if err := p.unpack(h, p.packed, int(h.size), codec, true); err != nil {
		return err
	}
	d, ok := newDictionary(p.data, int(h.entries), width)
	if !ok {
		return errDamaged
	}
	p.dictionary = d
	p.memory.unpacked.give(&p.dictionaryData)
	if codec == codecNone {
		p.dictionaryData, p.packed = p.packed, nil
	} else {
		p.dictionaryData, p.unpacked = p.unpacked, nil
	}
	return nil
}

// openData splits a page into repetition levels, definition levels and values.
func (p *page) openData(h *header, column *Column, codec int32, width int) error {
	var reps, defs []byte
	var err error
	if h.kind == pageDataV2 {
		reps, defs, err = p.splitV2(h, codec)
	} else {
		reps, defs, err = p.splitV1(h, column, codec)
	}
	if err != nil {
		return err
	}
	p.reps = hybrid{src: reps, width: levelBits(column.maxRep)}
	p.defs = hybrid{src: defs, width: levelBits(column.maxDef)}
	p.entries = int(h.entries)
	return p.openCells(h.encoding, column, width)
}

// openCells opens the values of a page, as a cell has them.
func (p *page) openCells(encoding int64, column *Column, width int) error {
	switch {
	case column.physical == typeBoolean && (encoding == encodingPlain || encoding == encodingRLE):
		found, ok := newBoolValues(p.data, encoding)
		if p.values = found; !ok {
			return errDamaged
		}
		return nil
	case column.isInt() && encoding == encodingDelta:
		found, ok := newDeltas(p.data)
		if p.values = (&deltaInts{from: found}); !ok {
			return errDamaged
		}
	default:
		if err := p.openValues(encoding, width); err != nil {
			return err
		}
		p.values = column.spelled(p.values)
	}
	if column.time != none {
		p.values = &timeInts{from: p.values, unit: column.time}
	}
	if column.decimal && column.scale > 0 {
		p.values = &scaledInts{from: p.values, scale: column.scale}
	}
	return nil
}

// splitV1 splits a page of version 1, whose levels are compressed with its values.
func (p *page) splitV1(h *header, column *Column, codec int32) (reps, defs []byte, err error) {
	if err := p.unpack(h, p.packed, int(h.size), codec, true); err != nil {
		return nil, nil, err
	}
	if column.maxRep > 0 {
		if reps, err = p.levels(h.repEncoding); err != nil {
			return nil, nil, err
		}
	}
	if column.maxDef > 0 {
		defs, err = p.levels(h.defEncoding)
	}
	return reps, defs, err
}

// splitV2 splits a page of version 2, whose levels are not compressed.
func (p *page) splitV2(h *header, codec int32) (reps, defs []byte, err error) {
	levels := h.repBytes + h.defBytes
	if h.repBytes < 0 || h.defBytes < 0 || levels > min(h.compressed, h.size) {
		return nil, nil, errDamaged
	}
	err = p.unpack(h, p.packed[levels:], int(h.size-levels), codec, !h.bare)
	return p.packed[:h.repBytes], p.packed[h.repBytes:levels], err
}

// levels takes levels, which begin with their size, off the page.
func (p *page) levels(encoding int64) ([]byte, error) {
	if encoding != encodingRLE || len(p.data) < 4 {
		return nil, errDamaged
	}
	n := binary.LittleEndian.Uint32(p.data)
	if uint64(n) > uint64(len(p.data)-4) {
		return nil, errDamaged
	}
	levels := p.data[4 : 4+n]
	p.data = p.data[4+n:]
	return levels, nil
}

func (p *page) openValues(encoding int64, width int) error {
	ok := true
	switch encoding {
	case encodingPlain:
		p.values = &plainValues{src: p.data, width: width}
	case encodingPlainDictionary, encodingRLEDictionary:
		if len(p.data) == 0 {
			p.data = []byte{0} // a page without values may be empty
		}
		if p.dictionary == nil || p.data[0] > 32 {
			return errDamaged
		}
		p.values = &dictionaryValues{from: p.dictionary, indexes: hybrid{src: p.data[1:], width: int(p.data[0])}}
	case encodingDeltaLength:
		p.values, ok = newLengthValues(p.data)
	case encodingDeltaBytes:
		p.values, ok = newPrefixedValues(p.data)
	case encodingByteStreamSplit:
		p.values, ok = newSplitValues(p.data, width)
	default:
		return &unknownError{"an encoding of", encoding}
	}
	if !ok {
		return errDamaged
	}
	return nil
}

// unpack sets data to the page's data, decompressed. The result must have size
// bytes.
func (p *page) unpack(h *header, packed []byte, size int, codec int32, compressed bool) error {
	if !compressed || codec == codecNone {
		if len(packed) != size {
			return errDamaged
		}
		p.data = packed
		return nil
	}
	if size == 0 && len(packed) == 0 { // as parquet-java writes a page v2 of nulls, with any codec
		p.data = nil
		return nil
	}
	p.memory.unpacked.resize(&p.unpacked, size)
	known, err := p.codecs.decompress(p.unpacked, packed, codec)
	switch {
	case !known:
		return &unknownError{ofCodec, int64(codec)}
	case err != nil:
		return errDamaged
	}
	p.data = p.unpacked
	if h.kind != pageDataV2 { // its levels are still in packed
		p.memory.packed.give(&p.packed)
	}
	return nil
}
