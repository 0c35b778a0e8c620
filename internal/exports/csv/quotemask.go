package csv

import "math/bits"

// clearQuoted clears the delimiters and line ends inside quotes from the first n
// words of the masks of text. It returns how many of the words are valid, and
// whether text has a quote that the masks cannot follow: one that stands neither at
// an end of a field nor doubled inside it, or, if flat, one around a line end. The
// words after such a quote are not valid. lineEnds reports whether a line end was cleared.
func clearQuoted(m masks, n int, text []byte, flat bool) (valid int, odd, lineEnds bool) {
	var flatEnds, cleared uint64 // flatEnds: all bits are set if a line end inside quotes is odd
	if flat {
		flatEnds = ^uint64(0)
	}
	// The state between two words: quoted has all bits set inside quotes; start is 1 if a field may
	// begin with the next byte; closed is 1 if the last byte is a quote that closes, or the first of
	// two.
	quoted, start, closed := uint64(0), uint64(1), uint64(0)
	m = m.slice(0, n)
	for i, quotes := range m.quotes {
		separators, ends := m.separators[i], m.ends[i]
		if quotes|quoted|closed == 0 {
			start = separators >> 63
			continue
		}
		inside := parity(quotes) ^ quoted // from an opening quote up to its closing quote
		opening, closing := quotes&inside, quotes&^inside
		separators &^= inside
		strange := ends&inside&flatEnds | opening&^((separators|closing)<<1|start)
		if behind := (closing<<1 | closed) &^ (separators | opening); behind != 0 {
			strange |= behindClosing(behind, text[i*maskBytes:])
		}
		cleared |= ends & inside
		if strange != 0 {
			inside |= ^uint64(0) << bits.TrailingZeros64(strange)
			m.separators[i] &^= inside
			m.ends[i] = ends &^ inside
			return i + 1, true, cleared != 0
		}
		m.separators[i], m.ends[i] = separators, ends&^inside
		quoted, start, closed = uint64(int64(inside)>>63), (separators|closing)>>63, closing>>63
	}
	return n, false, cleared != 0
}

// behindClosing returns the first of the bytes behind closing quotes that is not the CR of a line
// end. text begins with the word of these bytes.
func behindClosing(behind uint64, text []byte) uint64 {
	for ; behind != 0; behind &= behind - 1 {
		at := bits.TrailingZeros64(behind)
		if at+1 >= len(text) || text[at] != '\r' || text[at+1] != '\n' {
			return 1 << at
		}
	}
	return 0
}

// parity returns the bits up to which an odd number of bits of x are set.
func parity(x uint64) uint64 {
	x ^= x << 1
	x ^= x << 2
	x ^= x << 4
	x ^= x << 8
	x ^= x << 16
	return x ^ x<<32
}
