package hashing_test

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"usher/hashing"
)

// TestSumPair compares the portable MD5 with crypto/md5 for every length of up to 55
// bytes.
func TestSumPair(t *testing.T) {
	t.Parallel()
	message := bytes.Repeat([]byte("6D92078A-8246-\xff\x80"), 4)
	for n := range 56 {
		for m := range 56 {
			x, y := message[:n], message[3:3+m]
			dx, dy := hashing.SumPair(x, y)
			if dx != md5.Sum(x) || dy != md5.Sum(y) {
				t.Fatalf("lengths %d and %d: %v and %v", n, m, dx, dy)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Byte(), 0, 55).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Byte(), 0, 55).Draw(t, "y")
		dx, dy := hashing.SumPair(x, y)
		if dx != md5.Sum(x) || dy != md5.Sum(y) {
			t.Fatal(dx, dy)
		}
	})
}

func someDigests() *rapid.Generator[[]hashing.Digest] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) hashing.Digest {
		return hashing.Digest(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "digest"))
	}), 0, 40)
}

func TestJoinAndParse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		digests := someDigests().Draw(t, "digests")
		var want []string
		for _, d := range digests {
			want = append(want, hex.EncodeToString(d[:]))
		}
		for _, k := range hashing.Kernels() {
			joined := k.Join([]byte("before"), digests)
			if string(joined) != "before"+strings.Join(want, ",") {
				t.Fatalf("%v: joined %s, want %v", k, joined, want)
			}
		}
		separator := rapid.SampledFrom([]string{",", "\n", "\r\n", ", ", ",\n"}).Draw(t, "separator")
		text := strings.Join(want, separator)
		if rapid.Bool().Draw(t, "upper") {
			text = strings.ToUpper(text)
		}
		// In two pieces, cut at any position.
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		for _, k := range hashing.Kernels() {
			got, used, err := k.ParseDigests(nil, []byte(text[:cut]), false)
			if err != nil {
				t.Fatal(err)
			}
			got, rest, err := k.ParseDigests(got, []byte(text[used:]), true)
			if err != nil || used+rest != len(text) || !slices.Equal(got, digests) {
				t.Fatalf("%v: %d of %d digests, %d+%d of %d bytes: %v", k, len(got), len(digests), used, rest, len(text), err)
			}
		}
	})
}

func TestParseDigestsRefuses(t *testing.T) {
	t.Parallel()
	const good = "f2d1311ca5c1ecb214c19a26e9ddbad0"
	for _, bad := range []string{
		"6D92078A-8246-4BA4-AE5B-76104861E7DC", good[1:], good + "0", good + good, "x", good[:31] + "g", good + ";" + good, "\ufeff" + good,
	} {
		for _, last := range []bool{true, false} {
			for _, k := range hashing.Kernels() {
				for n := 1; n < 10; n++ {
					text := strings.Repeat(good+",", n) + bad + "\n" + strings.Repeat(good+",", 8)
					digests, used, err := k.ParseDigests(nil, []byte(text), last)
					if !errors.Is(err, hashing.ErrNoDigest) || len(digests) != n || used != n*(len(good)+1) {
						t.Errorf("%v, %q: %d digests, %d used, error %v", k, text, len(digests), used, err)
					}
				}
			}
		}
	}
}

func FuzzParseDigests(f *testing.F) {
	f.Add([]byte("f2d1311ca5c1ecb214c19a26e9ddbad0,F2D1311CA5C1ECB214C19A26E9DDBAD0\r\n"), true)
	f.Add([]byte("f2d1311ca5c1ecb214c19a26e9ddba"), false)
	f.Add([]byte(strings.Repeat("f2d1311ca5c1ecb214c19a26e9ddbad0,", 9)), false)
	f.Add([]byte(strings.Repeat("F2D1311ca5c1ecb214c19a26e9ddbad0\r\n", 9)+"x"), true)
	f.Fuzz(func(t *testing.T, text []byte, last bool) {
		for _, k := range hashing.Kernels() {
			digests, used, err := k.ParseDigests(nil, text, last)
			var want []hashing.Digest
			wrong := false
			for _, field := range bytes.FieldsFunc(text[:used], func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }) {
				b, err := hex.DecodeString(string(field))
				wrong = wrong || err != nil || len(b) != 16
				if !wrong {
					want = append(want, hashing.Digest(b))
				}
			}
			switch {
			case wrong, !slices.Equal(digests, want):
				t.Fatalf("%v: %d digests of %q, want %d", k, len(digests), text[:used], len(want))
			case err == nil && last && used != len(text):
				t.Fatalf("%v: %d of %d bytes used", k, used, len(text))
			case err == nil && len(text)-used > hashing.HexLen:
				t.Fatalf("%v: %d bytes left over", k, len(text)-used)
			}
		}
	})
}

// TestJoinMany compares Join with encoding/hex for every number of digests.
func TestJoinMany(t *testing.T) {
	t.Parallel()
	digests := make([]hashing.Digest, 300)
	for i := range digests {
		digests[i] = md5.Sum([]byte{byte(i), byte(i >> 8)})
	}
	for _, k := range hashing.Kernels() {
		var want []byte
		for n := range digests {
			if got := k.Join(nil, digests[:n]); !bytes.Equal(got, want) {
				t.Fatalf("%v: %d digests joined are %s, want %s", k, n, got, want)
			}
			if n > 0 {
				want = append(want, ',')
			}
			want = hex.AppendEncode(want, digests[n][:])
		}
	}
}

func TestJoinAllocatesNothing(t *testing.T) {
	digests := make([]hashing.Digest, 100)
	buffer := make([]byte, 33*len(digests))
	if n := testing.AllocsPerRun(10, func() { hashing.Join(buffer[:0], digests) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// singleLines is the reference of hashing.SingleLines.
func singleLines(text []byte) (size, lines int) {
	for line := range bytes.Lines(text) {
		bare := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
		if bytes.ContainsAny(bare, ", ;|\t[\r") || line[len(line)-1] != '\n' {
			break
		}
		size += len(line)
		lines++
	}
	return size, lines
}

func TestSingleLines(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 3000)
	for range 3000 {
		text := text[:random.IntN(len(text))]
		for i := range text {
			text[i] = byte('a' + random.IntN(26))
			if random.IntN(30) == 0 {
				text[i] = '\n'
				if i > 0 && random.IntN(2) == 0 {
					text[i-1] = '\r'
				}
			}
		}
		for range random.IntN(3) {
			if len(text) > 0 {
				text[random.IntN(len(text))] = byte(random.IntN(256)) >> random.IntN(8)
			}
		}
		compareSingleLines(t, text)
	}
}

// Each character except the separators of lists is passed, at every position.
func TestSingleLinesPassAllCharacters(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		for at := range 130 {
			text := append(bytes.Repeat([]byte{'x'}, 130), "\nab\ncd"...)
			text[at] = byte(c)
			compareSingleLines(t, text)
		}
	}
}

func compareSingleLines(t *testing.T, text []byte) {
	t.Helper()
	wantSize, wantLines := singleLines(text)
	for _, k := range hashing.Kernels() {
		if size, lines := k.SingleLines(text); size != wantSize || lines != wantLines {
			t.Fatalf("%v: %d bytes and %d lines of %q, not %d and %d", k, size, lines, text, wantSize, wantLines)
		}
	}
}
