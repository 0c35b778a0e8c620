package exports

import "math/bits"

// chunkBytes is how much of a CSV export is looked at at once: its text and what
// is found in it stay in the first cache.
const chunkBytes = 8 << 10

// structure is where the records and fields of a chunk of CSV begin and end,
// found 64 bytes at a time. The chunk begins with a record.
//
// It holds for quotes that stand as RFC 4180 has them: at both ends of a field,
// doubled within it. What lies from the first other quote on is left to
// nextField, as is a record that does not end in the chunk.
type structure struct {
	text  []byte
	masks [chunkBytes / maskBytes]masks
	tail  [maskBytes]byte

	delimiters [chunkBytes + 8]uint16 // those outside quotes
	ends       [chunkBytes + 8]uint16 // the line ends outside quotes
	before     [chunkBytes]uint16     // how many delimiters there are before an end

	records int  // that are known
	odd     bool // from some quote on, text is not as RFC 4180 has it
}

// read takes text's first chunk. flat says that a quoted field may not have line
// ends, as in an export that is cut.
func (s *structure) read(text []byte, delimiter byte, flat bool) {
	s.text = text[:min(len(text), chunkBytes)]
	whole := len(s.text) / maskBytes
	findMasks(s.masks[:whole], s.text, delimiter)
	if rest := s.text[whole*maskBytes:]; len(rest) > 0 {
		clear(s.tail[copy(s.tail[:], rest):])
		findMasks(s.masks[whole:whole+1], s.tail[:], delimiter)
		whole++
	}
	s.records, s.odd = 0, false
	q := quoting{start: 1}
	var delimiters, ends int
	for i := range s.masks[:whole] {
		m, at := &s.masks[i], i*maskBytes
		if odd := q.strip(m, flat, s.text[at:]); odd < maskBytes {
			m.ends, m.delimiters = m.ends&(1<<odd-1), m.delimiters&(1<<odd-1)
			s.odd = true
		}
		for left := m.ends; left != 0; left &= left - 1 {
			end := bits.TrailingZeros64(left)
			s.ends[ends] = uint16(at + end)
			s.before[ends] = uint16(delimiters + bits.OnesCount64(m.delimiters&(1<<end-1)))
			ends++
		}
		delimiters = s.list(delimiters, m.delimiters, uint16(at))
		if s.odd {
			break
		}
	}
	s.records = ends
}

// list appends the positions of the bits of mask to the n delimiters.
func (s *structure) list(n int, mask uint64, at uint16) int {
	next := n + bits.OnesCount64(mask)
	for mask != 0 {
		to := (*[4]uint16)(s.delimiters[n:])
		to[0] = at + uint16(bits.TrailingZeros64(mask))
		mask &= mask - 1
		to[1] = at + uint16(bits.TrailingZeros64(mask))
		mask &= mask - 1
		to[2] = at + uint16(bits.TrailingZeros64(mask))
		mask &= mask - 1
		to[3] = at + uint16(bits.TrailingZeros64(mask))
		mask &= mask - 1
		n += 4
	}
	return next
}

// quoting is what of the bytes before decides on the next.
type quoting struct {
	inside uint64 // all bits: within quotes
	start  uint64 // 1: a field may begin
	closed uint64 // 1: a quote was closed, or is the first of two
}

// strip takes the line ends and delimiters within quotes out of m, whose text
// begins there. It returns the first byte at which a quote is odd, or one within
// which a flat field has a line end; 64 for none.
func (q *quoting) strip(m *masks, flat bool, text []byte) int {
	if m.quotes|q.inside|q.closed == 0 {
		q.start = (m.ends | m.delimiters) >> 63
		return maskBytes
	}
	inside := parity(m.quotes) ^ q.inside // from an opening quote to before the closing one
	opening, closing := m.quotes&inside, m.quotes&^inside
	var odd uint64
	if flat {
		odd = m.ends & inside
	}
	m.ends &^= inside
	m.delimiters &^= inside
	parted := m.ends | m.delimiters
	odd |= opening &^ ((parted|closing)<<1 | q.start)
	behind := (closing<<1 | q.closed) &^ (parted | opening)
	q.inside = uint64(int64(inside) >> 63)
	q.start, q.closed = (parted|closing)>>63, closing>>63
	for ; behind != 0; behind &= behind - 1 {
		// A quote closes before CR LF, too.
		at := bits.TrailingZeros64(behind)
		if at+1 >= len(text) || text[at] != '\r' || text[at+1] != '\n' {
			odd |= 1 << at
			break
		}
	}
	return bits.TrailingZeros64(odd)
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
