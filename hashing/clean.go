package hashing

import (
	"encoding/binary"
	"math/bits"

	"usher"
)

// clean takes the lines that in begins with at at, if any, that are ids as they
// should be, and perhaps others among them, and returns their length. dirty says
// that the line behind must be looked at more carefully.
func (h *Hasher) clean(out *Out, in []byte, at int, records bool) (used int, dirty bool) {
	all := in
	in = in[at:]
	switch {
	case h.input == usher.InputMD5:
		if used, dirty = h.runDigests(out, in); used > 0 || dirty {
			return used, dirty
		}
		used = h.cleanDigest(out, in)
	case h.kind == usher.AndroidID:
		if h.kernel.loadShort != nil {
			if used, dirty = h.runShort(out, in); used > 0 || dirty {
				return used, dirty
			}
		}
		used = h.cleanAndroid(out, in)
	default:
		if h.kernel.load != nil {
			used, dirty = h.run(out, in)
			if dirty && h.manyDirty(out) {
				n := h.runMixed(out, all, at+used, records)
				used, dirty = used+n, n == 0
			}
			if used > 0 || dirty {
				return used, dirty
			}
		}
		used = h.cleanUUID(out, in)
	}
	return used, used == 0
}

// ended returns the length of a line of n characters with its end, 0 where in
// begins with no such line. in has room for both kinds of end.
func ended(in []byte, n int) int {
	switch {
	case in[n] == '\n':
		return n + 1
	case in[n] == '\r' && in[n+1] == '\n':
		return n + 2
	}
	return 0
}

func (h *Hasher) cleanUUID(out *Out, in []byte) int {
	if len(in) < 38 {
		return 0
	}
	n := ended(in, 36)
	if n == 0 || !isUUID((*[36]byte)(in)) {
		return 0
	}
	var b block
	if h.canonical(&b, in[:36]) {
		return 0
	}
	h.gather(out, &b)
	return n
}

func (h *Hasher) cleanDigest(out *Out, in []byte) int {
	if len(in) < HexLen+2 {
		return 0
	}
	n := ended(in, HexLen)
	if n == 0 {
		return 0
	}
	var d Digest
	if !d.parse((*[HexLen]byte)(in)) || h.junk.maybe(&d) {
		return 0
	}
	out.add(&d)
	return n
}

// cleanAndroid takes an ANDROID_ID of the full 16 characters.
func (h *Hasher) cleanAndroid(out *Out, in []byte) int {
	if len(in) < 18 {
		return 0
	}
	n := ended(in, 16)
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
	h.gather(out, &b)
	return n
}
