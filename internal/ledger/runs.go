package ledger

import (
	"context"
	"fmt"
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
