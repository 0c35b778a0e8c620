package hashing

import "usher"

// form is what lines of UUIDs look like when all are clean: it is laid out for
// the kernels, as asm/load.go has it.
type form struct {
	fold   [128]byte // a hex character in its case; others have 0x80 set
	near   [64]byte  // the same by its low six bits; others differ in the lowest
	stride int       // a line's length with its end
	end    uint32    // what the four characters behind an id are…
	where  uint32    // …as far as they are its line's end
}

// forms are those of lines that end in \n and in \r\n.
func forms(c usher.Case) [2]form {
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
	lf.stride, lf.end, lf.where = 37, '\n', 0xff
	crlf.stride, crlf.end, crlf.where = 38, '\r'|'\n'<<8, 0xffff
	return [2]form{lf, crlf}
}

// reach is how many characters a kernel reads from the beginning of a line of a
// UUID on: the id, and four for its end.
const reach = 40

// run takes the lines that in begins with as long as they are UUIDs as they
// should be, sixteen at a time, and returns their length. It never reads behind
// in, so the last lines of in are left to others. dirty says that the line
// behind is none such.
func (h *Hasher) run(out *Out, in []byte) (used int, dirty bool) {
	l, s := h.lanes, h.shape()
	for len(in)-used >= 15*38+reach && !h.full(out) {
		line := in[used:]
		end := 0
		switch {
		case line[36] == '\n':
		case line[36] == '\r' && line[37] == '\n':
			end = 1
		default:
			return used, true
		}
		f := &h.forms[end]
		room := min(h.kernel.lanes-l.count, cap(out.Rows)-len(out.Rows)-l.count)
		sixteens := (room + 15) / 16
		sixteens = min(sixteens, (len(line)+f.stride-reach)/(16*f.stride))
		clean := h.kernel.load(f, s, line, l, out.Count, sixteens)
		n := min(clean, room)
		l.count += n
		out.Count += n
		used += n * f.stride
		dirty = clean < 16*sixteens && clean <= room
		if l.count == h.kernel.lanes {
			h.flush(out)
		}
		if dirty {
			return used, true
		}
	}
	return used, false
}

// runDigests takes the lines that in begins with as long as they are digests of
// no junk, and returns their length. dirty says that the line behind is none.
func (h *Hasher) runDigests(out *Out, in []byte) (used int, dirty bool) {
	if len(in) < HexLen+2 {
		return 0, false
	}
	n := ended(in, HexLen)
	if n == 0 {
		return 0, true
	}
	had := len(out.Digests)
	free := out.Digests[had:cap(out.Digests)]
	free = free[:min(len(free), digestsAtOnce)]
	parsed := h.kernel.parse(free, in, in[HexLen:n])
	for i := range parsed {
		if h.junk.maybe(&free[i]) && h.junk.is(&free[i]) {
			parsed, dirty = i, true
			break
		}
		out.Rows = append(out.Rows, int32(out.Count+i))
	}
	out.Digests = out.Digests[:had+parsed]
	out.Count += parsed
	return parsed * n, dirty
}

// digestsAtOnce is how many are read before one of them is found to be junk, so
// that little of it is in vain.
const digestsAtOnce = 64
