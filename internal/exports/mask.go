package exports

import (
	"encoding/binary"
)

// masks say of 64 bytes of CSV where its line ends, delimiters and quotes are:
// bit i is byte i.
type masks struct{ ends, delimiters, quotes uint64 }

// maskBytes is how many bytes a masks is of.
const maskBytes = 64

// mask finds the line ends, delimiters and quotes of text, of which it takes
// maskBytes bytes for each element of out. It is the reference beside which a
// vector kernel stands.
func mask(out []masks, text []byte, delimiter byte) {
	each := uint64(delimiter) * lowBits
	for i := range out {
		var m masks
		block := (*[maskBytes]byte)(text[i*maskBytes:])
		for j := 0; j < maskBytes; j += 8 {
			word := binary.LittleEndian.Uint64(block[j:])
			m.ends |= gather(equal(word, '\n'*lowBits)) << j
			m.delimiters |= gather(equal(word, each)) << j
			if quotes := equal(word, '"'*lowBits); quotes != 0 {
				m.quotes |= gather(quotes) << j
			}
		}
		out[i] = m
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

// gather is the high bits of a word's bytes, side by side. They alone may be
// set.
func gather(high uint64) uint64 {
	return high >> 7 * 0x0102040810204080 >> 56
}
