package hashing

// lanes collects messages until there are enough to hash them together.
type lanes struct {
	messages messages
	rows     [Lanes + 16]int32 // the row of each message
	count    int

	digests   [Lanes + 16]Digest // used if the output has no room for roundUp digests
	stage     stage              // lines that are not yet judged
	index     lineIndex          // used for lines of different lengths
	lastDirty int                // the row of the last dirty line that ended a run of clean ones
}

// addMessage puts a message into the next lane, and hashes all messages if that was the
// last free lane.
func (h *Hasher) addMessage(out *Out, b *block) {
	l := h.lanes
	l.messages.set(h.layout(), l.count, b)
	l.rows[l.count] = int32(out.Count)
	out.Count++
	if l.count++; l.count == h.kernel.lanes {
		h.flush(out)
	}
}

// flush hashes the collected messages.
func (h *Hasher) flush(out *Out) {
	l, n := h.lanes, len(out.Digests)
	if l.count == 0 {
		return
	}
	if free := out.Digests[n:cap(out.Digests)]; len(free) >= h.kernel.roundUp(l.count) {
		h.kernel.sum(h.layout(), &l.messages, l.count, free)
		out.Digests = out.Digests[:n+l.count]
	} else {
		h.kernel.sum(h.layout(), &l.messages, l.count, l.digests[:])
		out.Digests = append(out.Digests, l.digests[:l.count]...)
	}
	out.Rows = append(out.Rows, l.rows[:l.count]...)
	l.count = 0
}

// flushFull hashes the first Lanes messages and keeps those after them, up to 15.
func (h *Hasher) flushFull(out *Out) {
	l := h.lanes
	rest := l.count - Lanes
	l.count = Lanes
	h.flush(out)
	for w := range 9 {
		*(*[16]uint32)(l.messages[w][:]) = [16]uint32(l.messages[w][Lanes:])
	}
	*(*[16]int32)(l.rows[:]) = [16]int32(l.rows[Lanes:])
	l.count = rest
}
