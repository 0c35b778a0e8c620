package pipeline_test

import (
	"crypto/md5"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"usher/hashing"
	"usher/pipeline"
)

// TestSieve compares the sieve with a map, for few and many digests, including the zero
// digest and digests that differ only in a few bytes.
func TestSieve(t *testing.T) {
	t.Parallel()
	buffers := new(pipeline.Buffers)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(0, 300), rapid.IntRange(4090, 4100), rapid.IntRange(4097, 200_000)).Draw(t, "digests")
		different := rapid.Uint64Range(1, 2*uint64(n)+2).Draw(t, "different")
		at := rapid.IntRange(0, 8).Draw(t, "equal bytes at the start")
		spread := rapid.Bool().Draw(t, "spread")
		digests := make([]hashing.Digest, n)
		seed := rapid.Uint64().Draw(t, "seed")
		for i := range digests {
			seed = seed*6364136223846793005 + 1442695040888963407
			id := seed >> 33 % different
			if spread {
				id *= 0x9e3779b97f4a7c15
			}
			binary.LittleEndian.PutUint64(digests[i][at:], id)
		}
		var want []hashing.Digest
		var wantAt []int
		seen := map[hashing.Digest]bool{}
		for i, d := range digests {
			if !seen[d] {
				want, wantAt = append(want, d), append(wantAt, i)
			}
			seen[d] = true
		}
		got, gotAt := buffers.Sifted(digests)
		if !slices.Equal(got, want) || !slices.Equal(gotAt, wantAt) {
			t.Fatalf("%d different digests, want %d", len(got), len(want))
		}
	})
}

// TestMarks compares marks with a slice of booleans.
func TestMarks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.SliceOfN(rapid.Bool(), 1, 300).Draw(t, "places")
		if rapid.Bool().Draw(t, "few") {
			clear(places[len(places)/3:])
		}
		from := rapid.IntRange(0, len(places)-1).Draw(t, "from")
		n := rapid.IntRange(1, 300).Draw(t, "n")
		wantAt, wantPassed, wantCount := from, 0, 0
		for ; wantAt < len(places) && wantPassed < n; wantAt++ {
			if places[wantAt] {
				wantCount++
			} else {
				wantPassed++
			}
		}
		wantNext := len(places)
		if i := slices.Index(places[from:], true); i >= 0 {
			wantNext = from + i
		}
		at, passed, count, next := pipeline.Passes(places, from, n)
		if at != wantAt || passed != wantPassed || count != wantCount || next != wantNext {
			t.Fatalf("at %d passed %d count %d next %d, want %d %d %d %d", at, passed, count, next, wantAt, wantPassed, wantCount, wantNext)
		}
	})
}

// TestText tests that the text of a batch, read in pieces of any size, is the joined hex of
// its digests, for any segments.
func TestText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := someDigests(rapid.Int().Draw(t, "which"), rapid.IntRange(1, 200).Draw(t, "digests"))
		from := rapid.IntRange(0, len(all)-1).Draw(t, "from")
		ids := rapid.IntRange(1, len(all)-from).Draw(t, "ids")
		want := string(hashing.Join(nil, all[from:from+ids]))
		b := pipeline.BatchOf(all, rapid.IntRange(1, 100).Draw(t, "digests of a segment"), from, ids)
		if b.Size() != int64(len(want)) || b.IDs != ids {
			t.Fatalf("%d bytes of %d ids, want %d", b.Size(), b.IDs, len(want))
		}
		at := rapid.IntRange(0, len(want)).Draw(t, "at")
		p := make([]byte, rapid.IntRange(1, 2*len(want)).Draw(t, "bytes"))
		n, err := b.ReadAt(p, int64(at))
		if end := min(len(want), at+len(p)); string(p[:n]) != want[at:end] || (err != nil) != (n < len(p)) && end != len(want) {
			t.Fatalf("%q and %v, want %q", p[:n], err, want[at:end])
		}
		if text, err := b.Text(); err != nil || string(text) != want {
			t.Fatalf("%q and %v, want %q", text, err, want)
		}
	})
}

