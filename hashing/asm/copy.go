package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the parts of copied lines lie, from the words of their messages on, of
// which these have nine: their first sixteen characters, the next sixteen, and the
// last eight with their ends. Of sixteen lines every fourth lies behind another,
// as transpose wants them.
const (
	copiedHeads = 9 * pitch
	copiedNext  = copiedHeads + 16*16*groups512
	copiedTails = copiedNext + 16*16*groups512
)

// copyLines returns what copies 112 lines, a quarter of a line a time.
func copyLines(c *build.Context, to reg.Register) func(i int) {
	text := c.Load(c.Param("text"), c.GP64())
	stride := c.Load(c.Param("stride"), c.GP64())
	tail := c.Load(c.Param("tail"), c.GP64())
	eight, sixteen := c.GP64(), c.XMM()
	head := func(from, at, line int) {
		c.VMOVDQU(operand.Mem{Base: text, Disp: from}, sixteen)
		c.VMOVDQU(sixteen, operand.Mem{Base: to, Disp: at + line/16*256 + line%4*64 + line%16/4*16})
	}
	return func(i int) {
		switch line := i / 4; i % 4 {
		case 0:
			head(0, copiedHeads, line)
		case 1:
			head(16, copiedNext, line)
		case 2:
			c.MOVQ(operand.Mem{Base: text, Index: tail, Scale: 1}, eight)
			c.MOVQ(eight, operand.Mem{Base: to, Disp: copiedTails + 8*line})
		case 3:
			c.ADDQ(stride, text)
		}
	}
}

// copied takes lines of the form's length that were copied.
func (l *loader512) copied(name string) {
	halves := words(l.Context, name+"halves", 32, func(i int) uint32 { return uint32(i%16*2 + i/16) })
	l.function(name, "loads copied lines of one length, sixteen at a time, and returns how many, from the first on, are UUIDs.",
		"func(form *byte, words *uint32, rows *int32, row, sixteens int) (clean int)")
	l.text = l.GP64()
	l.MOVQ(l.to, l.text)
	rows, numbers := l.numbers()
	lower, upper, over := l.ZMM(), l.ZMM(), l.ZMM()
	l.VMOVDQU64(halves, lower)
	l.VMOVDQU64(halves.Offset(64), upper)
	bits := l.GP64() // of a tail that lie in front of the 33rd character
	l.MOVQ(operand.Mem{Base: l.form, Disp: formStride}, bits)
	l.SHLQ(operand.U8(3), bits)
	l.NEGQ(bits)
	l.ADDQ(operand.U32(8*40), bits)
	l.VPBROADCASTD(bits.As32(), over)
	tails := l.GP64()
	l.LEAQ(operand.Mem{Base: l.text, Disp: copiedTails}, tails)

	l.Label("sixteen")
	var raw []reg.VecVirtual
	for _, part := range []int{copiedHeads, copiedNext} {
		var x [4]reg.VecVirtual
		for i := range x {
			x[i] = l.ZMM()
			l.VMOVDQU64(operand.Mem{Base: l.text, Disp: part + 64*i}, x[i])
		}
		y := transpose(l.Context, x)
		raw = append(raw, y[:]...)
	}
	last, ends := l.ZMM(), l.ZMM()
	l.VMOVDQU64(operand.Mem{Base: tails}, last)
	l.VMOVDQA64(last, ends)
	l.VPERMT2D(operand.Mem{Base: tails, Disp: 64}, lower, last)
	l.VPERMT2D(operand.Mem{Base: tails, Disp: 64}, upper, ends)
	l.VPSHRDVD(over, ends, last)
	l.VPXORD_BCST(operand.Mem{Base: l.form, Disp: formEnd}, ends, ends)
	ended := l.K()
	l.VPTESTNMD_BCST(operand.Mem{Base: l.form, Disp: formWhere}, ends, ended)
	w, clean := l.check(append(raw, last), ended)
	l.write(w, pitch)
	l.VMOVDQU64(numbers, operand.Mem{Base: rows})
	mask := l.GP32()
	l.KMOVW(clean, mask)
	l.CMPL(mask, operand.U32(0xffff))
	l.JNE(operand.LabelRef("dirty"))
	l.ADDQ(operand.U32(256), l.text)
	l.ADDQ(operand.U32(128), tails)
	l.again(rows, numbers)

	l.Label("dirty")
	n := l.GP64()
	count(l.Context, clean, n)
	l.LEAQ(operand.Mem{Base: rows, Index: n, Scale: 4}, rows)

	l.Label("done")
	l.returnRows(rows)
}
