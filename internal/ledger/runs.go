package ledger

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"usher/hashing"
)

// runDigests is the number of digests of a full run, 4 MiB.
const runDigests = 1 << 18

// Runs collects digests and writes them as files that are sorted, called runs. It is safe
// for concurrent use.
type Runs struct {
	store *Store
	name  string // of the files, up to their number
	day   Day

	mu      sync.Mutex
	memory  *runMemory // nil: nothing was added since the last Release
	written int
}

// runMemory is what a run is collected and sorted in.
type runMemory struct {
	partition

	keys   []key // of a first byte
	sorter sorter
}

// newRuns returns Runs whose files have a name that begins with name. The first written
// files are there from an earlier attempt.
func (s *Store) newRuns(name string, written int, day Day) *Runs {
	return &Runs{store: s, name: name, written: written, day: day}
}

// Add adds digests. It writes a run when it has enough of them.
func (r *Runs) Add(ctx context.Context, digests []hashing.Digest) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(digests) > 0 {
		if r.memory == nil {
			r.memory = r.store.takeMemory()
		}
		n := min(runDigests-r.memory.partition.keys, len(digests))
		r.memory.add(digests[:n])
		digests = digests[n:]
		if r.memory.partition.keys == runDigests {
			if err := r.write(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// Flush writes what was added as a run, unless that is nothing, and returns the number of
// runs.
func (r *Runs) Flush(ctx context.Context) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.memory == nil || r.memory.partition.keys == 0 {
		return r.written, nil
	}
	err := r.write(ctx)
	return r.written, err
}

// Release returns the memory. It must be the last call.
func (r *Runs) Release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.memory != nil {
		r.store.giveMemory(r.memory)
	}
	r.memory = nil
}

// write writes a run. r.mu is held.
func (r *Runs) write(ctx context.Context) error {
	w, err := r.store.create(ctx, runName(r.name, r.written), digestSize, r.day)
	if err != nil {
		return err
	}
	m := r.memory
	for b := range firstBytes {
		m.keys = m.appendKeys(m.keys[:0], b)
		sorted := m.sorter.sort(m.keys)
		for i, k := range sorted {
			if i == 0 || k != sorted[i-1] {
				w.add(k, 0)
			}
		}
		m.keys = sorted
	}
	if _, err := w.close(); err != nil {
		return err
	}
	m.reset()
	r.written++
	return nil
}

func runName(name string, number int) string { return fmt.Sprintf("%s-%05d", name, number) }

// takeMemory returns memory for a run: that of an earlier one if there is any.
func (s *Store) takeMemory() *runMemory {
	if m, ok := s.runMemory.Get().(*runMemory); ok {
		return m
	}
	return &runMemory{}
}

func (s *Store) giveMemory(m *runMemory) {
	m.reset()
	s.runMemory.Put(m)
}

// chunkKeys is the number of keys in a chunk, slabChunks that of the chunks that are allocated
// at once.
const (
	chunkKeys  = 64
	slabChunks = 64
)

type (
	chunk [chunkKeys]key
	slab  [slabChunks]chunk
)

// partition collects keys by the first byte of their digests, in chunks. To sort the keys of
// each first byte is then a matter of the processor's cache.
type partition struct {
	slabs  []*slab
	chunks int // in use
	before []int32
	keys   int

	current [firstBytes]*chunk // the last chunk of a first byte; nil: it has none
	number  [firstBytes]int32  // of the current chunk; before says which one precedes it
	used    [firstBytes]int32  // keys in the current chunk
	count   [firstBytes]int32
}

func (p *partition) add(digests []hashing.Digest) {
	for i := range digests {
		k := keyOf(&digests[i])
		b := byte(k.high >> 56)
		at := p.used[b]
		if at == chunkKeys || p.current[b] == nil {
			p.grow(b)
			at = 0
		}
		p.current[b][at] = k
		p.used[b] = at + 1
	}
	p.keys += len(digests)
}

// grow begins a chunk of a first byte.
func (p *partition) grow(b byte) {
	if p.chunks == len(p.slabs)*slabChunks {
		p.slabs = append(p.slabs, new(slab))
	}
	before := int32(-1)
	if p.current[b] != nil {
		before = p.number[b]
		p.count[b] += chunkKeys
	}
	p.before = append(p.before[:p.chunks], before)
	p.number[b], p.current[b], p.used[b] = int32(p.chunks), p.at(int32(p.chunks)), 0
	p.chunks++
}

func (p *partition) at(number int32) *chunk {
	return &p.slabs[number/slabChunks][number%slabChunks]
}

// appendKeys appends the keys of a first byte.
func (p *partition) appendKeys(keys []key, b int) []key {
	if p.current[b] == nil {
		return keys
	}
	keys = slices.Grow(keys, int(p.count[b]+p.used[b]))
	keys = append(keys, p.current[b][:p.used[b]]...)
	for number := p.before[p.number[b]]; number >= 0; number = p.before[number] {
		keys = append(keys, p.at(number)[:]...)
	}
	return keys
}

// reset removes the keys and keeps the memory.
func (p *partition) reset() {
	*p = partition{slabs: p.slabs, before: p.before}
}

// sorter sorts keys and keeps its memory.
type sorter struct {
	scratch []key
	places  []int32
}

const (
	// few is the number of keys up to which they are sorted by insertion.
	few = 32
	// maxPlaces limits the number of places that keys are spread to.
	maxPlaces = 1 << 14
)

// sort returns the keys in order. They are in the memory of keys or of the sorter, which the
// next call changes.
//
// It spreads the keys evenly to about as many places as there are keys. MD5 digests are evenly
// distributed, so that few of them share a place and an insertion sort ends the work. Keys that
// crowd in a place are sorted by comparisons.
func (s *sorter) sort(keys []key) []key {
	if len(keys) <= few {
		insertionSort(keys)
		return keys
	}
	least, most := keys[0].high, keys[0].high
	for i := range keys {
		least, most = min(least, keys[i].high), max(most, keys[i].high)
	}
	size := min(bits.Len(uint(len(keys)-1)), bits.Len(maxPlaces-1))
	shift := max(bits.Len64(most-least)-size, 0)
	s.places = slices.Grow(s.places[:0], 1<<size)[:1<<size]
	places := s.places
	clear(places)
	for i := range keys {
		places[(keys[i].high-least)>>shift]++
	}
	begin := int32(0)
	for i, n := range places {
		places[i] = begin
		begin += n
	}
	s.scratch = slices.Grow(s.scratch[:0], len(keys))[:len(keys)]
	spread := s.scratch
	for i := range keys {
		place := (keys[i].high - least) >> shift
		spread[places[place]] = keys[i]
		places[place]++
	}
	begin = 0
	for _, end := range places {
		if end-begin > few {
			slices.SortFunc(spread[begin:end], compareKeys)
		}
		begin = end
	}
	insertionSort(spread)
	s.scratch = keys[:0]
	return spread
}

func compareKeys(a, b key) int {
	switch {
	case a.less(b):
		return -1
	case b.less(a):
		return 1
	}
	return 0
}

func insertionSort(keys []key) {
	for i := 1; i < len(keys); i++ {
		k := keys[i]
		j := i
		for ; j > 0 && k.less(keys[j-1]); j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
	}
}
