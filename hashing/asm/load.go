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
	formNear   = 128 // 64 by their low six bits: the hex character as it is to be, else another
	formStride = 192 // a line's length with its end
	formEnd    = 200 // what the four characters behind an id are…
	formWhere  = 204 // …as far as they are its line's end
)

// loader512 loads sixteen lines of UUIDs, a line a lane.
type loader512 struct {
	*build.Context
	bare       bool // leave the hyphens out
	constants  operand.Mem
	halves     operand.Mem // which words of pairs are their first, and which their second
	text, form reg.Register
	to         reg.Register   // the words
	n          reg.Register   // how many times
	near       reg.VecVirtual // of the form
	notHyphen  [4]reg.OpmaskVirtual
}

// newLoader512 returns what loads UUIDs, sixteen lines at a time. Rows of
// characters become words of sixteen lanes first, then they are checked: so it is
// known of each line whether it is clean.
func newLoader512(c *build.Context, name string, bare bool) *loader512 {
	return &loader512{
		Context: c, bare: bare,
		constants: words(c, name+"constants", 16+4+3, func(i int) uint32 {
			switch j := i - 16; {
			case j < 0:
				return uint32(i)
			case j < 4: // where two characters of words 2 to 5 differ but in their case
				return 0xdfdfdfdf | 0xff<<(8*j)
			}
			return [3]uint32{0xdfdfdfdf, '-' * 0x01010101, 16}[i-20]
		}),
		halves: words(c, name+"halves", 32, func(i int) uint32 { return uint32(i%16*2 + i/16) }),
	}
}

func (l *loader512) function(name, doc, signature string) {
	l.Function(name)
	l.Doc(name + " " + doc)
	l.Attributes(attr.NOSPLIT)
	l.SignatureExpr(signature)
	l.Pragma("noescape")
	l.prepare()
	l.to = l.Load(l.Param("words"), l.GP64())
	l.n = l.Load(l.Param("sixteens"), l.GP64())
}

// prepare loads what is the same for all lines.
func (l *loader512) prepare() {
	l.form = l.Load(l.Param("form"), l.GP64())
	l.near = l.ZMM()
	l.VMOVDQU64(operand.Mem{Base: l.form, Disp: formNear}, l.near)
	bits := l.GP64()
	for i := range l.notHyphen {
		l.notHyphen[i] = l.K()
		l.MOVQ(operand.U64(^(uint64(0x1111111111111111) << i)), bits)
		l.KMOVQ(bits, l.notHyphen[i])
	}
}

// lines takes lines of the form's length.
func (l *loader512) lines(name string) {
	l.function(name, "loads lines of one length, sixteen at a time, and returns how many, from the first on, are UUIDs.",
		"func(text, form *byte, words *uint32, rows *int32, row, sixteens int) (clean int)")
	l.text = l.Load(l.Param("text"), l.GP64())
	rows, numbers := l.numbered()
	stride, three := l.GP64(), l.GP64()
	l.MOVQ(operand.Mem{Base: l.form, Disp: formStride}, stride)
	l.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, three)

	l.Label("sixteen")
	head, behind := l.strided(stride, three)
	clean := l.load(head)
	l.VMOVDQU64(numbers, operand.Mem{Base: rows})
	dirty := l.GP64()
	l.KMOVW(clean, dirty.As32())
	l.XORL(operand.U32(0xffff), dirty.As32())
	l.JNE(operand.LabelRef("dirty"))
	l.MOVQ(behind, l.text)
	l.again(rows, numbers)

	l.Label("dirty")
	l.TZCNTL(dirty.As32(), dirty.As32())
	l.LEAQ(operand.Mem{Base: rows, Index: dirty, Scale: 4}, rows)

	l.Label("done")
	l.returnRows(rows)
}

// numbered are the numbers of the first sixteen rows, and where they are written.
func (l *loader512) numbered() (rows reg.Register, numbers reg.VecVirtual) {
	rows, numbers = l.Load(l.Param("rows"), l.GP64()), l.ZMM()
	row := l.GP64()
	l.Load(l.Param("row"), row)
	l.VPBROADCASTD(row.As32(), numbers)
	l.VPADDD(l.constants, numbers, numbers)
	return rows, numbers
}

