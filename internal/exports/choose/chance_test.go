package choose

import (
	"math"
	"math/big"
	"testing"
)

// TestAtLeast compares the tail with the sum of exact fractions.
func TestAtLeast(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 7, 30, 200} {
		for _, den := range []int64{2, 10, 16, 43, 1845} {
			p := big.NewRat(1, den)
			tail := new(big.Rat)
			for k := n; k >= 0; k-- {
				term := new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k)))
				for i := range n {
					if i < k {
						term.Mul(term, p)
					} else {
						term.Mul(term, new(big.Rat).Sub(big.NewRat(1, 1), p))
					}
				}
				tail.Add(tail, term)
				want, _ := tail.Float64()
				got := atLeast(k, n, 1/float64(den))
				if below := float64(k) <= float64(n)/float64(den); below && got != 1 || !below && math.Abs(got-want) > 1e-9*want {
					t.Errorf("atLeast(%d, %d, 1/%d) = %g, want %g", k, n, den, got, want)
				}
			}
		}
	}
}
