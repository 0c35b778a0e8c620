package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// hex512 writes pairs of digests in hex, each with a separator behind it. Bytes
// are widened to 16 bits, of which the two halves are a byte's two digits.
func hex512(c *build.Context) {
	digits := octets(c, "digits", 64, func(i int) byte { return "0123456789abcdef"[i%16] })
	low := words(c, "low", 1, func(int) uint32 { return 0x0f0f0f0f })

	c.Function("hex512")
	c.Doc("hex512 writes pairs of digests in hex, each with a separator behind it.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(text, digests *byte, pairs int, separator byte)")
	c.Pragma("noescape")
	to := c.Load(c.Param("text"), c.GP64())
	from := c.Load(c.Param("digests"), c.GP64())
	n := c.Load(c.Param("pairs"), c.GP64())
	separator := c.Load(c.Param("separator"), c.GP8())
	table, mask := c.ZMM(), c.ZMM()
	c.VMOVDQU64(digits, table)
	c.VPBROADCASTD(low, mask)
	c.TESTQ(n, n)
	c.JE(operand.LabelRef("done"))

	c.Label("pair")
	wide, left := c.ZMM(), c.ZMM()
	c.VPMOVZXBW(operand.Mem{Base: from}, wide)
	c.VPSLLW(operand.U8(8), wide, left)
	c.VPSRLW(operand.U8(4), wide, wide)
	c.VPTERNLOGD(operand.U8(0xa8), mask, left, wide) // (wide | left) & mask
	c.VPSHUFB(wide, table, wide)
	c.VMOVDQU64(wide.AsY(), operand.Mem{Base: to})
	c.MOVB(separator, operand.Mem{Base: to, Disp: 32})
	c.VEXTRACTI64X4(operand.U8(1), wide, operand.Mem{Base: to, Disp: 33})
	c.MOVB(separator, operand.Mem{Base: to, Disp: 65})
	c.ADDQ(operand.U8(32), from)
	c.ADDQ(operand.U8(66), to)
	c.DECQ(n)
	c.JNE(operand.LabelRef("pair"))

	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}
