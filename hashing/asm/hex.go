package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const hexDigits = "0123456789abcdef"

// blockDigests is how many digests fill whole vectors of text: 33 of 64 characters.
const blockDigests = 64

// The tables of a vector of text, of 64 bytes each, and the distance to the tables of
// the next vector.
const (
	hexBytes      = 0   // the byte of the loaded digests that each character shows
	hexHighs      = 64  // 0xff if the character shows the upper half of the byte
	hexSeparators = 128 // 16 if the character is a separator, else 0
	hexTables     = 192
)

// textPlace returns the digest that character i of a vector of text belongs to, and
// which of the digest's 33 characters it is.
func textPlace(vector, i int) (digest, character int) {
	p := 64*vector + i
	return p / 33, p % 33
}

// firstDigest returns the first of the four digests that are loaded for a vector of text. If
// possible, it is a multiple of four, at which a cache line may begin, because a load across
// two cache lines takes twice as long.
func firstDigest(vector int) int {
	from, _ := textPlace(vector, 0)
	to, _ := textPlace(vector, 63)
	if from/4 == to/4 {
		return from / 4 * 4
	}
	return min(from, blockDigests-4)
}

// hexTable returns byte i of the tables of all vectors.
func hexTable(i int) byte {
	vector := i / hexTables
	digest, character := textPlace(vector, i%64)
	switch i % hexTables / 64 * 64 {
	case hexHighs:
		return byte(character%2 - 1)
	case hexSeparators:
		return byte(character / 32 * 16)
	}
	if character == 32 {
		return 0
	}
	return byte(16*(digest-firstDigest(vector)) + character/2)
}

// encodeHexBlocks512 emits the kernel that encodes 64 digests at a time. A vector of the
// text may begin anywhere in a digest, so each of the 33 vectors has its own tables.
func encodeHexBlocks512(c *build.Context) {
	loadTables := cacheAligned(c, "hexTables", 33*hexTables, hexTable)
	digits := octets(c, "hexDigits", 16, func(i int) byte { return hexDigits[i] })
	low := words(c, "hexLow", 1, func(int) uint32 { return 0x0f0f0f0f })

	function(c, "encodeHexBlocks512", "func(text, digests *byte, blocks int, separator byte)",
		"writes blocks of 64 digests in hex, each digest followed by", "a separator.")
	to := argument(c, "text")
	from := argument(c, "digests")
	n := argument(c, "blocks")
	tables := loadTables()
	separator, table, mask := c.GP32(), c.ZMM(), c.ZMM()
	c.Load(c.Param("separator"), separator)
	c.VPBROADCASTB(separator, table) // the digits then replace the first 16 bytes
	c.VINSERTI32X4(operand.U8(0), digits, table, table)
	c.VPBROADCASTD(low, mask)

	c.Label("block")
	for v := range 33 {
		x, high := c.ZMM(), c.ZMM()
		c.PREFETCHT0(operand.Mem{Base: to, Disp: 64*v + 33*blockDigests})
		at := func(table int) operand.Mem { return operand.Mem{Base: tables, Disp: hexTables*v + table} }
		c.VMOVDQU64(at(hexBytes), x)
		c.VPERMB(operand.Mem{Base: from, Disp: 16 * firstDigest(v)}, x, x)
		c.VPSRLW(operand.U8(4), x, high)
		c.VPTERNLOGD(operand.U8(0xd8), at(hexHighs), high, x)      // high if highs is set, else x
		c.VPTERNLOGD(operand.U8(0xea), at(hexSeparators), mask, x) // x & mask | separators
		c.VPERMB(table, x, x)
		c.VMOVDQU64(x, operand.Mem{Base: to, Disp: 64 * v})
	}
	c.ADDQ(operand.U32(16*blockDigests), from)
	c.ADDQ(operand.U32(33*blockDigests), to)
	c.DECQ(n)
	c.JNE(operand.LabelRef("block"))
	c.VZEROUPPER()
	c.RET()
}

// encodeHex256 emits the kernel that encodes one digest at a time, by the method of
// encodeHexPairs512.
func encodeHex256(c *build.Context) {
	tables := octets(c, "hex256", 64, func(i int) byte {
		if i < 32 {
			return hexDigits[i%16]
		}
		return 0x0f
	})
	function(c, "encodeHex256", "func(text, digests *byte, n int, separator byte)",
		"writes digests in hex, each followed by a separator.")
	to := argument(c, "text")
	from := argument(c, "digests")
	n := argument(c, "n")
	separator := c.Load(c.Param("separator"), c.GP8())
	table, mask := c.YMM(), c.YMM()
	c.VMOVDQU(tables, table)
	c.VMOVDQU(tables.Offset(32), mask)

	c.Label("digest")
	wide, left := c.YMM(), c.YMM()
	c.VPMOVZXBW(operand.Mem{Base: from}, wide)
	c.VPSLLW(operand.U8(8), wide, left)
	c.VPSRLW(operand.U8(4), wide, wide)
	c.VPOR(left, wide, wide)
	c.VPAND(mask, wide, wide)
	c.VPSHUFB(wide, table, wide)
	c.VMOVDQU(wide, operand.Mem{Base: to})
	c.MOVB(separator, operand.Mem{Base: to, Disp: 32})
	c.ADDQ(operand.U8(16), from)
	c.ADDQ(operand.U8(33), to)
	c.DECQ(n)
	c.JNE(operand.LabelRef("digest"))
	c.VZEROUPPER()
	c.RET()
}

// classifier256 classifies hex characters: decimal digits and letters.
type classifier256 struct {
	*build.Context
	table                                 operand.Mem
	zero, nine, lower, letterA, five, ten reg.VecVirtual
}

func newClassifier256(c *build.Context, name string) *classifier256 {
	return &classifier256{Context: c, table: octets(c, name+"Hex", 6*32, func(i int) byte {
		return [6]byte{'0', 9, 0x20, 'a', 5, 10}[i/32]
	})}
}

// constant returns '0', 9, 0x20, 'a', 5 or 10 in every byte.
func (k *classifier256) constant(i int) operand.Mem { return k.table.Offset(32 * i) }

// load loads the constants into registers.
func (k *classifier256) load() {
	for i, v := range []*reg.VecVirtual{&k.zero, &k.nine, &k.lower, &k.letterA, &k.five, &k.ten} {
		*v = k.YMM()
		k.VMOVDQU(k.constant(i), *v)
	}
}

// values returns the values of hex characters. isHex has all bits of a byte set if its
// character is hex.
func (k *classifier256) values(text reg.VecVirtual) (value, isHex reg.VecVirtual) {
	digit, letter, least, isLetter := k.YMM(), k.YMM(), k.YMM(), k.YMM()
	value, isHex = k.YMM(), k.YMM()
	k.VPSUBB(k.zero, text, digit)
	k.VPMINUB(k.nine, digit, least)
	k.VPCMPEQB(least, digit, isHex)
	k.VPOR(k.lower, text, letter)
	k.VPSUBB(k.letterA, letter, letter)
	k.VPMINUB(k.five, letter, least)
	k.VPCMPEQB(least, letter, isLetter)
	k.VPADDB(k.ten, letter, letter)
	k.VPBLENDVB(isLetter, letter, digit, value)
	k.VPOR(isLetter, isHex, isHex)
	return value, isHex
}
