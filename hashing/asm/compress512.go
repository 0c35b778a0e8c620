package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// compress512 emits the kernel that moves those staged messages that are kept next to each
// other.
func compress512(c *build.Context) {
	ascending := words(c, "compressNumbers", 16, func(i int) uint32 { return uint32(i) })
	function(c, "compressLanes512", "func(words, stage *uint32, rows *int32, row int, keep, counted *uint16, groups, enough int) (kept, next, remaining int)",
		"copies the words and rows of the lanes in keep, sixteen lanes", "at a time, until it has copied enough. It numbers the lanes in counted from row.",
		"It returns how many lanes it copied, the next row, and how many groups remain.")
	to := argument(c, "words")
	from := argument(c, "stage")
	rows := argument(c, "rows")
	keep, counted := argument(c, "keep"), argument(c, "counted")
	row, n, enough, kept := c.GP64(), c.GP64(), c.GP64(), c.GP64()
	c.Load(c.Param("row"), row)
	c.Load(c.Param("groups"), n)
	c.Load(c.Param("enough"), enough)
	c.XORL(kept.As32(), kept.As32())
	numbers := c.ZMM()
	c.VMOVDQU64(ascending, numbers)

	c.Label("group")
	mask, kKeep, kCounted, number, first := c.GP32(), c.K(), c.K(), c.ZMM(), c.ZMM()
	c.VPBROADCASTD(row.As32(), first)
	c.MOVWLZX(operand.Mem{Base: counted}, mask)
	c.KMOVW(mask, kCounted)
	c.POPCNTL(mask, mask)
	c.ADDQ(mask.As64(), row)
	c.MOVWLZX(operand.Mem{Base: keep}, mask)
	c.KMOVW(mask, kKeep)
	c.VPEXPANDD_Z(numbers, kCounted, number)
	c.VPADDD(first, number, number)
	c.VPCOMPRESSD_Z(number, kKeep, number)
	c.VMOVDQU64(number, operand.Mem{Base: rows, Index: kept, Scale: 4})
	for i := range 9 {
		w := c.ZMM()
		c.VMOVDQU64(operand.Mem{Base: from, Disp: pitch * i}, w)
		c.VPCOMPRESSD_Z(w, kKeep, w)
		c.VMOVDQU64(w, operand.Mem{Base: to, Index: kept, Scale: 4, Disp: pitch * i})
	}
	c.POPCNTL(mask, mask)
	c.ADDQ(mask.As64(), kept)
	c.ADDQ(operand.U8(2), keep)
	c.ADDQ(operand.U8(2), counted)
	c.ADDQ(operand.U8(64), from)
	c.DECQ(n)
	c.JE(operand.LabelRef("done"))
	c.CMPQ(kept, enough)
	c.JLT(operand.LabelRef("group"))

	c.Label("done")
	c.Store(kept, c.ReturnIndex(0))
	c.Store(row, c.ReturnIndex(1))
	c.Store(n, c.ReturnIndex(2))
	c.VZEROUPPER()
	c.RET()
}
