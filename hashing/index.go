package hashing

import "bytes"

// indexed is how many beginnings of lines there is room for: of those that are
// left when more are found, of 127 more and as many as fit a block of 64
// characters, rounded up to sixteen; and the one in front.
const indexed = Lanes + 1 + 127 + 64 + 16

// lineIndex is where the next lines begin. Lines of ANDROID_IDs are short and of
// several lengths, and so are lines of UUIDs some of which are dirty: their ends
// must be looked for.
type lineIndex struct {
	starts [indexed]uint32 // from where the text began of which it was made
	count  int             // of whole lines
	next   int             // the first that was not taken
	left   int             // length of the text, as it was
	end    int             // length of a line's end, of one of them at least
}

func (x *lineIndex) forget() { x.count, x.next = 0, 0 }

// find makes sure that the beginnings of the sixteen lines are known that text
// begins with, and of as many as are wanted, up to Lanes, if there are; false where
// that cannot be. text is what is left of the text that the index was made of, from
// the beginning of a line. All lines of an index end alike, or they may not.
func (x *lineIndex) find(k *kernel, text []byte, alike bool, want int) bool {
	at := x.left - len(text)
	for x.next < x.count && int(x.starts[x.next]) < at {
		x.next++
	}
	if x.count-x.next < want {
		if !alike && x.next < x.count && at < 1<<30 {
			x.add(k, text)
		} else if !x.begin(k, text, alike) {
			return false
		}
	}
	last := x.next + 15
	return last < x.count && int(x.starts[last]-x.starts[x.next])+16 <= len(text)
}

// begin finds the beginnings of the lines that text begins with.
func (x *lineIndex) begin(k *kernel, text []byte, alike bool) bool {
	first := bytes.IndexByte(text[:min(len(text), 64)], '\n')
	if first < 0 {
		return false
	}
	x.next, x.left, x.end = 0, len(text), 1
	if first > 0 && text[first-1] == '\r' {
		x.end = 2
	}
	x.starts[0] = 0
	x.count = k.index(text, x.starts[:], alike, x.end == 2)
	return true
}

// add finds the beginnings of the lines behind those that are known.
func (x *lineIndex) add(k *kernel, text []byte) {
	known := int(x.starts[x.count] - x.starts[x.next])
	x.end = 1
	if known > 1 && text[known-2] == '\r' {
		x.end = 2
	}
	copy(x.starts[:], x.starts[x.next:x.count+1])
	x.next, x.count = 0, x.count-x.next
	x.count += k.index(text[known:], x.starts[x.count:], false, false)
}
