// Command asm writes the vector kernel of package exports: run `go generate` in
// that package. It is a module of its own, so that what only a generator needs
// is in no one's build.
package main

import (
	. "github.com/mmcloughlin/avo/build" //nolint:revive // as avo's programs are written
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// bytesEach is how many bytes of text an element of out is of: two vectors.
const bytesEach = 64

func main() {
	ConstraintExpr("!purego")
	maskAVX2()
	Generate()
}

// maskAVX2 compares 64 bytes at a time with each of three bytes, and stores a
// bit for each that is equal.
func maskAVX2() {
	TEXT("maskAVX2", NOSPLIT, "func(out []struct{ ends, delimiters, quotes uint64 }, text []byte, delimiter byte)")
	out, text, left := GP64(), GP64(), GP64()
	Load(Param("out").Base(), out)
	Load(Param("out").Len(), left)
	Load(Param("text").Base(), text)

	given := GP32()
	Load(Param("delimiter"), given)
	wanted := []reg.VecVirtual{broadcast(U32('\n')), broadcast(given), broadcast(U32('"'))}

	Label("next")
	TESTQ(left, left)
	JZ(LabelRef("done"))
	halves := []reg.VecVirtual{YMM(), YMM()}
	for i, half := range halves {
		VMOVDQU(Mem{Base: text, Disp: 32 * i}, half)
	}
	for i, pattern := range wanted {
		bits := []reg.GPVirtual{GP64(), GP64()}
		for j, half := range halves {
			equal := YMM()
			VPCMPEQB(half, pattern, equal)
			VPMOVMSKB(equal, bits[j].As32())
		}
		SHLQ(Imm(32), bits[1])
		ORQ(bits[1], bits[0])
		MOVQ(bits[0], Mem{Base: out, Disp: 8 * i})
	}
	ADDQ(Imm(bytesEach), text)
	ADDQ(Imm(8*uint64(len(wanted))), out)
	DECQ(left)
	JMP(LabelRef("next"))

	Label("done")
	VZEROUPPER()
	RET()
}

// broadcast is a vector of which each byte is b: an immediate, or a register.
func broadcast(b Op) reg.VecVirtual {
	from, all := GP32(), YMM()
	MOVL(b, from)
	VMOVD(from, all.AsX())
	VPBROADCASTB(all.AsX(), all)
	return all
}
