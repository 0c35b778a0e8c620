package csv

import "math/bits"

// clearQuoted clears the delimiters and line ends inside quotes from the first n
// words of the masks of text. It returns how many of the words are valid, and
// whether text has a quote that the masks cannot follow: one that stands neither at
// an end of a field nor doubled inside it, or, if flat, one around a line end. The
// words after such a quote are not valid.
func clearQuoted(m masks, n int, text []byte, flat bool) (valid int, odd bool) {
	q := quoting{start: 1}
	m = m.slice(0, n)
	for i, quotes := range m.quotes {
		if quotes|q.inside|q.closed == 0 {
			q.start = m.separators[i] >> 63
			continue
		}
		inside, first := q.next(quotes, m.separators[i], m.ends[i], flat, text[i*maskBytes:])
		odd = first < maskBytes
		if odd {
			inside |= ^uint64(0) << first
		}
		m.separators[i] &^= inside
		m.ends[i] &^= inside
		if odd {
			return i + 1, true
		}
	}
	return n, false
}

// quoting is the state between two words of the masks.
type quoting struct {
	inside uint64 // all bits are set inside quotes
	start  uint64 // 1 if a field may begin with the next byte
	closed uint64 // 1 if the last byte is a quote that closes, or the first of two
}

// next returns the bytes of the next word that are inside quotes, and the index of
// the first byte that clearQuoted calls odd, or 64. text begins with the word.
func (q *quoting) next(quotes, separators, ends uint64, flat bool, text []byte) (inside uint64, first int) {
	inside = parity(quotes) ^ q.inside // from an opening quote up to its closing quote
	opening, closing := quotes&inside, quotes&^inside
	var odd uint64
	if flat {
		odd = ends & inside
	}
	separators &^= inside
	odd |= opening &^ ((separators|closing)<<1 | q.start)
	behind := (closing<<1 | q.closed) &^ (separators | opening)
	q.inside = uint64(int64(inside) >> 63)
	q.start, q.closed = (separators|closing)>>63, closing>>63
	for ; behind != 0; behind &= behind - 1 {
		// A quote may also close before CR LF.
		at := bits.TrailingZeros64(behind)
		if at+1 >= len(text) || text[at] != '\r' || text[at+1] != '\n' {
			odd |= 1 << at
			break
		}
	}
	return inside, bits.TrailingZeros64(odd)
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
