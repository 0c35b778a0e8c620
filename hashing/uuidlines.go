package hashing

import "usher"

// form describes clean lines of UUIDs with one kind of ending. The kernels read it:
// asm/form.go has the offsets of its fields.
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
		case !isHexDigit(char):
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
