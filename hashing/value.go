package hashing

import (
	"encoding/binary"
	"math/bits"

	"usher"
)

// One judges a single value: its digest, or why it has none. Like a record's
// cell, a blank value is empty.
func (h *Hasher) One(value []byte) (Digest, Reason) {
	var d Digest
	for len(value) > 0 && value[len(value)-1] == '\n' {
		value = value[:len(value)-1]
	}
	if len(value) > MaxLine {
		return d, Shape
	}
	value, _ = trim(value)
	if len(value) == 0 {
		return d, Empty
	}
	id, reason := h.judge(value)
	switch {
	case reason != None:
	case h.input == usher.InputMD5:
		d.parse((*[HexLen]byte)(id))
	default:
		var b block
		h.canonical(&b, id)
		sumPair(&b, &b, &d, &d)
	}
	return d, reason
}

// trim cuts off what surrounds a value: spaces, tabs, carriage returns,
// no-break spaces, and byte order marks. It says how much it cut in front.
func trim(line []byte) (value []byte, skipped int) {
	n := len(line)
	if n == 0 || isInk(line[0]) && isInk(line[n-1]) {
		return line, 0
	}
	for {
		cut := blankAt(line)
		if cut == 0 {
			break
		}
		line = line[cut:]
	}
	skipped = n - len(line)
	for {
		cut := blankBefore(line)
		if cut == 0 {
			return line, skipped
		}
		line = line[:len(line)-cut]
	}
}

// isInk reports whether c is a character that nothing blank holds.
func isInk(c byte) bool { return ' ' < c && c < 0x80 }

func blankAt(b []byte) int {
	switch {
	case len(b) == 0:
		return 0
	case b[0] == ' ', b[0] == '\t', b[0] == '\r':
		return 1
	case len(b) >= 2 && b[0] == 0xc2 && b[1] == 0xa0: // U+00A0
		return 2
	case len(b) >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf: // U+FEFF
		return 3
	}
	return 0
}

func blankBefore(b []byte) int {
	n := len(b)
	switch {
	case n == 0:
		return 0
	case b[n-1] == ' ', b[n-1] == '\t', b[n-1] == '\r':
		return 1
	case n >= 2 && b[n-2] == 0xc2 && b[n-1] == 0xa0:
		return 2
	case n >= 3 && b[n-3] == 0xef && b[n-2] == 0xbb && b[n-1] == 0xbf:
		return 3
	}
	return 0
}

// unquote takes one pair of quotes off, and what is blank within them.
func unquote(v []byte) []byte {
	n := len(v)
	if n < 2 || v[0] != v[n-1] || (v[0] != '"' && v[0] != '\'') {
		return v
	}
	v, _ = trim(v[1 : n-1])
	return v
}

// judge says what a trimmed value is: the id in it, or why it is dropped. The
// order is the field's: what stands for no value, then braces, then the shape.
func (h *Hasher) judge(v []byte) (id []byte, _ Reason) {
	if len(v) > 1 && isHexDigit(v[0]) {
		return v, h.bare(v) // in nothing, and neither a macro nor a placeholder
	}
	v = unquote(v)
	switch {
	case len(v) == 0:
		return nil, Empty
	case isPlaceholder(v):
		return nil, Placeholder
	}
	if n := len(v); n > 2 && v[0] == '{' && v[n-1] == '}' {
		if reason := h.reason(v[1 : n-1]); reason != Shape {
			return v[1 : n-1], reason
		}
	}
	if isMacro(v) {
		return nil, Macro
	}
	return v, h.bare(v)
}

// bare is reason, but that it knows headers.
func (h *Hasher) bare(v []byte) Reason {
	reason := h.reason(v)
	if reason == Shape && h.isHeader(v) {
		return Header
	}
	return reason
}

