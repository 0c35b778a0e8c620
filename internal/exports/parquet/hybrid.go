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
		// The last group may end after its last value.
		h.packed = min(h.packed, len(h.src)*8/max(h.width, 1))
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
