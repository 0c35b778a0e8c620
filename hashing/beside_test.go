package hashing_test

import (
	"slices"
	"testing"
	"time"
)

// contender is one way to do what a benchmark measures.
type contender struct {
	name string
	do   func()
}

// beside does the same work in several ways, one after the other in every
// iteration, and reports the median time an id of each, and how many times faster
// than the first it is: the median of what that is in every iteration, as the
// machine may be another in the next, with somebody else's work on it. That ratio
// is what counts.
func beside(b *testing.B, ids int, contenders ...contender) {
	b.Helper()
	times, ratios := make([][]float64, len(contenders)), make([][]float64, len(contenders))
	for b.Loop() {
		for i, c := range contenders {
			settle(c)
			began := time.Now()
			c.do()
			times[i] = append(times[i], float64(time.Since(began).Nanoseconds())/float64(ids))
			round := len(times[i]) - 1
			ratios[i] = append(ratios[i], times[0][round]/times[i][round])
		}
	}
	b.ReportMetric(0, "ns/op")
	for i, c := range contenders {
		b.ReportMetric(median(times[i]), c.name+"-ns/id")
		if i > 0 {
			b.ReportMetric(median(ratios[i]), c.name+"-×"+contenders[0].name)
		}
	}
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// settle brings the processor to where it is in the midst of a long run: caches hold
// what they will, and wide units, which it slows down while it raises the voltage
// for them, are at their full rate. A Xeon of 2023 takes 0.4 ms for that, in which
// hashing costs a fifth more.
func settle(c contender) {
	for began := time.Now(); ; {
		c.do()
		if time.Since(began) > time.Millisecond {
			return
		}
	}
}
