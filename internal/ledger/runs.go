package ledger

import (
	"context"
	"fmt"
	"sync"

	"usher/hashing"
)

// runDigests is the number of digests of a full run, 8 MiB.
const runDigests = 1 << 19

// Runs collects digests and writes them as files that are sorted, called runs. It is safe
// for concurrent use.
type Runs struct {
	store *Store
	name  string // of the files, up to their number
	day   Day

	mu      sync.Mutex
	digests []hashing.Digest
	written int
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
		if r.digests == nil {
			r.digests = r.store.takeBuffer()
		}
		n := min(runDigests-len(r.digests), len(digests))
		r.digests = append(r.digests, digests[:n]...)
		digests = digests[n:]
		if len(r.digests) == runDigests {
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
	if len(r.digests) == 0 {
		return r.written, nil
	}
	err := r.write(ctx)
	return r.written, err
}

// Release returns the memory. It must be the last call.
func (r *Runs) Release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.store.giveBuffer(r.digests)
	r.digests = nil
}

// write writes a run. r.mu is held.
func (r *Runs) write(ctx context.Context) error {
	sortDigests(r.digests)
	w, err := r.store.create(ctx, runName(r.name, r.written), digestSize, r.day)
	if err != nil {
		return err
	}
	var last key
	for i := range r.digests {
		k := keyOf(&r.digests[i])
		if i == 0 || k != last {
			w.add(k, 0)
		}
		last = k
	}
	if _, err := w.close(); err != nil {
		return err
	}
	r.digests = r.digests[:0]
	r.written++
	return nil
}

func runName(name string, number int) string { return fmt.Sprintf("%s-%05d", name, number) }

// takeBuffer returns memory for a run: that of an earlier one if there is any.
func (s *Store) takeBuffer() []hashing.Digest {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.buffers) - 1; last >= 0 {
		b := s.buffers[last]
		s.buffers = s.buffers[:last]
		return b[:0]
	}
	return make([]hashing.Digest, 0, 1024) // it grows
}

func (s *Store) giveBuffer(b []hashing.Digest) {
	if cap(b) < runDigests {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buffers = append(s.buffers, b)
}
