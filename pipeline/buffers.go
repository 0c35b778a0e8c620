package pipeline

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"usher/hashing"
)

// Buffers keeps the memory of finished uploads for later ones. It grows to the most memory
// that was ever used concurrently: up to 16 MiB of digests for each upload, some more for
// batches in flight, and one shared sieve of 4 MiB. The zero value is ready for use.
type Buffers struct {
	mu   sync.Mutex
	free []*memory

	sieving sync.Mutex
	sieve   *sieve
}

// memory is the memory of one upload.
type memory struct {
	segments *segments
	windows  chan *window // not in use
	buffers  *Buffers
}

// take returns memory for an upload; b may be nil.
func (b *Buffers) take(o *Options) *memory {
	if b == nil {
		b = new(Buffers)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	full := int(min(o.Window, segmentIDs))
	most := (int(o.Window)+full-1)/full + segmentsAhead
	fits := func(m *memory) bool { return m.segments.full == full && cap(m.segments.held) == most }
	if i := slices.IndexFunc(b.free, fits); i >= 0 {
		m := b.free[i]
		b.free = slices.Delete(b.free, i, i+1)
		return m
	}
	b.free = nil // its memory has other sizes
	return &memory{segments: newSegments(full, most), windows: make(chan *window, 2), buffers: b}
}

// give returns memory. A transport may still read some of its segments.
func (m *memory) give() {
	m.buffers.mu.Lock()
	defer m.buffers.mu.Unlock()
	m.buffers.free = append(m.buffers.free, m)
}

// segmentsAhead is the number of segments of the next window that may be filled before
// the first segments of the current window are sent.
const segmentsAhead = 2

// takeWindow returns an empty window of rows that begins at base.
func (m *memory) takeWindow(base int64) *window {
	var w *window
	select {
	case w = <-m.windows:
	default:
		w = new(window)
	}
	w.reset(base)
	return w
}

// giveWindow returns a window. Batches may still retain its segments.
func (m *memory) giveWindow(w *window) {
	w.release(0, 0)
	select {
	case m.windows <- w:
	default:
	}
}

// sift marks the window's duplicates.
func (m *memory) sift(w *window, yield func()) {
	m.buffers.sieving.Lock()
	defer m.buffers.sieving.Unlock()
	if m.buffers.sieve == nil {
		m.buffers.sieve = newSieve()
	}
	m.buffers.sieve.mark(w, yield)
}

// segmentIDs is the number of digests in a segment of full size, 1 MiB. It must fit into
// 16 bits, see sieve.
const segmentIDs = 1 << 16

// firstIDs is the initial size of an upload's first segment.
const firstIDs = 1 << 10

// segment is memory for digests. It is retained by its window and by every batch with a
// span of it.
type segment struct {
	digests []hashing.Digest
	holders atomic.Int32
	pool    *segments
}

func (s *segment) retain() { s.holders.Add(1) }

func (s *segment) release() {
	if s.holders.Add(-1) == 0 {
		s.pool.put(s)
	}
}

// grow enlarges the segment to eight times its size, or to most digests if that is less
// than twice as many. Only the window may use the segment before grow.
func (s *segment) grow(most int) {
	room := 8 * len(s.digests)
	if 2*room > most {
		room = most
	}
	s.digests = append(make([]hashing.Digest, 0, room), s.digests...)[:room]
}

// segments is a bounded pool of segments. They are allocated on demand; those of full size
// are reused.
type segments struct {
	full int           // number of digests in a segment of full size
	held chan struct{} // one token for each segment in use
	mu   sync.Mutex
	free []*segment // of full size, not in use
}

func newSegments(full, most int) *segments {
	return &segments{full: full, held: make(chan struct{}, most)}
}

// get waits for a segment and retains it once. The segment has full size, or room for ids
// digests if no segment of full size is free.
func (p *segments) get(ctx context.Context, ids int) (*segment, error) {
	select {
	case p.held <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var s *segment
	if last := len(p.free) - 1; last >= 0 {
		s, p.free = p.free[last], p.free[:last]
	} else {
		s = &segment{digests: make([]hashing.Digest, ids), pool: p}
	}
	s.holders.Store(1)
	return s, nil
}

// put returns a segment that is no longer retained.
func (p *segments) put(s *segment) {
	if len(s.digests) == p.full {
		p.mu.Lock()
		p.free = append(p.free, s)
		p.mu.Unlock()
	}
	<-p.held
}
