package hashing_test

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/hashing"
)

// TestSumByKernels compares every kernel with crypto/md5 for every number of messages
// and, for ANDROID_IDs, a mixture of all lengths.
func TestSumByKernels(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, p := range profiles() {
		h := newHasher(t, p, usher.InputRaw)
		w, want := new(hashing.Messages), make([]hashing.Digest, hashing.Lanes)
		for lane := range want {
			id := fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", random.Uint32(), random.Uint32N(1<<16), random.Uint32N(1<<12), random.Uint32N(1<<12), random.Uint64N(1<<48))
			if p.Type == usher.AndroidID {
				id = id[24:][:1+lane%12]
				if lane%3 == 0 {
					id = fmt.Sprintf("%016x", random.Uint64())
				}
			}
			h.Set(w, lane, id)
			sum, err := hex.DecodeString(reference{profile: p}.hash(id))
			if err != nil {
				t.Fatal(err)
			}
			want[lane] = hashing.Digest(sum)
		}
		for _, k := range hashing.Kernels() {
			for n := range hashing.Lanes + 1 {
				got := make([]hashing.Digest, k.RoundUp(n))
				k.Sum(h, w, n, got)
				if !slices.Equal(got[:n], want[:n]) {
					t.Fatalf("%v, %v, %d messages: wrong digests", k, p, n)
				}
			}
		}
	}
}

// TestParseEveryCorruption puts every byte at every position of a list.
func TestParseEveryCorruption(t *testing.T) {
	t.Parallel()
	good := []byte(strings.Repeat("f2d1311Ca5c1ecb214c19a26e9ddbad0,9F89c84a559f573636a47ff8daed0d33,", 4))
	got := make([]hashing.Digest, 8)
	for _, k := range hashing.Kernels() {
		for at, was := range good {
			for c := range 256 {
				good[at] = byte(c)
				want := at / 33
				var d hashing.Digest
				one := good[33*want:]
				if _, err := hex.Decode(d[:], one[:32]); err == nil && one[32] == ',' {
					want = 8
				}
				if n := k.ParseJoined(got, good); n != want || want == 8 && got[at/33] != d {
					t.Fatalf("%v: %d digests of %q, want %d", k, n, good, want)
				}
			}
			good[at] = was
		}
	}
}

// TestParseJoinedStops checks that ParseJoined stops when the output is full or the text
// ends.
func TestParseJoinedStops(t *testing.T) {
	t.Parallel()
	d := hashing.Digest(md5.Sum([]byte("x")))
	text := []byte(strings.Repeat(d.String()+",", 20))
	for _, k := range hashing.Kernels() {
		for room := range 20 {
			for length := range text {
				got := make([]hashing.Digest, room)
				want := min(room, length/33)
				if n := k.ParseJoined(got, text[:length:length]); n != want || slices.ContainsFunc(got[:n], func(g hashing.Digest) bool { return g != d }) {
					t.Fatalf("%v: %d digests of %d bytes with room for %d, want %d", k, n, length, room, want)
				}
			}
		}
	}
}

// TestKernelsAgree compares all results of every kernel with those of the portable one,
// including the bounds of rejects and the length used: with any share of dirty lines,
// mixed line endings, and little and much room.
func TestKernelsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
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
					t.Fatalf("%v, %v: the results of %d bytes of %q differ from those of %d bytes with %v", k, p, n, in, used, kernels[len(kernels)-1])
				}
			}
		}
	}
}
