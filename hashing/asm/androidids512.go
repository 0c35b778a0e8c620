package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// androidLoader512 loads sixteen lines of ANDROID_IDs, one into each lane.
type androidLoader512 struct {
	*build.Context
	lower, upper reg.VecVirtual // hashing.form's table of characters
	length       reg.VecVirtual // of each id
	numbers      operand.Mem    // 0 to 15
	// Constants that are broadcast to all lanes.
	signs, letters, shared, pad, three, fifteen, sixteen operand.Mem
}

// loadAndroidIDs512 emits the kernel that loads sixteen ANDROID_IDs of any length.
func loadAndroidIDs512(c *build.Context) {
	l := &androidLoader512{Context: c, numbers: words(c, "androidNumbers", 16, func(i int) uint32 { return uint32(i) })}
	constants := words(c, "androidConstants", 7, func(i int) uint32 {
		return [7]uint32{notHex * 0x01010101, 0x40404040, 0x34373739 /* 9774 */, 0x80, 3, 15, 16}[i]
	})
	for i, m := range []*operand.Mem{&l.signs, &l.letters, &l.shared, &l.pad, &l.three, &l.fifteen, &l.sixteen} {
		*m = constants.Offset(4 * i)
	}

	function(c, "loadAndroidIDLines512", "func(text *byte, starts *uint32, fold *byte, words *uint32, rows *int32, row, end int) (clean int)",
		"loads sixteen lines that begin at starts and returns how many", "are clean ANDROID_IDs, up to the first that is not.")
	fold := argument(c, "fold")
	l.lower, l.upper = c.ZMM(), c.ZMM()
	c.VMOVDQU64(operand.Mem{Base: fold}, l.lower)
	c.VMOVDQU64(operand.Mem{Base: fold, Disp: 64}, l.upper)

	w := l.ids()
	clean := l.clean(w)
	l.write(w)
	rows, row, n := argument(c, "rows"), c.GP64(), c.ZMM()
	c.Load(c.Param("row"), row)
	c.VPBROADCASTD(row.As32(), n)
	c.VPADDD(l.numbers, n, n)
	c.VMOVDQU64(n, operand.Mem{Base: rows})

	first := c.GP64() // the first lane that is not clean
	c.KMOVW(clean, first.As32())
	c.NOTL(first.As32())
	c.ORL(operand.U32(1<<16), first.As32())
	c.TZCNTL(first.As32(), first.As32())
	c.Store(first, c.ReturnIndex(0))
	c.VZEROUPPER()
	c.RET()
}

// ids returns the four words of sixteen ids in the form's case. Bytes after an id are 0.
// Row k has the lines 4b+k in its blocks b of 128 bits, so that the lines are in order
// after they are transposed.
func (l *androidLoader512) ids() [4]reg.VecVirtual {
	ascending := octets(l.Context, "androidAscending", 64, func(i int) byte { return byte(i % 16) })
	lengths := octets(l.Context, "androidLengths", 256, func(i int) byte { // of line 4b+k, in all bytes of block b of row k
		k, b := i/64, i%64/16
		return byte(4 * (4*b + k))
	})
	text := argument(l.Context, "text")
	starts := argument(l.Context, "starts")
	first := l.GP64()
	l.MOVL(operand.Mem{Base: starts}, first.As32())
	l.SUBQ(first, text) // starts are relative to this address

	// An id is as long as the distance to the next line, less the ending.
	end, ends := l.GP64(), l.ZMM()
	l.Load(l.Param("end"), end)
	l.VPBROADCASTD(end.As32(), ends)
	l.length = l.ZMM()
	l.VMOVDQU64(operand.Mem{Base: starts, Disp: 4}, l.length)
	l.VPSUBD(operand.Mem{Base: starts}, l.length, l.length)
	l.VPSUBD(ends, l.length, l.length)

	within := l.ZMM()
	l.VMOVDQU64(ascending, within)
	var rows [4]reg.VecVirtual
	for k := range rows {
		x := l.row(text, starts, k)
		length, id, raw := l.ZMM(), l.K(), l.ZMM()
		l.VMOVDQU64(lengths.Offset(64*k), length)
		l.VPERMB(l.length, length, length)
		l.VPCMPUB(operand.U8(1), length, within, id) // within < length
		l.VMOVDQU8_Z(x, id, raw)
		l.VPERMI2B_Z(l.upper, l.lower, id, x)
		l.VPTERNLOGD_BCST(operand.U8(0xf8), l.signs, raw, x) // x | raw & signs
		rows[k] = x
	}
	return transpose512(l.Context, rows)
}

