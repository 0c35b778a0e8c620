package hashing

// runShort takes the lines that in begins with as long as they are ANDROID_IDs
// as they should be, sixteen at a time, and returns their length. It leaves the
// last lines of in to others. dirty says that the line behind is none such.
func (h *Hasher) runShort(out *Out, in []byte) (used int, dirty bool) {
	l, x := h.lanes, &h.lanes.lines
	for !h.full(out) && x.find(h.kernel, in[used:], true, 16) {
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
