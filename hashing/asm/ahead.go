package main

import (
	"iter"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the parts of sixteen copied lines lie: their first sixteen characters, the
// next sixteen, and eight more with their ends. Every fourth line lies behind
// another, as transpose wants them.
const (
	copiedNext  = 16 * 16
	copiedTails = 2 * 16 * 16
	copied      = 16 * 40
)

// ahead512 copies lines, then loads them, among the steps of MD5. To copy them costs
// nothing, as MD5 leaves the ports that load and store idle; and most of what loads
// them can be done by one port only, while most of MD5 goes by either of two.
type ahead512 struct {
	*loader512
	halves         operand.Mem    // of what is copied last: where words are, and where ends are
	starts, copies reg.Register   // where lines begin, and where they are copied to
	clean, rows    reg.Register   // what is said of them
	numbers        reg.VecVirtual // of the next rows
	start          reg.GPVirtual  // of the line that is copied
	parts          int            // quarters of lines that were copied
}

func newAhead512(c *build.Context, name string, bare bool) *ahead512 {
	return &ahead512{
		loader512: newLoader512(c, name, bare),
		halves:    words(c, name+"halves", 32, func(i int) uint32 { return uint32(i%16*2 + i/16) }),
	}
}

// aheadArguments are what begin loads.
const aheadArguments = "text *byte, starts *uint32, form, copied *byte, next *uint32, clean *uint16, rows *int32, row int"

// begin returns what is to be called in each of a pass's steps of a group, and
// behind the last of them.
func (a *ahead512) begin() (step, behind func()) {
	a.prepare()
	a.to = a.Load(a.Param("next"), a.GP64())
	a.starts, a.copies = a.textAndStarts(), a.Load(a.Param("copied"), a.GP64())
	a.clean = a.Load(a.Param("clean"), a.GP64())
	a.rows, a.numbers = a.numbered()
	next, stop := iter.Pull(a.load)
	steps := 0
	step = func() {
		steps++
		for a.parts < min(64*groups512, 5*steps/4) {
			a.copy()
		}
		next()
	}
	return step, func() {
		for ok := true; ok; _, ok = next() {
		}
		stop()
		a.ADDQ(operand.U32(64*groups512), a.starts)
		a.ADDQ(operand.U32(2*groups512), a.clean)
		a.ADDQ(operand.U32(64*groups512), a.to)
		a.ADDQ(operand.U32(64*groups512), a.rows)
	}
}

// copy copies a quarter of a line, by ports that have nothing else to do.
func (a *ahead512) copy() {
	line, part := a.parts/4, a.parts%4
	a.parts++
	from := func(disp int) operand.Mem { return operand.Mem{Base: a.text, Index: a.start, Scale: 1, Disp: disp} }
	to := func(disp int) operand.Mem { return operand.Mem{Base: a.copies, Disp: line/16*copied + disp} }
	switch part {
	case 0:
		a.start = a.GP64()
		a.MOVL(operand.Mem{Base: a.starts, Disp: 4 * line}, a.start.As32())
	case 1, 2:
		sixteen := a.XMM()
		a.VMOVDQU(from(16*(part-1)), sixteen)
		a.VMOVDQU(sixteen, to((part-1)*copiedNext+line%4*64+line%16/4*16))
	case 3:
		eight := a.GP64()
		a.MOVQ(from(32), eight)
		a.MOVQ(eight, to(copiedTails+line%16*8))
	}
}

// load loads the lines that were copied, an instruction a time.
func (a *ahead512) load(yield func(struct{}) bool) {
	a.parts, a.pause = 0, func() { yield(struct{}{}) }
	for i := range groups512 {
		for a.parts < 64*(i+1) {
			a.pause()
		}
		a.sixteen(i)
	}
	a.pause = func() {}
}

// sixteen loads the i-th sixteen of the lines that were copied.
func (a *ahead512) sixteen(i int) {
	at := func(disp int) operand.Mem { return operand.Mem{Base: a.copies, Disp: copied*i + disp} }
	tail, last, ends, ended := a.ZMM(), a.ZMM(), a.ZMM(), a.K()
	a.VMOVDQU64(at(copiedTails), tail)
	a.VMOVDQU64(a.halves, last)
	a.VMOVDQU64(a.halves.Offset(64), ends)
	a.pause()
	a.VPERMI2D(at(copiedTails+64), tail, last)
	a.pause()
	a.VPERMI2D(at(copiedTails+64), tail, ends)
	a.pause()
	a.VPXORD_BCST(operand.Mem{Base: a.form, Disp: formEnd}, ends, ends)
	a.pause()
	a.VPTESTNMD_BCST(operand.Mem{Base: a.form, Disp: formWhere}, ends, ended)
	a.pause()
	var four [4]reg.VecVirtual
	clean := a.check(func(word int) reg.VecVirtual {
		switch {
		case word == 8:
			return last
		case word%4 == 0:
			part := word / 4 * copiedNext
			first, third := a.ZMM(), a.ZMM()
			a.VMOVDQU64(at(part), first)
			a.VMOVDQU64(at(part+128), third)
			a.pause()
			four = transpose(a.Context, [4]operand.Op{first, at(part + 64), third, at(part + 192)}, a.pause)
		}
		return four[word%4]
	}, 64*i, ended)
	a.KMOVW(clean, operand.Mem{Base: a.clean, Disp: 2 * i})
	a.VMOVDQU64(a.numbers, operand.Mem{Base: a.rows, Disp: 64 * i})
	a.pause()
	a.VPADDD_BCST(a.constants.Offset(4*22), a.numbers, a.numbers)
	a.pause()
}
