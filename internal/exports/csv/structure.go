package csv

import "math/bits"

// chunkBytes is how much of a CSV export is taken at once: its text and what
// is found in it stay in the first cache.
const chunkBytes = 8 << 10

// structure is where the fields of a chunk of CSV end, found 64 bytes at a time.
// The chunk begins with a record.
//
// It holds for quotes that stand as RFC 4180 has them: at both ends of a field,
// doubled within it. What lies from the first other quote on is left to
// nextField, as is a record that does not end in the chunk.
type structure struct {
	text  []byte
	masks masks
	tail  [maskBytes]byte

	marks [chunkBytes + listRoom]uint16 // the delimiters and line ends outside quotes
	ends  [chunkBytes + listRoom]uint16 // the line ends alone

	parts int  // how many marks there are
	known int  // how many ends
	odd   bool // from some quote on, text is not as RFC 4180 has it
}

func newStructure() *structure { return &structure{masks: makeMasks(chunkBytes / maskBytes)} }

// read takes text's first chunk. flat says that a quoted field may not have line
// ends, as in an export that is cut.
func (s *structure) read(text []byte, delimiter byte, flat bool) {
	s.text = text[:min(len(text), chunkBytes)]
	whole := len(s.text) / maskBytes
	findMasks(s.masks.slice(0, whole), s.text, delimiter)
	if rest := s.text[whole*maskBytes:]; len(rest) > 0 {
		clear(s.tail[copy(s.tail[:], rest):])
		findMasks(s.masks.slice(whole, whole+1), s.tail[:], delimiter)
		whole++
	}
	whole = s.unquote(whole, flat)
	s.parts = listMarks(s.marks[:], s.masks.parting[:whole])
	s.known = listMarks(s.ends[:], s.masks.ends[:whole])
}

// fields is how many fields there are up to a record's end, from a mark on.
func (s *structure) fields(mark, end int) int {
	n := 1
	for int(s.marks[mark+n-1]) != end {
		n++
	}
	return n
}

// unquote takes what is within quotes out of the first n words of the masks, and
// returns how many of them hold: not those behind an odd quote.
func (s *structure) unquote(n int, flat bool) int {
	s.odd = false
	q := quoting{start: 1}
	m := s.masks.slice(0, n)
	for i, quotes := range m.quotes {
		if quotes|q.inside|q.closed == 0 {
			q.start = m.parting[i] >> 63
			continue
		}
		within, odd := q.word(quotes, m.parting[i], m.ends[i], flat, s.text[i*maskBytes:])
		if odd < maskBytes {
			within |= ^uint64(0) << odd
			s.odd = true
			n = i + 1
		}
		m.parting[i] &^= within
		m.ends[i] &^= within
		if s.odd {
			break
		}
	}
	return n
}

// quoting is what of the bytes before decides on the next.
type quoting struct {
	inside uint64 // all bits: within quotes
	start  uint64 // 1: a field may begin
	closed uint64 // 1: a quote was closed, or is the first of two
}

// word looks at a word of the masks, whose text begins there. It returns what is
// within quotes, and the first byte at which a quote is odd, or at which a flat
// field has a line end; 64 for none.
func (q *quoting) word(quotes, parting, ends uint64, flat bool, text []byte) (inside uint64, first int) {
	inside = parity(quotes) ^ q.inside // from an opening quote to before the closing one
	opening, closing := quotes&inside, quotes&^inside
	var odd uint64
	if flat {
		odd = ends & inside
	}
	parting &^= inside
	odd |= opening &^ ((parting|closing)<<1 | q.start)
	behind := (closing<<1 | q.closed) &^ (parting | opening)
	q.inside = uint64(int64(inside) >> 63)
	q.start, q.closed = (parting|closing)>>63, closing>>63
	for ; behind != 0; behind &= behind - 1 {
		// A quote closes before CR LF, too.
		at := bits.TrailingZeros64(behind)
		if at+1 >= len(text) || text[at] != '\r' || text[at+1] != '\n' {
			odd |= 1 << at
			break
		}
	}
	return inside, bits.TrailingZeros64(odd)
}

// parity says of each bit whether an odd number of bits are set up to it.
func parity(x uint64) uint64 {
	x ^= x << 1
	x ^= x << 2
	x ^= x << 4
	x ^= x << 8
	x ^= x << 16
	return x ^ x<<32
}
