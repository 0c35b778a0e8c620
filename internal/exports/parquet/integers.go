package parquet

import "encoding/binary"

// hybrid reads integers of at most 32 bits, as levels and indexes into a
// dictionary are written: runs of one value, and packed groups of eight values. A
// run of any length takes no memory.
type hybrid struct {
	src   []byte
	width int // bits of a value

	run    int    // how many more times value comes
	value  uint32 // of the run
	packed int    // values left in the packed groups
	bit    int    // in src, of the next packed value
}

// next returns the next integer. It reports false after the last one, and if the
// data is damaged.
func (h *hybrid) next() (v uint32, ok bool) {
	for {
		switch {
		case h.run > 0:
			h.run--
			return h.value, true
		case h.packed > 0:
			return h.unpack()
		case !h.begin():
			return 0, false
		}
	}
}

// begin reads the header of a run or of packed groups.
func (h *hybrid) begin() bool {
	head, n := binary.Uvarint(h.src)
	if n <= 0 || head == 0 || head > 1<<32 {
		return false
	}
	h.src = h.src[n:]
	if head&1 == 1 {
		h.packed, h.bit = int(head>>1)*8, 0
		if h.width > 0 { // indexes into a dictionary of one entry have no bits
			h.packed = min(h.packed, len(h.src)*8/h.width) // the last group may end after its last value
		}
		return h.packed > 0
	}
	size := (h.width + 7) / 8
	if len(h.src) < size {
		return false
	}
	h.run, h.value = int(head>>1), 0
	for i, b := range h.src[:size] {
		h.value |= uint32(b) << (8 * i)
	}
	h.src = h.src[size:]
	return true
}

// unpack returns the next packed value.
func (h *hybrid) unpack() (uint32, bool) {
	var word uint64
	if at := h.bit / 8; at+8 <= len(h.src) {
		word = binary.LittleEndian.Uint64(h.src[at:])
	} else {
		for i, b := range h.src[at:] {
			word |= uint64(b) << (8 * i)
		}
	}
	v := uint32(word >> (h.bit % 8) & (1<<h.width - 1))
	h.bit += h.width
	if h.packed--; h.packed == 0 {
		h.src = h.src[min((h.bit+7)/8, len(h.src)):]
	}
	return v, true
}

// deltas reads the integers of DELTA_BINARY_PACKED: blocks of differences, each of
// several small blocks, which have as many bits a value as the largest one takes.
type deltas struct {
	src         []byte
	smallValues int // values of a small block
	smallBlocks int // small blocks of a block

	left    int64 // values that follow
	last    int64
	isFirst bool  // last is the first value, and was not returned yet
	base    int64 // of the block: is added to each difference
	widths  []byte
	width   int // bits of a value of the small block
	inSmall int // values left in the small block
	bit     int // in src, of the next value
}

// newDeltas reads the header. It reports false if it is damaged.
func newDeltas(src []byte) (d *deltas, ok bool) {
	t := &thrift{data: src} // has the same integers
	block, each, left, first := t.uvarint(), t.uvarint(), t.uvarint(), t.number()
	if t.bad || each == 0 || each > 1<<10 || block == 0 || block > 1<<16 || block%each != 0 || block/each%8 != 0 || left > 1<<31 {
		return nil, false
	}
	return &deltas{src: src[t.at:], smallValues: int(block / each), smallBlocks: int(each), left: int64(left), last: first, isFirst: true}, true
}

// splitDeltas returns the integers that src begins with, and the data after them.
func splitDeltas(src []byte) (d *deltas, rest []byte, ok bool) {
	skipped, ok := newDeltas(src)
	if !ok {
		return nil, nil, false
	}
	if rest, ok = skipped.rest(); !ok {
		return nil, nil, false
	}
	d, _ = newDeltas(src)
	return d, rest, true
}

// next returns the next integer. It reports false after the last one, and if the
// data is damaged.
func (d *deltas) next() (v int64, ok bool) {
	if d.left == 0 {
		return 0, false
	}
	d.left--
	if d.isFirst {
		d.isFirst = false
		return d.last, true
	}
	if d.inSmall == 0 && !d.begin() {
		return 0, false
	}
	var difference uint64
	for got := 0; got < d.width; {
		take := min(8-d.bit%8, d.width-got)
		difference |= uint64(d.src[d.bit/8]>>(d.bit%8)&(1<<take-1)) << got
		got += take
		d.bit += take
	}
	if d.inSmall--; d.inSmall == 0 {
		d.src = d.src[d.smallValues*d.width/8:]
	}
	d.last += d.base + int64(difference)
	return d.last, true
}

// begin begins the next small block, and the next block if that was the last one.
func (d *deltas) begin() bool {
	if len(d.widths) == 0 {
		t := &thrift{data: d.src}
		d.base = t.number()
		if t.bad || len(d.src)-t.at < d.smallBlocks {
			return false
		}
		d.widths = d.src[t.at : t.at+d.smallBlocks]
		d.src = d.src[t.at+d.smallBlocks:]
	}
	d.width, d.widths = int(d.widths[0]), d.widths[1:]
	d.inSmall, d.bit = d.smallValues, 0
	return d.width <= 64 && len(d.src) >= d.smallValues*d.width/8
}

// rest skips the integers that are left, and returns the data after them.
func (d *deltas) rest() (after []byte, ok bool) {
	left := d.left
	if d.isFirst {
		left--
	}
	for ; left > 0; left -= int64(d.smallValues) {
		if !d.begin() {
			return nil, false
		}
		d.src = d.src[d.smallValues*d.width/8:]
	}
	return d.src, true
}
