package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// groups512 is the number of groups of 16 messages that are hashed at the same time. A step
// of MD5 depends on the step before it, so one group leaves the execution ports mostly idle.
// Seven groups would fill the 32 registers, but four keep the ports as busy with a
// shorter loop.
const groups512 = 4

// hasher512 hashes 64 messages in a pass.
type hasher512 struct {
	*build.Context
	message        message
	words          reg.Register // of the messages
	begin, addends operand.Mem
	state          [groups512][4]reg.VecVirtual
	sum, constant  reg.VecVirtual
}

func sum512(c *build.Context, m message) {
	begin := words(c, "start"+m.name+"512", 4, func(i int) uint32 { return start[i] })
	addends := words(c, "addends"+m.name+"512", 64, func(i int) uint32 { return addend(m, i) })
	order := transposition(c, m.name)

	function(c, "sum"+m.name+"512", "func(words *uint32, digests *byte, batches int)",
		"hashes batches of 64 messages.")
	h := &hasher512{Context: c, message: m, words: argument(c, "words"), begin: begin, addends: addends}
	to := argument(c, "digests")
	n := argument(c, "batches")

	c.Label("batch")
	h.pass()
	for g := range h.state {
		write512(c, h.state[g], order, operand.Mem{Base: to, Disp: 256 * g})
	}
	c.ADDQ(operand.U32(64*groups512), h.words)
	c.ADDQ(operand.U32(256*groups512), to)
	c.DECQ(n)
	c.JNE(operand.LabelRef("batch"))
	c.VZEROUPPER()
	c.RET()
}

// pass hashes the messages of all groups and leaves the words of their digests in state.
func (h *hasher512) pass() {
	h.sum, h.constant = h.ZMM(), h.ZMM()
	for g := range h.state {
		for j := range 4 {
			h.state[g][j] = h.ZMM()
		}
		for j := 1; j < 4; j++ {
			h.VPBROADCASTD(h.begin.Offset(4*j), h.state[g][j])
		}
	}
	for i := range 64 {
		h.VPBROADCASTD(h.addends.Offset(4*i), h.constant)
		for g := range h.state {
			h.step(i, g)
		}
	}
	for j := range 4 {
		h.VPBROADCASTD(h.begin.Offset(4*j), h.constant)
		for g := range h.state {
			h.VPADDD(h.constant, h.state[g][j], h.state[g][j])
		}
	}
}

// step is step i of MD5 for group g.
func (h *hasher512) step(i, g int) {
	s := &h.state[g]
	ra, rb, rc, rd := registers(i)
	w := operand.Mem{Base: h.words, Disp: word(i)*pitch + 64*g}
	switch {
	case i < 4:
		h.VPADDD(w, h.constant, s[ra])
	case h.message.varies(word(i)):
		h.VPADDD(h.constant, s[ra], s[ra])
		h.VPADDD(w, s[ra], s[ra])
	default:
		h.VPADDD(h.constant, s[ra], s[ra])
	}
	if i > 0 {
		h.VMOVDQA64(s[rd], h.sum)
		h.VPTERNLOGD(operand.U8(ternary(i)), s[rb], s[rc], h.sum)
		h.VPADDD(h.sum, s[ra], s[ra])
	}
	h.VPROLD(operand.U8(rotation(i)), s[ra], s[ra])
	h.VPADDD(s[rb], s[ra], s[ra])
}

// transposition adds the table of the permutations of write512, first of the 32-bit words of
// two registers, then of their 64-bit words. Each permutation is there twice: once to
// interleave the lower halves of both registers, and once for the upper halves.
func transposition(c *build.Context, name string) operand.Mem {
	return words(c, "order"+name, 64, func(i int) uint32 {
		upper, n := uint32(i/16%2*8), uint32(i%16)
		if i < 32 {
			return upper + n/2 + n%2*16
		}
		if n%2 == 1 {
			return 0 // the upper half of a 64-bit index
		}
		n /= 2
		return upper/2 + n/2 + n%2*8
	})
}

// write512 writes 16 digests, whose words are in four registers.
func write512(c *build.Context, s [4]reg.VecVirtual, order, to operand.Mem) {
	var half [4]reg.VecVirtual // words 0 and 1 of the lower and the upper messages, then words 2 and 3
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