// row loads 16 characters of each of the four lines of row k.
func (l *androidLoader512) row(text, starts reg.Register, k int) reg.VecVirtual {
	x := l.ZMM()
	for b := range 4 {
		start := l.GP64()
		l.MOVL(operand.Mem{Base: starts, Disp: 4 * (4*b + k)}, start.As32())
		line := operand.Mem{Base: text, Index: start, Scale: 1}
		if b == 0 {
			l.VMOVDQU64(line, x.AsX())
		} else {
			l.VINSERTI32X4(operand.U8(b), line, x, x)
		}
	}
	return x
}

// clean returns the lanes whose ANDROID_ID is certainly not junk.
func (l *androidLoader512) clean(w [4]reg.VecVirtual) reg.OpmaskVirtual {
	all, clean, k := l.ZMM(), l.K(), l.K()
	l.VMOVDQA64(w[0], all)
	l.VPTERNLOGD(operand.U8(0xfe), w[1], w[2], all)
	l.VPORD(w[3], all, all)
	l.VPTESTNMD_BCST(l.signs, all, clean)
	// More than three characters, and at most sixteen.
	l.VPCMPUD_BCST(operand.U8(2), l.sixteen, l.length, k) // length <= 16
	l.KANDW(k, clean, clean)
	l.VPCMPUD_BCST(operand.U8(6), l.three, l.length, k) // length > 3
	l.KANDW(k, clean, clean)
	// Not an id whose first four characters are equal, because all of them may be, and
	// not one that begins with 9774, because it may be the shared id.
	rotated := l.ZMM()
	l.VPROLD(operand.U8(8), w[0], rotated)
	l.VPCMPEQD(rotated, w[0], k)
	l.KANDNW(clean, k, clean)
	l.VPCMPEQD_BCST(l.shared, w[0], k)
	l.KANDNW(clean, k, clean)
	// Not fifteen decimal digits, which may be an IMEI.
	decimal := l.K()
	l.VPTESTNMD_BCST(l.letters, all, decimal)
	l.VPCMPEQD_BCST(l.fifteen, l.length, k)
	l.KANDW(k, decimal, k)
	l.KANDNW(clean, k, clean)
	return clean
}

// write pads the messages, with 0x80 after the id and its length in bits in word 14, and
// writes them.
func (l *androidLoader512) write(w [4]reg.VecVirtual) {
	to := argument(l.Context, "words")
	bits, place, pad := l.ZMM(), l.ZMM(), l.ZMM()
	l.VPSLLD(operand.U8(3), l.length, bits)
	l.VMOVDQU64(bits, operand.Mem{Base: to, Disp: 14 * pitch})
	shift := l.ZMM()
	l.VPANDD_BCST(l.three, l.length, shift)
	l.VPSLLD(operand.U8(3), shift, shift)
	l.VPBROADCASTD(l.pad, pad)
	l.VPSLLVD(shift, pad, pad)
	l.VPSRLD(operand.U8(2), l.length, place)
	for i := range 5 {
		here, out := l.K(), l.ZMM()
		l.VPCMPEQD_BCST(l.numbers.Offset(4*i), place, here)
		if i < 4 {
			out = w[i]
			l.VPORD(pad, out, here, out)
		} else {
			l.VMOVDQA32_Z(pad, here, out)
		}
		l.VMOVDQU64(out, operand.Mem{Base: to, Disp: i * pitch})
	}
}
