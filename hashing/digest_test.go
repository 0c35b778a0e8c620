package hashing_test

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"usher/hashing"
)

// TestSumPair compares the kernel with crypto/md5 on every length it may see.
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
	return rapid.SliceOf(rapid.Custom(func(t *rapid.T) hashing.Digest {
		return hashing.Digest(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "digest"))
	}))
}

func TestJoinAndParse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		digests := someDigests().Draw(t, "digests")
		var want []string
		for _, d := range digests {
			want = append(want, hex.EncodeToString(d[:]))
		}
		joined := hashing.Join(nil, digests)
		if string(joined) != strings.Join(want, ",") {
			t.Fatalf("joined %s, want %v", joined, want)
		}
		separator := rapid.SampledFrom([]string{",", "\n", "\r\n", ", ", ",\n"}).Draw(t, "separator")
		text := strings.Join(want, separator)
		if rapid.Bool().Draw(t, "upper") {
			text = strings.ToUpper(text)
		}
		// In two pieces, cut anywhere.
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		got, used, err := hashing.ParseDigests(nil, []byte(text[:cut]), false)
		if err != nil {
			t.Fatal(err)
		}
		got, rest, err := hashing.ParseDigests(got, []byte(text[used:]), true)
		if err != nil || used+rest != len(text) || len(got) != len(digests) {
			t.Fatalf("%d of %d digests, %d+%d of %d bytes: %v", len(got), len(digests), used, rest, len(text), err)
		}
		for i := range got {
			if got[i] != digests[i] {
				t.Fatalf("digest %d is %v, want %v", i, got[i], digests[i])
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
			text := good + "," + bad + "\n"
			digests, used, err := hashing.ParseDigests(nil, []byte(text), last)
			if !errors.Is(err, hashing.ErrNoDigest) || len(digests) != 1 || used != len(good)+1 {
				t.Errorf("%q: %d digests, %d used, error %v", text, len(digests), used, err)
			}
		}
	}
}

func FuzzParseDigests(f *testing.F) {
	f.Add([]byte("f2d1311ca5c1ecb214c19a26e9ddbad0,F2D1311CA5C1ECB214C19A26E9DDBAD0\r\n"), true)
	f.Add([]byte("f2d1311ca5c1ecb214c19a26e9ddba"), false)
	f.Fuzz(func(t *testing.T, text []byte, last bool) {
		digests, used, err := hashing.ParseDigests(nil, text, last)
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
		case wrong, len(digests) != len(want):
			t.Fatalf("%d digests of %q, want %d", len(digests), text[:used], len(want))
		case err == nil && last && used != len(text):
			t.Fatalf("%d of %d bytes used", used, len(text))
		case err == nil && len(text)-used > hashing.HexLen:
			t.Fatalf("%d bytes left over", len(text)-used)
		}
		for i := range want {
			if digests[i] != want[i] {
				t.Fatalf("digest %d", i)
			}
		}
	})
}

func TestJoinAllocatesNothing(t *testing.T) {
	digests := make([]hashing.Digest, 100)
	buffer := make([]byte, 33*len(digests))
	if n := testing.AllocsPerRun(10, func() { hashing.Join(buffer[:0], digests) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