func TestSuppression(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 1000, 20_000} {
		var list strings.Builder
		list.WriteString("\ufeff")
		for i := range n {
			list.WriteString(strings.ToUpper(digestOf(i)) + []string{",", "\n", "\r\n", " , "}[i%4])
			if i%10 == 0 {
				list.WriteString(digestOf(i) + "\n")
			}
		}
		s, err := pipeline.LoadSuppression(iotest.HalfReader(strings.NewReader(list.String())))
		if err != nil {
			t.Fatal(err)
		}
		if s.Len() != n {
			t.Errorf("%d entries, want %d", s.Len(), n)
		}
		for i := range n + 1000 {
			if s.Has(new(hashing.Digest(md5.Sum([]byte(idOf(i)))))) != (i < n) {
				t.Fatalf("list of %d: id %d is suppressed: %v", n, i, i >= n)
			}
		}
	}
}

func TestSuppressionErrors(t *testing.T) {
	t.Parallel()
	_, err := pipeline.LoadSuppression(strings.NewReader(digestOf(1) + "\n" + idOf(2) + "\n"))
	if !errors.Is(err, hashing.ErrNoDigest) || !strings.Contains(fmt.Sprint(err), "entry 2") || strings.Contains(fmt.Sprint(err), "6D92") {
		t.Errorf("a raw id on the list: %v", err)
	}
	broken := errors.New("broken")
	if _, err := pipeline.LoadSuppression(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a broken list: %v", err)
	}
	// An entry is refused as soon as it is longer than a digest.
	if _, err := pipeline.LoadSuppression(endless('a')); !errors.Is(err, hashing.ErrNoDigest) {
		t.Errorf("an endless list: %v", err)
	}
}

type endless byte

func (c endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(c)
	}
	return len(p), nil
}

// someDigests returns n digests, which are the same in each call.
func someDigests(from, n int) []hashing.Digest {
	digests := make([]hashing.Digest, n)
	for i := range digests {
		digests[i] = md5.Sum(binary.LittleEndian.AppendUint64(nil, uint64(from+i)))
	}
	return digests
}

// TestDistinct bounds the error of the estimate. Its standard error is 1.6 %, and the digests
// are the same in each run.
func TestDistinct(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 10, 100, 1000, 5000, 20_000, 200_000} {
		got := pipeline.Distinct(pipeline.SketchOf(someDigests(0, n)))
		if off := math.Abs(float64(got)-float64(n)) / max(float64(n), 1); off > 0.04 {
			t.Errorf("%d distinct estimated of %d: %.1f %% off", got, n, 100*off)
		}
	}
	if n := pipeline.Distinct(nil); n != 0 {
		t.Errorf("%d distinct in nothing", n)
	}
	if n := pipeline.Distinct([]byte{1, 2, 3}); n != 0 {
		t.Errorf("%d distinct in an invalid sketch", n)
	}
}

// TestMergeSketch tests that merged sketches of parts equal the sketch of all, in any order.
func TestMergeSketch(t *testing.T) {
	t.Parallel()
	all := someDigests(0, 3000)
	whole := pipeline.SketchOf(all)
	a, b := pipeline.SketchOf(all[:2000]), pipeline.SketchOf(all[1000:])
	for name, got := range map[string][]byte{
		"a, b":              pipeline.MergeSketch(pipeline.MergeSketch(nil, a), b),
		"b, a":              pipeline.MergeSketch(pipeline.MergeSketch(nil, b), a),
		"the same twice":    pipeline.MergeSketch(pipeline.MergeSketch(nil, whole), whole),
		"nothing":           pipeline.MergeSketch(pipeline.SketchOf(all), nil),
		"an invalid sketch": pipeline.MergeSketch(pipeline.SketchOf(all), []byte("no")),
	} {
		if string(got) != string(whole) {
			t.Errorf("%s: the sketch differs", name)
		}
	}
	if len(pipeline.MergeSketch(nil, nil)) != 0 {
		t.Error("two empty sketches are not empty when merged")
	}
}
