package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// hyphens256 has a bit for each of a UUID's first 32 characters that is a hyphen.
const hyphens256 = 1<<8 | 1<<13 | 1<<18 | 1<<23

// loader256 loads eight lines of UUIDs, a line a lane.
type loader256 struct {
	*build.Context
	hexes         *hexes256
	form, text    reg.Register
	stride, three reg.Register
	upper         reg.VecVirtual // 0x20 in every byte where letters are to be capitals
	hyphen, all   operand.Mem    // of each byte
	turn          operand.Mem    // order of bytes that turns words by 8 bits
	numbers       operand.Mem    // 0 to 7
}

// load256 loads UUIDs as load512 does, eight at a time. Here it is checked row by
// row: AVX2 gives a bit for each character.
func load256(c *build.Context, name string, bare bool) {
	l := &loader256{Context: c, hexes: newHex256(c, name+"256"), upper: c.YMM()}
	tables := octets(c, name+"256tables", 32*4, func(i int) byte {
		return [4]byte{'-', 0xff, byte(i%16/4*4 + (i+1)%4), byte(i % 32 / 4 * (1 - min(i%4, 1)))}[i/32]
	})
	l.hyphen, l.all, l.turn, l.numbers = tables, tables.Offset(32), tables.Offset(64), tables.Offset(96)

	c.Function(name + "256")
	c.Doc(name + "256 loads lines, eight at a time, and returns how many, from the first on, are UUIDs.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(text, form *byte, words *uint32, rows *int32, row, eights int) (clean int)")
	c.Pragma("noescape")
	l.text = c.Load(c.Param("text"), c.GP64())
	l.form = c.Load(c.Param("form"), c.GP64())
	to := c.Load(c.Param("words"), c.GP64())
	rows := c.Load(c.Param("rows"), c.GP64())
	n := c.Load(c.Param("eights"), c.GP64())
	stride, three, all, clean := c.GP64(), c.GP64(), c.GP64(), c.GP64()
	l.stride, l.three = stride, three
	c.MOVQ(operand.Mem{Base: l.form, Disp: formStride}, stride)
	c.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, three)
	c.XORL(all.As32(), all.As32())
	a := c.GP32() // what becomes of an a tells the case
	c.MOVBLZX(operand.Mem{Base: l.form, Disp: formFold + 'a'}, a)
	c.XORL(operand.U8('a'), a)
	c.VMOVD(a, l.upper.AsX())
	c.VPBROADCASTB(l.upper.AsX(), l.upper)

	c.Label("eight")
	head, behind := l.lines()
	last := l.tails(head, clean)
	c.VMOVDQU(last, operand.Mem{Base: to, Disp: pitch * 8})
	w := l.heads(head, clean)
	if bare {
		// Word 8 is in memory: it is the last of eight then.
		l.join(w[2], w[3], 8)
		l.join(w[3], w[4], 16)
		l.join(w[4], w[5], 24)
		c.VMOVDQU(operand.Mem{Base: to, Disp: pitch * 8}, w[5])
		w[5], w[6], w[7] = w[6], w[7], w[5]
	}
	for i := range w {
		c.VMOVDQU(w[i], operand.Mem{Base: to, Disp: pitch * i})
	}
	row, numbers, first := c.GP64(), c.YMM(), c.XMM()
	c.Load(c.Param("row"), row)
	c.ADDQ(all, row)
	c.VMOVD(row.As32(), first)
	c.VPBROADCASTD(first, numbers)
	c.VPADDD(l.numbers, numbers, numbers)
	c.VMOVDQU(numbers, operand.Mem{Base: rows})
	l.notSame(w[0], clean)

	c.NOTL(clean.As32())
	c.ORL(operand.U32(1<<8), clean.As32())
	c.TZCNTL(clean.As32(), clean.As32())
	c.ADDQ(clean, all)
	c.CMPQ(clean, operand.U8(8))
	c.JNE(operand.LabelRef("done"))
	c.MOVQ(behind, l.text)
	c.ADDQ(operand.U8(32), to)
	c.ADDQ(operand.U8(32), rows)
	c.DECQ(n)
	c.JNE(operand.LabelRef("eight"))

	c.Label("done")
	c.Store(all, c.ReturnIndex(0))
	c.VZEROUPPER()
	c.RET()
}

