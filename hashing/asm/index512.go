package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// enoughLines is the number of lines after which the index is large enough.
const enoughLines = 128

// index512 emits the kernel that finds where lines begin, in blocks of 64 characters. For
// each block it writes at least four numbers; the next block overwrites those that are not
// beginnings of lines. If uniform is set, the kernel stops at a line with another ending,
// which makes it slower by a third.
func index512(c *build.Context, name string, uniform bool) {
	endings := octets(c, name+"Endings", 2, func(i int) byte { return "\n\r"[i] })
	ascending := octets(c, name+"After", 64, func(i int) byte { return byte(i + 1) })
	length := words(c, name+"Block", 1, func(int) uint32 { return 64 })

	const arguments = "text *byte, blocks int, starts *uint32"
	if uniform {
		function(c, name+"512", "func("+arguments+", crlf uint64) (lines int)",
			"writes where lines begin after the first, up to a block with a", "line that does not end as crlf says, which has all bits set for \\r\\n.")
	} else {
		function(c, name+"512", "func("+arguments+") (lines int)",
			"writes where lines begin after the first.")
	}
	text := argument(c, "text")
	n := argument(c, "blocks")
	starts := argument(c, "starts")
	lf, after, at := c.ZMM(), c.ZMM(), c.ZMM()
	c.VPBROADCASTB(endings, lf)
	c.VMOVDQU64(ascending, after)
	c.VPBROADCASTD(operand.Mem{Base: starts}, at)
	c.ADDQ(operand.U8(4), starts)
	lines := c.GP64()
	c.XORL(lines.As32(), lines.As32())
	checkEndings := func(_, _ reg.Register) {}
	if uniform {
		checkEndings = uniformEndings(c, endings.Offset(1))
	}

	c.Label("block")
	isLF, lfs := c.K(), c.GP64()
	c.VPCMPEQB(operand.Mem{Base: text}, lf, isLF)
	c.KMOVQ(isLF, lfs)
	checkEndings(text, lfs)
	count, to, places, found := c.GP64(), c.GP64(), c.ZMM(), c.ZMM()
	c.POPCNTQ(lfs, count)
	c.LEAQ(operand.Mem{Base: starts, Index: lines, Scale: 4}, to)
	c.ADDQ(count, lines)
	c.VPCOMPRESSB_Z(after, isLF, places)
	c.VPMOVZXBD(places.AsX(), found.AsX())
	c.VPADDD(at.AsX(), found.AsX(), found.AsX())
	c.VMOVDQU(found.AsX(), operand.Mem{Base: to})
	c.CMPQ(count, operand.U8(4))
	c.JA(operand.LabelRef("many"))

	c.Label("next")
	c.CMPQ(lines, operand.U32(enoughLines))
	c.JAE(operand.LabelRef("done"))
	c.VPADDD_BCST(length, at, at)
	c.ADDQ(operand.U8(64), text)
	c.DECQ(n)
	c.JNE(operand.LabelRef("block"))

	c.Label("done")
	c.Store(lines, c.ReturnIndex(0))
	c.VZEROUPPER()
	c.RET()

	c.Label("many") // more than four lines in a block
	c.VPMOVZXBD(places.AsX(), found)
	c.VPADDD(at, found, found)
	c.VMOVDQU64(found, operand.Mem{Base: to})
	c.VSHUFI64X2(operand.U8(0x39), places, places, places)
	c.ADDQ(operand.U8(64), to)
	c.SUBQ(operand.U8(16), count)
	c.JA(operand.LabelRef("many"))
	c.JMP(operand.LabelRef("next"))
}

// uniformEndings returns a function that emits a jump to done if a line of a block has
// another ending than the argument crlf says: all bits set for \r\n, none for \n.
func uniformEndings(c *build.Context, character operand.Mem) func(text, lfs reg.Register) {
	cr, carry := c.ZMM(), c.GP64()
	crlf := argument(c, "crlf")
	c.VPBROADCASTB(character, cr)
	c.XORL(carry.As32(), carry.As32())
	return func(text, lfs reg.Register) {
		isCR, crs, previous := c.K(), c.GP64(), c.GP64() // previous has a bit for each character after a \r
		c.VPCMPEQB(operand.Mem{Base: text}, cr, isCR)
		c.KMOVQ(isCR, crs)
		c.LEAQ(operand.Mem{Base: carry, Index: crs, Scale: 2}, previous)
		c.MOVQ(crs, carry)
		c.SHRQ(operand.U8(63), carry)
		c.XORQ(crlf, previous)
		c.TESTQ(lfs, previous)
		c.JNE(operand.LabelRef("done"))
	}
}
