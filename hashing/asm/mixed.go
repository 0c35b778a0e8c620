package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// linesAt takes lines of which it is told where they begin, clean or not.
func (l *loader512) linesAt(name string) {
	l.function(name, "loads lines of given beginnings, sixteen at a time, and says which of them are UUIDs.",
		"func(text *byte, starts *uint32, form *byte, words *uint32, clean *uint16, sixteens int)")
	starts, marks := l.textAndStarts(), l.Load(l.Param("clean"), l.GP64())

	l.Label("sixteen")
	clean := l.load(func(i int) operand.Mem {
		start := l.GP64()
		l.MOVL(operand.Mem{Base: starts, Disp: 4 * i}, start.As32())
		return operand.Mem{Base: l.text, Index: start, Scale: 1}
	})
	l.KMOVW(clean, operand.Mem{Base: marks})
	l.ADDQ(operand.U8(64), starts)
	l.ADDQ(operand.U8(2), marks)
	l.ADDQ(operand.U8(64), l.to)
	l.DECQ(l.n)
	l.JNE(operand.LabelRef("sixteen"))
	l.VZEROUPPER()
	l.RET()
}

// textAndStarts loads where lines begin, and the text that they are relative to.
func (l *loader512) textAndStarts() (starts reg.Register) {
	l.text, starts = l.Load(l.Param("text"), l.GP64()), l.Load(l.Param("starts"), l.GP64())
	first := l.GP64()
	l.MOVL(operand.Mem{Base: starts}, first.As32())
	l.SUBQ(first, l.text)
	return starts
}

// compress512 puts those of sixteen staged messages at a time that are kept behind
// one another, and numbers them: counted are the rows among the lines.
func compress512(c *build.Context) {
	numbers := words(c, "compressNumbers", 16, func(i int) uint32 { return uint32(i) })
	c.Function("compress512")
	c.Doc("compress512 writes the words and rows of the lanes to keep, sixteen at a time, until there are enough; rows are counted by the lanes that are some. It returns how many it wrote, of how many rows, and how many sixteens are left.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(words, stage *uint32, rows *int32, row int, keep, counted *uint16, sixteens, enough int) (kept, behind, left int)")
	c.Pragma("noescape")
	to := c.Load(c.Param("words"), c.GP64())
	from := c.Load(c.Param("stage"), c.GP64())
	rows := c.Load(c.Param("rows"), c.GP64())
	keep, counted := c.Load(c.Param("keep"), c.GP64()), c.Load(c.Param("counted"), c.GP64())
	row, n, enough, kept := c.GP64(), c.GP64(), c.GP64(), c.GP64()
	c.Load(c.Param("row"), row)
	c.Load(c.Param("sixteens"), n)
	c.Load(c.Param("enough"), enough)
	c.XORL(kept.As32(), kept.As32())
	ascending := c.ZMM()
	c.VMOVDQU64(numbers, ascending)

	c.Label("sixteen")
	mask, kKeep, kCounted, number, first := c.GP32(), c.K(), c.K(), c.ZMM(), c.ZMM()
	c.VPBROADCASTD(row.As32(), first)
	c.MOVWLZX(operand.Mem{Base: counted}, mask)
	c.KMOVW(mask, kCounted)
	c.POPCNTL(mask, mask)
	c.ADDQ(mask.As64(), row)
	c.MOVWLZX(operand.Mem{Base: keep}, mask)
	c.KMOVW(mask, kKeep)
	c.VPEXPANDD_Z(ascending, kCounted, number)
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
	c.JLT(operand.LabelRef("sixteen"))

	c.Label("done")
	c.Store(kept, c.ReturnIndex(0))
	c.Store(row, c.ReturnIndex(1))
	c.Store(n, c.ReturnIndex(2))
	c.VZEROUPPER()
	c.RET()
}
