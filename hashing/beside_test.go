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
// iteration, and reports the median time an id of each and how many times faster
// than the first it is. On a machine that does other things too, that ratio is what
// counts.
func beside(b *testing.B, ids int, contenders ...contender) {
	b.Helper()
	times := make([][]time.Duration, len(contenders))
	for b.Loop() {
		for i, c := range contenders {
			settle(c)
			began := time.Now()
			c.do()
			times[i] = append(times[i], time.Since(began))
		}
	}
	b.ReportMetric(0, "ns/op")
	median := func(i int) float64 {
		slices.Sort(times[i])
		return float64(times[i][len(times[i])/2].Nanoseconds()) / float64(ids)
	}
	first := median(0)
	b.ReportMetric(first, contenders[0].name+"-ns/id")
	for i, c := range contenders[1:] {
		ns := median(i + 1)
		b.ReportMetric(ns, c.name+"-ns/id")
		b.ReportMetric(first/ns, c.name+"-×"+contenders[0].name)
	}
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
