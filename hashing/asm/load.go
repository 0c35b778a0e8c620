package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the fields of hashing.form lie.
const (
	formFold   = 0   // 128 characters as they are to be, with 0x80 where they are none
	formStride = 128 // a line's length with its end
	formShift  = 136 // from the line's last eight characters to the last four of its id, in bits
	formEnd    = 140 // what the line's last four characters are…
	formWhere  = 144 // …as far as they are its end
)

// foldedHyphen is what formFold has for a hyphen: so it is wrong anywhere else.
const foldedHyphen = notHex | '-'

// loader512 loads sixteen lines of UUIDs, a line a lane.
type loader512 struct {
	*build.Context
	lower, upper reg.VecVirtual // of formFold
	signs        reg.VecVirtual // the sign of a byte says that it is no hex character
	wrong        reg.VecVirtual // any bit says so
	form         reg.Register
	tables       operand.Mem
	bare         bool // leave the hyphens out
}

// load512 loads UUIDs, one a line of always the same length, sixteen at a time.
// Rows of characters become words of sixteen lanes first, then they are checked:
// so it is known of each line whether it is clean.
func load512(c *build.Context, name string, bare bool) {
	l := &loader512{Context: c, bare: bare, tables: words(c, name+"tables", 16+12+1, func(i int) uint32 {
		switch j := i - 16; {
		case j < 0:
			return uint32(i)
		case j < 4: // the hyphens of words 2 to 5, folded
			return foldedHyphen << (8 * j)
		case j < 8: // where they are
			return 0xff << (8 * (j - 4))
		case j < 12: // the hyphens
			return '-' << (8 * (j - 8))
		}
		return notHex * 0x01010101
	})}
	c.Function(name + "512")
	c.Doc(name + "512 loads lines, sixteen at a time, and returns how many, from the first on, are UUIDs.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(text, form *byte, words *uint32, rows *int32, row, sixteens int) (clean int)")
	c.Pragma("noescape")
	text := c.Load(c.Param("text"), c.GP64())
	form := c.Load(c.Param("form"), c.GP64())
	to := c.Load(c.Param("words"), c.GP64())
	rows := c.Load(c.Param("rows"), c.GP64())
	row := c.GP64()
	c.Load(c.Param("row"), row)
	n := c.Load(c.Param("sixteens"), c.GP64())
	l.form, l.lower, l.upper, l.signs, l.wrong = form, c.ZMM(), c.ZMM(), c.ZMM(), c.ZMM()
	c.VMOVDQU64(operand.Mem{Base: form, Disp: formFold}, l.lower)
	c.VMOVDQU64(operand.Mem{Base: form, Disp: formFold + 64}, l.upper)
	numbers, sixteen := c.ZMM(), c.ZMM()
	c.VPBROADCASTD(row.As32(), numbers)
	c.VPADDD(l.tables, numbers, numbers)
	c.MOVL(operand.U32(16), row.As32())
	c.VPBROADCASTD(row.As32(), sixteen)
	stride, three, all, ended, clean := c.GP64(), c.GP64(), c.GP64(), c.GP64(), c.GP64()
	c.MOVQ(operand.Mem{Base: form, Disp: formStride}, stride)
	c.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, three)
	c.XORL(all.As32(), all.As32())

	c.Label("sixteen")
	c.VPXORQ(l.signs, l.signs, l.signs)
	c.VPXORQ(l.wrong, l.wrong, l.wrong)
	head, tail, behind := l.lines(text, stride, three)
	last := l.tails(tail, ended)
	w := l.check(append(l.heads(head), last))
	for i := range w {
		c.VMOVDQU64(w[i], operand.Mem{Base: to, Disp: pitch * i})
	}
	c.VMOVDQU64(numbers, operand.Mem{Base: rows})
	l.clean(w[0], clean)
	// What comes next hangs on where the lines end, which is known early; that
	// they hold ids, which is known late, is a guess that is nearly always right.
	c.CMPQ(clean, ended)
	c.JB(operand.LabelRef("dirty"))
	c.ADDQ(ended, all)
	c.CMPQ(ended, operand.U8(16))
	c.JNE(operand.LabelRef("done"))
	c.VPADDD(sixteen, numbers, numbers)
	c.MOVQ(behind, text)
	c.ADDQ(operand.U8(64), to)
	c.ADDQ(operand.U8(64), rows)
	c.DECQ(n)
	c.JNE(operand.LabelRef("sixteen"))
	c.JMP(operand.LabelRef("done"))

	c.Label("dirty")
	c.ADDQ(clean, all)

	c.Label("done")
	c.Store(all, c.ReturnIndex(0))
	c.VZEROUPPER()
	c.RET()
}

// lines are the addresses of sixteen lines, those of the last sixteen characters
// of each, its end included, and what lies behind all.
func (l *loader512) lines(text, stride, three reg.Register) (head, tail func(i int) operand.Mem, behind reg.Register) {
	bases := []reg.Register{text}
	for i := range 4 {
		next := l.GP64()
		l.LEAQ(operand.Mem{Base: bases[i], Index: stride, Scale: 4}, next)
		bases = append(bases, next)
	}
	head = func(i int) operand.Mem {
		m := operand.Mem{Base: bases[i/4]}
		switch i % 4 {
		case 1:
			m.Index, m.Scale = stride, 1
		case 2:
			m.Index, m.Scale = stride, 2
		case 3:
			m.Index, m.Scale = three, 1
		}
		return m
	}
	// A line's tail ends where the next line begins.
	tail = func(i int) operand.Mem { return head(i + 1).Offset(-16) }
	return head, tail, bases[4]
}

