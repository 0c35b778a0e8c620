package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// compress512 puts those of sixteen staged messages that are kept behind one
// another, and numbers them: counted are the rows among the sixteen lines.
func compress512(c *build.Context) {
	numbers := words(c, "compressNumbers", 16, func(i int) uint32 { return uint32(i) })
	c.Function("compress512")
	c.Doc("compress512 writes the words and rows of the lanes to keep; rows are counted by the lanes that are some.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(words, stage *uint32, rows *int32, row int, keep, counted uint32)")
	c.Pragma("noescape")
	to := c.Load(c.Param("words"), c.GP64())
	from := c.Load(c.Param("stage"), c.GP64())
	rows := c.Load(c.Param("rows"), c.GP64())
	row, mask, keep, counted, n := c.GP64(), c.GP32(), c.K(), c.K(), c.ZMM()
	c.Load(c.Param("keep"), mask)
	c.KMOVW(mask, keep)
	c.Load(c.Param("counted"), mask)
	c.KMOVW(mask, counted)
	c.Load(c.Param("row"), row)
	first := c.ZMM()
	c.VPBROADCASTD(row.As32(), first)
	c.VPEXPANDD_Z(numbers, counted, n)
	c.VPADDD(first, n, n)
	c.VPCOMPRESSD_Z(n, keep, n)
	c.VMOVDQU64(n, operand.Mem{Base: rows})
	for i := range 9 {
		w := c.ZMM()
		c.VMOVDQU64(operand.Mem{Base: from, Disp: 64 * i}, w)
		c.VPCOMPRESSD_Z(w, keep, w)
		c.VMOVDQU64(w, operand.Mem{Base: to, Disp: pitch * i})
	}
	c.VZEROUPPER()
	c.RET()
}
