package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// index512 finds where lines begin, in blocks of 64 characters. Of a block it
// writes four beginnings, of which most are to be written over, and more where it
// has more. alike says to stop at a line with another end, which costs a third more.
func index512(c *build.Context, name string, alike bool, most int) {
	const arguments = "text *byte, blocks int, starts *uint32"
	ends := octets(c, name+"ends", 2, func(i int) byte { return "\n\r"[i] })
	ascending := octets(c, name+"behind", 64, func(i int) byte { return byte(i + 1) })
	length := words(c, name+"block", 1, func(int) uint32 { return 64 })

	c.Function(name + "512")
	c.Attributes(attr.NOSPLIT)
	if alike {
		c.Doc(name + "512 writes where lines begin behind the first, up to a line with another end.")
		c.SignatureExpr("func(" + arguments + ", crlf uint64) (lines int)")
	} else {
		c.Doc(name + "512 writes where lines begin behind the first.")
		c.SignatureExpr("func(" + arguments + ") (lines int)")
	}
	c.Pragma("noescape")
	text := c.Load(c.Param("text"), c.GP64())
	n := c.Load(c.Param("blocks"), c.GP64())
	starts := c.Load(c.Param("starts"), c.GP64())
	lf, behind, at := c.ZMM(), c.ZMM(), c.ZMM()
	c.VPBROADCASTB(ends, lf)
	c.VMOVDQU64(ascending, behind)
	c.VPBROADCASTD(operand.Mem{Base: starts}, at)
	c.ADDQ(operand.U8(4), starts)
	lines := c.GP64()
	c.XORL(lines.As32(), lines.As32())
	different := func(_, _ reg.Register) {}
	if alike {
		different = differentEnds(c, ends.Offset(1))
	}

	c.Label("block")
	isLF, lfs := c.K(), c.GP64()
	c.VPCMPEQB(operand.Mem{Base: text}, lf, isLF)
	c.KMOVQ(isLF, lfs)
	different(text, lfs)
	count, to, places, found := c.GP64(), c.GP64(), c.ZMM(), c.ZMM()
	c.POPCNTQ(lfs, count)
	c.LEAQ(operand.Mem{Base: starts, Index: lines, Scale: 4}, to)
	c.ADDQ(count, lines)
	c.VPCOMPRESSB_Z(behind, isLF, places)
	c.VPMOVZXBD(places.AsX(), found.AsX())
	c.VPADDD(at.AsX(), found.AsX(), found.AsX())
	c.VMOVDQU(found.AsX(), operand.Mem{Base: to})
	c.CMPQ(count, operand.U8(4))
	c.JA(operand.LabelRef("many"))

	c.Label("next")
	c.CMPQ(lines, operand.U32(most))
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

// differentEnds returns what leaves the loop of blocks for done where one of a
// block's lines ends otherwise than the argument crlf says, all bits or none.
func differentEnds(c *build.Context, character operand.Mem) func(text, lfs reg.Register) {
	cr, carry := c.ZMM(), c.GP64()
	crlf := c.Load(c.Param("crlf"), c.GP64())
	c.VPBROADCASTB(character, cr)
	c.XORL(carry.As32(), carry.As32())
	return func(text, lfs reg.Register) {
		isCR, crs, before := c.K(), c.GP64(), c.GP64() // before is where the character before is \r
		c.VPCMPEQB(operand.Mem{Base: text}, cr, isCR)
		c.KMOVQ(isCR, crs)
		c.LEAQ(operand.Mem{Base: carry, Index: crs, Scale: 2}, before)
		c.MOVQ(crs, carry)
		c.SHRQ(operand.U8(63), carry)
		c.XORQ(crlf, before)
		c.TESTQ(lfs, before)
		c.JNE(operand.LabelRef("done"))
	}
}
