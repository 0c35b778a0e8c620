package hashing

import "usher"

// loaded is how many lines a kernel loads at once.
const loaded = 16

// form is what lines of UUIDs look like when all are clean: it is laid out for
// the kernels, as asm/load.go has it.
type form struct {
	fold   [128]byte // a hex character in its case; others have 0x80 set
	stride int       // a line's length with its end
	shift  uint32    // from the line's last eight characters to the last four of its id, in bits
	end    uint32    // what the line's last four characters are…
	where  uint32    // …as far as they are its end
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
	lf, crlf := f, f
	lf.stride, lf.shift, lf.end, lf.where = 37, 24, '\n'<<24, 0xff<<24
	crlf.stride, crlf.shift, crlf.end, crlf.where = 38, 16, '\n'<<24|'\r'<<16, 0xffff<<16
	return [2]form{lf, crlf}
}

// run takes the lines that in begins with as long as they are UUIDs as they
// should be, sixteen at a time, and returns their length. It never reads behind
// in, so the last lines of in are left to others.
func (h *Hasher) run(out *Out, in []byte) (used int) {
	f, l, s := &h.forms[h.end], h.lanes, h.shape()
	for len(in)-used >= loaded*f.stride && in[used+f.stride-1] == '\n' {
		room := min(Lanes-l.count, cap(out.Rows)-len(out.Rows)-l.count)
		clean := h.kernel.load(f, s, in[used:], l, out.Count)
		n := min(clean, room)
		l.count += n
		out.Count += n
		used += n * f.stride
		if l.count == Lanes {
			h.flush(out)
		}
		if clean < loaded || h.full(out) {
			break
		}
	}
	return used
}
