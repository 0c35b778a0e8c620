package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// notHex marks a byte that is no hex character.
const notHex = 0x80

// value is what a hex character stands for.
func value(i int) byte {
	switch c := byte(i); {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return notHex
}

// parse512 reads digests in hex, four at a time, each with a separator of one
// byte or two behind it, up to the first four of which something is wrong.
func parse512(c *build.Context, name string, separator int) {
	p := &parser512{Context: c, separator: separator, stride: 32 + separator}
	values := octets(c, name+"values", 128, value)
	weights := octets(c, name+"weights", 64, func(i int) byte { return []byte{16, 1}[i%2] })
	even := octets(c, name+"even", 64, func(i int) byte { return byte(2 * i) })
	high := words(c, name+"high", 1, func(int) uint32 { return notHex * 0x01010101 })

	c.Function(name + "512")
	c.Doc(fmt.Sprintf("%s512 reads digests in hex, each with a separator of length %d behind it, four at a time.", name, separator))
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(digests, text *byte, fours int, separator uint16) (parsed int)")
	c.Pragma("noescape")
	to := c.Load(c.Param("digests"), c.GP64())
	p.from = c.Load(c.Param("text"), c.GP64())
	n := c.Load(c.Param("fours"), c.GP64())
	p.want = c.GP32()
	c.Load(c.Param("separator"), p.want)
	parsed := c.GP64()
	c.XORQ(parsed, parsed)
	p.lower, p.upper, p.weight, p.pick, p.highs = c.ZMM(), c.ZMM(), c.ZMM(), c.ZMM(), c.ZMM()
	c.VMOVDQU64(values, p.lower)
	c.VMOVDQU64(values.Offset(64), p.upper)
	c.VMOVDQU64(weights, p.weight)
	c.VMOVDQU64(even, p.pick)
	c.VPBROADCASTD(high, p.highs)
	c.TESTQ(n, n)
	c.JE(operand.LabelRef("done"))

	c.Label("four")
	digests, wrong := p.four()
	c.VMOVDQU64(digests, operand.Mem{Base: to})
	c.ORQ(p.separators().As64(), wrong)
	c.JNE(operand.LabelRef("done"))
	c.ADDQ(operand.U8(4), parsed)
	c.ADDQ(operand.U32(4*p.stride), p.from)
	c.ADDQ(operand.U8(64), to)
	c.DECQ(n)
	c.JNE(operand.LabelRef("four"))

	c.Label("done")
	c.Store(parsed, c.ReturnIndex(0))
	c.VZEROUPPER()
	c.RET()
}

type parser512 struct {
	*build.Context
	separator, stride                 int
	from                              reg.Register
	want                              reg.Register // the separator
	lower, upper, weight, pick, highs reg.VecVirtual
}

// four reads four digests. wrong is not 0 where a character is no hex.
func (p *parser512) four() (digests reg.VecVirtual, wrong reg.GPVirtual) {
	all := p.ZMM()
	var pair [2]reg.VecVirtual
	for i := range pair {
		raw, z := p.ZMM(), p.ZMM()
		at := operand.Mem{Base: p.from, Disp: 2 * p.stride * i}
		p.VMOVDQU64(at, raw.AsY())
		p.VINSERTI64X4(operand.U8(1), at.Offset(p.stride), raw, raw)
		p.VMOVDQA64(raw, z)
		p.VPERMI2B(p.upper, p.lower, z)
		if i == 0 {
			p.VPORQ(raw, z, all)
		} else {
			p.VPTERNLOGD(operand.U8(0xfe), raw, z, all)
		}
		p.VPMADDUBSW(p.weight, z, z)
		pair[i] = z
	}
	p.VPERMT2B(pair[1], p.pick, pair[0])
	bad := p.K()
	p.VPTESTMB(p.highs, all, bad)
	wrong = p.GP64()
	p.KMOVQ(bad, wrong)
	return pair[0], wrong
}

// separators is not 0 where one behind four digests is another.
func (p *parser512) separators() reg.GPVirtual {
	all := p.GP32()
	p.XORL(all, all)
	for i := range 4 {
		at, one := operand.Mem{Base: p.from, Disp: p.stride*i + 32}, p.GP32()
		if p.separator == 1 {
			p.MOVBLZX(at, one)
		} else {
			p.MOVWLZX(at, one)
		}
		p.XORL(p.want, one)
		p.ORL(one, all)
	}
	return all
}

// parse256 reads digests in hex one by one, each with a separator of one byte or
// two behind it, up to the first of which something is wrong.
func parse256(c *build.Context, name string, separator int) {
	p := newHex256(c, name+"256")
	weights := octets(c, name+"256weights", 32, func(i int) byte { return []byte{16, 1}[i%2] })

	c.Function(name + "256")
	c.Doc(fmt.Sprintf("%s256 reads digests in hex, each with a separator of length %d behind it.", name, separator))
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(digests, text *byte, n int, separator uint16) (parsed int)")
	c.Pragma("noescape")
	to := c.Load(c.Param("digests"), c.GP64())
	from := c.Load(c.Param("text"), c.GP64())
	n := c.Load(c.Param("n"), c.GP64())
	want, parsed, weight := c.GP32(), c.GP64(), c.YMM()
	c.Load(c.Param("separator"), want)
	c.XORQ(parsed, parsed)
	c.VMOVDQU(weights, weight)
	p.load()

	c.Label("digest")
	end := c.GP32()
	if separator == 1 {
		c.MOVBLZX(operand.Mem{Base: from, Disp: 32}, end)
	} else {
		c.MOVWLZX(operand.Mem{Base: from, Disp: 32}, end)
	}
	c.CMPL(end, want)
	c.JNE(operand.LabelRef("done"))
	text, good := c.YMM(), c.GP32()
	c.VMOVDQU(operand.Mem{Base: from}, text)
	value, right := p.values(text)
	c.VPMOVMSKB(right, good)
	c.CMPL(good, operand.I8(-1))
	c.JNE(operand.LabelRef("done"))
	c.VPMADDUBSW(weight, value, value)
	c.VPACKUSWB(value, value, value)
	c.VPERMQ(operand.U8(0x08), value, value)
	c.VMOVDQU(value.AsX(), operand.Mem{Base: to})
	c.INCQ(parsed)
	c.ADDQ(operand.U8(32+separator), from)
	c.ADDQ(operand.U8(16), to)
	c.DECQ(n)
	c.JNE(operand.LabelRef("digest"))

	c.Label("done")
	c.Store(parsed, c.ReturnIndex(0))
	c.VZEROUPPER()
	c.RET()
}

// hexes256 knows hex characters by AVX2.
type hexes256 struct {
	*build.Context
	table                                 operand.Mem
	zero, nine, lower, letterA, five, ten reg.VecVirtual
}

func newHex256(c *build.Context, name string) *hexes256 {
	return &hexes256{Context: c, table: octets(c, name+"hexes", 6*32, func(i int) byte {
		return [6]byte{'0', 9, 0x20, 'a', 5, 10}[i/32]
	})}
}

// constant is '0', 9, 0x20, 'a', 5 or 10 in every byte.
func (h *hexes256) constant(i int) operand.Mem { return h.table.Offset(32 * i) }

// load loads the constants.
func (h *hexes256) load() {
	for i, v := range []*reg.VecVirtual{&h.zero, &h.nine, &h.lower, &h.letterA, &h.five, &h.ten} {
		*v = h.YMM()
		h.VMOVDQU(h.constant(i), *v)
	}
}

// values are what hex characters stand for; right has all bits set where it is
// one.
func (h *hexes256) values(text reg.VecVirtual) (value, right reg.VecVirtual) {
	digit, letter, least, isLetter := h.YMM(), h.YMM(), h.YMM(), h.YMM()
	value, right = h.YMM(), h.YMM()
	h.VPSUBB(h.zero, text, digit)
	h.VPMINUB(h.nine, digit, least)
	h.VPCMPEQB(least, digit, right)
	h.VPOR(h.lower, text, letter)
	h.VPSUBB(h.letterA, letter, letter)
	h.VPMINUB(h.five, letter, least)
	h.VPCMPEQB(least, letter, isLetter)
	h.VPADDB(h.ten, letter, letter)
	h.VPBLENDVB(isLetter, letter, digit, value)
	h.VPOR(isLetter, right, right)
	return value, right
}
