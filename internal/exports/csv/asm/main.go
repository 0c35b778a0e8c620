// Command asm writes the vector kernel of package csv: run `go generate` in that
// package. It is a separate module, so that no build depends on the generator's
// modules.
package main

import (
	. "github.com/mmcloughlin/avo/build" //nolint:revive // the convention of programs that use avo
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// maskBytes is how many bytes of text a word of a mask covers: two vectors.
const maskBytes = 64

func main() {
	ConstraintExpr("!purego")
	maskAVX2()
	Generate()
}

// maskAVX2 compares 64 bytes at a time with each of three characters, and stores a
// bit for each byte that is equal.
func maskAVX2() {
	TEXT("maskAVX2", NOSPLIT, "func(separators, ends, quotes []uint64, text []byte, delimiter byte)")
	separators, ends, quotes, text, at, all := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	Load(Param("separators").Base(), separators)
	Load(Param("ends").Base(), ends)
	Load(Param("ends").Len(), all)
	Load(Param("quotes").Base(), quotes)
	Load(Param("text").Base(), text)
	given := GP32()
	Load(Param("delimiter"), given)
	delimiter, end, quote := broadcast(given), broadcast(U32('\n')), broadcast(U32('"'))

	XORQ(at, at)
	Label("next")
	CMPQ(at, all)
	JAE(LabelRef("done"))
	halves := []reg.VecVirtual{YMM(), YMM()}
	for i, half := range halves {
		VMOVDQU(Mem{Base: text, Disp: 32 * i}, half)
	}
	separated, ended, quoted := equalBits(halves, delimiter), equalBits(halves, end), equalBits(halves, quote)
	ORQ(ended, separated)
	MOVQ(separated, Mem{Base: separators, Index: at, Scale: 8})
	MOVQ(ended, Mem{Base: ends, Index: at, Scale: 8})
	MOVQ(quoted, Mem{Base: quotes, Index: at, Scale: 8})
	ADDQ(Imm(maskBytes), text)
	INCQ(at)
	JMP(LabelRef("next"))

	Label("done")
	VZEROUPPER()
	RET()
}

// broadcast returns a vector whose bytes are all b, an immediate or a register.
func broadcast(b Op) reg.VecVirtual {
	from, all := GP32(), YMM()
	MOVL(b, from)
	VMOVD(from, all.AsX())
	VPBROADCASTB(all.AsX(), all)
	return all
}

// equalBits returns a bit for each byte of both halves that equals the pattern.
func equalBits(halves []reg.VecVirtual, pattern reg.VecVirtual) reg.GPVirtual {
	bits := []reg.GPVirtual{GP64(), GP64()}
	for i, half := range halves {
		equal := YMM()
		VPCMPEQB(half, pattern, equal)
		VPMOVMSKB(equal, bits[i].As32())
	}
	SHLQ(Imm(32), bits[1])
	ORQ(bits[1], bits[0])
	return bits[0]
}
