package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// check512 checks the nine words of sixteen UUIDs. It looks up each character by its low six
// bits, and inserts hyphens at their places. For a valid character the result is the same
// character in the form's case, so that the two differ in case at most.
type check512 struct {
	*loader512
	wrong   reg.VecVirtual // bits that differ, in words without hyphens
	differ  reg.VecVirtual // bits that differ other than by case, in words with hyphens
	waiting reg.VecVirtual // the differing bits of one word, before they are added to differ
	folded  reg.VecVirtual // the previous word
	written int
}

// hasHyphen reports whether word i of a UUID has a hyphen.
func hasHyphen(i int) bool { return 2 <= i && i <= 5 }

// check converts nine words to the form's case, writes them as a message, and returns the
// lanes with a UUID, out of the lanes in ended. It does not report a UUID whose first four
// characters are equal, so that the caller checks it for a repeated digit.
func (l *loader512) check(raw []reg.VecVirtual, ended reg.Register) (clean reg.OpmaskVirtual) {
	c := &check512{loader512: l, wrong: l.ZMM(), differ: l.ZMM()}
	var first reg.VecVirtual
	for i, x := range raw {
		y := l.ZMM()
		if hasHyphen(i) {
			c.foldHyphen(i, x, y)
		} else {
			c.foldDigits(i, x, y)
		}
		if i == 0 {
			first = y
		}
		c.writeWord(i, y)
		c.folded = y
	}
	l.VPTERNLOGD_BCST(operand.U8(0xf8), l.constants.Offset(4*caseAt), c.wrong, c.differ) // differ | wrong & case
	rotated, other, clean := l.ZMM(), l.K(), l.K()
	l.VPROLD(operand.U8(8), first, rotated)
	l.VPCMPUD(operand.U8(4), rotated, first, ended, other) // not equal
	l.VPTESTNMD(c.differ, c.differ, other, clean)
	return clean
}

// foldDigits converts word i, four digits, from x to y.
func (c *check512) foldDigits(i int, x, y reg.VecVirtual) {
	c.VPERMB(c.near, x, y)
	if i == 0 {
		c.VPXORD(x, y, c.wrong)
	} else {
		c.VPTERNLOGD(operand.U8(0xf6), y, x, c.wrong) // wrong | x ^ y
	}
}

// foldHyphen converts word i, three digits and a hyphen, from x to y, and overwrites x.
func (c *check512) foldHyphen(i int, x, y reg.VecVirtual) {
	c.VPBROADCASTD(c.constants.Offset(4*hyphenAt), y)
	c.VPERMB(c.near, x, c.notHyphen[i-2], y)
	c.VPTERNLOGD_BCST(operand.U8(0x28), c.constants.Offset(4*(exceptAt+i-2)), y, x) // (x ^ y) & except
	switch i {
	case 2, 4:
		c.waiting = x
	case 3:
		c.VPORD(x, c.waiting, c.differ)
	case 5:
		c.VPTERNLOGD(operand.U8(0xfe), x, c.waiting, c.differ) // differ | both
	}
}

// writeWord writes word i. Without hyphens, words 2 to 5 become three words.
func (c *check512) writeWord(i int, y reg.VecVirtual) {
	switch {
	case !c.bare || !hasHyphen(i):
		c.write(y)
	case i > 2:
		c.VPSHRDD(operand.U8(8*(i-2)), y, c.folded, c.folded)
		c.write(c.folded)
	}
}

func (c *check512) write(w reg.VecVirtual) {
	c.VMOVDQU64(w, operand.Mem{Base: c.to, Disp: pitch * c.written})
	c.written++
}
