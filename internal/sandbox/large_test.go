package sandbox_test

import (
	"runtime"
	"testing"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// TestTenMillionMembers fills a segment over HTTP and measures its memory. It does not run
// in parallel, because it would measure the memory of other tests, too.
func TestTenMillionMembers(t *testing.T) { //nolint:paralleltest // see above
	if testing.Short() {
		t.Skip("long")
	}
	const count, batch = 10_000_000, 250_000
	p := start(t, sandbox.Options{})
	c, ctx := p.client(), t.Context()
	must(t, c.Segments.Upload(ctx, "2", batchOf(0, batch))) // makes connections and buffers
	before := heap()
	for from := 0; from < count; from += batch {
		must(t, c.Segments.Upload(ctx, "1", batchOf(from, from+batch)))
	}
	if each := float64(heap()-before) / count; each > 24 {
		t.Errorf("a digest takes %.1f bytes, want at most 24", each)
	} else {
		t.Logf("a digest takes %.1f bytes", each)
	}
	if got := p.fingerprint("segments/1").Count; got != count {
		t.Errorf("the segment holds %d, want %d", got, count)
	}
	began := time.Now()
	for _, n := range []int{0, 1, count / 2, count - 1, count, count + 1} {
		contains, err := c.Segments.Contains(ctx, "1", rtb.TypeIDFA, digestOf(n))
		must(t, err)
		if contains != (n < count) {
			t.Errorf("contains returned %v for number %d", contains, n)
		}
	}
	t.Logf("six calls of Contains took %s", time.Since(began))
}

// heap returns the live bytes on the heap.
func heap() int64 {
	runtime.GC()
	runtime.GC() // frees what finalizers of the first one released
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
