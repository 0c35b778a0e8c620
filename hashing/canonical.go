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

// The places of the hyphens of 8-4-4-4-12 in the second and the third word.
const (
	hyphens1 = 0x0000ff00000000ff // at 8 and 13
	hyphens2 = 0xff00000000ff0000 // at 18 and 23
)

// uuidWords returns a UUID with its hyphens as four words of eight characters and one
// of four.
func uuidWords(src *[36]byte) (w0, w1, w2, w3, w4 uint64) {
	return binary.LittleEndian.Uint64(src[0:]), binary.LittleEndian.Uint64(src[8:]), binary.LittleEndian.Uint64(src[16:]),
		binary.LittleEndian.Uint64(src[24:]), uint64(binary.LittleEndian.Uint32(src[32:]))
}

// hyphenate returns the words of the UUID with hyphens that has the given 32 digits.
func hyphenate(src *[32]byte) (w0, w1, w2, w3, w4 uint64) {
	q0, q1 := binary.LittleEndian.Uint64(src[0:]), binary.LittleEndian.Uint64(src[8:])
	q2, q3 := binary.LittleEndian.Uint64(src[16:]), binary.LittleEndian.Uint64(src[24:])
	return q0,
		q1&0xffffffff<<8 | q1>>32<<48 | '-'*ones&hyphens1,
		q1>>48 | q2&0xffffffff<<24 | '-'*ones&hyphens2,
		q2>>32 | q3<<32,
		q3 >> 32
}

// isUUID reports whether src is 8-4-4-4-12 hex characters of any case.
func isUUID(src *[36]byte) bool {
	w0, w1, w2, w3, w4 := uuidWords(src)
	wrong := (w1^'-'*ones)&hyphens1 | (w2^'-'*ones)&hyphens2
	_, b0 := unhex(w0)
	_, b1 := unhex(w1&^hyphens1 | '0'*ones&hyphens1)
	_, b2 := unhex(w2&^hyphens2 | '0'*ones&hyphens2)
	_, b3 := unhex(w3)
	_, b4 := unhex(w4 | '0'*ones&^0xffffffff)
	return wrong|b0|b1|b2|b3|b4 == 0
}

// isRepeated reports whether v is a UUID of a single digit in either case.
func isRepeated(v *[36]byte) bool {
	if first := binary.LittleEndian.Uint64(v[:]); (first^bits.RotateLeft64(first, 8))&^(0x20*ones) != 0 {
		return false // most ids end here, after a cheap check
	}
	digit := uint64(v[0])
	fold := uint64(0)
	if digit > '9' {
		fold = 0x20 * ones
		digit |= 0x20
	}
	all := digit * ones
	w0, w1, w2, w3, w4 := uuidWords(v)
	return IsHexDigit(v[0]) && w0|fold == all && w3|fold == all && w4|fold&0xffffffff == all&0xffffffff &&
		w1|fold&^hyphens1 == all&^hyphens1|'-'*ones&hyphens1 &&
		w2|fold&^hyphens2 == all&^hyphens2|'-'*ones&hyphens2
}
