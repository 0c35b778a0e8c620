package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// listSeparators are the separators of lists in package hashing.
const listSeparators = ", ;|\t["

// passSingles emits a kernel that counts blocks of 64 characters up to the first block with
// a separator of lists or a lone CR. masks emits the masks of a block's separators, line feeds
// and carriage returns.
func passSingles(c *build.Context, masks func(text reg.Register) (separators, lfs, crs reg.GPVirtual)) {
	text := argument(c, "text")
	n := argument(c, "blocks")
	passed, lines, carry := c.GP64(), c.GP64(), c.GP64()
	for _, r := range []reg.GPVirtual{passed, lines, carry} {
		c.XORL(r.As32(), r.As32())
	}

	c.Label("block")
	c.CMPQ(passed, n)
	c.JE(operand.LabelRef("done"))
	separators, lfs, crs := masks(text)
	previous := c.GP64() // a bit for each character after a \r
	c.LEAQ(operand.Mem{Base: carry, Index: crs, Scale: 2}, previous)
	c.ANDNQ(previous, lfs, previous)
	c.ORQ(separators, previous)
	c.JNE(operand.LabelRef("done"))
	c.MOVQ(crs, carry)
	c.SHRQ(operand.U8(63), carry)
	c.POPCNTQ(lfs, lfs)
	c.ADDQ(lfs, lines)
	c.ADDQ(operand.U8(64), text)
	c.INCQ(passed)
	c.JMP(operand.LabelRef("block"))

	c.Label("done")
	c.Store(passed, c.ReturnIndex(0))
	c.Store(lines, c.ReturnIndex(1))
	c.VZEROUPPER()
	c.RET()
}

// beginPassSingles begins the kernel.
func beginPassSingles(c *build.Context, name string) {
	function(c, name, "func(text *byte, blocks int) (passed, lines int)",
		"returns how many blocks of 64 characters have neither a separator of lists nor a CR",
		"without LF, up to the first that has one, and how many line feeds these have.")
}

// passSingles512 looks up 64 characters at a time.
func passSingles512(c *build.Context) {
	const name = "passSingles512"
	table := octets(c, name+"Table", 128+2, func(i int) byte {
		if i >= 128 {
			return "\n\r"[i-128]
		}
		for _, s := range []byte(listSeparators) {
			if i == int(s) {
				return 0x80
			}
		}
		return 0
	})
	beginPassSingles(c, name)
	low, high, lf, cr := c.ZMM(), c.ZMM(), c.ZMM(), c.ZMM()
	c.VMOVDQU64(table, low)
	c.VMOVDQU64(table.Offset(64), high)
	c.VPBROADCASTB(table.Offset(128), lf)
	c.VPBROADCASTB(table.Offset(129), cr)
	passSingles(c, func(text reg.Register) (separators, lfs, crs reg.GPVirtual) {
		characters, class := c.ZMM(), c.ZMM()
		c.VMOVDQU64(operand.Mem{Base: text}, characters)
		c.VMOVDQA64(characters, class)
		c.VPERMI2B(high, low, class) // ignores the upper bit
		mask := func(set func(k reg.Register)) reg.GPVirtual {
			k, r := c.K(), c.GP64()
			set(k)
			c.KMOVQ(k, r)
			return r
		}
		separators = mask(func(k reg.Register) { c.VPMOVB2M(class, k) })
		upper := mask(func(k reg.Register) { c.VPMOVB2M(characters, k) })
		c.ANDNQ(separators, upper, separators)
		lfs = mask(func(k reg.Register) { c.VPCMPEQB(lf, characters, k) })
		crs = mask(func(k reg.Register) { c.VPCMPEQB(cr, characters, k) })
		return separators, lfs, crs
	})
}

// passSingles256 looks up the two halves of each character in tables that have a bit for
// each class. A character is of a class if both halves have its bit.
func passSingles256(c *build.Context) {
	const (
		name   = "passSingles256"
		lf, cr = 1 << 5, 1 << 6 // classes; those below are of separators
	)
	var tables [4 * 32]byte
	var uppers []byte
	set := func(character byte, class byte) {
		for half := 0; half < 32; half += 16 { // VPSHUFB looks up each half of a vector in its own table
			tables[half+int(character&0xF)] |= class
			tables[32+half+int(character>>4)] |= class
		}
	}
	for _, s := range []byte(listSeparators) {
		class := len(uppers)
		for i, u := range uppers {
			if u == s>>4 {
				class = i
			}
		}
		if class == len(uppers) {
			uppers = append(uppers, s>>4)
		}
		set(s, 1<<class)
	}
	set('\n', lf)
	set('\r', cr)
	for i := range 32 {
		tables[64+i], tables[96+i] = 0xF, lf-1
	}
	table := octets(c, name+"Tables", len(tables), func(i int) byte { return tables[i] })

	beginPassSingles(c, name)
	lower, upper, mask, isSeparator := c.YMM(), c.YMM(), c.YMM(), c.YMM()
	for i, v := range []reg.VecVirtual{lower, upper, mask, isSeparator} {
		c.VMOVDQU(table.Offset(32*i), v)
	}
	passSingles(c, func(text reg.Register) (separators, lfs, crs reg.GPVirtual) {
		var classes [2]reg.VecVirtual
		for i := range classes {
			characters, high := c.YMM(), c.YMM()
			classes[i] = c.YMM()
			c.VMOVDQU(operand.Mem{Base: text, Disp: 32 * i}, characters)
			c.VPSRLW(operand.U8(4), characters, high)
			c.VPAND(mask, high, high)
			c.VPSHUFB(high, upper, high)
			c.VPSHUFB(characters, lower, classes[i])
			c.VPAND(high, classes[i], classes[i])
		}
		all := c.YMM()
		c.VPOR(classes[0], classes[1], all)
		separators = c.GP64()
		c.XORL(separators.As32(), separators.As32())
		c.VPTEST(isSeparator, all)
		c.SETNE(separators.As8L())
		join := func(shift uint8) reg.GPVirtual { // shift moves the bit of a class to the top of each byte
			var halves [2]reg.GPVirtual
			for i := range halves {
				halves[i] = c.GP64()
				top := c.YMM()
				c.VPSLLW(operand.U8(shift), classes[i], top)
				c.VPMOVMSKB(top, halves[i].As32())
			}
			c.SHLQ(operand.U8(32), halves[1])
			c.ORQ(halves[1], halves[0])
			return halves[0]
		}
		return separators, join(2), join(1)
	})
}
