package hashing

import "math/bits"

// maxDirtyDistance is the largest distance in lines between two dirty lines at which
// takeMixed is faster than taking the clean lines between them and each dirty line
// separately.
const maxDirtyDistance = 40

// manyDirty records that the next line is dirty, and reports whether it is so close to
// the previous dirty line that takeMixed should take the next lines.
func (h *Hasher) manyDirty(out *Out) bool {
	distance := out.Count - h.lanes.lastDirty
	h.lanes.lastDirty = out.Count
	return h.kernel.stageUUIDs != nil && distance < maxDirtyDistance
}

// stage holds the messages of lines of UUIDs until the dirty lines among them are
// judged. It holds them in groups of sixteen lines.
type stage struct {
	messages messages
	clean    [Lanes / 16]uint16 // a bit for each line: it has a message
	rows     [Lanes / 16]uint16 // a bit for each line: it is a row
}

// takeMixed takes lines of UUIDs from in[at:], sixteen at a time, and judges the dirty
// ones separately, so that a dirty line does not interrupt the others. It returns the
// length of all. It stops when dirty lines become rare, or if fewer than sixteen lines
// remain or out may have no room for sixteen more.
func (h *Hasher) takeMixed(out *Out, in []byte, at int, records bool) (used int) {
	for h.lanes.index.ensure(h.kernel, in[at+used:], false, Lanes) {
		length, lines, dirty := h.takeGroups(out, in, at+used, records)
		used += length
		if maxDirtyDistance*dirty <= lines {
			break
		}
	}
	return used
}

// takeGroups takes as many groups of indexed lines as possible, at most Lanes lines. It
// returns their length and number, and how many of them are dirty.
func (h *Hasher) takeGroups(out *Out, in []byte, at int, records bool) (length, lines, dirty int) {
	l, x := h.lanes, &h.lanes.index
	starts := x.starts[x.next:]
	room := min(cap(out.Rows)-len(out.Rows)-l.count, cap(out.Rejects)-len(out.Rejects), Lanes)
	groups := min(x.count-x.next, room) / 16
	for groups > 0 && int(starts[16*groups-1]-starts[0])+lineReach > len(in)-at {
		groups--
	}
	if groups == 0 {
		return 0, 0, 0
	}
	h.kernel.stageUUIDs(&h.forms[x.ending-1], h.layout(), in[at:], starts, &l.stage, groups)
	lines = 16 * groups
	length = int(starts[lines] - starts[0])
	dirty = h.judgeStaged(out, in[at:at+length], at, starts[:lines+1], records)
	x.next += lines
	for remaining := groups; remaining > 0; {
		remaining, out.Count = h.kernel.compress(l, groups-remaining, groups, out.Count)
		if l.count >= Lanes {
			h.flushFull(out)
		}
	}
	return length, lines, dirty
}

// judgeStaged judges the staged lines that are not clean and returns their number. text
// is the lines, and at is its position in the input.
func (h *Hasher) judgeStaged(out *Out, text []byte, at int, starts []uint32, records bool) (dirty int) {
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
			switch reject := h.inspectStaged(text[from:to], line, at+from); {
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

// inspectStaged judges a dirty line and writes an id in it into its lane. It first
// checks for the most frequent kinds: blank lines, placeholders, UUIDs in quotes and
// UUIDs without hyphens.
func (h *Hasher) inspectStaged(line []byte, lane, at int) Reject {
	n, s := len(line), &h.lanes.stage
	if n > 0 && line[n-1] == '\r' {
		n--
	}
	switch {
	case len(line) == 0:
		return Reject{Reason: Empty, From: at, To: at}
	case 0 < n && n <= maxPlaceholder && isPlaceholder(line[:n]):
		return Reject{Reason: Placeholder, From: at, To: at + n}
	case n == 38 && mayEnclose(line[0], line[37]) && h.kernel.placeUUID(&h.forms[0], h.layout(), line[1:37], &s.messages, lane):
		return Reject{}
	case n == 32 && h.kernel.placeUUID(&h.forms[0], h.layout(), line[:32], &s.messages, lane):
		if !isVersion4((*[32]byte)(line)) {
			return Reject{Reason: LooksHashed, From: at, To: at + n}
		}
		return Reject{}
	}
	id, reason, from, to := h.inspect(line, at)
	if reason == None {
		var b block
		h.canonical(&b, id)
		s.messages.set(h.layout(), lane, &b)
	}
	return Reject{Reason: reason, From: from, To: to}
}

// mayEnclose reports whether a UUID may be enclosed in the two characters.
func mayEnclose(open, shut byte) bool {
	return open == shut && isQuote(open) || open == '{' && shut == '}'
}
