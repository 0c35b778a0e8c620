package hashing

import "math/bits"

// manyApart is how many lines lie between two dirty ones at most where there are
// many: closer ones cost more than to look for the ends of all lines between.
const manyApart = 40

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
	words words
	clean [Lanes / 16]uint16 // a bit for each line
	rows  [Lanes / 16]uint16 // the same: it is a row
}

// runMixed takes lines of UUIDs, from the one on that begins at at, whose ends
// it looks for, sixteen at a time, and judges those among them that are dirty, so
// that these do not stop the others. It returns the length of all. It goes on as
// long as there are many dirty ones, and leaves lines to others where fewer than
// sixteen are left or there may be no room for so many.
func (h *Hasher) runMixed(out *Out, in []byte, at int, records bool) (used int) {
	l := h.lanes
	for l.lines.find(h.kernel, in[at+used:], false, Lanes) {
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
	room := min(cap(out.Rows)-len(out.Rows)-l.count, cap(out.Rejects)-len(out.Rejects), Lanes)
	sixteens := min(x.count-x.next, room) / 16
	for sixteens > 0 && int(starts[16*sixteens-1]-starts[0])+reach > len(in)-at {
		sixteens--
	}
	if sixteens == 0 {
		return 0, 0, 0
	}
	h.kernel.loadAt(f, h.shape(), in[at:], starts, &l.stage, sixteens)
	lines = 16 * sixteens
	length = int(starts[lines] - starts[0])
	dirty = h.settle(out, in[at:at+length], at, starts[:lines+1], records)
	x.next += lines
	for left := sixteens; left > 0; {
		left, out.Count = h.kernel.keep(l, sixteens-left, sixteens, out.Count)
		if l.count >= Lanes {
			h.flushFirst(out)
		}
	}
	return length, lines, dirty
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
			line := 16*i + bits.TrailingZeros64(marks)
			from, to := int(starts[line]-starts[0]), int(starts[line+1]-starts[0])-1
			switch reject := h.lookStaged(text[from:to], line, at+from); {
			case reject.Reason == Empty && reject.From == reject.To && !records:
				s.rows[line/16] &^= 1 << (line % 16)
				row--
			case reject.Reason != None:
				reject.Row = int32(row + line)
				out.Rejects = append(out.Rejects, reject)
			default:
				s.clean[line/16] |= 1 << (line % 16)
			}
		}
	}
	return dirty
}

// lookStaged is look for a line that is staged: an id in it is written into its lane.
// Most that are not clean are blank or a placeholder, in quotes or without hyphens.
func (h *Hasher) lookStaged(line []byte, lane, at int) Reject {
	n, s := len(line), &h.lanes.stage
	if n > 0 && line[n-1] == '\r' {
		n--
	}
	switch {
	case len(line) == 0:
		return Reject{Reason: Empty, From: at, To: at}
	case 0 < n && n <= maxPlaceholder && isPlaceholder(line[:n]):
		return Reject{Reason: Placeholder, From: at, To: at + n}
	case n == 38 && encloses(line[0], line[37]) && h.kernel.place(&h.forms[0], h.shape(), line[1:37], &s.words, lane):
		return Reject{}
	case n == 32 && h.kernel.place(&h.forms[0], h.shape(), line[:32], &s.words, lane):
		if !isVersion4((*[32]byte)(line)) {
			return Reject{Reason: LooksHashed, From: at, To: at + n}
		}
		return Reject{}
	}
	id, reason, from, to := h.look(line, at)
	if reason == None {
		var b block
		h.canonical(&b, id)
		s.words.set(h.shape(), lane, &b)
	}
	return Reject{Reason: reason, From: from, To: to}
}

// encloses reports whether a UUID may stand between two characters.
func encloses(open, shut byte) bool {
	return open == shut && (open == '"' || open == '\'') || open == '{' && shut == '}'
}

// flushFirst hashes as many messages as are hashed at once, where there may be up
// to fifteen more.
func (h *Hasher) flushFirst(out *Out) {
	l := h.lanes
	more := l.count - Lanes
	l.count = Lanes
	h.flush(out)
	for w := range 9 {
		*(*[16]uint32)(l.words[w][:]) = [16]uint32(l.words[w][Lanes:])
	}
	*(*[16]int32)(l.rows[:]) = [16]int32(l.rows[Lanes:])
	l.count = more
}
