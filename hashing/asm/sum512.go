package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// groups512 is how many groups of 16 messages are under way at once. A step of
// MD5 waits for the step before it, so with one group the ports stand idle most
// of the time. Seven would fill the 32 registers with four words of state each, but
// four keep the ports as busy and make a loop so short that it is decoded once only.
const groups512 = 4

// sum512 hashes messages, 64 in a pass.
func sum512(c *build.Context, m message) {
	begin := words(c, "start"+m.name+"512", 4, func(i int) uint32 { return start[i] })
	addends := words(c, "addends"+m.name+"512", 64, func(i int) uint32 { return addend(m, i) })
	order := transposition(c, m.name)

	c.Function("sum" + m.name + "512")
	c.Doc("sum" + m.name + "512 hashes 64 messages, so many times.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(words *uint32, digests *byte, times int)")
	c.Pragma("noescape")
	from := c.Load(c.Param("words"), c.GP64())
	to := c.Load(c.Param("digests"), c.GP64())
	times := c.Load(c.Param("times"), c.GP64())

	c.Label("pass")
	state := pass512(c, m, from, begin, addends)
	for g := range state {
		write512(c, state[g], order, operand.Mem{Base: to, Disp: 256 * g})
	}
	c.ADDQ(operand.U32(64*groups512), from)
	c.ADDQ(operand.U32(256*groups512), to)
	c.DECQ(times)
	c.JNE(operand.LabelRef("pass"))
	c.VZEROUPPER()
	c.RET()
}

// pass512 hashes the messages of all groups, from their words to the words of
// their digests.
func pass512(c *build.Context, m message, from reg.Register, begin, addends operand.Mem) (state [groups512][4]reg.VecVirtual) {
	sum, constant := c.ZMM(), c.ZMM()
	for g := range state {
		for j := range 4 {
			state[g][j] = c.ZMM()
		}
		for j := 1; j < 4; j++ {
			c.VPBROADCASTD(begin.Offset(4*j), state[g][j])
		}
	}
	for i := range 64 {
		c.VPBROADCASTD(addends.Offset(4*i), constant)
		for g := range state {
			s := &state[g]
			ra, rb, rc, rd := registers(i)
			w := operand.Mem{Base: from, Disp: word(i)*pitch + 64*g}
			switch {
			case i < 4:
				c.VPADDD(w, constant, s[ra])
			case m.varies(word(i)):
				c.VPADDD(constant, s[ra], s[ra])
				c.VPADDD(w, s[ra], s[ra])
			default:
				c.VPADDD(constant, s[ra], s[ra])
			}
			if i > 0 {
				c.VMOVDQA64(s[rd], sum)
				c.VPTERNLOGD(operand.U8(ternary(i)), s[rb], s[rc], sum)
				c.VPADDD(sum, s[ra], s[ra])
			}
			c.VPROLD(operand.U8(turn(i)), s[ra], s[ra])
			c.VPADDD(s[rb], s[ra], s[ra])
		}
	}
	for j := range 4 {
		c.VPBROADCASTD(begin.Offset(4*j), constant)
		for g := range state {
			c.VPADDD(constant, state[g][j], state[g][j])
		}
	}
	return state
}

// transposition is the orders in which write512 takes 32-bit words, then 64-bit
// words, of two registers: the lower halves of both by turns, and the upper.
func transposition(c *build.Context, name string) operand.Mem {
	return words(c, "order"+name, 64, func(i int) uint32 {
		upper, n := uint32(i/16%2*8), uint32(i%16)
		if i < 32 {
			return upper + n/2 + n%2*16
		}
		if n%2 == 1 {
			return 0 // the upper half of a 64-bit order
		}
		n /= 2
		return upper/2 + n/2 + n%2*8
	})
}

// write512 writes 16 digests, whose words lie in four registers.
func write512(c *build.Context, s [4]reg.VecVirtual, order, to operand.Mem) {
	var half [4]reg.VecVirtual // the first two words: lower messages, upper; the last two words
	for i := range half {
		half[i] = c.ZMM()
		c.VMOVDQU64(order.Offset(64*(i%2)), half[i])
		c.VPERMI2D(s[i/2*2+1], s[i/2*2], half[i])
	}
	for i := range 4 {
		out := c.ZMM()
		c.VMOVDQU64(order.Offset(128+64*(i%2)), out)
		c.VPERMI2Q(half[i/2+2], half[i/2], out)
		c.VMOVDQU64(out, to.Offset(64*i))
	}
}
