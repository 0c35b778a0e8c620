package hashing

import "bytes"

// indexed is how many beginnings of lines a kernel may write: 127, as many as fit
// a block of 64 characters, rounded up to sixteen, and the one in front.
const indexed = 1 + 127 + 64 + 16

// lineIndex is where the next lines begin. Lines of ANDROID_IDs are short and of
// several lengths, and so are lines of UUIDs some of which are dirty: their ends
// must be looked for.
type lineIndex struct {
	starts [indexed]uint32 // from where the text began of which it was made
	count  int             // of whole lines
	next   int             // the first that was not taken
	left   int             // length of the text, as it was
	end    int             // length of a line's end, of the first's at least
}

func (x *lineIndex) forget() { x.count, x.next = 0, 0 }

// find makes sure that the beginnings of the sixteen lines are known that text
// begins with; false where that cannot be. text is what is left of the text that
// the index was made of, from the beginning of a line. All lines of an index end
// alike, or they may not.
func (x *lineIndex) find(k *kernel, text []byte, alike bool) bool {
	at := x.left - len(text)
	for x.next < x.count && int(x.starts[x.next]) < at {
		x.next++
	}
	if x.count-x.next < 16 {
		first := bytes.IndexByte(text[:min(len(text), 64)], '\n')
		if first < 0 {
			return false
		}
		x.next, x.left, x.end = 0, len(text), 1
		if first > 0 && text[first-1] == '\r' {
			x.end = 2
		}
		x.count = k.index(text, &x.starts, alike, x.end == 2)
		x.starts[0] = 0
	}
	last := x.next + 15
	return last < x.count && int(x.starts[last]-x.starts[x.next])+16 <= len(text)
}

// runShort takes the lines that in begins with as long as they are ANDROID_IDs
// as they should be, sixteen at a time, and returns their length. It leaves the
// last lines of in to others. dirty says that the line behind is none such.
func (h *Hasher) runShort(out *Out, in []byte) (used int, dirty bool) {
	l, x := h.lanes, &h.lanes.lines
	for !h.full(out) && x.find(h.kernel, in[used:], true) {
		room := min(Lanes-l.count, cap(out.Rows)-len(out.Rows)-l.count)
		starts := x.starts[x.next:]
		clean := h.kernel.loadShort(&h.forms[0], in[used:], starts, x.end, l, out.Count)
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
