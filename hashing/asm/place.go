package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// digits has a bit for each of a UUID's 36 characters that is no hyphen.
const digits = (1<<36 - 1) &^ hyphens256

// place512 writes one UUID into a lane, as it stands in a line that is not clean:
// within quotes, say, or without its hyphens.
func place512(c *build.Context, name string, bare bool) {
	exact := octets(c, name+"exact", 64, func(i int) byte { // where two characters differ but in their case
		switch {
		case i >= 36:
			return 0
		case digits>>i&1 == 0:
			return 0xff
		}
		return 0xdf
	})
	hyphen := octets(c, name+"hyphen", 1, func(int) byte { return '-' })

	c.Function(name + "512")
	c.Doc(name + "512 writes a UUID of so many characters, a bit each, which are at so many places of its 36, into a lane. It returns whether it is one.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(id *byte, characters, places uint64, form *byte, words *uint32) (ok bool)")
	c.Pragma("noescape")
	id, form, to := c.Load(c.Param("id"), c.GP64()), c.Load(c.Param("form"), c.GP64()), c.Load(c.Param("words"), c.GP64())
	bits, characters, places, isDigit := c.GP64(), c.K(), c.K(), c.K()
	c.KMOVQ(c.Load(c.Param("characters"), bits), characters)
	c.KMOVQ(c.Load(c.Param("places"), bits), places)
	c.MOVQ(operand.U64(digits), bits)
	c.KMOVQ(bits, isDigit)

	near, raw, x, y := c.ZMM(), c.ZMM(), c.ZMM(), c.ZMM()
	c.VMOVDQU64(operand.Mem{Base: form, Disp: formNear}, near)
	c.VMOVDQU8_Z(operand.Mem{Base: id}, characters, raw)
	c.VPBROADCASTB(hyphen, x)
	c.VMOVDQA64(x, y)
	c.VPEXPANDB(raw, places, x)
	c.VPERMB(near, x, isDigit, y)
	c.VPTERNLOGD(operand.U8(0x28), exact, y, x) // (x ^ y) & exact
	differ, wrong, first, turned, ok := c.K(), c.GP32(), c.GP32(), c.GP32(), c.GP8()
	c.VPTESTMD(x, x, differ)
	c.KMOVW(differ, wrong)
	c.VMOVD(y.AsX(), first)
	c.MOVL(first, turned)
	c.ROLL(operand.U8(8), turned)
	c.XORL(first, turned)
	c.CMPL(turned, operand.U8(1)) // borrows where the first four characters are the same
	c.SBBL(turned, turned)
	c.ORL(turned, wrong)
	c.SETEQ(ok)
	c.Store(ok, c.ReturnIndex(0))

	written, text := 9, c.AllocLocal(64)
	if bare {
		c.VPCOMPRESSB_Z(y, isDigit, y)
		written = 8
	}
	c.VMOVDQU64(y, text)
	for i := range written {
		word := c.GP32()
		c.MOVL(text.Offset(4*i), word)
		c.MOVL(word, operand.Mem{Base: to, Disp: i * pitch})
	}
	c.VZEROUPPER()
	c.RET()
}
