package hashing_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
)

// TestKernelsAgree holds what every kernel makes of texts, to the place of the
// last reject and to where it stops, to what the one in Go does: any share of
// dirty lines, ends of both kinds among one another, little room and much.
func TestKernelsAgree(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	dirty := append(dirt(), "", "", "x", strings.Repeat("x", 70))
	kernels := hashing.Kernels()
	for _, p := range profiles() {
		for range 25 {
			share, crlf := []int{0, 1, random.IntN(101)}[random.IntN(3)], random.IntN(3)*50
			var text strings.Builder
			for i := range 100 + random.IntN(700) {
				line := cleanLine(p, usher.InputRaw, i)
				if random.IntN(100) < share {
					line = dirty[random.IntN(len(dirty))]
				}
				if random.IntN(100) < crlf {
					line += "\r"
				}
				text.WriteString(line + "\n")
			}
			in := []byte(text.String())[:text.Len()-random.IntN(3)]
			records, last := random.IntN(2) == 0, random.IntN(2) == 0
			digests, rejects := 1+random.IntN(900), 1+random.IntN(600)
			want := hashing.NewOut(digests, rejects)
			h := newHasher(t, p, usher.InputRaw)
			kernels[len(kernels)-1].Use(h)
			used := h.Lines(want, in, records, last)
			for _, k := range kernels {
				got := hashing.NewOut(digests, rejects)
				k.Use(h)
				n := h.Lines(got, in, records, last)
				if n != used || got.Count != want.Count || !slices.Equal(got.Digests, want.Digests) ||
					!slices.Equal(got.Rows, want.Rows) || !slices.Equal(got.Rejects, want.Rejects) {
					t.Fatalf("%v, %v: %d bytes of %q come to something else than %d bytes by %v", k, p, n, in, used, kernels[len(kernels)-1])
				}
			}
		}
	}
}