// lines are the addresses of eight lines and what lies behind them.
func (l *loader256) lines() (head func(i int) operand.Mem, behind reg.Register) {
	middle, end := l.GP64(), l.GP64()
	l.LEAQ(operand.Mem{Base: l.text, Index: l.stride, Scale: 4}, middle)
	l.LEAQ(operand.Mem{Base: middle, Index: l.stride, Scale: 4}, end)
	return func(i int) operand.Mem {
		m := operand.Mem{Base: []reg.Register{l.text, middle, end}[i/4]}
		switch i % 4 {
		case 1:
			m.Index, m.Scale = l.stride, 1
		case 2:
			m.Index, m.Scale = l.stride, 2
		case 3:
			m.Index, m.Scale = l.three, 1
		}
		return m
	}, end
}

// fold brings the letters among hex characters to the form's case; right is as
// hexes256.values has it.
func (l *loader256) fold(text reg.VecVirtual) (folded, right reg.VecVirtual) {
	h := l.hexes
	letter, least := l.YMM(), l.YMM()
	folded, right = l.YMM(), l.YMM()
	l.VPSUBB(h.constant(0), text, right)
	l.VPMINUB(h.constant(1), right, least)
	l.VPCMPEQB(least, right, right)
	l.VPOR(h.constant(2), text, folded)
	l.VPSUBB(h.constant(3), folded, letter)
	l.VPMINUB(h.constant(4), letter, least)
	l.VPCMPEQB(least, letter, letter)
	l.VPOR(letter, right, right)
	l.VPAND(l.upper, letter, letter)
	l.VPXOR(letter, folded, folded)
	return folded, right
}

// tails are the last words of eight lines. A bit of clean is set for each that
// is right.
func (l *loader256) tails(head func(i int) operand.Mem, clean reg.GPVirtual) reg.VecVirtual {
	low, high, both := l.XMM(), l.XMM(), l.YMM()
	for half, x := range []reg.VecVirtual{low, high} {
		l.VMOVD(head(4*half).Offset(32), x)
		for i := 1; i < 4; i++ {
			l.VPINSRD(operand.U8(i), head(4*half+i).Offset(32), x, x)
		}
	}
	l.VINSERTI128(operand.U8(1), high, low.AsY(), both)
	folded, right := l.fold(both)
	l.VPCMPEQD(l.all, right, right)
	l.VMOVMSKPS(right, clean.As32())
	return folded
}

// heads are the first eight words of eight lines. Bits of clean are cleared for
// lines in which something is wrong, their ends included.
func (l *loader256) heads(head func(i int) operand.Mem, clean reg.GPVirtual) [8]reg.VecVirtual {
	var rows [8]reg.VecVirtual
	good := l.GP32()
	l.XORL(good, good)
	for i := 7; i >= 0; i-- {
		text := l.YMM()
		l.VMOVDQU(head(i), text)
		folded, right := l.fold(text)
		l.VPCMPEQB(l.hyphen, text, text)
		wrong, bits := l.GP32(), l.GP32()
		l.MOVL(head(i).Offset(36), wrong)
		l.XORL(operand.Mem{Base: l.form, Disp: formEnd}, wrong)
		l.ANDL(operand.Mem{Base: l.form, Disp: formWhere}, wrong)
		l.VPMOVMSKB(right, bits)
		l.XORL(operand.U32(^uint32(hyphens256)), bits)
		l.ORL(bits, wrong)
		l.VPMOVMSKB(text, bits)
		l.XORL(operand.U32(hyphens256), bits)
		l.ORL(bits, wrong)
		l.CMPL(wrong, operand.U8(1)) // borrows where nothing is wrong
		l.ADCL(good, good)
		rows[i] = folded
	}
	l.ANDL(good, clean.As32())
	return l.transpose(rows)
}

// transpose turns eight rows of eight words.
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

// join moves a word's characters down, and the next word's behind them.
func (l *loader256) join(w, next reg.VecVirtual, shift int) {
	moved := l.YMM()
	l.VPSRLD(operand.U8(shift), w, w)
	l.VPSLLD(operand.U8(32-shift), next, moved)
	l.VPOR(moved, w, w)
}

// notSame clears the bits of lines whose first four characters are the same.
func (l *loader256) notSame(first reg.VecVirtual, clean reg.GPVirtual) {
	turned, same := l.YMM(), l.GP32()
	l.VPSHUFB(l.turn, first, turned)
	l.VPCMPEQD(turned, first, turned)
	l.VMOVMSKPS(turned, same)
	l.NOTL(same)
	l.ANDL(same, clean.As32())
}