// again goes on with the next sixteen rows, or is done.
func (l *loader512) again(rows reg.Register, numbers reg.VecVirtual) {
	l.VPADDD_BCST(l.constants.Offset(4*22), numbers, numbers)
	l.ADDQ(operand.U8(64), l.to)
	l.ADDQ(operand.U8(64), rows)
	l.DECQ(l.n)
	l.JNE(operand.LabelRef("sixteen"))
	l.JMP(operand.LabelRef("done"))
}

// returnRows returns how many rows were written in front of an address.
func (l *loader512) returnRows(behind reg.Register) {
	first := l.Load(l.Param("rows"), l.GP64())
	l.SUBQ(first, behind)
	l.SHRQ(operand.U8(2), behind)
	l.Store(behind, l.ReturnIndex(0))
	l.VZEROUPPER()
	l.RET()
}

// strided are the addresses of sixteen lines and what lies behind them.
func (l *loader512) strided(stride, three reg.Register) (head func(i int) operand.Mem, behind reg.Register) {
	bases := []reg.Register{l.text}
	for i := range 4 {
		next := l.GP64()
		l.LEAQ(operand.Mem{Base: bases[i], Index: stride, Scale: 4}, next)
		bases = append(bases, next)
	}
	return func(i int) operand.Mem {
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
	}, bases[4]
}

// load loads the words of sixteen lines and returns which lines hold an id and end
// as the form says.
func (l *loader512) load(head func(i int) operand.Mem) (clean reg.OpmaskVirtual) {
	last, ends := l.tails(head)
	ended := l.K()
	l.VPXORD_BCST(operand.Mem{Base: l.form, Disp: formEnd}, ends, ends)
	l.VPTESTNMD_BCST(operand.Mem{Base: l.form, Disp: formWhere}, ends, ended)
	return l.check(append(l.heads(head), last), ended)
}

// tails returns the last words of sixteen lines, and the four characters behind them.
func (l *loader512) tails(head func(i int) operand.Mem) (last, ends reg.VecVirtual) {
	two := func(line int) reg.VecVirtual {
		x := l.XMM()
		l.VMOVQ(head(line).Offset(32), x)
		l.VMOVHPS(head(line+1).Offset(32), x, x)
		return x
	}
	four := func(line int) reg.VecVirtual {
		low, high, y := two(line), two(line+2), l.YMM()
		l.VINSERTI128(operand.U8(1), high, low.AsY(), y)
		return y
	}
	eight := func(line int) reg.VecVirtual {
		low, high, z := four(line), four(line+4), l.ZMM()
		l.VINSERTI64X4(operand.U8(1), high, low.AsZ(), z)
		return z
	}
	low, high := eight(0), eight(8)
	last, ends = l.ZMM(), l.ZMM()
	for i, half := range []reg.VecVirtual{last, ends} {
		l.VMOVDQU64(l.halves.Offset(64*i), half)
		l.VPERMI2D(high, low, half)
	}
	return last, ends
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
		half[h] = transpose(l.Context, [4]operand.Op{x[0], x[1], x[2], x[3]})
	}
	w := make([]reg.VecVirtual, 8)
	for i := range 4 {
		w[i], w[i+4] = l.ZMM(), l.ZMM()
		l.VSHUFI64X2(operand.U8(0x88), half[1][i], half[0][i], w[i])
		l.VSHUFI64X2(operand.U8(0xdd), half[1][i], half[0][i], w[i+4])
	}
	return w
}

// count counts the lanes, from the first on, that are in a mask.
func count(c *build.Context, mask reg.Register, n reg.GPVirtual) {
	c.KMOVW(mask, n.As32())
	c.NOTL(n.As32())
	c.ORL(operand.U32(1<<16), n.As32())
	c.TZCNTL(n.As32(), n.As32())
}
