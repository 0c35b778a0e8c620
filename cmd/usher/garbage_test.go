package main

import "testing"

// A small heap may grow by 4 MiB, a large one by a tenth.
func TestGCPercent(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{0: 400, 1 << 20: 400, 8 << 20: 50, 40 << 20: 10, 60 << 20: 10, 1 << 40: 10} {
		if got := gcPercent(live); got != want {
			t.Errorf("GOGC of %d bytes is %d, want %d", live, got, want)
		}
	}
}
