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
