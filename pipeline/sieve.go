package pipeline

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"usher/hashing"
)

// sieve finds the duplicates of a window in three steps that fit into the CPU caches.
//
// Digests are partitioned by their first byte. Each has an entry of four bytes: the next
// two bytes of the digest and the low 16 bits of its place; the high bits follow from
// where the entries of a segment begin. In a partition, a bitmap of all values of these
// two bytes shows which values occur twice: with 4,096 digests in a partition these are
// one digest in sixteen, and all duplicates. Only these are looked up in a table with a
// random seed.
//
// The digests of a small window are all looked up in the table.
type sieve struct {
	entries []uint32
	begins  [windowRows/segmentIDs + 1][partitions]int32 // where the entries of each segment begin
	once    [1 << 16 / 64]uint64
	twice   [1 << 16 / 64]uint64
	places  [lookups]int // places of digests to be looked up
	table   table
}

const (
	partitions = 1 << 8
	// fewIDs is the number of digests below which partitions are not worthwhile.
	fewIDs = 1 << 12
	// lookups is the number of digests that are looked up at once, so that memory
	// latencies overlap.
	lookups = 64
)

func newSieve() *sieve {
	return &sieve{table: table{lo: rand.Uint64(), hi: rand.Uint64()}} //nolint:gosec // ChaCha8, seeded by the system
}

// mark marks all duplicates of the window as dropped. It takes about 10 ns for each
// digest, and calls yield in between, see Options.
func (s *sieve) mark(w *window, yield func()) {
	w.dropped = w.dropped.sized(w.digests)
	if w.digests <= fewIDs {
		s.table.clear(w)
		for i := range w.digests {
			s.places[i%lookups] = i
			if i%lookups == lookups-1 || i == w.digests-1 {
				s.lookUp(s.places[:i%lookups+1])
			}
		}
	} else {
		s.partition(w, yield)
		for p := range partitions {
			yield()
			s.find(w, p)
		}
	}
	s.table.window = nil
}

// lookUp marks the digests in places that are in the table, and inserts the others.
func (s *sieve) lookUp(places []int) {
	var hashes [lookups]uint64
	for i, place := range places {
		hashes[i%lookups] = s.table.hash(place)
	}
	for i, place := range places {
		if !s.table.insert(place, hashes[i%lookups]) {
			s.table.window.dropped.set(place)
		}
	}
}

// partition writes the entries, ordered by partition and place.
func (s *sieve) partition(w *window, yield func()) {
	if len(s.entries) < w.digests {
		s.entries = make([]uint32, w.digests)
	}
	var next [partitions]int32
	begin := int32(0)
	for p := range next {
		next[p] = begin
		begin += w.sizes[p]
	}
	segment := 0
	entries := s.entries
	w.each(func(digests []hashing.Digest) {
		s.begins[segment] = next
		segment++
		yield()
		for i := range digests {
			head := binary.LittleEndian.Uint32(digests[i][:])
			at := next[byte(head)]
			entries[at] = head<<8&0xffff0000 | uint32(i)
			next[byte(head)] = at + 1
		}
	})
	s.begins[segment] = next
}

// find marks the duplicates of a partition.
func (s *sieve) find(w *window, p int) {
	clear(s.once[:])
	clear(s.twice[:])
	for _, e := range s.entries[s.begins[0][p]:s.begins[len(w.segments)][p]] {
		word, bit := e>>22, uint64(1)<<(e>>16&63)
		s.twice[word] |= s.once[word] & bit
		s.once[word] |= bit
	}
	s.table.clear(w)
	n := 0
	for segment := range w.segments {
		for _, e := range s.entries[s.begins[segment][p]:s.begins[segment+1][p]] {
			s.places[n] = segment*segmentIDs + int(e&0xffff)
			if n += int(s.twice[e>>22] >> (e >> 16 & 63) & 1); n == lookups {
				s.lookUp(s.places[:])
				n = 0
			}
		}
	}
	s.lookUp(s.places[:n])
}

// table is a set of a window's digests, stored by place, with open addressing and at most
// half full. An attacker may choose the digests, so the hash depends on a random seed.
type table struct {
	slots  []slot
	count  int
	window *window
	lo, hi uint64 // the seed
}

// slot has the upper half of a hash and, in the lower half, a place plus one. 0 is free.
type slot uint64

// firstSlots is the initial number of slots.
const firstSlots = 1 << 10

// clear empties the table for a window.
func (t *table) clear(w *window) {
	t.window = w
	if len(t.slots) != firstSlots {
		t.slots = make([]slot, firstSlots)
	} else if t.count > 0 {
		clear(t.slots)
	}
	t.count = 0
}

// insert inserts the digest in place i with hash h and reports whether it was new.
func (t *table) insert(i int, h uint64) bool {
	for at := h >> 32; ; at++ {
		s := &t.slots[at&uint64(len(t.slots)-1)]
		switch {
		case *s == 0:
			*s = slot(h)&^0xffffffff | slot(i+1)
			if t.count++; 2*t.count > len(t.slots) {
				t.grow()
			}
			return true
		case uint64(*s)>>32 == h>>32 && *t.window.at(int(uint32(*s)) - 1) == *t.window.at(i):
			return false
		}
	}
}

// hash returns the hash of the digest in place i.
func (t *table) hash(i int) uint64 {
	d := t.window.at(i)
	a, b := bits.Mul64(binary.LittleEndian.Uint64(d[:8])^t.lo, binary.LittleEndian.Uint64(d[8:])^t.hi)
	return (a ^ b) * 0x9e3779b97f4a7c15
}

// grow makes the table four times as large.
func (t *table) grow() {
	old := t.slots
	t.slots = make([]slot, 4*len(old))
	for _, s := range old {
		if s == 0 {
			continue
		}
		at := uint64(s) >> 32
		for t.slots[at&uint64(len(t.slots)-1)] != 0 {
			at++
		}
		t.slots[at&uint64(len(t.slots)-1)] = s
	}
}
