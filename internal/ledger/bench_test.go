package ledger_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"usher"
	"usher/hashing"
	"usher/internal/ledger"
)

// BenchmarkMirror sorts two million digests and compares them with a generation that has the
// same ones. It reports the time for each digest of both halves.
func BenchmarkMirror(b *testing.B) {
	s := openStore(b)
	const n = 1 << 21
	random := rand.NewChaCha8([32]byte{1})
	digests := make([]hashing.Digest, n)
	for i := range digests {
		_, _ = random.Read(digests[i][:])
	}
	target := ledger.Target{Advertiser: "A", Name: "segment/1"}
	c := &ledger.Comparison{Job: "job", Run: 1, Head: ledger.Head{V: 1, Target: target}, Today: 20000, Duration: 30}
	sorted := func(b *testing.B) {
		runs := s.Staging(target, c.Job, c.Run).Runs(ledger.ReadStep, 0, 0)
		for i := 0; i < n; i += 100_000 {
			if err := runs.Add(b.Context(), digests[i:min(i+100_000, n)]); err != nil {
				b.Fatal(err)
			}
		}
		count, err := runs.Flush(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		c.Runs = []int{count}
		runs.Release()
	}
	sorted(b)
	head, err := s.Adopt(b.Context(), c, n, usher.Profile{Type: usher.IDFA})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("sort", func(b *testing.B) {
		for b.Loop() {
			sorted(b)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/id")
	})
	b.Run("compare", func(b *testing.B) {
		sorted(b)
		c.Head, c.Adopt = head, false
		c.Cut(n)
		for b.Loop() {
			for group := range c.Groups {
				if err := s.Compare(context.Background(), c, group, nil); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/id")
	})
}
