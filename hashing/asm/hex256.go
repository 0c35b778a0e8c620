package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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
