package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// groups256 is how many groups of 8 messages are under way at once: what 16
// registers hold, four words of state and one for the sum under way each. The
// last register is all ones, which is how AVX2 says not; addends come from
// memory, eight times each.
const groups256 = 3

// sum256 hashes 24 messages.
func sum256(c *build.Context, m message) {
	constants := words(c, "addends"+m.name+"256", 69*8, func(i int) uint32 {
		switch n := i / 8; {
		case n < 64:
			return addend(m, n)
		case n < 68:
			return start[n-64]
		}
		return [4]uint32{0x01000302, 0x05040706, 0x09080b0a, 0x0d0c0f0e}[i%4] // a turn by 16 bits
	})

	c.Function("sum" + m.name + "256")
	c.Doc("sum" + m.name + "256 hashes 24 messages.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(words *uint32, digests *byte)")
	c.Pragma("noescape")
	from := c.Load(c.Param("words"), c.GP64())
	to := c.Load(c.Param("digests"), c.GP64())
	table := c.GP64()
	c.LEAQ(constants, table)
	s := &sum256er{Context: c, m: m, from: from, table: table, ones: c.YMM()}
	c.VPCMPEQD(s.ones, s.ones, s.ones)
	for g := range s.state {
		s.sum[g] = c.YMM()
		for j := range 4 {
			s.state[g][j] = c.YMM()
		}
		for j := 1; j < 4; j++ {
			c.VMOVDQU(s.constant(64+j), s.state[g][j])
		}
	}
	for i := range 64 {
		s.step(i)
	}
	for g := range s.state {
		for j := range 4 {
			c.VPADDD(s.constant(64+j), s.state[g][j], s.state[g][j])
		}
	}
	for g := range s.state {
		write256(c, s.state[g], operand.Mem{Base: to, Disp: 128 * g})
	}
	c.VZEROUPPER()
	c.RET()
}

type sum256er struct {
	*build.Context
	m           message
	from, table reg.Register
	ones        reg.VecVirtual
	state       [groups256][4]reg.VecVirtual
	sum         [groups256]reg.VecVirtual
}

func (s *sum256er) constant(n int) operand.Mem { return operand.Mem{Base: s.table, Disp: 32 * n} }

// each does one instruction in all groups before the next.
func (s *sum256er) each(do func(g int)) {
	for g := range groups256 {
		do(g)
	}
}

func (s *sum256er) step(i int) {
	a, b, _, _ := registers(i)
	if i > 0 {
		s.mix(i)
	}
	s.each(func(g int) {
		sum := s.state[g][a]
		w := operand.Mem{Base: s.from, Disp: word(i)*pitch + 32*g}
		switch {
		case i < 4:
			s.VMOVDQU(w, sum)
			s.VPADDD(s.constant(i), sum, sum)
		case s.m.varies(word(i)):
			s.VPADDD(s.constant(i), sum, sum)
			s.VPADDD(w, sum, sum)
		default:
			s.VPADDD(s.constant(i), sum, sum)
		}
	})
	if i > 0 {
		s.each(func(g int) { s.VPADDD(s.sum[g], s.state[g][a], s.state[g][a]) })
	}
	n := turn(i)
	if n == 16 {
		s.each(func(g int) { s.VPSHUFB(s.constant(68), s.state[g][a], s.state[g][a]) })
	} else {
		s.each(func(g int) { s.VPSRLD(operand.U8(32-n), s.state[g][a], s.sum[g]) })
		s.each(func(g int) { s.VPSLLD(operand.U8(n), s.state[g][a], s.state[g][a]) })
		s.each(func(g int) { s.VPOR(s.sum[g], s.state[g][a], s.state[g][a]) })
	}
	s.each(func(g int) { s.VPADDD(s.state[g][b], s.state[g][a], s.state[g][a]) })
}

// mix computes the function of step i, in the form with the fewest instructions.
func (s *sum256er) mix(i int) {
	_, b, c, d := registers(i)
	op := func(f func(_, _, _ operand.Op), x, y int) {
		s.each(func(g int) {
			of := func(r int) operand.Op {
				if r < 0 {
					return s.sum[g]
				}
				return s.state[g][r]
			}
			f(of(x), of(y), s.sum[g])
		})
	}
	switch i / 16 {
	case 0: // ((c ^ d) & b) ^ d
		op(s.VPXOR, c, d)
		op(s.VPAND, b, -1)
		op(s.VPXOR, d, -1)
	case 1: // ((b ^ c) & d) ^ c
		op(s.VPXOR, b, c)
		op(s.VPAND, d, -1)
		op(s.VPXOR, c, -1)
	case 2: // b ^ c ^ d
		op(s.VPXOR, c, d)
		op(s.VPXOR, b, -1)
	case 3: // c ^ (b | ^d)
		s.each(func(g int) { s.VPXOR(s.state[g][d], s.ones, s.sum[g]) })
		op(s.VPOR, b, -1)
		op(s.VPXOR, c, -1)
	}
}

// write256 writes 8 digests, whose words lie in four registers.
func write256(c *build.Context, s [4]reg.VecVirtual, to operand.Mem) {
	var half [4]reg.VecVirtual
	for i := range half {
		half[i] = c.YMM()
	}
	c.VPUNPCKLDQ(s[1], s[0], half[0])
	c.VPUNPCKHDQ(s[1], s[0], half[1])
	c.VPUNPCKLDQ(s[3], s[2], half[2])
	c.VPUNPCKHDQ(s[3], s[2], half[3])
	for i := range 4 {
		out := c.YMM()
		if i%2 == 0 {
			c.VPUNPCKLQDQ(half[i/2+2], half[i/2], out)
		} else {
			c.VPUNPCKHQDQ(half[i/2+2], half[i/2], out)
		}
		c.VMOVDQU(out.AsX(), to.Offset(16*i))
		c.VEXTRACTI128(operand.U8(1), out, to.Offset(16*(i+4)))
	}
}
