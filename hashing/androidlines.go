package hashing

// takeAndroidIDs takes the lines that in begins with as long as they are clean
// ANDROID_IDs, sixteen at a time, and returns their length. It leaves the last lines of
// in to the caller. dirty reports that the next line is not clean.
func (h *Hasher) takeAndroidIDs(out *Out, in []byte) (used int, dirty bool) {
	if h.kernel.loadAndroidIDs == nil {
		return 0, false
	}
	l, x := h.lanes, &h.lanes.index
	for !h.full(out) && x.ensure(h.kernel, in[used:], true, 16) {
		room := min(Lanes-l.count, cap(out.Rows)-len(out.Rows)-l.count)
		starts := x.starts[x.next:]
		clean := h.kernel.loadAndroidIDs(&h.forms[0], in[used:], starts, x.ending, l, out.Count)
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
