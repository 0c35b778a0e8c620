package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// loader256 loads eight lines of UUIDs, one into each lane. Unlike loader512 it checks
// rows of characters before it transposes them, because AVX2 can make a mask with a bit
// for each character.
type loader256 struct {
	*build.Context
	classifier    *classifier256
	form, text    reg.Register
	stride, three reg.Register
	upper         reg.VecVirtual // 0x20 in every byte if letters become upper case
	hyphen, all   operand.Mem    // hyphens, and ones
	rotate        operand.Mem    // the order of bytes that rotates words by 8 bits
	numbers       operand.Mem    // 0 to 7
}

// load256 emits the kernel that loads lines of the form's length.
func load256(c *build.Context, name string, bare bool) {
	l := newLoader256(c, name)
	function(c, name+"256", "func(text, form *byte, words *uint32, rows *int32, row, eights int) (clean int)",
		"loads groups of eight lines of one length and returns how many", "lines are clean UUIDs, up to the first that is not.")
	l.text = argument(c, "text")
	l.form = argument(c, "form")
	to := argument(c, "words")
	rows := argument(c, "rows")
	n := argument(c, "eights")
	all, clean := l.begin()

	c.Label("eight")
	line, after := l.lines()
	last := l.tails(line, clean)
	c.VMOVDQU(last, operand.Mem{Base: to, Disp: pitch * 8})
	w := l.heads(line, clean)
	if bare {
		w = l.joinBare(w, to)
	}
	for i := range w {
		c.VMOVDQU(w[i], operand.Mem{Base: to, Disp: pitch * i})
	}
	l.writeRows(rows, all)
	l.clearRepeated(w[0], clean)

	c.NOTL(clean.As32())
	c.ORL(operand.U32(1<<8), clean.As32())
	c.TZCNTL(clean.As32(), clean.As32())
	c.ADDQ(clean, all)
	c.CMPQ(clean, operand.U8(8))
	c.JNE(operand.LabelRef("done"))
	c.MOVQ(after, l.text)
	c.ADDQ(operand.U8(32), to)
	c.ADDQ(operand.U8(32), rows)
	c.DECQ(n)
	c.JNE(operand.LabelRef("eight"))

	c.Label("done")
	c.Store(all, c.ReturnIndex(0))
	c.VZEROUPPER()
	c.RET()
}

func newLoader256(c *build.Context, name string) *loader256 {
	l := &loader256{Context: c, classifier: newClassifier256(c, name+"256"), upper: c.YMM()}
	tables := octets(c, name+"256Tables", 32*4, func(i int) byte {
		return [4]byte{'-', 0xff, byte(i%16/4*4 + (i+1)%4), byte(i % 32 / 4 * (1 - min(i%4, 1)))}[i/32]
	})
	l.hyphen, l.all, l.rotate, l.numbers = tables, tables.Offset(32), tables.Offset(64), tables.Offset(96)
	return l
}

// begin loads the stride and the case of the form. It returns a register for the number of
// clean lines, which it sets to 0, and a register for the mask of clean lines among eight.
func (l *loader256) begin() (all, clean reg.GPVirtual) {
	stride, three, all, clean := l.GP64(), l.GP64(), l.GP64(), l.GP64()
	l.stride, l.three = stride, three
	l.MOVQ(operand.Mem{Base: l.form, Disp: formStride}, stride)
	l.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, three)
	l.XORL(all.As32(), all.As32())
	a := l.GP32() // the form's case is that of the a in its table
	l.MOVBLZX(operand.Mem{Base: l.form, Disp: formFold + 'a'}, a)
	l.XORL(operand.U8('a'), a)
	l.VMOVD(a, l.upper.AsX())
	l.VPBROADCASTB(l.upper.AsX(), l.upper)
	return all, clean
}

// lines returns the addresses of eight lines and the address after them.
func (l *loader256) lines() (line func(i int) operand.Mem, after reg.Register) {
	middle, end := l.GP64(), l.GP64()
	l.LEAQ(operand.Mem{Base: l.text, Index: l.stride, Scale: 4}, middle)
	l.LEAQ(operand.Mem{Base: middle, Index: l.stride, Scale: 4}, end)
	return func(i int) operand.Mem {
		return multiple([]reg.Register{l.text, middle, end}[i/4], i%4, l.stride, l.three)
	}, end
}

// tails returns the last words of eight lines and sets in clean the bits of those words that
// are hex.
func (l *loader256) tails(line func(i int) operand.Mem, clean reg.GPVirtual) reg.VecVirtual {
	low, high, both := l.XMM(), l.XMM(), l.YMM()
	for half, x := range []reg.VecVirtual{low, high} {
		l.VMOVD(line(4*half).Offset(32), x)
		for i := 1; i < 4; i++ {
			l.VPINSRD(operand.U8(i), line(4*half+i).Offset(32), x, x)
		}
	}
	l.VINSERTI128(operand.U8(1), high, low.AsY(), both)
	folded, isHex := l.fold(both)
	l.VPCMPEQD(l.all, isHex, isHex)
	l.VMOVMSKPS(isHex, clean.As32())
	return folded
}

// heads returns the first eight words of eight lines. It clears in clean the bits of lines
// with a wrong character or ending.
func (l *loader256) heads(line func(i int) operand.Mem, clean reg.GPVirtual) [8]reg.VecVirtual {
	var rows [8]reg.VecVirtual
	good := l.GP32()
	l.XORL(good, good)
	for i := 7; i >= 0; i-- {
		text := l.YMM()
		l.VMOVDQU(line(i), text)
		folded, isHex := l.fold(text)
		l.VPCMPEQB(l.hyphen, text, text)
		wrong, bits := l.GP32(), l.GP32()
		l.MOVL(line(i).Offset(36), wrong)
		l.XORL(operand.Mem{Base: l.form, Disp: formEnding}, wrong)
		l.ANDL(operand.Mem{Base: l.form, Disp: formMask}, wrong)
		l.VPMOVMSKB(isHex, bits)
		l.XORL(operand.U32(^uint32(hyphens)), bits)
		l.ORL(bits, wrong)
		l.VPMOVMSKB(text, bits)
		l.XORL(operand.U32(hyphens), bits)
		l.ORL(bits, wrong)
		l.CMPL(wrong, operand.U8(1)) // sets the carry flag if nothing is wrong
		l.ADCL(good, good)
		rows[i] = folded
	}
	l.ANDL(good, clean.As32())
	return l.transpose(rows)
}

// writeRows writes the numbers of eight rows. all is the number of rows before them.
func (l *loader256) writeRows(rows reg.Register, all reg.GPVirtual) {
	row, numbers, first := l.GP64(), l.YMM(), l.XMM()
	l.Load(l.Param("row"), row)
	l.ADDQ(all, row)
	l.VMOVD(row.As32(), first)
	l.VPBROADCASTD(first, numbers)
	l.VPADDD(l.numbers, numbers, numbers)
	l.VMOVDQU(numbers, operand.Mem{Base: rows})
}

// clearRepeated clears in clean the bits of lines whose first four characters are equal.
func (l *loader256) clearRepeated(first reg.VecVirtual, clean reg.GPVirtual) {
	rotated, same := l.YMM(), l.GP32()
	l.VPSHUFB(l.rotate, first, rotated)
	l.VPCMPEQD(rotated, first, rotated)
	l.VMOVMSKPS(rotated, same)
	l.NOTL(same)
	l.ANDL(same, clean.As32())
}

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
