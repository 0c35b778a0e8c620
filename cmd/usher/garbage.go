package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	leastGCPercent = 10
	leastGarbage   = 4 << 20 // bytes allocated between two collections
)

// reduceGarbage sets GOGC to 10, unless the environment sets it. A worker's memory
// is mostly a few large, reused buffers without pointers: collections are cheap, and
// with the default the garbage would exceed them. While the heap is small, GOGC is larger:
// small jobs would otherwise spend a quarter of their time on collections.
func reduceGarbage() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(leastGCPercent)
		afterEachGC(adjustGC(leastGCPercent))
	}
}

// adjustGC returns a function that sets GOGC by the size of the heap.
func adjustGC(percent int) func() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	return func() {
		metrics.Read(live)
		// Setting it stops the program for a moment, so small changes are skipped.
		if next := gcPercent(live[0].Value.Uint64()); next < percent*4/5 || next > percent*5/4 {
			percent = next
			debug.SetGCPercent(percent)
		}
	}
}

// gcPercent returns the GOGC that lets a heap with live bytes grow by a tenth, and by at
// least leastGarbage.
func gcPercent(live uint64) int {
	return max(leastGCPercent, int(100*leastGarbage/max(live, 1<<20)))
}

// afterEachGC calls do after each collection.
func afterEachGC(do func()) {
	unreachable := &struct{ next *int }{}
	runtime.AddCleanup(unreachable, func(do func()) {
		do()
		afterEachGC(do)
	}, do)
}
