package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The table of a loader's constants, in words.
const (
	ascendingAt = 0  // 0 to 15
	exceptAt    = 16 // for words 2 to 5: see check512
	caseAt      = 20 // all bits of four characters except those of the case
	hyphenAt    = 21 // four hyphens
	sixteenAt   = 22 // 16
)

const (
	caseBits   = 0xdfdfdfdf
	allHyphens = '-' * 0x01010101
)

// loader512 loads sixteen lines of UUIDs, one into each lane. It first transposes rows of
// characters into words of sixteen lanes and then checks the words, so that it knows of each
// line whether it is clean.
type loader512 struct {
	*build.Context
	bare       bool        // omit the hyphens
	constants  operand.Mem // a table
	halves     operand.Mem // the permutations that separate the first and the second words of pairs
	text, form reg.Register
	to         reg.Register   // the words of the messages
	n          reg.Register   // the groups of sixteen that remain
	near       reg.VecVirtual // of the form
	notHyphen  [4]reg.OpmaskVirtual
}

func newLoader512(c *build.Context, name string, bare bool) *loader512 {
	constants := func(i int) uint32 {
		switch {
		case i < exceptAt:
			return uint32(i)
		case i < caseAt:
			return caseBits | 0xff<<(8*(i-exceptAt))
		}
		return map[int]uint32{caseAt: caseBits, hyphenAt: allHyphens, sixteenAt: 16}[i]
	}
	return &loader512{
		Context: c, bare: bare,
		constants: words(c, "load"+name+"Constants", sixteenAt+1, constants),
		halves:    words(c, "load"+name+"Halves", 32, func(i int) uint32 { return uint32(i%16*2 + i/16) }),
	}
}

// load emits the kernel that loads lines of the form's length.
func (l *loader512) load(name string) {
	function(l.Context, name, "func(text, form *byte, words *uint32, rows *int32, row, groups int) (clean int)",
		"loads groups of sixteen lines of one length and returns how many", "lines are clean UUIDs, up to the first that is not.")
	l.begin()
	l.text = argument(l.Context, "text")
	rows, numbers := l.numberRows()
	stride, three := l.GP64(), l.GP64()
	l.MOVQ(operand.Mem{Base: l.form, Disp: formStride}, stride)
	l.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, three)

	l.Label("group")
	line, after := l.strided(stride, three)
	clean := l.loadGroup(line)
	l.VMOVDQU64(numbers, operand.Mem{Base: rows})
	dirty := l.GP64()
	l.KMOVW(clean, dirty.As32())
	l.XORL(operand.U32(0xffff), dirty.As32())
	l.JNE(operand.LabelRef("dirty"))
	l.MOVQ(after, l.text)
	l.VPADDD_BCST(l.constants.Offset(4*sixteenAt), numbers, numbers)
	l.ADDQ(operand.U8(64), l.to)
	l.ADDQ(operand.U8(64), rows)
	l.DECQ(l.n)
	l.JNE(operand.LabelRef("group"))
	l.JMP(operand.LabelRef("done"))

	l.Label("dirty")
	l.TZCNTL(dirty.As32(), dirty.As32())
	l.LEAQ(operand.Mem{Base: rows, Index: dirty, Scale: 4}, rows)

	l.Label("done")
	first := argument(l.Context, "rows")
	l.SUBQ(first, rows)
	l.SHRQ(operand.U8(2), rows)
	l.Store(rows, l.ReturnIndex(0))
	l.VZEROUPPER()
	l.RET()
}

// begin loads the arguments and constants that are the same for all lines.
func (l *loader512) begin() {
	l.form = argument(l.Context, "form")
	l.near = l.ZMM()
	l.VMOVDQU64(operand.Mem{Base: l.form, Disp: formNear}, l.near)
	bits := l.GP64()
	for i := range l.notHyphen {
		l.notHyphen[i] = l.K()
		l.MOVQ(operand.U64(^(uint64(0x1111111111111111) << i)), bits)
		l.KMOVQ(bits, l.notHyphen[i])
	}
	l.to = argument(l.Context, "words")
	l.n = argument(l.Context, "groups")
}

