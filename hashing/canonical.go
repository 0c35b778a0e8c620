package hashing

import (
	"encoding/binary"
	"math/bits"

	"usher"
)

// canonical writes the message of an id into an empty block: in the profile's case,
// with or without hyphens. same reports whether the first eight characters of a UUID
// are equal, so that all of its digits may be.
func (h *Hasher) canonical(b *block, id []byte) (same bool) {
	if h.idType == usher.AndroidID {
		var text [16]byte
		n := copy(text[:], id)
		for i := 0; i < 16; i += 8 {
			binary.LittleEndian.PutUint64(text[i:], h.fold.recase(binary.LittleEndian.Uint64(text[i:])))
		}
		b.set(text[:n])
		return false
	}
	w0, w1, w2, w3, w4 := h.canonicalUUID(id)
	binary.LittleEndian.PutUint64(b[0:], w0)
	binary.LittleEndian.PutUint64(b[8:], w1)
	binary.LittleEndian.PutUint64(b[16:], w2)
	binary.LittleEndian.PutUint64(b[24:], w3)
	if h.hyphens {
		binary.LittleEndian.PutUint32(b[32:], uint32(w4))
		b.pad(36)
	} else {
		b.pad(32)
	}
	return w0 == bits.RotateLeft64(w0, 8)
}

// canonicalUUID returns the characters of a UUID of 36 or 32 characters in the
// profile's case, with or without hyphens.
func (h *Hasher) canonicalUUID(id []byte) (w0, w1, w2, w3, w4 uint64) {
	if len(id) == 36 {
		w0, w1, w2, w3, w4 = uuidWords((*[36]byte)(id))
	} else {
		w0, w1, w2, w3, w4 = hyphenate((*[32]byte)(id))
	}
	w0, w1, w2, w3, w4 = h.fold.recase(w0), h.fold.recase(w1), h.fold.recase(w2), h.fold.recase(w3), h.fold.recase(w4)
	if !h.hyphens {
		w1 = w1>>8&0xffffffff | w1>>48<<32 | w2<<48
		w2 = w2>>24&0xffffffff | w3<<32
		w3 = w3>>32 | w4<<32
	}
	return w0, w1, w2, w3, w4
}
