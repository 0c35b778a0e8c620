package pipeline_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"usher"
	"usher/pipeline"
)

func tooLarge() error { return refusedAs(usher.CodeTooLarge) }

// TestTooLarge tests that a platform that accepts only small bodies gets small requests, that
// no id is refused, and that the batches do not change.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	most := 0
	r := &receiver{answer: func(_ int, digests []string) error {
		if len(digests) > 3000 {
			return tooLarge()
		}
		most = max(most, len(digests))
		return nil
	}}
	o := r.options()
	o.BatchIDs, o.Size, o.InFlight = 10_000, new(pipeline.Size), 1
	c := upload(t, ids(0, 30_000), o)
	if c.Batches != 3 || c.Tally.Accepted != 30_000 || most != 2500 {
		t.Errorf("%d batches, tally %+v, at most %d ids a request", c.Batches, c.Tally, most)
	}
	if n := o.Size.Next(10_000); n != 2500 && n != 5000 {
		t.Errorf("the next request may have %d ids", n)
	}
	r.checkGot(t, digestsOf(30_000))
	// The next upload begins with the learned size.
	r.requests = nil
	upload(t, ids(0, 2500), o)
	if len(r.requests) != 1 {
		t.Errorf("%d requests", len(r.requests))
	}
}

// TestTooLargeForever tests that the smallest request counts as refused if it is too large.
func TestTooLargeForever(t *testing.T) {
	t.Parallel()
	r := &receiver{answer: func(int, []string) error { return tooLarge() }}
	o := r.options()
	o.BatchIDs, o.MaxRejectPercent = 4000, 100
	c := upload(t, ids(0, 4000), o)
	if c.Tally.Refused[usher.CodeTooLarge] != 4000 || len(r.requests) > 10 {
		t.Errorf("%d requests, tally %+v", len(r.requests), c.Tally)
	}
}

// TestPlatformFailures tests that requests get smaller while the platform fails, and grow
// afterwards.
func TestPlatformFailures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{answer: func(n int, _ []string) error { return until(3, unavailable())(n) }}
		o := r.options()
		o.BatchIDs, o.Size, o.InFlight = 8000, new(pipeline.Size), 1
		c := upload(t, ids(0, 160_000), o)
		sizes := []int{}
		for _, request := range r.requests {
			if last := len(sizes) - 1; last < 0 || sizes[last] != len(request) {
				sizes = append(sizes, len(request))
			}
		}
		if c.Batches != 20 || !slices.Equal(sizes, []int{8000, 4000, 2000, 4000, 8000}) {
			t.Errorf("%d batches in requests of %v", c.Batches, sizes)
		}
	})
}

// TestSize tests that a request never exceeds the batch or falls below the minimum, and that
// a size that was too large is tried less and less often.
func TestSize(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 300_000).Draw(t, "the platform's limit")
		ids := rapid.IntRange(1, 200_000).Draw(t, "ids a batch")
		size, refused, requests := new(pipeline.Size), 0, 0
		for range 2000 {
			requests++
			n := size.Next(ids)
			if n < 1 || n > ids || n < min(ids, 1000) {
				t.Fatalf("%d of %d ids a request", n, ids)
			}
			if n <= limit {
				size.Succeeded(n)
				continue
			}
			refused++
			if smaller := size.Shrink(n, true); smaller != (n >= 2000) || smaller && size.Next(ids) >= n {
				t.Fatalf("after %d ids %d, smaller: %v", n, size.Next(ids), smaller)
			} else if !smaller {
				return
			}
		}
		if refused > 30 {
			t.Fatalf("%d of %d requests were too large", refused, requests)
		}
		if limit >= ids && size.Next(ids) != ids {
			t.Fatalf("%d of %d ids a request", size.Next(ids), ids)
		}
	})
}

// TestSizeRefusal tests that refused ids are also found in pieces of a batch.
func TestSizeRefusal(t *testing.T) {
	t.Parallel()
	bad := badIDs("E1", 7, 3999)
	r := &receiver{answer: func(n int, digests []string) error {
		if len(digests) > 1000 {
			return tooLarge()
		}
		return bad(n, digests)
	}}
	o := r.options()
	o.BatchIDs, o.InFlight = 4000, 1
	c := upload(t, ids(0, 4000), o)
	if c.Tally.Accepted != 3998 || c.Tally.Refused["E1"] != 2 || c.Batches != 1 {
		t.Errorf("tally %+v", c.Tally)
	}
	if n := pipeline.Distinct(c.Sketch); n < 3700 || n > 4300 {
		t.Errorf("%d distinct", n)
	}
}

// TestTimeouts tests an upload whose large requests time out.
func TestTimeouts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{}
		o := r.options()
		o.BatchIDs = 64_000
		o.Send = func(ctx context.Context, b *usher.Batch) error {
			if b.IDs > 5000 {
				time.Sleep(time.Second) // virtual time
				return unavailable()
			}
			return r.send(ctx, b)
		}
		if c := upload(t, ids(0, 100_000), o); c.Tally.Accepted != 100_000 || c.Batches != 2 {
			t.Errorf("%d batches, tally %+v", c.Batches, c.Tally)
		}
	})
}

func digestsOf(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = digestOf(i)
	}
	return all
}
