package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

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
