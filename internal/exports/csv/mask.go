package csv

import (
	"encoding/binary"
	"math/bits"
)

// maskBytes is how many bytes of text a word of a mask is of: bit i is byte i.
const maskBytes = 64

// masks say of a piece of CSV what is where.
type masks struct {
	parting []uint64 // line ends and delimiters
	ends    []uint64 // line ends
	quotes  []uint64
}

func makeMasks(n int) masks {
	return masks{make([]uint64, n), make([]uint64, n), make([]uint64, n)}
}

// slice is the masks from one word up to another.
func (m *masks) slice(from, to int) masks {
	return masks{m.parting[from:to], m.ends[from:to], m.quotes[from:to]}
}

// mask fills m from text, of which there are as many bytes as that takes. It is
// the reference beside which a vector kernel stands.
func mask(m masks, text []byte, delimiter byte) {
	each := uint64(delimiter) * lowBits
	for i := range m.ends {
		var parting, ends, quotes uint64
		block := (*[maskBytes]byte)(text[i*maskBytes:])
		for j := 0; j < maskBytes; j += 8 {
			word := binary.LittleEndian.Uint64(block[j:])
			end := equal(word, '\n'*lowBits)
			ends |= gather(end) << j
			parting |= gather(end|equal(word, each)) << j
			if quote := equal(word, '"'*lowBits); quote != 0 {
				quotes |= gather(quote) << j
			}
		}
		m.parting[i], m.ends[i], m.quotes[i] = parting, ends, quotes
	}
}

// lowBits has the low bit of each byte of a word.
const lowBits = 0x0101010101010101

// equal sets the high bit of each byte of word that equals that of pattern.
func equal(word, pattern uint64) uint64 {
	const low7 = 0x7F * lowBits
	x := word ^ pattern
	return ^(x&low7 + low7 | x | low7)
}

// gather is the high bits of a word's bytes, side by side. No other may be set.
func gather(high uint64) uint64 {
	return high >> 7 * 0x0102040810204080 >> 56
}

// listRoom is how much longer than its list the out of list must be.
const listRoom = maskBytes

// list writes the positions of the bits that are set in a mask, and returns how
// many there are. It is the reference beside which a vector kernel stands.
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
