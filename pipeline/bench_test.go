package pipeline_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/hashing"
	"usher/pipeline"
)

// BenchmarkDuplicates finds the duplicates of a full window with the sieve, with open
// addressing and tags, and with a Go map, one after the other in every round: without
// duplicates, and with 10 %.
func BenchmarkDuplicates(b *testing.B) {
	const n = usher.WindowRows
	for _, percent := range []int{0, 10} {
		b.Run(fmt.Sprintf("duplicates=%d%%", percent), func(b *testing.B) {
			digests := someDigests(0, n)
			for i := range digests {
				if i%100 < percent {
					digests[i] = digests[i/2]
				}
			}
			want := 0
			sieve, open := pipeline.NewSieved(digests), newOpenTable(n)
			contenders := []struct {
				name string
				find func() int
			}{
				{"map", func() int { return duplicatesByMap(digests) }},
				{"open-table", func() int { return open.duplicates(digests) }},
				{"sieve", sieve.Duplicates},
			}
			took := make([][]time.Duration, len(contenders))
			for b.Loop() {
				for i, c := range contenders {
					began := time.Now()
					found := c.find()
					took[i] = append(took[i], time.Since(began))
					if i == 0 {
						want = found
					} else if found != want {
						b.Fatalf("%s found %d duplicates of %d", c.name, found, want)
					}
				}
			}
			b.ReportMetric(0, "ns/op")
			median := func(i int) float64 {
				slices.Sort(took[i])
				return float64(took[i][len(took[i])/2].Nanoseconds()) / n
			}
			for i, c := range contenders {
				b.ReportMetric(median(i), c.name+"-ns/id")
			}
			b.ReportMetric(median(0)/median(2), "sieve-×map")
			b.ReportMetric(median(1)/median(2), "sieve-×open-table")
		})
	}
}

func duplicatesByMap(digests []hashing.Digest) (found int) {
	seen := make(map[hashing.Digest]struct{}, len(digests))
	for _, d := range digests {
		seen[d] = struct{}{}
	}
	return len(digests) - len(seen)
}

// openTable is compared with the sieve: open addressing with a tag for each slot, 20 bytes
// for each id, and 64 lookups at a time.
type openTable struct {
	slots []hashing.Digest
	tags  []byte
	read  byte
}

func newOpenTable(n int) *openTable {
	return &openTable{slots: make([]hashing.Digest, n*20/17+64), tags: make([]byte, n*20/17+64)}
}

func (t *openTable) duplicates(digests []hashing.Digest) (found int) {
	clear(t.tags)
	var hashes [64]uint64
	for some := range slices.Chunk(digests, len(hashes)) {
		var read byte
		for i := range some {
			high, low := bits.Mul64(binary.LittleEndian.Uint64(some[i][:8])^1, binary.LittleEndian.Uint64(some[i][8:])^2)
			hashes[i] = (high ^ low) * 0x9e3779b97f4a7c15
			read |= t.tags[t.place(hashes[i])]
		}
		t.read = read // keeps the compiler from removing the prefetch
		for i := range some {
			if !t.insert(&some[i], hashes[i]) {
				found++
			}
		}
	}
	return found
}

func (t *openTable) place(h uint64) int {
	at, _ := bits.Mul64(h, uint64(len(t.tags)))
	return int(at)
}

func (t *openTable) insert(d *hashing.Digest, h uint64) bool {
	tag := byte(h) | 1
	for at := t.place(h); ; at++ {
		if at == len(t.tags) {
			at = 0
		}
		if t.tags[at] == 0 {
			t.tags[at], t.slots[at] = tag, *d
			return true
		}
		if t.tags[at] == tag && t.slots[at] == *d {
			return false
		}
	}
}

// BenchmarkRows measures the pipeline without files and platform.
func BenchmarkRows(b *testing.B) {
	const n = 1_000_000
	data := []byte(strings.Join(ids(0, n), "\n"))
	o := pipeline.Options{
		Profile: usher.Profile{Type: usher.IDFA}, Buffers: new(pipeline.Buffers),
		Send: func(context.Context, *usher.Batch) error { return nil },
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := pipeline.Upload(b.Context(), &oneBlock{data: data}, o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/id")
}

// BenchmarkBatchAllocations counts the allocations for each batch without sending.
func BenchmarkBatchAllocations(b *testing.B) {
	const n = 50_000
	data := []byte(strings.Join(ids(0, n), "\n"))
	o := pipeline.Options{
		Profile: usher.Profile{Type: usher.IDFA}, Buffers: new(pipeline.Buffers),
		Send: func(context.Context, *usher.Batch) error { return nil },
	}
	mallocs := func(batchIDs int) float64 {
		o.BatchIDs = batchIDs
		return testing.AllocsPerRun(3, func() {
			if _, err := pipeline.Upload(b.Context(), &oneBlock{data: data}, o); err != nil {
				b.Fatal(err)
			}
		})
	}
	for b.Loop() {
		b.ReportMetric((mallocs(n/100)-mallocs(n/10))/90, "allocs/batch")
	}
	b.ReportMetric(0, "ns/op")
}