// reason says what a bare value is by its length and characters; None where it
// is an id of the profile.
func (h *Hasher) reason(v []byte) Reason {
	switch n := len(v); {
	case n == 36:
		return h.hyphened((*[36]byte)(v))
	case (n == 14 || n == 17) && isMAC(v):
		return OtherID
	case n > 16 && n != 32 && n != 40 && n != 64, !isHex(v):
		return Shape
	}
	switch len(v) {
	case 64:
		return SHA256
	case 40:
		return SHA1
	case 32:
		return h.bare32((*[32]byte)(v))
	}
	return h.short(v)
}

// hyphened judges 36 characters, which may be a UUID with its hyphens. Its version
// does not matter: older and foreign generators are real ids too.
func (h *Hasher) hyphened(v *[36]byte) Reason {
	repeated := isRepeated(v)
	switch {
	case !repeated && !isUUID(v):
		return Shape
	case h.kind == usher.AndroidID:
		return WrongType
	case repeated:
		return ZeroID
	case h.input == usher.InputMD5:
		return WrongType
	}
	return None
}

// bare32 judges 32 hex characters, which are an MD5 or a UUID without hyphens.
func (h *Hasher) bare32(v *[32]byte) Reason {
	if h.input == usher.InputMD5 {
		var d Digest
		d.parse(v)
		if sameDigit(v[:]) {
			return ZeroID
		}
		return h.junk.reason(&d)
	}
	switch {
	case h.kind == usher.AndroidID:
		return LooksHashed
	case sameDigit(v[:]):
		return ZeroID
	case !isVersion4(v):
		return LooksHashed
	}
	return None
}

// short judges 1 to 16 hex characters: an ANDROID_ID. 15 digits with a right
// check digit are an IMEI in every profile: of 15-character ANDROID_IDs not one
// in 10,000 looks so, of IMEIs all do.
func (h *Hasher) short(v []byte) Reason {
	android := h.kind == usher.AndroidID
	switch {
	case android && sameDigit(v):
		return ZeroID
	case isIMEI(v):
		return OtherID
	case isShared(v):
		return SharedID
	case android && h.input == usher.InputRaw:
		return None
	case android, len(v) == 16:
		return WrongType
	}
	return Shape
}

// canonical writes an id of the profile into an empty block, in its case and
// with or without hyphens as the profile says. same says of a UUID that all its
// digits may be the same.
func (h *Hasher) canonical(b *block, id []byte) (same bool) {
	if h.kind == usher.AndroidID {
		var text [16]byte
		n := copy(text[:], id)
		for i := 0; i < 16; i += 8 {
			binary.LittleEndian.PutUint64(text[i:], h.fold.recase(binary.LittleEndian.Uint64(text[i:])))
		}
		b.set(text[:n])
		return false
	}
	w0, w1, w2, w3, w4 := h.uuid(id)
	binary.LittleEndian.PutUint64(b[0:], w0)
	binary.LittleEndian.PutUint64(b[8:], w1)
	binary.LittleEndian.PutUint64(b[16:], w2)
	binary.LittleEndian.PutUint64(b[24:], w3)
	if h.hyphen {
		binary.LittleEndian.PutUint32(b[32:], uint32(w4))
		b.pad(36)
	} else {
		b.pad(32)
	}
	return w0 == bits.RotateLeft64(w0, 8)
}

// uuid returns the characters of a UUID, in its case and with or without hyphens
// as the profile says.
func (h *Hasher) uuid(id []byte) (w0, w1, w2, w3, w4 uint64) {
	if len(id) == 36 {
		w0, w1, w2, w3, w4 = uuidWords((*[36]byte)(id))
	} else {
		w0, w1, w2, w3, w4 = hyphenated((*[32]byte)(id))
	}
	w0, w1, w2, w3, w4 = h.fold.recase(w0), h.fold.recase(w1), h.fold.recase(w2), h.fold.recase(w3), h.fold.recase(w4)
	if !h.hyphen {
		w1 = w1>>8&0xffffffff | w1>>48<<32 | w2<<48
		w2 = w2>>24&0xffffffff | w3<<32
		w3 = w3>>32 | w4<<32
	}
	return w0, w1, w2, w3, w4
}
