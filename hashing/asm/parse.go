package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// hexValue returns the value of hex character i, or notHex.
func hexValue(i int) byte {
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

// parser512 decodes digests in hex, each followed by a separator.
type parser512 struct {
	*build.Context
	width, stride                     int // of a separator, and of a digest with its separator
	from                              reg.Register
	separator                         reg.Register
	lower, upper, weight, pick, highs reg.VecVirtual
}

// parse512 emits the kernel that decodes four digests at a time, with separators of one
// byte or two, until one of them has a wrong character.
func parse512(c *build.Context, name string, width int) {
	p := &parser512{Context: c, width: width, stride: 32 + width}
	values := octets(c, name+"Values", 128, hexValue)
	weights := octets(c, name+"Weights", 64, func(i int) byte { return []byte{16, 1}[i%2] })
	even := octets(c, name+"Even", 64, func(i int) byte { return byte(2 * i) })
	high := words(c, name+"High", 1, func(int) uint32 { return notHex * 0x01010101 })

	function(c, name+"512", "func(digests, text *byte, fours int, separator uint16) (parsed int)",
		fmt.Sprintf("reads digests in hex, each followed by a separator of length %d, four", width), "at a time.")
	to := argument(c, "digests")
	p.from = argument(c, "text")
	n := argument(c, "fours")
	p.separator = c.GP32()
	c.Load(c.Param("separator"), p.separator)
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
	c.ORQ(p.wrongSeparators().As64(), wrong)
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

// four decodes four digests. wrong is not 0 if a character is not hex.
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

// wrongSeparators returns a register that is not 0 if one of the separators after four
// digests is wrong.
func (p *parser512) wrongSeparators() reg.GPVirtual {
	all := p.GP32()
	p.XORL(all, all)
	for i := range 4 {
		one := p.GP32()
		loadSeparator(p.Context, operand.Mem{Base: p.from, Disp: p.stride*i + 32}, p.width, one)
		p.XORL(p.separator, one)
		p.ORL(one, all)
	}
	return all
}

// loadSeparator loads a separator of one byte or two.
func loadSeparator(c *build.Context, at operand.Mem, width int, to reg.GPVirtual) {
	if width == 1 {
		c.MOVBLZX(at, to)
	} else {
		c.MOVWLZX(at, to)
	}
}

// parse256 emits the kernel that decodes one digest at a time, with separators of one
// byte or two, until one has a wrong character.
func parse256(c *build.Context, name string, width int) {
	k := newClassifier256(c, name+"256")
	weights := octets(c, name+"256Weights", 32, func(i int) byte { return []byte{16, 1}[i%2] })

	function(c, name+"256", "func(digests, text *byte, n int, separator uint16) (parsed int)",
		fmt.Sprintf("reads digests in hex, each followed by a separator of length %d.", width))
	to := argument(c, "digests")
	from := argument(c, "text")
	n := argument(c, "n")
	separator, parsed, weight := c.GP32(), c.GP64(), c.YMM()
	c.Load(c.Param("separator"), separator)
	c.XORQ(parsed, parsed)
	c.VMOVDQU(weights, weight)
	k.load()

	c.Label("digest")
	found := c.GP32()
	loadSeparator(c, operand.Mem{Base: from, Disp: 32}, width, found)
	c.CMPL(found, separator)
	c.JNE(operand.LabelRef("done"))
	text, good := c.YMM(), c.GP32()
	c.VMOVDQU(operand.Mem{Base: from}, text)
	value, isHex := k.values(text)
	c.VPMOVMSKB(isHex, good)
	c.CMPL(good, operand.I8(-1))
	c.JNE(operand.LabelRef("done"))
	c.VPMADDUBSW(weight, value, value)
	c.VPACKUSWB(value, value, value)
	c.VPERMQ(operand.U8(0x08), value, value)
	c.VMOVDQU(value.AsX(), operand.Mem{Base: to})
	c.INCQ(parsed)
	c.ADDQ(operand.U8(32+width), from)
	c.ADDQ(operand.U8(16), to)
	c.DECQ(n)
	c.JNE(operand.LabelRef("digest"))

	c.Label("done")
	c.Store(parsed, c.ReturnIndex(0))
	c.VZEROUPPER()
	c.RET()
}