// numberRows returns the address at which the numbers of rows are written, and the first
// sixteen numbers.
func (l *loader512) numberRows() (rows reg.Register, numbers reg.VecVirtual) {
	rows, numbers = argument(l.Context, "rows"), l.ZMM()
	row := l.GP64()
	l.Load(l.Param("row"), row)
	l.VPBROADCASTD(row.As32(), numbers)
	l.VPADDD(l.constants.Offset(4*ascendingAt), numbers, numbers)
	return rows, numbers
}

// strided returns the addresses of sixteen lines and the address after them. three is
// three times the stride.
func (l *loader512) strided(stride, three reg.Register) (line func(i int) operand.Mem, after reg.Register) {
	bases := []reg.Register{l.text}
	for i := range 4 {
		next := l.GP64()
		l.LEAQ(operand.Mem{Base: bases[i], Index: stride, Scale: 4}, next)
		bases = append(bases, next)
	}
	return func(i int) operand.Mem { return multiple(bases[i/4], i%4, stride, three) }, bases[4]
}

// multiple returns the address n strides after base, for n from 0 to 3.
func multiple(base reg.Register, n int, stride, three reg.Register) operand.Mem {
	m := operand.Mem{Base: base}
	switch n {
	case 1:
		m.Index, m.Scale = stride, 1
	case 2:
		m.Index, m.Scale = stride, 2
	case 3:
		m.Index, m.Scale = three, 1
	}
	return m
}

// loadGroup loads sixteen lines and returns which of them have a UUID and the form's ending.
func (l *loader512) loadGroup(line func(i int) operand.Mem) (clean reg.OpmaskVirtual) {
	last, endings := l.tails(line)
	ended := l.K()
	l.VPXORD_BCST(operand.Mem{Base: l.form, Disp: formEnding}, endings, endings)
	l.VPTESTNMD_BCST(operand.Mem{Base: l.form, Disp: formMask}, endings, ended)
	return l.check(append(l.heads(line), last), ended)
}

// tails returns the last words of sixteen lines, and the four characters after them.
func (l *loader512) tails(line func(i int) operand.Mem) (last, endings reg.VecVirtual) {
	two := func(i int) reg.VecVirtual {
		x := l.XMM()
		l.VMOVQ(line(i).Offset(32), x)
		l.VMOVHPS(line(i+1).Offset(32), x, x)
		return x
	}
	four := func(i int) reg.VecVirtual {
		low, high, y := two(i), two(i+2), l.YMM()
		l.VINSERTI128(operand.U8(1), high, low.AsY(), y)
		return y
	}
	eight := func(i int) reg.VecVirtual {
		low, high, z := four(i), four(i+4), l.ZMM()
		l.VINSERTI64X4(operand.U8(1), high, low.AsZ(), z)
		return z
	}
	low, high := eight(0), eight(8)
	last, endings = l.ZMM(), l.ZMM()
	for i, half := range []reg.VecVirtual{last, endings} {
		l.VMOVDQU64(l.halves.Offset(64*i), half)
		l.VPERMI2D(high, low, half)
	}
	return last, endings
}

// heads returns the first eight words of sixteen lines.
func (l *loader512) heads(line func(i int) operand.Mem) []reg.VecVirtual {
	var half [2][4]reg.VecVirtual
	for h := range half {
		var x [4]reg.VecVirtual
		for i := range x {
			x[i] = l.ZMM()
			l.VMOVDQU64(line(8*h+i), x[i].AsY())
			l.VINSERTI64X4(operand.U8(1), line(8*h+4+i), x[i], x[i])
		}
		half[h] = transpose512(l.Context, x)
	}
	w := make([]reg.VecVirtual, 8)
	for i := range 4 {
		w[i], w[i+4] = l.ZMM(), l.ZMM()
		l.VSHUFI64X2(operand.U8(0x88), half[1][i], half[0][i], w[i])
		l.VSHUFI64X2(operand.U8(0xdd), half[1][i], half[0][i], w[i+4])
	}
	return w
}

// transpose512 transposes four rows of four words in each block of 128 bits.
func transpose512(c *build.Context, x [4]reg.VecVirtual) (y [4]reg.VecVirtual) {
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
