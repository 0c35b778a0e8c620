package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"usher/hashing"
	"usher/internal/ledger"
)

// BenchmarkCompare compares a group of as many ids as one of an export of 100 million has with an
// empty ledger, from a few runs, and from as many as such an export has. It reports the time for
// each id.
func BenchmarkCompare(b *testing.B) {
	const n = 6_250_000
	for _, parts := range []int{4, 440} {
		b.Run(fmt.Sprintf("runs=%d", parts), func(b *testing.B) {
			s := openStore(b)
			r := rand.New(rand.NewPCG(9, 10))
			c := &ledger.Comparison{Job: "job", Run: 1, Head: ledger.Head{V: 1, Target: ledger.Target{Advertiser: "A", Name: "segment/1"}}, Today: 20000, Duration: 30}
			for part := range parts {
				digests := random(r, n/parts, false)
				for i := range digests {
					digests[i][0] &= 0xf // the first of 16 groups
				}
				c.Runs = append(c.Runs, writeRun(b, s.Staging(c.Head.Target, c.Job, c.Run).Runs(ledger.ReadStep, part, 0), digests))
			}
			c.Cut(100_000_000)
			for b.Loop() {
				if err := s.Compare(b.Context(), c, 0, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/id")
		})
	}
}

// writeRun writes digests as few runs, and returns their number.
func writeRun(b *testing.B, runs *ledger.Runs, digests []hashing.Digest) int {
	b.Helper()
	defer runs.Release()
	if err := runs.Add(b.Context(), digests); err != nil {
		b.Fatal(err)
	}
	written, err := runs.Flush(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return written
}
