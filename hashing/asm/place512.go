package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// place512 emits the kernel that writes a single UUID into a lane. The UUID is in a line that
// is not clean: in quotes, for example, or without its hyphens.
func place512(c *build.Context, name string, bare bool) {
	exact := octets(c, name+"Exact", 64, func(i int) byte { // the bits that must be equal
		switch {
		case i >= 36:
			return 0
		case digits>>i&1 == 0:
			return 0xff
		}
		return caseBits & 0xff
	})
	hyphen := octets(c, name+"Hyphen", 1, func(int) byte { return '-' })

	function(c, name+"512", "func(id *byte, characters, places uint64, form *byte, words *uint32) (ok bool)",
		"writes a UUID into a lane. characters has a bit set for each of its", "characters, and places for each of the 36 characters of a UUID with hyphens that",
		"it has. It returns whether the id is a UUID whose first four characters differ.")
	id, form, to := argument(c, "id"), argument(c, "form"), argument(c, "words")
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
	differ, wrong, first, rotated, ok := c.K(), c.GP32(), c.GP32(), c.GP32(), c.GP8()
	c.VPTESTMD(x, x, differ)
	c.KMOVW(differ, wrong)
	c.VMOVD(y.AsX(), first)
	c.MOVL(first, rotated)
	c.ROLL(operand.U8(8), rotated)
	c.XORL(first, rotated)
	c.CMPL(rotated, operand.U8(1)) // sets the carry flag if the first four characters are equal
	c.SBBL(rotated, rotated)
	c.ORL(rotated, wrong)
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
