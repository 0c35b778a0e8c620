package csv

import (
	"encoding/binary"
	"math/bits"
)

// maskBytes is how many bytes of text a word of a mask covers: bit i is byte i.
const maskBytes = 64

// masks mark the bytes of a text that separate and quote fields.
type masks struct {
	separators []uint64 // delimiters and line ends
	ends       []uint64 // line ends
	quotes     []uint64
}

func makeMasks(n int) masks {
	return masks{make([]uint64, n), make([]uint64, n), make([]uint64, n)}
}

// slice returns the words from one up to another.
func (m *masks) slice(from, to int) masks {
	return masks{m.separators[from:to], m.ends[from:to], m.quotes[from:to]}
}

// mask fills m from text, which has at least as many bytes as m covers. It is the
// reference for the vector kernel.
func mask(m masks, text []byte, delimiter byte) {
	each := uint64(delimiter) * lowBits
	for i := range m.ends {
		var separators, ends, quotes uint64
		block := (*[maskBytes]byte)(text[i*maskBytes:])
		for j := 0; j < maskBytes; j += 8 {
			word := binary.LittleEndian.Uint64(block[j:])
			end := equal(word, '\n'*lowBits)
			ends |= gather(end) << j
			separators |= gather(end|equal(word, each)) << j
			if found := equal(word, quote*lowBits); found != 0 {
				quotes |= gather(found) << j
			}
		}
		m.separators[i], m.ends[i], m.quotes[i] = separators, ends, quotes
	}
}

// lowBits has the low bit of each byte of a word.
const lowBits = 0x0101010101010101

// equal sets the high bit of each byte of word that equals the byte of pattern.
func equal(word, pattern uint64) uint64 {
	const low7 = 0x7F * lowBits
	x := word ^ pattern
	return ^(x&low7 + low7 | x | low7)
}

// gather returns the high bits of a word's bytes side by side. No other bit of the
// word may be set.
func gather(high uint64) uint64 {
	return high >> 7 * 0x0102040810204080 >> 56
}

// list writes the offsets of the bits that are set in a mask to out, and returns
// their number.
func list(out []uint16, mask []uint64) int {
	n := 0
	for i, left := range mask {
		for ; left != 0; left &= left - 1 {
			out[n] = uint16(i*maskBytes + bits.TrailingZeros64(left))
			n++
		}
	}
	return n
}

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
