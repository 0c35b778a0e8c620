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
}

// load512 loads sixteen UUIDs, one a line of always the same length. Rows of
// characters become words of sixteen lanes first, then they are checked: so it
// is known of each line whether it is clean.
func load512(c *build.Context, name string, bare bool) {
	tables := words(c, name+"tables", 16+12, func(i int) uint32 {
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
		return 0
	})
	high := words(c, name+"high", 1, func(int) uint32 { return notHex * 0x01010101 })

	c.Function(name + "512")
	c.Doc(name + "512 loads sixteen lines and returns how many, from the first on, are UUIDs.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(text, form *byte, words *uint32, rows *int32, row int) (clean int)")
	c.Pragma("noescape")
	l := &loader512{Context: c, lower: c.ZMM(), upper: c.ZMM(), signs: c.ZMM(), wrong: c.ZMM()}
	text := c.Load(c.Param("text"), c.GP64())
	l.form = c.Load(c.Param("form"), c.GP64())
	c.VMOVDQU64(operand.Mem{Base: l.form, Disp: formFold}, l.lower)
	c.VMOVDQU64(operand.Mem{Base: l.form, Disp: formFold + 64}, l.upper)
	c.VPXORQ(l.signs, l.signs, l.signs)
	c.VPXORQ(l.wrong, l.wrong, l.wrong)

	w := l.words(l.lines(text))
	for i := range w {
		raw := c.ZMM()
		c.VMOVDQA64(w[i], raw)
		c.VPERMI2B(l.upper, l.lower, w[i])
		hyphen := tables.Offset(4 * (16 + i - 2))
		if 2 <= i && i <= 5 {
			c.VPXORD_BCST(hyphen, w[i], w[i])
			c.VPTERNLOGD_BCST(operand.U8(0xf8), hyphen.Offset(16), w[i], l.wrong) // wrong | w & where
		}
		c.VPTERNLOGD(operand.U8(0xfe), raw, w[i], l.signs) // signs | w | raw
		if 2 <= i && i <= 5 && !bare {
			c.VPORD_BCST(hyphen.Offset(32), w[i], w[i])
		}
	}
	if bare {
		c.VPSHRDD(operand.U8(8), w[3], w[2], w[2])
		c.VPSHRDD(operand.U8(16), w[4], w[3], w[3])
		c.VPSHRDD(operand.U8(24), w[5], w[4], w[4])
		w = append(w[:5], w[6:]...)
	}
	to := c.Load(c.Param("words"), c.GP64())
	for i := range w {
		c.VMOVDQU64(w[i], operand.Mem{Base: to, Disp: pitch * i})
	}
	l.number(tables)
	c.Store(l.clean(w[0], high), c.ReturnIndex(0))
	c.VZEROUPPER()
	c.RET()
}

// lines are the addresses of sixteen lines, and of the last sixteen characters
// of each, its end included.
func (l *loader512) lines(text reg.Register) (head, tail func(i int) operand.Mem) {
	stride, three := l.GP64(), l.GP64()
	l.MOVQ(operand.Mem{Base: l.form, Disp: formStride}, stride)
	l.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, three)
	bases := []reg.Register{text}
	for i := range 3 {
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
	// The next line begins where this one's tail ends; behind the last, the
	// base moves on.
	after := l.GP64()
	l.LEAQ(operand.Mem{Base: bases[3], Index: stride, Scale: 4}, after)
	bases = append(bases, after)
	tail = func(i int) operand.Mem { return head(i + 1).Offset(-16) }
	return head, tail
}

// words are the nine words of sixteen lines.
func (l *loader512) words(head, tail func(i int) operand.Mem) []reg.VecVirtual {
	w := make([]reg.VecVirtual, 8)
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
	for i := range 4 {
		w[i], w[i+4] = l.ZMM(), l.ZMM()
		l.VSHUFI64X2(operand.U8(0x88), half[1][i], half[0][i], w[i])
		l.VSHUFI64X2(operand.U8(0xdd), half[1][i], half[0][i], w[i+4])
	}

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
	l.VPXORD_BCST(operand.Mem{Base: l.form, Disp: formEnd}, end, end)
	l.VPTERNLOGD_BCST(operand.U8(0xf8), operand.Mem{Base: l.form, Disp: formWhere}, end, l.wrong)
	return append(w, last)
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

// number writes the numbers of the lines' rows.
func (l *loader512) number(ascending operand.Mem) {
	rows := l.Load(l.Param("rows"), l.GP64())
	row := l.GP64()
	l.Load(l.Param("row"), row)
	n := l.ZMM()
	l.VPBROADCASTD(row.As32(), n)
	l.VPADDD(ascending, n, n)
	l.VMOVDQU64(n, operand.Mem{Base: rows})
}

// clean is how many lines, from the first on, have nothing wrong. A line whose
// first four characters are the same is left to others: all of its may be.
func (l *loader512) clean(first reg.VecVirtual, high operand.Mem) reg.GPVirtual {
	same, clean, turned := l.K(), l.K(), l.ZMM()
	l.VPROLD(operand.U8(8), first, turned)
	l.VPCMPEQD(turned, first, same)
	l.VPTERNLOGD_BCST(operand.U8(0xf8), high, l.signs, l.wrong)
	l.VPTESTNMD(l.wrong, l.wrong, clean)
	l.KANDNW(clean, same, clean)
	n := l.GP64()
	l.KMOVW(clean, n.As32())
	l.NOTL(n.As32())
	l.ORL(operand.U32(1<<16), n.As32())
	l.TZCNTL(n.As32(), n.As32())
	return n
}
