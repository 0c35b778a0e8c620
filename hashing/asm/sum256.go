package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// groups256 is the number of groups of 8 messages that are hashed at the same time. Three
// groups fill the 16 registers: four words of state and a sum for each, and a register of
// ones, which AVX2 needs for a complement. Constants are in memory, each of them eight times.
const groups256 = 3

// The table of constants, in units of 32 bytes: 64 addends, the initial state, and the
// order of bytes that rotates words by 16 bits.
const (
	startAt256  = 64
	rotateAt256 = 68
)

// hasher256 hashes 24 messages.
type hasher256 struct {
	*build.Context
	message      message
	words, table reg.Register // of the messages, of constants
	ones         reg.VecVirtual
	state        [groups256][4]reg.VecVirtual
	sum          [groups256]reg.VecVirtual
}

func sum256(c *build.Context, m message) {
	constants := words(c, "addends"+m.name+"256", 69*8, func(i int) uint32 {
		switch n := i / 8; {
		case n < startAt256:
			return addend(m, n)
		case n < rotateAt256:
			return start[n-startAt256]
		}
		return [4]uint32{0x01000302, 0x05040706, 0x09080b0a, 0x0d0c0f0e}[i%4]
	})

	function(c, "sum"+m.name+"256", "func(words *uint32, digests *byte)",
		"hashes 24 messages.")
	from := argument(c, "words")
	to := argument(c, "digests")
	table := c.GP64()
	c.LEAQ(constants, table)
	h := &hasher256{Context: c, message: m, words: from, table: table, ones: c.YMM()}
	h.begin()
	for i := range 64 {
		h.step(i)
	}
	for g := range h.state {
		for j := range 4 {
			c.VPADDD(h.constant(startAt256+j), h.state[g][j], h.state[g][j])
		}
	}
	for g := range h.state {
		write256(c, h.state[g], operand.Mem{Base: to, Disp: 128 * g})
	}
	c.VZEROUPPER()
	c.RET()
}

// begin loads the initial state. The first step needs no register a.
func (h *hasher256) begin() {
	h.VPCMPEQD(h.ones, h.ones, h.ones)
	for g := range h.state {
		h.sum[g] = h.YMM()
		for j := range 4 {
			h.state[g][j] = h.YMM()
		}
		for j := 1; j < 4; j++ {
			h.VMOVDQU(h.constant(startAt256+j), h.state[g][j])
		}
	}
}

func (h *hasher256) constant(n int) operand.Mem { return operand.Mem{Base: h.table, Disp: 32 * n} }

// each emits an instruction for all groups before the next instruction.
func (h *hasher256) each(emit func(g int)) {
	for g := range groups256 {
		emit(g)
	}
}

// step is step i of MD5 for all groups.
func (h *hasher256) step(i int) {
	a, b, _, _ := registers(i)
	if i > 0 {
		h.mix(i)
	}
	h.each(func(g int) {
		sum := h.state[g][a]
		w := operand.Mem{Base: h.words, Disp: word(i)*pitch + 32*g}
		switch {
		case i < 4:
			h.VMOVDQU(w, sum)
			h.VPADDD(h.constant(i), sum, sum)
		case h.message.varies(word(i)):
			h.VPADDD(h.constant(i), sum, sum)
			h.VPADDD(w, sum, sum)
		default:
			h.VPADDD(h.constant(i), sum, sum)
		}
	})
	if i > 0 {
		h.each(func(g int) { h.VPADDD(h.sum[g], h.state[g][a], h.state[g][a]) })
	}
	h.rotate(rotation(i), a)
	h.each(func(g int) { h.VPADDD(h.state[g][b], h.state[g][a], h.state[g][a]) })
}

// rotate rotates register a of all groups by n bits.
func (h *hasher256) rotate(n, a int) {
	if n == 16 {
		h.each(func(g int) { h.VPSHUFB(h.constant(rotateAt256), h.state[g][a], h.state[g][a]) })
		return
	}
	h.each(func(g int) { h.VPSRLD(operand.U8(32-n), h.state[g][a], h.sum[g]) })
	h.each(func(g int) { h.VPSLLD(operand.U8(n), h.state[g][a], h.state[g][a]) })
	h.each(func(g int) { h.VPOR(h.sum[g], h.state[g][a], h.state[g][a]) })
}

// sumOperand is the operand of mix that is the sum, not a register of the state.
const sumOperand = -1

// mix computes the function of step i in the form with the fewest instructions.
func (h *hasher256) mix(i int) {
	_, b, c, d := registers(i)
	op := func(f func(_, _, _ operand.Op), x, y int) {
		h.each(func(g int) {
			value := func(r int) operand.Op {
				if r == sumOperand {
					return h.sum[g]
				}
				return h.state[g][r]
			}
			f(value(x), value(y), h.sum[g])
		})
	}
	switch i / 16 {
	case 0: // ((c ^ d) & b) ^ d
		op(h.VPXOR, c, d)
		op(h.VPAND, b, sumOperand)
		op(h.VPXOR, d, sumOperand)
	case 1: // ((b ^ c) & d) ^ c
		op(h.VPXOR, b, c)
		op(h.VPAND, d, sumOperand)
		op(h.VPXOR, c, sumOperand)
	case 2: // b ^ c ^ d
		op(h.VPXOR, c, d)
		op(h.VPXOR, b, sumOperand)
	case 3: // c ^ (b | ^d)
		h.each(func(g int) { h.VPXOR(h.state[g][d], h.ones, h.sum[g]) })
		op(h.VPOR, b, sumOperand)
		op(h.VPXOR, c, sumOperand)
	}
}

// write256 writes 8 digests, whose words are in four registers.
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
