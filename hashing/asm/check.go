package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// check folds the characters of nine words, writes them, and says in which lanes all
// are right. What a character becomes differs from it but in case if it is right: so
// it is looked up by six of its bits, with a hyphen put where one belongs. Without
// hyphens the words become eight. A line whose first four characters are the same is
// left to others: all of its may be.
func (l *loader512) check(raw []reg.VecVirtual, ended reg.Register) (clean reg.OpmaskVirtual) {
	wrong, differ := l.ZMM(), l.ZMM() // in words without hyphens, and in those with
	var first, before, hyphened reg.VecVirtual
	written := 0
	write := func(w reg.VecVirtual) {
		l.VMOVDQU64(w, operand.Mem{Base: l.to, Disp: pitch * written})
		written++
	}
	for i := range 9 {
		x, y := raw[i], l.ZMM()
		if i < 2 || i > 5 {
			l.VPERMB(l.near, x, y)
			if i == 0 {
				first = y
				l.VPXORD(x, y, wrong)
			} else {
				l.VPTERNLOGD(operand.U8(0xf6), y, x, wrong) // wrong | x ^ y
			}
		} else {
			l.VPBROADCASTD(l.constants.Offset(4*21), y)
			l.VPERMB(l.near, x, l.notHyphen[i-2], y)
			l.VPTERNLOGD_BCST(operand.U8(0x28), l.constants.Offset(4*(16+i-2)), y, x) // (x ^ y) & case
			switch i {
			case 2, 4:
				hyphened = x
			case 3:
				l.VPORD(x, hyphened, differ)
			case 5:
				l.VPTERNLOGD(operand.U8(0xfe), x, hyphened, differ) // differ | both
			}
		}
		switch {
		case !l.bare || i < 2 || i > 5:
			write(y)
		case i > 2:
			l.VPSHRDD(operand.U8(8*(i-2)), y, before, before)
			write(before)
		}
		before = y
	}
	l.VPTERNLOGD_BCST(operand.U8(0xf8), l.constants.Offset(4*20), wrong, differ) // differ | wrong & case
	turned, other, clean := l.ZMM(), l.K(), l.K()
	l.VPROLD(operand.U8(8), first, turned)
	l.VPCMPUD(operand.U8(4), turned, first, ended, other) // not equal
	l.VPTESTNMD(differ, differ, other, clean)
	return clean
}

// transpose turns four rows of four words in each block of 128 bits. The first and
// third of them are in registers.
func transpose(c *build.Context, x [4]operand.Op) (y [4]reg.VecVirtual) {
	var half [4]reg.VecVirtual
	for i := range half {
		half[i], y[i] = c.ZMM(), c.ZMM()
	}
	for i := range 2 {
		c.VPUNPCKLDQ(x[2*i+1], x[2*i], half[2*i])
		c.VPUNPCKHDQ(x[2*i+1], x[2*i], half[2*i+1])
	}
	for i := range 2 {
		c.VPUNPCKLQDQ(half[i+2], half[i], y[2*i])
		c.VPUNPCKHQDQ(half[i+2], half[i], y[2*i+1])
	}
	return y
}
