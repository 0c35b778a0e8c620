package hashing

import "bytes"

// indexRoom is the room of a lineIndex: the beginning of the text, up to Lanes lines
// that remain from the previous search, and the lines that a kernel finds. A kernel
// stops after 128 lines, so it finds at most 127 and all lines of another block of 64
// characters, and it writes up to 16 entries more than it finds.
const indexRoom = 1 + Lanes + 127 + 64 + 16

// maxOffset is the largest offset from which the index is extended, so that offsets fit
// into 32 bits.
const maxOffset = 1 << 30

// lineIndex holds where the next lines begin. It is needed for lines of different
// lengths: ANDROID_IDs, and UUIDs with some dirty lines.
type lineIndex struct {
	starts [indexRoom]uint32 // offsets in the text that was indexed
	count  int               // of whole lines
	next   int               // the first line that was not taken
	size   int               // the length of the text that was indexed
	ending int               // the length of a line's ending, if all are the same
}

func (x *lineIndex) reset() { x.count, x.next = 0, 0 }

// ensure makes the index hold the next want lines of text, at most Lanes, if there are
// as many. It returns false if there are not even sixteen that a kernel can load. text
// must be the rest of the indexed text, from the beginning of a line. If uniform is set,
// all lines in the index have the same ending.
func (x *lineIndex) ensure(k *kernel, text []byte, uniform bool, want int) bool {
	at := x.size - len(text)
	for x.next < x.count && int(x.starts[x.next]) < at {
		x.next++
	}
	if x.count-x.next < want {
		if !uniform && x.next < x.count && at < maxOffset {
			x.extend(k, text)
		} else if !x.rebuild(k, text, uniform) {
			return false
		}
	}
	last := x.next + 15
	return last < x.count && int(x.starts[last]-x.starts[x.next])+16 <= len(text)
}

// rebuild indexes text from its beginning. It returns false if the first 64 characters
// have no line ending.
func (x *lineIndex) rebuild(k *kernel, text []byte, uniform bool) bool {
	first := bytes.IndexByte(text[:min(len(text), 64)], '\n')
	if first < 0 {
		return false
	}
	x.next, x.size, x.ending = 0, len(text), 1
	if first > 0 && text[first-1] == '\r' {
		x.ending = 2
	}
	x.starts[0] = 0
	x.count = k.indexLines(text, x.starts[:], uniform, x.ending == 2)
	return true
}

// extend indexes the lines after those that the index holds. text begins with the line
// x.next.
func (x *lineIndex) extend(k *kernel, text []byte) {
	known := int(x.starts[x.count] - x.starts[x.next])
	x.ending = 1
	if known > 1 && text[known-2] == '\r' {
		x.ending = 2
	}
	copy(x.starts[:], x.starts[x.next:x.count+1])
	x.next, x.count = 0, x.count-x.next
	x.count += k.indexLines(text[known:], x.starts[x.count:], false, false)
}
