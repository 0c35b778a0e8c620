package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// fold converts the letters among hex characters to the form's case. isHex has all bits
// of a byte set if its character is hex.
func (l *loader256) fold(text reg.VecVirtual) (folded, isHex reg.VecVirtual) {
	c := l.classifier
	letter, least := l.YMM(), l.YMM()
	folded, isHex = l.YMM(), l.YMM()
	l.VPSUBB(c.constant(0), text, isHex)
	l.VPMINUB(c.constant(1), isHex, least)
	l.VPCMPEQB(least, isHex, isHex)
	l.VPOR(c.constant(2), text, folded)
	l.VPSUBB(c.constant(3), folded, letter)
	l.VPMINUB(c.constant(4), letter, least)
	l.VPCMPEQB(least, letter, letter)
	l.VPOR(letter, isHex, isHex)
	l.VPAND(l.upper, letter, letter)
	l.VPXOR(letter, folded, folded)
	return folded, isHex
}

// transpose transposes eight rows of eight words.
func (l *loader256) transpose(r [8]reg.VecVirtual) [8]reg.VecVirtual {
	pair := func(low, high func(ops ...operand.Op), a, b reg.VecVirtual) (x, y reg.VecVirtual) {
		x, y = l.YMM(), l.YMM()
		low(b, a, x)
		high(b, a, y)
		return x, y
	}
	for _, i := range []int{0, 2, 4, 6} {
		r[i], r[i+1] = pair(l.VPUNPCKLDQ, l.VPUNPCKHDQ, r[i], r[i+1])
	}
	for _, i := range []int{0, 4} {
		a, b := pair(l.VPUNPCKLQDQ, l.VPUNPCKHQDQ, r[i], r[i+2])
		c, d := pair(l.VPUNPCKLQDQ, l.VPUNPCKHQDQ, r[i+1], r[i+3])
		r[i], r[i+1], r[i+2], r[i+3] = a, b, c, d
	}
	half := func(which uint8) func(ops ...operand.Op) {
		return func(ops ...operand.Op) { l.VPERM2I128(operand.U8(which), ops[0], ops[1], ops[2]) }
	}
	for i := range 4 {
		r[i], r[i+4] = pair(half(0x20), half(0x31), r[i], r[i+4])
	}
	return r
}

// joinBare removes the hyphens from words 2 to 5, which become three words. Word 8,
// which becomes the last of eight, is in memory.
func (l *loader256) joinBare(w [8]reg.VecVirtual, to reg.Register) [8]reg.VecVirtual {
	l.join(w[2], w[3], 8)
	l.join(w[3], w[4], 16)
	l.join(w[4], w[5], 24)
	l.VMOVDQU(operand.Mem{Base: to, Disp: pitch * 8}, w[5])
	w[5], w[6], w[7] = w[6], w[7], w[5]
	return w
}

// join shifts a word down and fills it with the beginning of the next word.
func (l *loader256) join(w, next reg.VecVirtual, shift int) {
	moved := l.YMM()
	l.VPSRLD(operand.U8(shift), w, w)
	l.VPSLLD(operand.U8(32-shift), next, moved)
	l.VPOR(moved, w, w)
}
