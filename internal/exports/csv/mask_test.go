package csv

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestMasks holds the vector kernels to their references, each byte of a block
// being each of all values, and nothing being written beyond what is promised.
func TestMasks(t *testing.T) {
	t.Parallel()
	const words = 5
	text := []byte(strings.Repeat("a;\"b\"\r\n,", words*maskBytes/8))
	want, got := makeMasks(words), makeMasks(words)
	check := func(delimiter byte) {
		mask(want, text, delimiter)
		findMasks(got, text, delimiter)
		if !slices.Equal(got.parting, want.parting) || !slices.Equal(got.ends, want.ends) || !slices.Equal(got.quotes, want.quotes) {
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

func TestMasksLists(t *testing.T) {
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
		const guard = 0xABCD
		size := len(words)*maskBytes + listRoom
		out, want := make([]uint16, size+listRoom), make([]uint16, size)
		for i := range out {
			out[i] = guard
		}
		n := list(want, words)
		if got := listMarks(out, words); got != n || !slices.Equal(out[:n], want[:n]) {
			t.Fatalf("of %x: %d marks %v, want %v", words, got, out[:n], want[:n])
		}
		for _, o := range out[min(n+listRoom, size):] {
			if o != guard {
				t.Fatalf("of %x: written beyond %d marks and the room behind them", words, n)
			}
		}
	}
}
