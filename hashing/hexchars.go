package hashing

import "usher"

// The functions below process eight characters at once as a little-endian word. No
// step of their arithmetic carries from one character into the next.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// unhex decodes eight hex characters of any case. It returns their values, a byte each.
// wrong has the high bit of a byte set if its character is not hex.
func unhex(x uint64) (nibbles, wrong uint64) {
	letters := x >> 6 & ones // bit 6 distinguishes letters from digits
	x &^= letters << 5       // to upper case
	least := '0'*ones + letters*('A'-'0')
	value := (x | highs) - least // the high bit is cleared if x is below least
	over := value&^highs + (0x80-10)*ones + letters*4
	return value&^highs + letters*10, (x | ^value | over) & highs
}

// hexOf encodes eight nibbles, a byte each, as lower-case hex.
func hexOf(nibbles uint64) uint64 {
	letters := (nibbles + 6*ones) >> 4 & ones // 1 if a nibble is over 9
	return nibbles + '0'*ones + letters*('a'-'0'-10)
}

// splitNibbles returns the eight nibbles of four bytes, a byte each, in the order in
// which hex writes them.
func splitNibbles(four uint32) uint64 {
	x := uint64(four)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	return (x>>4 | x<<8) & 0x0f0f0f0f0f0f0f0f
}

// joinNibbles is the inverse of splitNibbles.
func joinNibbles(nibbles uint64) uint32 {
	x := (nibbles<<4 | nibbles>>8) & 0x00ff00ff00ff00ff
	x = (x | x>>8) & 0x0000ffff0000ffff
	return uint32(x | x>>16)
}

// fold holds the bits to set and to clear in letters, so that they get one case.
type fold struct{ set, clear uint64 }

func foldTo(c usher.Case) fold {
	if c == usher.Upper {
		return fold{clear: 0x20 * ones}
	}
	return fold{set: 0x20 * ones}
}

// recase converts the letters among eight hex characters and hyphens to one case. It
// leaves digits and hyphens alone: their bit 6 is clear.
func (f fold) recase(x uint64) uint64 {
	letters := (x >> 6 & ones) << 5
	return x&^(letters&f.clear) | letters&f.set
}
