package hashing

import "encoding/binary"

// layout is the form of a message: which of its 16 words differ from id to id.
type layout uint8

const (
	hyphenLayout layout = iota // a UUID of 36 characters: words 0 to 8
	bareLayout                 // a UUID of 32 characters: words 0 to 7
	shortLayout                // an ANDROID_ID of 1 to 16 characters: words 0 to 4, and 14 with its length
)

// Lanes is the largest number of messages that are hashed at once. Lines works best
// with an Out whose capacity is a multiple of it.
const Lanes = 128

// messages holds messages of one MD5 block each: messages[w][l] is word w of the
// message in lane l. There is room for 16 more lanes, because a kernel loads sixteen
// lines at once. Words that are the same in all messages of a layout are left out.
type messages [15][Lanes + 16]uint32

// set writes a padded message into a lane.
func (m *messages) set(layout layout, lane int, b *block) {
	switch layout {
	case hyphenLayout:
		for i := range 9 {
			m[i][lane] = b.word(i)
		}
	case bareLayout:
		for i := range 8 {
			m[i][lane] = b.word(i)
		}
	case shortLayout:
		for i := range 5 {
			m[i][lane] = b.word(i)
		}
		m[14][lane] = b.word(14)
	}
}

// get returns the padded message of a lane.
func (m *messages) get(layout layout, lane int) (b block) {
	n := 4
	switch layout {
	case hyphenLayout:
		n = 8
		b.pad(36)
	case bareLayout:
		n = 7
		b.pad(32)
	case shortLayout:
		binary.LittleEndian.PutUint32(b[56:], m[14][lane])
	}
	for i := range n + 1 {
		binary.LittleEndian.PutUint32(b[4*i:], m[i][lane])
	}
	return b
}

// lanes collects messages until there are enough to hash them together.
type lanes struct {
	messages messages
	rows     [Lanes + 16]int32 // the row of each message
	count    int

	digests [Lanes + 16]Digest // used if the output has no room for roundUp digests
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
	if h.documented != nil && h.firstDocumented == none {
		if at := h.documented.first(out.Digests[n:]); at < len(out.Digests)-n {
			h.firstDocumented = n + at
		}
	}
}
