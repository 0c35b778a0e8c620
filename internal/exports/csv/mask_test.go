package csv

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestMasks compares the kernel with its reference, for each value of each byte of
// two blocks.
func TestMasks(t *testing.T) {
	t.Parallel()
	const words = 5
	text := []byte(strings.Repeat("a;\"b\"\r\n,", words*maskBytes/8))
	want, got := makeMasks(words), makeMasks(words)
	check := func(delimiter byte) {
		mask(want, text, delimiter)
		findMasks(got, text, delimiter)
		if !slices.Equal(got.separators, want.separators) || !slices.Equal(got.ends, want.ends) || !slices.Equal(got.quotes, want.quotes) {
			t.Fatalf("masks of %q are %x, want %x", text, got, want)
		}
	}
	for _, delimiter := range []byte("\t,;|") {
		for at := range 2 * maskBytes {
			was := text[at]
			for value := range 256 {
				text[at] = byte(value)
				check(delimiter)
			}
			text[at] = was
		}
	}
}

// TestList compares list with a loop over all bits.
func TestList(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		words := make([]uint64, random.IntN(9))
		for i := range words {
			words[i] = random.Uint64()
			for range random.IntN(7) {
				words[i] &= random.Uint64()
			}
			if random.IntN(20) == 0 {
				words[i] = ^uint64(0)
			}
		}
		var want []uint16
		for i := range len(words) * maskBytes {
			if words[i/maskBytes]>>(i%maskBytes)&1 == 1 {
				want = append(want, uint16(i))
			}
		}
		out := make([]uint16, len(words)*maskBytes)
		if n := list(out, words); !slices.Equal(out[:n], want) {
			t.Fatalf("mask %x: %d offsets %v, want %v", words, n, out[:n], want)
		}
	}
}
