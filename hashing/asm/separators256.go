package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// separators are the characters that separate the ids of a list, and its bracket.
const separators = ", ;|\t["

// findSeparators256 emits the kernel that looks for separators. A character is one if its
// two halves have a bit in common in the tables, which have a bit for each upper half.
func findSeparators256(c *build.Context) {
	const name = "findSeparators256"
	var uppers []byte // their indexes are the bits
	var tables [4 * 32]byte
	for _, s := range []byte(separators) {
		bit := len(uppers)
		for i, u := range uppers {
			if u == s>>4 {
				bit = i
			}
		}
		if bit == len(uppers) {
			uppers = append(uppers, s>>4)
		}
		for half := 0; half < 32; half += 16 { // VPSHUFB looks up the halves of a vector one by one
			tables[half+int(s&0xF)] |= 1 << bit
			tables[32+half+int(s>>4)] |= 1 << bit
		}
	}
	for i := range 32 {
		tables[64+i], tables[96+i] = 0xF, '\n'
	}
	table := octets(c, name+"Tables", len(tables), func(i int) byte { return tables[i] })

	function(c, name, "func(text *byte, blocks int) (passed, lines int)",
		"returns how many blocks of 64 characters have no separator, up to the first that",
		"has one, and how many line feeds these have.")
	text := argument(c, "text")
	blocks := argument(c, "blocks")
	passed, lines := c.GP64(), c.GP64()
	lower, upper, mask, feed := c.YMM(), c.YMM(), c.YMM(), c.YMM()
	for i, v := range []reg.VecVirtual{lower, upper, mask, feed} {
		c.VMOVDQU(table.Offset(32*i), v)
	}
	c.XORQ(passed, passed)
	c.XORQ(lines, lines)

	c.Label("block")
	c.CMPQ(passed, blocks)
	c.JE(operand.LabelRef("done"))
	found, feeds := c.YMM(), [2]reg.GPVirtual{c.GP64(), c.GP64()}
	for i := range feeds {
		characters, high, low := c.YMM(), c.YMM(), c.YMM()
		c.VMOVDQU(operand.Mem{Base: text, Disp: 32 * i}, characters)
		c.VPSRLW(operand.U8(4), characters, high)
		c.VPAND(mask, high, high)
		c.VPSHUFB(high, upper, high)
		c.VPSHUFB(characters, lower, low)
		c.VPAND(high, low, low)
		if i == 0 {
			c.VMOVDQA(low, found)
		} else {
			c.VPOR(low, found, found)
		}
		c.VPCMPEQB(feed, characters, characters)
		c.VPMOVMSKB(characters, feeds[i].As32())
	}
	c.VPTEST(found, found)
	c.JNE(operand.LabelRef("done"))
	c.SHLQ(operand.U8(32), feeds[1])
	c.ORQ(feeds[1], feeds[0])
	c.POPCNTQ(feeds[0], feeds[0])
	c.ADDQ(feeds[0], lines)
	c.ADDQ(operand.U8(64), text)
	c.INCQ(passed)
	c.JMP(operand.LabelRef("block"))

	c.Label("done")
	c.Store(passed, c.ReturnIndex(0))
	c.Store(lines, c.ReturnIndex(1))
	c.VZEROUPPER()
	c.RET()
}
