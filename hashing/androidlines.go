package hashing

import (
	"encoding/binary"
	"math/bits"
)

// takeAndroidIDs takes lines from the beginning of in as long as they are clean
// ANDROID_IDs, sixteen at a time, and returns their length. It leaves the last lines of
// in to the caller. dirty reports that the next line is not clean.
func (h *Hasher) takeAndroidIDs(out *Out, in []byte) (used int, dirty bool) {
	if h.kernel.loadAndroidIDs == nil {
		return 0, false
	}
	l, x := h.lanes, &h.lanes.index
	for !h.full(out) && x.ensure(h.kernel, in[used:], true, 16) {
		room := min(Lanes-l.count, cap(out.Rows)-len(out.Rows)-l.count)
		starts := x.starts[x.next:]
		clean := h.kernel.loadAndroidIDs(&h.forms[0], in[used:], starts, x.ending, l, out.Count)
		n := min(clean, room)
		l.count += n
		out.Count += n
		used += int(starts[n] - starts[0])
		if l.count == Lanes {
			h.flush(out)
		}
		if clean < 16 && clean <= room {
			return used, true
		}
	}
	return used, false
}

// takeAndroidID takes one clean line of an ANDROID_ID of all 16 characters.
func (h *Hasher) takeAndroidID(out *Out, in []byte) int {
	if len(in) < 18 {
		return 0
	}
	n := lineLength(in, 16)
	if n == 0 {
		return 0
	}
	w0, w1 := binary.LittleEndian.Uint64(in), binary.LittleEndian.Uint64(in[8:])
	_, b0 := unhex(w0)
	_, b1 := unhex(w1)
	if b0|b1 != 0 {
		return 0
	}
	w0, w1 = h.fold.recase(w0), h.fold.recase(w1)
	if w0 == bits.RotateLeft64(w0, 8) || isShared(in[:16]) {
		return 0
	}
	b := block{16: 0x80, 56: 128}
	binary.LittleEndian.PutUint64(b[0:], w0)
	binary.LittleEndian.PutUint64(b[8:], w1)
	h.addMessage(out, &b)
	return n
}
