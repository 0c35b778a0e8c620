package pipeline_test

import (
	"crypto/md5"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"usher/hashing"
	"usher/pipeline"
)

// TestWindow compares the window with a map, the zero digest and runs of near
// ones included, over clears and growth.
func TestWindow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.Int64Range(1, 6000).Draw(t, "rows")
		w := pipeline.NewWindow(rows)
		for range rapid.IntRange(1, 4).Draw(t, "windows") {
			var digests, want []hashing.Digest
			var at []int32
			seen := map[hashing.Digest]bool{}
			var wantAt []int32
			seed := rapid.Uint64().Draw(t, "seed")
			for i := range rapid.Int64Range(0, rows).Draw(t, "digests") {
				seed = seed*6364136223846793005 + 1442695040888963407
				var d hashing.Digest
				binary.LittleEndian.PutUint64(d[8*(seed>>63):], seed>>33%uint64(rows))
				digests, at = append(digests, d), append(at, int32(i))
				if !seen[d] {
					want, wantAt = append(want, d), append(wantAt, int32(i))
				}
				seen[d] = true
			}
			n := 0
			for cut := rapid.IntRange(1, 500).Draw(t, "at once"); len(digests) > 0; {
				k := min(cut, len(digests))
				fresh := w.Fresh(digests[:k], at[:k])
				for i := range fresh {
					if n >= len(want) || digests[i] != want[n] || at[i] != wantAt[n] {
						t.Fatalf("new digest %d is %v", n, digests[i])
					}
					n++
				}
				digests, at = digests[k:], at[k:]
			}
			if n != len(want) {
				t.Fatalf("%d digests are new, want %d", n, len(want))
			}
			w.Clear()
		}
		if slots := w.Slots(); int64(slots)*17 > rows*20+17*64 && slots > 1024 {
			t.Fatalf("%d slots for %d rows", slots, rows)
		}
	})
}

// TestWindowGarbage: what a window leaves behind while it grows is little beside
// what it is.
func TestWindowGarbage(t *testing.T) {
	const rows = 1 << 18
	digests, at := make([]hashing.Digest, rows), make([]int32, rows)
	for i := range digests {
		binary.LittleEndian.PutUint64(digests[i][:], uint64(i)+1)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := pipeline.NewWindow(rows)
	if n := w.Fresh(digests, at); n != rows {
		t.Fatalf("%d digests are new", n)
	}
	runtime.ReadMemStats(&after)
	if made, size := after.TotalAlloc-before.TotalAlloc, uint64(17*w.Slots()); 2*made > 3*size {
		t.Errorf("%d bytes allocated for a window of %d", made, size)
	}
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
			if s.Has(md5.Sum([]byte(idOf(i)))) != (i < n) {
				t.Fatalf("of %d, id %d is suppressed: %v", n, i, s.Has(md5.Sum([]byte(idOf(i)))))
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
	// What does not end is refused as soon as it cannot be a digest any more.
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

// someDigests are n digests, the same for the same numbers.
func someDigests(from, n int) []hashing.Digest {
	digests := make([]hashing.Digest, n)
	for i := range digests {
		digests[i] = md5.Sum(binary.LittleEndian.AppendUint64(nil, uint64(from+i)))
	}
	return digests
}

// TestDistinct: the standard error is 1.6 %; what is drawn is always the same.
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
		t.Errorf("%d distinct in what is no sketch", n)
	}
}

// TestMergeSketch: parts merge to what one would have counted, in any order.
func TestMergeSketch(t *testing.T) {
	t.Parallel()
	all := someDigests(0, 3000)
	whole := pipeline.SketchOf(all)
	a, b := pipeline.SketchOf(all[:2000]), pipeline.SketchOf(all[1000:])
	for name, got := range map[string][]byte{
		"a, b":              pipeline.MergeSketch(pipeline.MergeSketch(nil, a), b),
		"b, a":              pipeline.MergeSketch(pipeline.MergeSketch(nil, b), a),
		"the same again":    pipeline.MergeSketch(pipeline.MergeSketch(nil, whole), whole),
		"nothing":           pipeline.MergeSketch(pipeline.SketchOf(all), nil),
		"what is no sketch": pipeline.MergeSketch(pipeline.SketchOf(all), []byte("no")),
	} {
		if string(got) != string(whole) {
			t.Errorf("%s: another sketch", name)
		}
	}
	if len(pipeline.MergeSketch(nil, nil)) != 0 {
		t.Error("nothing merged with nothing is something")
	}
}
