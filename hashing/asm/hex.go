package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// atOnce is how many digests are written in whole vectors: 33 of 64 characters.
const atOnce = 64

// hexMany512 writes 64 digests at a time in hex, each with a separator behind it.
// A vector of the text begins anywhere in a digest, so each of the 33 has its own
// tables: which byte of the digests a character is of, which half of it, and
// where the separators are.
func hexMany512(c *build.Context) {
	type place struct{ digest, character int }
	at := func(vector, i int) place { p := 64*vector + i; return place{p / 33, p % 33} }
	// first is the first of the four digests that are loaded: where these four are
	// enough, one at which a line of the cache may begin, as a load across two lines
	// costs double.
	first := func(vector int) int {
		from, to := at(vector, 0).digest, at(vector, 63).digest
		if from/4 == to/4 {
			return from / 4 * 4
		}
		return min(from, atOnce-4)
	}
	const bytes, highs, separators, tables = 0, 64, 128, 192 // where they lie, and how far apart
	every := cacheAligned(c, "hexTables", 33*tables, func(i int) byte {
		p := at(i/tables, i%64)
		switch i % tables / 64 * 64 {
		case highs:
			return byte(p.character%2 - 1)
		case separators:
			return byte(p.character / 32 * 16)
		}
		if p.character == 32 {
			return 0
		}
		return byte(16*(p.digest-first(i/tables)) + p.character/2)
	})
	digits := octets(c, "hexDigits", 16, func(i int) byte { return "0123456789abcdef"[i] })
	low := words(c, "hexLow", 1, func(int) uint32 { return 0x0f0f0f0f })

	c.Function("hexMany512")
	c.Doc("hexMany512 writes 64 digests at a time in hex, each with a separator behind it.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(text, digests *byte, times int, separator byte)")
	c.Pragma("noescape")
	to := c.Load(c.Param("text"), c.GP64())
	from := c.Load(c.Param("digests"), c.GP64())
	n := c.Load(c.Param("times"), c.GP64())
	tablesOf := every()
	separator, table, mask := c.GP32(), c.ZMM(), c.ZMM()
	c.Load(c.Param("separator"), separator)
	c.VPBROADCASTB(separator, table) // the digits' places are written over
	c.VINSERTI32X4(operand.U8(0), digits, table, table)
	c.VPBROADCASTD(low, mask)

	c.Label("many")
	for v := range 33 {
		x, high := c.ZMM(), c.ZMM()
		c.PREFETCHT0(operand.Mem{Base: to, Disp: 64*v + 33*atOnce})
		of := func(table int) operand.Mem { return operand.Mem{Base: tablesOf, Disp: tables*v + table} }
		c.VMOVDQU64(of(bytes), x)
		c.VPERMB(operand.Mem{Base: from, Disp: 16 * first(v)}, x, x)
		c.VPSRLW(operand.U8(4), x, high)
		c.VPTERNLOGD(operand.U8(0xd8), of(highs), high, x)      // high where highs is set, else x
		c.VPTERNLOGD(operand.U8(0xea), of(separators), mask, x) // x & mask | separators
		c.VPERMB(table, x, x)
		c.VMOVDQU64(x, operand.Mem{Base: to, Disp: 64 * v})
	}
	c.ADDQ(operand.U32(16*atOnce), from)
	c.ADDQ(operand.U32(33*atOnce), to)
	c.DECQ(n)
	c.JNE(operand.LabelRef("many"))
	c.VZEROUPPER()
	c.RET()
}

// hex512 writes pairs of digests in hex, each with a separator behind it. Bytes
// are widened to 16 bits, of which the two halves are a byte's two digits.
func hex512(c *build.Context) {
	digits := octets(c, "digits", 64, func(i int) byte { return "0123456789abcdef"[i%16] })
	low := words(c, "low", 1, func(int) uint32 { return 0x0f0f0f0f })

	c.Function("hex512")
	c.Doc("hex512 writes pairs of digests in hex, each with a separator behind it.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(text, digests *byte, pairs int, separator byte)")
	c.Pragma("noescape")
	to := c.Load(c.Param("text"), c.GP64())
	from := c.Load(c.Param("digests"), c.GP64())
	n := c.Load(c.Param("pairs"), c.GP64())
	separator := c.Load(c.Param("separator"), c.GP8())
	table, mask := c.ZMM(), c.ZMM()
	c.VMOVDQU64(digits, table)
	c.VPBROADCASTD(low, mask)
	c.TESTQ(n, n)
	c.JE(operand.LabelRef("done"))

	c.Label("pair")
	wide, left := c.ZMM(), c.ZMM()
	c.VPMOVZXBW(operand.Mem{Base: from}, wide)
	c.VPSLLW(operand.U8(8), wide, left)
	c.VPSRLW(operand.U8(4), wide, wide)
	c.VPTERNLOGD(operand.U8(0xa8), mask, left, wide) // (wide | left) & mask
	c.VPSHUFB(wide, table, wide)
	c.VMOVDQU64(wide.AsY(), operand.Mem{Base: to})
	c.MOVB(separator, operand.Mem{Base: to, Disp: 32})
	c.VEXTRACTI64X4(operand.U8(1), wide, operand.Mem{Base: to, Disp: 33})
	c.MOVB(separator, operand.Mem{Base: to, Disp: 65})
	c.ADDQ(operand.U8(32), from)
	c.ADDQ(operand.U8(66), to)
	c.DECQ(n)
	c.JNE(operand.LabelRef("pair"))

	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// hex256 writes digests in hex, each with a separator behind it, as hex512 does.
func hex256(c *build.Context) {
	tables := octets(c, "hex256", 64, func(i int) byte {
		if i < 32 {
			return "0123456789abcdef"[i%16]
		}
		return 0x0f
	})
	c.Function("hex256")
	c.Doc("hex256 writes digests in hex, each with a separator behind it.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(text, digests *byte, n int, separator byte)")
	c.Pragma("noescape")
	to := c.Load(c.Param("text"), c.GP64())
	from := c.Load(c.Param("digests"), c.GP64())
	n := c.Load(c.Param("n"), c.GP64())
	separator := c.Load(c.Param("separator"), c.GP8())
	table, mask := c.YMM(), c.YMM()
	c.VMOVDQU(tables, table)
	c.VMOVDQU(tables.Offset(32), mask)

	c.Label("digest")
	wide, left := c.YMM(), c.YMM()
	c.VPMOVZXBW(operand.Mem{Base: from}, wide)
	c.VPSLLW(operand.U8(8), wide, left)
	c.VPSRLW(operand.U8(4), wide, wide)
	c.VPOR(left, wide, wide)
	c.VPAND(mask, wide, wide)
	c.VPSHUFB(wide, table, wide)
	c.VMOVDQU(wide, operand.Mem{Base: to})
	c.MOVB(separator, operand.Mem{Base: to, Disp: 32})
	c.ADDQ(operand.U8(16), from)
	c.ADDQ(operand.U8(33), to)
	c.DECQ(n)
	c.JNE(operand.LabelRef("digest"))
	c.VZEROUPPER()
	c.RET()
}