// check folds the characters of nine words and notes which are wrong. Without
// hyphens the words become eight.
func (l *loader512) check(w []reg.VecVirtual) []reg.VecVirtual {
	for i := range w {
		raw := l.ZMM()
		l.VMOVDQA64(w[i], raw)
		l.VPERMI2B(l.upper, l.lower, w[i])
		hyphen := l.tables.Offset(4 * (16 + i - 2))
		if 2 <= i && i <= 5 {
			l.VPXORD_BCST(hyphen, w[i], w[i])
			l.VPTERNLOGD_BCST(operand.U8(0xf8), hyphen.Offset(16), w[i], l.wrong) // wrong | w & where
		}
		l.VPTERNLOGD(operand.U8(0xfe), raw, w[i], l.signs) // signs | w | raw
		if 2 <= i && i <= 5 && !l.bare {
			l.VPORD_BCST(hyphen.Offset(32), w[i], w[i])
		}
	}
	if !l.bare {
		return w
	}
	l.VPSHRDD(operand.U8(8), w[3], w[2], w[2])
	l.VPSHRDD(operand.U8(16), w[4], w[3], w[3])
	l.VPSHRDD(operand.U8(24), w[5], w[4], w[4])
	return append(w[:5], w[6:]...)
}

// heads are the first eight words of sixteen lines.
func (l *loader512) heads(head func(i int) operand.Mem) []reg.VecVirtual {
	var half [2][4]reg.VecVirtual
	for h := range half {
		var x [4]reg.VecVirtual
		for i := range x {
			x[i] = l.ZMM()
			l.VMOVDQU64(head(8*h+i), x[i].AsY())
			l.VINSERTI64X4(operand.U8(1), head(8*h+4+i), x[i], x[i])
		}
		half[h] = transpose(l.Context, x)
	}
	w := make([]reg.VecVirtual, 8)
	for i := range 4 {
		w[i], w[i+4] = l.ZMM(), l.ZMM()
		l.VSHUFI64X2(operand.U8(0x88), half[1][i], half[0][i], w[i])
		l.VSHUFI64X2(operand.U8(0xdd), half[1][i], half[0][i], w[i+4])
	}
	return w
}

// tails are the last words of sixteen lines. It counts in ended the lines, from
// the first on, that end where they should.
func (l *loader512) tails(tail func(i int) operand.Mem, ended reg.GPVirtual) (last reg.VecVirtual) {
	var x [4]reg.VecVirtual
	for i := range x {
		x[i] = l.ZMM()
		l.VMOVDQU64(tail(i), x[i].AsX())
		for block := 1; block < 4; block++ {
			l.VINSERTI32X4(operand.U8(block), tail(4*block+i), x[i], x[i])
		}
	}
	a, b, last, end := l.ZMM(), l.ZMM(), l.ZMM(), l.ZMM()
	l.VPUNPCKHDQ(x[1], x[0], a)
	l.VPUNPCKHDQ(x[3], x[2], b)
	l.VPUNPCKLQDQ(b, a, last)
	l.VPUNPCKHQDQ(b, a, end)
	shift := l.ZMM()
	l.VPBROADCASTD(operand.Mem{Base: l.form, Disp: formShift}, shift)
	l.VPSHRDVD(shift, end, last)
	right := l.K()
	l.VPXORD_BCST(operand.Mem{Base: l.form, Disp: formEnd}, end, end)
	l.VPTESTNMD_BCST(operand.Mem{Base: l.form, Disp: formWhere}, end, right)
	count(l.Context, right, ended)
	return last
}

// transpose turns four rows of four words in each block of 128 bits.
func transpose(c *build.Context, x [4]reg.VecVirtual) (y [4]reg.VecVirtual) {
	var half [4]reg.VecVirtual
	for i := range half {
		half[i], y[i] = c.ZMM(), c.ZMM()
	}
	c.VPUNPCKLDQ(x[1], x[0], half[0])
	c.VPUNPCKHDQ(x[1], x[0], half[1])
	c.VPUNPCKLDQ(x[3], x[2], half[2])
	c.VPUNPCKHDQ(x[3], x[2], half[3])
	for i := range 2 {
		c.VPUNPCKLQDQ(half[i+2], half[i], y[2*i])
		c.VPUNPCKHQDQ(half[i+2], half[i], y[2*i+1])
	}
	return y
}

// clean counts the lines, from the first on, in which nothing is wrong. A line
// whose first four characters are the same is left to others: all of its may be.
func (l *loader512) clean(first reg.VecVirtual, n reg.GPVirtual) {
	same, clean, turned := l.K(), l.K(), l.ZMM()
	l.VPROLD(operand.U8(8), first, turned)
	l.VPCMPEQD(turned, first, same)
	l.VPTERNLOGD_BCST(operand.U8(0xf8), l.tables.Offset(4*28), l.signs, l.wrong)
	l.VPTESTNMD(l.wrong, l.wrong, clean)
	l.KANDNW(clean, same, clean)
	count(l.Context, clean, n)
}

// count counts the lanes, from the first on, that are in a mask.
func count(c *build.Context, mask reg.Register, n reg.GPVirtual) {
	c.KMOVW(mask, n.As32())
	c.NOTL(n.As32())
	c.ORL(operand.U32(1<<16), n.As32())
	c.TZCNTL(n.As32(), n.As32())
}
