package hashing

import (
	"encoding/binary"
	"math/bits"

	"usher"
)

// takeClean takes the clean lines that in begins with, and returns their length. dirty
// reports that the next line must be taken by takeLine.
func (h *Hasher) takeClean(out *Out, in []byte) (used int, dirty bool) {
	switch {
	case h.input == usher.InputMD5:
		used, dirty = h.takeDigests(out, in)
	case h.idType != usher.AndroidID && h.kernel.loadUUIDs != nil:
		used, dirty = h.takeUUIDs(out, in)
	}
	if used == 0 && !dirty {
		used = h.takeOne(h, out, in)
		dirty = used == 0
	}
	return used, dirty
}

// takeOneOf returns the method that takes one clean line of the given input and type. The
// method returns the length of the line, or 0 if the line may be dirty.
func takeOneOf(input usher.Input, idType usher.IDType) func(h *Hasher, out *Out, in []byte) int {
	switch {
	case input == usher.InputMD5:
		return (*Hasher).takeDigest
	case idType == usher.AndroidID:
		return (*Hasher).takeAndroidID
	}
	return (*Hasher).takeUUID
}

// lineLength returns the length, with its ending, of a line that has n characters before
// the ending, or 0 if in does not begin with such a line. in must have at least n + 2
// bytes.
func lineLength(in []byte, n int) int {
	switch {
	case in[n] == '\n':
		return n + 1
	case in[n] == '\r' && in[n+1] == '\n':
		return n + 2
	}
	return 0
}

// form describes clean lines of UUIDs with one kind of ending. The kernels read it:
// asm/tables.go has the offsets of its fields.
type form struct {
	fold   [128]byte // each hex character in the profile's case; others have 0x80 set
	near   [64]byte  // the same by a character's low six bits; others differ in the lowest bit
	stride int       // the length of a line with its ending
	ending uint32    // the ending
	mask   uint32    // which of the four bytes after an id belong to the ending
}

// newForms returns the forms of lines that end in \n and in \r\n.
func newForms(c usher.Case) [2]form {
	var f form
	for i := range f.fold {
		char := byte(i)
		switch {
		case '0' <= char && char <= '9':
		case !IsHexDigit(char):
			char |= 0x80
		case c == usher.Upper:
			char &^= 0x20
		default:
			char |= 0x20
		}
		f.fold[i] = char
	}
	for i := range f.near {
		f.near[i] = byte(i) ^ 1
	}
	for _, char := range []byte("0123456789ABCDEFabcdef") {
		f.near[char%64] = f.fold[char]
	}
	lf, crlf := f, f
	lf.stride, lf.ending, lf.mask = 37, '\n', 0xff
	crlf.stride, crlf.ending, crlf.mask = 38, '\r'|'\n'<<8, 0xffff
	return [2]form{lf, crlf}
}

// lineReach is how many bytes a kernel reads of a line of a UUID: the id and four bytes
// after it.
const lineReach = 40

// takeUUIDs takes lines from the beginning of in as long as they are clean UUIDs, sixteen
// at a time, and returns their length. It never reads past in, so it leaves the last
// lines to the caller. dirty reports that the next line is not clean.
func (h *Hasher) takeUUIDs(out *Out, in []byte) (used int, dirty bool) {
	l, layout := h.lanes, h.layout()
	for len(in)-used >= 15*38+lineReach && !h.full(out) {
		text := in[used:]
		f := h.formOf(text)
		if f == nil {
			return used, true
		}
		room := min(h.kernel.lanes-l.count, cap(out.Rows)-len(out.Rows)-l.count)
		groups := (room + 15) / 16
		groups = min(groups, (len(text)+f.stride-lineReach)/(16*f.stride))
		clean := h.kernel.loadUUIDs(f, layout, text, l, out.Count, groups)
		n := min(clean, room)
		l.count += n
		out.Count += n
		used += n * f.stride
		if l.count == h.kernel.lanes {
			h.flush(out)
		}
		if clean < 16*groups && clean <= room {
			return used, true
		}
	}
	return used, false
}

// formOf returns the form of the first line of text by its ending, or nil if the line does
// not have the length of a UUID.
func (h *Hasher) formOf(text []byte) *form {
	switch lineLength(text, 36) {
	case 37:
		return &h.forms[0]
	case 38:
		return &h.forms[1]
	}
	return nil
}

// takeUUID takes one clean line of a UUID with hyphens.
func (h *Hasher) takeUUID(out *Out, in []byte) int {
	if len(in) < 38 {
		return 0
	}
	n := lineLength(in, 36)
	if n == 0 || !isUUID((*[36]byte)(in)) {
		return 0
	}
	var b block
	if h.canonical(&b, in[:36]) {
		return 0
	}
	h.addMessage(out, &b)
	return n
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

// digestsAtOnce bounds how many digests are parsed before they are checked for junk,
// so that little work is lost if one of them is junk.
const digestsAtOnce = 64

// takeDigests takes lines from the beginning of in as long as they are digests, and not
// those of junk, and returns their length. dirty reports that the next line is not clean.
func (h *Hasher) takeDigests(out *Out, in []byte) (used int, dirty bool) {
	if len(in) < HexLen+2 {
		return 0, false
	}
	length := lineLength(in, HexLen)
	if length == 0 {
		return 0, true
	}
	n := len(out.Digests)
	free := out.Digests[n:cap(out.Digests)]
	free = free[:min(len(free), digestsAtOnce)]
	parsed := h.kernel.parse(free, in, in[HexLen:length])
	for i := range parsed {
		if h.junk.mayContain(&free[i]) && h.junk.contains(&free[i]) {
			parsed, dirty = i, true
			break
		}
		out.Rows = append(out.Rows, int32(out.Count+i))
	}
	out.Digests = out.Digests[:n+parsed]
	out.Count += parsed
	return parsed * length, dirty
}

// takeDigest takes one clean line of a digest.
func (h *Hasher) takeDigest(out *Out, in []byte) int {
	if len(in) < HexLen+2 {
		return 0
	}
	n := lineLength(in, HexLen)
	if n == 0 {
		return 0
	}
	var d Digest
	if !d.parse((*[HexLen]byte)(in)) || h.junk.mayContain(&d) {
		return 0
	}
	out.add(&d)
	return n
}
