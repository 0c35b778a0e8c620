package hashing_test

import (
	"crypto/md5"
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
)

// exportOf returns n lines of ids, one in every dirty of them bad.
func exportOf(n, dirty int) []byte {
	var in []byte
	for i := range n {
		if dirty > 0 && i%dirty == 0 {
			in = append(in, "null\n"...)
			continue
		}
		d := md5.Sum(fmt.Append(nil, i))
		in = fmt.Appendf(in, "%X-%X-%X-%X-%X\n", d[:4], d[4:6], d[6:8], d[8:10], d[10:])
	}
	return in
}

func BenchmarkLines(b *testing.B) {
	const n = 8192
	for name, in := range map[string][]byte{"clean": exportOf(n, 0), "1in100": exportOf(n, 100), "1in10": exportOf(n, 10)} {
		b.Run(name, func(b *testing.B) {
			h := newHasher(b, idfa, usher.InputRaw)
			out := hashing.NewOut(n, n)
			for b.Loop() {
				h.Lines(out, in, false, true)
			}
			perID(b, n)
		})
	}
	b.Run("md5", func(b *testing.B) {
		in := []byte(strings.Repeat("f2d1311ca5c1ecb214c19a26e9ddbad0\n", n))
		h := newHasher(b, idfa, usher.InputMD5)
		out := hashing.NewOut(n, n)
		for b.Loop() {
			h.Lines(out, in, false, true)
		}
		perID(b, n)
	})
}

// BenchmarkMD5Sum is what BenchmarkLines is measured by.
func BenchmarkMD5Sum(b *testing.B) {
	id := []byte("6D92078A-8246-4BA4-AE5B-76104861E7DC")
	for b.Loop() {
		md5.Sum(id)
	}
	perID(b, 1)
}

func perID(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/id")
}
