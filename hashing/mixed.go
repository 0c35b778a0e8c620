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

// stage is where lines of UUIDs wait, sixteen at a time, for those that are dirty
// to be judged.
type stage struct {
	words [staged][9][16]uint32
	clean [staged]uint16 // a bit for each line
	rows  [staged]uint16 // the same: it is a row
}

// staged is how many sixteens are loaded before the dirty ones are judged. What
// is done by turns costs most where it cannot be foreseen how often.
const staged = 8

// runMixed takes lines of UUIDs, from the one on that begins at at, whose ends
// it looks for, sixteen at a time, and judges those among them that are dirty, so
// that these do not stop the others. It returns the length of all. It goes on as
// long as there are many dirty ones, and leaves lines to others where fewer than
// sixteen are left or there may be no room for so many.
func (h *Hasher) runMixed(out *Out, in []byte, at int, records bool) (used int) {
	x := &h.lanes.lines
	for x.find(h.kernel, in[at+used:], false) {
		length, lines, dirty := h.mixed(out, in, at+used, records)
		used += length
		if manyApart*dirty <= lines {
			break
		}
	}
	return used
}

// mixed takes the next sixteens of indexed lines. It returns the length and number
// of the lines, and how many were dirty.
func (h *Hasher) mixed(out *Out, in []byte, at int, records bool) (length, lines, dirty int) {
	l, x := h.lanes, &h.lanes.lines
	f, starts := &h.forms[x.end-1], x.starts[x.next:]
	room := min(cap(out.Rows)-len(out.Rows)-l.count, cap(out.Rejects)-len(out.Rejects))
	sixteens := min((x.count-x.next)/16, room/16, staged)
	for sixteens > 0 && int(starts[16*sixteens-1]-starts[0])+f.stride > len(in)-at {
		sixteens--
	}
	if sixteens == 0 {
		return 0, 0, 0
	}
	h.kernel.loadAt(f, h.shape(), in[at:], starts, &l.stage, sixteens)
	lines = 16 * sixteens
	dirty = h.settle(out, in[at:at+int(starts[lines]-starts[0])], at, starts[:lines+1], records)
	x.next += lines
	for left := sixteens; left > 0; {
		left, out.Count = h.kernel.keep(l, sixteens-left, sixteens, out.Count)
		if l.count >= Lanes {
			h.flushFirst(out)
		}
	}
	return int(starts[lines] - starts[0]), lines, dirty
}

// settle judges the staged lines that are not clean. It returns how many these
// are. text is the lines, at where it begins in the input.
func (h *Hasher) settle(out *Out, text []byte, at int, starts []uint32, records bool) (dirty int) {
	s, row := &h.lanes.stage, out.Count
	for i := 0; i < len(starts)/16; i += 4 { // 64 lines
		marks := uint64(0)
		for j := range 4 {
			s.rows[i+j] = 0xffff
			if 16*(i+j) < len(starts)-1 {
				marks |= uint64(^s.clean[i+j]) << (16 * j)
			}
		}
		dirty += bits.OnesCount64(marks)
		for ; marks != 0; marks &= marks - 1 {
			lane := bits.TrailingZeros64(marks)
			line := 16*i + lane
			from, to := int(starts[line]-starts[0]), int(starts[line+1]-starts[0])-1
			id, reason, valueFrom, valueTo := h.look(text[from:to], at+from)
			switch {
			case reason == Empty && valueFrom == valueTo && !records:
				s.rows[i+lane/16] &^= 1 << (lane % 16)
				row--
			case reason != None:
				out.Rejects = append(out.Rejects, Reject{Row: int32(row + line), Reason: reason, From: valueFrom, To: valueTo})
			default:
				s.put(h, i+lane/16, uint8(lane), id)
			}
		}
	}
	return dirty
}

// put writes the characters of an id into a staged lane.
func (s *stage) put(h *Hasher, i int, lane uint8, id []byte) {
	w0, w1, w2, w3, w4 := h.uuid(id)
	words := &s.words[i]
	lane %= 16
	words[0][lane], words[1][lane] = uint32(w0), uint32(w0>>32)
	words[2][lane], words[3][lane] = uint32(w1), uint32(w1>>32)
	words[4][lane], words[5][lane] = uint32(w2), uint32(w2>>32)
	words[6][lane], words[7][lane] = uint32(w3), uint32(w3>>32)
	words[8][lane] = uint32(w4)
	s.clean[i] |= 1 << lane
}

// flushFirst hashes as many messages as are hashed at once, where there may be up
// to fifteen more.
func (h *Hasher) flushFirst(out *Out) {
	l := h.lanes
	more := l.count - Lanes
	l.count = Lanes
	h.flush(out)
	for w := range l.stage.words[0] {
		*(*[16]uint32)(l.words[w][:]) = [16]uint32(l.words[w][Lanes:])
	}
	*(*[16]int32)(l.rows[:]) = [16]int32(l.rows[Lanes:])
	l.count = more
}
