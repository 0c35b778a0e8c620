package pipeline

import (
	"encoding/binary"
	"math"
	"math/bits"

	"usher/hashing"
)

// sketch is a HyperLogLog of digests with 2^12 registers of one byte; its standard error is
// 1.6 %. nil is empty. The bits of digests are used directly, because digests are hashes;
// so the sketches of all parts and workers can be merged.
type sketch []byte

const (
	sketchBits = 12
	registers  = 1 << sketchBits
	maxRank    = 64 + 1 // leading zeros of 64 bits, plus one
)

// add adds digests.
func (s *sketch) add(digests []hashing.Digest) {
	if len(digests) == 0 {
		return
	}
	if *s == nil {
		*s = make(sketch, registers)
	}
	r := (*[registers]byte)(*s)
	for i := range digests {
		d := &digests[i]
		rank := byte(bits.LeadingZeros64(binary.LittleEndian.Uint64(d[8:])) + 1)
		at := binary.LittleEndian.Uint16(d[:]) % registers
		if rank > r[at] { // rarely
			r[at] = rank
		}
	}
}

// merge adds other. It ignores a sketch of another length, which is not valid.
func (s *sketch) merge(other []byte) {
	if len(other) != registers {
		return
	}
	if *s == nil {
		*s = make(sketch, registers)
	}
	r := *s
	for i, rank := range other {
		r[i] = max(r[i], min(rank, maxRank))
	}
}

func (s sketch) bytes() []byte { return s }

// MergeSketch merges src into dst and returns the result, which uses the memory of dst if
// it has any. Either may be empty.
func MergeSketch(dst, src []byte) []byte {
	s := sketch(dst)
	s.merge(src)
	return s
}

// Distinct estimates the number of distinct digests in a sketch, by the
// improved estimator of O. Ertl, "New cardinality estimation algorithms for
// HyperLogLog sketches" (2017), algorithm 6, which needs no correction for small
// numbers.
func Distinct(sketch []byte) int64 {
	if len(sketch) != registers {
		return 0
	}
	var counts [maxRank + 1]float64
	for _, rank := range sketch {
		counts[min(rank, maxRank)]++
	}
	const m = float64(registers)
	z := m * tau(1-counts[maxRank]/m)
	for rank := maxRank - 1; rank >= 1; rank-- {
		z = (z + counts[rank]) / 2
	}
	z += m * sigma(counts[0]/m)
	return int64(math.Round(m * m / (2 * math.Ln2 * z)))
}

func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	z, y := x, 1.0
	for before := -1.0; z != before; y += y {
		before = z
		x *= x
		z += x * y
	}
	return z
}

func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	z, y := 1-x, 1.0
	for before := -1.0; z != before; {
		before = z
		x = math.Sqrt(x)
		y /= 2
		z -= (1 - x) * (1 - x) * y
	}
	return z / 3
}
