package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// shorter512 loads sixteen lines of ANDROID_IDs.
type shorter512 struct {
	*build.Context
	lower, upper reg.VecVirtual // characters as they are to be: see hashing.form
	length       reg.VecVirtual // of the ids, a lane each
	numbers      operand.Mem    // 0 to 15
	// Constants of all lanes.
	signs, letters, shared, pad, three, fifteen, sixteen operand.Mem
}

// loadShort512 loads sixteen ANDROID_IDs of any length, a line each, whose
// beginnings are known. Row k has the lines 4b+k in its blocks b of 128 bits, so
// that the lines come in order once they are transposed.
func loadShort512(c *build.Context) {
	s := &shorter512{Context: c, numbers: words(c, "numbers", 16, func(i int) uint32 { return uint32(i) })}
	constants := words(c, "shortConstants", 7, func(i int) uint32 {
		return [7]uint32{notHex * 0x01010101, 0x40404040, 0x34373739 /* 9774 */, 0x80, 3, 15, 16}[i]
	})
	for i, m := range []*operand.Mem{&s.signs, &s.letters, &s.shared, &s.pad, &s.three, &s.fifteen, &s.sixteen} {
		*m = constants.Offset(4 * i)
	}

	c.Function("loadShort512")
	c.Doc("loadShort512 loads sixteen lines and returns how many, from the first on, are ANDROID_IDs.")
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr("func(text *byte, starts *uint32, fold *byte, words *uint32, rows *int32, row, end int) (clean int)")
	c.Pragma("noescape")
	fold := c.Load(c.Param("fold"), c.GP64())
	s.lower, s.upper = c.ZMM(), c.ZMM()
	c.VMOVDQU64(operand.Mem{Base: fold}, s.lower)
	c.VMOVDQU64(operand.Mem{Base: fold, Disp: 64}, s.upper)

	w := s.ids()
	clean := s.clean(w)
	s.write(w)
	rows, row, n := c.Load(c.Param("rows"), c.GP64()), c.GP64(), c.ZMM()
	c.Load(c.Param("row"), row)
	c.VPBROADCASTD(row.As32(), n)
	c.VPADDD(s.numbers, n, n)
	c.VMOVDQU64(n, operand.Mem{Base: rows})
	result := c.GP64()
	count(c, clean, result)
	c.Store(result, c.ReturnIndex(0))
	c.VZEROUPPER()
	c.RET()
}

// ids are four words of sixteen ids, folded; what lies behind an id is 0.
func (s *shorter512) ids() [4]reg.VecVirtual {
	ascending := octets(s.Context, "within16", 64, func(i int) byte { return byte(i % 16) })
	lengths := octets(s.Context, "lengths", 256, func(i int) byte { // of line 4b+k, all over block b of row k
		k, b := i/64, i%64/16
		return byte(4 * (4*b + k))
	})
	text := s.Load(s.Param("text"), s.GP64())
	starts := s.Load(s.Param("starts"), s.GP64())
	first := s.GP64()
	s.MOVL(operand.Mem{Base: starts}, first.As32())
	s.SUBQ(first, text) // where beginnings count from

	// An id is as long as from its line's beginning to the next one's, less the end.
	end, ends := s.GP64(), s.ZMM()
	s.Load(s.Param("end"), end)
	s.VPBROADCASTD(end.As32(), ends)
	s.length = s.ZMM()
	s.VMOVDQU64(operand.Mem{Base: starts, Disp: 4}, s.length)
	s.VPSUBD(operand.Mem{Base: starts}, s.length, s.length)
	s.VPSUBD(ends, s.length, s.length)

	within := s.ZMM()
	s.VMOVDQU64(ascending, within)
	var rows [4]reg.VecVirtual
	for k := range rows {
		x := s.ZMM()
		for b := range 4 {
			start := s.GP64()
			s.MOVL(operand.Mem{Base: starts, Disp: 4 * (4*b + k)}, start.As32())
			line := operand.Mem{Base: text, Index: start, Scale: 1}
			if b == 0 {
				s.VMOVDQU64(line, x.AsX())
			} else {
				s.VINSERTI32X4(operand.U8(b), line, x, x)
			}
		}
		length, id, raw := s.ZMM(), s.K(), s.ZMM()
		s.VMOVDQU64(lengths.Offset(64*k), length)
		s.VPERMB(s.length, length, length)
		s.VPCMPUB(operand.U8(1), length, within, id) // within < length
		s.VMOVDQU8_Z(x, id, raw)
		s.VPERMI2B_Z(s.upper, s.lower, id, x)
		s.VPTERNLOGD_BCST(operand.U8(0xf8), s.signs, raw, x) // x | raw & signs
		rows[k] = x
	}
	return transpose(s.Context, [4]operand.Op{rows[0], rows[1], rows[2], rows[3]})
}

// clean are the lanes that hold an ANDROID_ID which is surely no junk.
func (s *shorter512) clean(w [4]reg.VecVirtual) reg.OpmaskVirtual {
	all, clean, k := s.ZMM(), s.K(), s.K()
	s.VMOVDQA64(w[0], all)
	s.VPTERNLOGD(operand.U8(0xfe), w[1], w[2], all)
	s.VPORD(w[3], all, all)
	s.VPTESTNMD_BCST(s.signs, all, clean)
	// Of up to three characters or over sixteen: not ours.
	s.VPCMPUD_BCST(operand.U8(2), s.sixteen, s.length, k) // length <= 16
	s.KANDW(k, clean, clean)
	s.VPCMPUD_BCST(operand.U8(6), s.three, s.length, k) // length > 3
	s.KANDW(k, clean, clean)
	// The first four the same: so may all be. The vendor's bug begins with 9774.
	turned := s.ZMM()
	s.VPROLD(operand.U8(8), w[0], turned)
	s.VPCMPEQD(turned, w[0], k)
	s.KANDNW(clean, k, clean)
	s.VPCMPEQD_BCST(s.shared, w[0], k)
	s.KANDNW(clean, k, clean)
	// Fifteen decimal digits may be an IMEI.
	decimal := s.K()
	s.VPTESTNMD_BCST(s.letters, all, decimal)
	s.VPCMPEQD_BCST(s.fifteen, s.length, k)
	s.KANDW(k, decimal, k)
	s.KANDNW(clean, k, clean)
	return clean
}

// write pads the messages, 0x80 behind the id and its length in bits in word 14,
// and writes them.
func (s *shorter512) write(w [4]reg.VecVirtual) {
	to := s.Load(s.Param("words"), s.GP64())
	bits, place, pad := s.ZMM(), s.ZMM(), s.ZMM()
	s.VPSLLD(operand.U8(3), s.length, bits)
	s.VMOVDQU64(bits, operand.Mem{Base: to, Disp: 14 * pitch})
	shift := s.ZMM()
	s.VPANDD_BCST(s.three, s.length, shift)
	s.VPSLLD(operand.U8(3), shift, shift)
	s.VPBROADCASTD(s.pad, pad)
	s.VPSLLVD(shift, pad, pad)
	s.VPSRLD(operand.U8(2), s.length, place)
	for i := range 5 {
		here, out := s.K(), s.ZMM()
		s.VPCMPEQD_BCST(s.numbers.Offset(4*i), place, here)
		if i < 4 {
			out = w[i]
			s.VPORD(pad, out, here, out)
		} else {
			s.VMOVDQA32_Z(pad, here, out)
		}
		s.VMOVDQU64(out, operand.Mem{Base: to, Disp: i * pitch})
	}
}
