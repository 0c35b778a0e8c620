package pipeline

import (
	"slices"
	"sync"
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
