package hashing

import "math/bits"

// manyApart is how many lines lie between two dirty ones at most where there are
// many: closer ones cost more than to look for the ends of all lines between.
const manyApart = 32

// manyDirty reports whether the line that comes next, which is dirty, is close
// enough to the dirty one before that the ends of lines are better looked for.
func (h *Hasher) manyDirty(out *Out) bool {
	before := h.lanes.dirty
	h.lanes.dirty = out.Count
	return h.kernel.loadAt != nil && out.Count-before < manyApart
}

// runMixed takes lines of UUIDs, from the one on that begins at at, whose ends
// it looks for, sixteen at a time, and judges those among them that are dirty, so
// that these do not stop the others. It returns the length of all. It goes on as
// long as there are many dirty ones, and leaves lines to others where fewer than sixteen
// are left or there may be no room for so many.
func (h *Hasher) runMixed(out *Out, in []byte, at int, records bool) (used int) {
	x := &h.lanes.lines
	for x.find(h.kernel, in[at+used:]) {
		lines, dirty := 0, 0
		for x.count-x.next >= 16 {
			length, n, d := h.mixed(out, in, at+used, records)
			if n == 0 {
				return used
			}
			used += length
			lines += n
			dirty += d
		}
		if manyApart*dirty < lines {
			break
		}
	}
	return used
}

// mixed takes the next sixteens of indexed lines, up to the first that has dirty
// ones. It returns the length and number of all, and how many were dirty.
func (h *Hasher) mixed(out *Out, in []byte, at int, records bool) (length, lines, dirty int) {
	l, x := h.lanes, &h.lanes.lines
	starts, text := x.starts[x.next:], in[at:]
	rooms := min(cap(out.Rows)-len(out.Rows)-l.count, cap(out.Rejects)-len(out.Rejects))
	sixteens := min((x.count-x.next)/16, (Lanes+16-l.count)/16, rooms/16)
	for sixteens > 0 && int(starts[16*sixteens-1]-starts[0])+36 > len(text) {
		sixteens--
	}
	if sixteens == 0 {
		return 0, 0, 0
	}
	lines, clean := h.kernel.loadAt(&h.forms[x.end-1], h.shape(), text, starts, l, out.Count, sixteens)
	l.count += lines
	out.Count += lines
	if lines < 16*sixteens {
		h.settle(out, in, at+int(starts[lines]-starts[0]), starts[lines:lines+17], clean, records)
		lines += 16
		dirty = 16 - bits.OnesCount32(clean)
	}
	x.next += lines
	if l.count >= Lanes {
		h.flushFirst(out)
	}
	return int(starts[lines] - starts[0]), lines, dirty
}

// settle judges those of sixteen staged lines that are not clean, and keeps what
// is an id. The lines begin at starts, the first of them at at in in.
func (h *Hasher) settle(out *Out, in []byte, at int, starts []uint32, clean uint32, records bool) {
	l, rows := h.lanes, uint32(0xffff)
	for dirty := clean ^ 0xffff; dirty != 0; dirty &= dirty - 1 {
		i := bits.TrailingZeros32(dirty)
		from, to := at+int(starts[i]-starts[0]), at+int(starts[i+1]-starts[0])-1
		id, reject, none := h.look(in[from:to], from, records)
		switch {
		case none:
			rows &^= 1 << i
		case reject.Reason != None:
			reject.Row = int32(out.Count + bits.OnesCount32(rows&(1<<i-1)))
			out.Rejects = append(out.Rejects, reject)
		default:
			var b block
			h.canonical(&b, id)
			for w := range l.stage {
				l.stage[w][i] = b.word(w)
			}
			clean |= 1 << i
		}
	}
	h.kernel.keep(l, out.Count, clean, rows)
	l.count += bits.OnesCount32(clean)
	out.Count += bits.OnesCount32(rows)
}

// flushFirst hashes as many messages as are hashed at once, where there may be up
// to fifteen more.
func (h *Hasher) flushFirst(out *Out) {
	l := h.lanes
	more := l.count - Lanes
	l.count = Lanes
	h.flush(out)
	for w := range l.stage {
		*(*[16]uint32)(l.words[w][:]) = [16]uint32(l.words[w][Lanes:])
	}
	*(*[16]int32)(l.rows[:]) = [16]int32(l.rows[Lanes:])
	l.count = more
}
