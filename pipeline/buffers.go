package pipeline

import (
	"slices"
	"sync"
)

// Buffers keeps the memory of finished uploads for the next ones, as much as
// ever ran at once: 16 MiB of digests each and a few more for batches under way,
// where an upload is that long, and a sieve of 4 MiB that they take turns with.
// Its zero value is ready for use.
type Buffers struct {
	mu   sync.Mutex
	free []*memory

	sieving sync.Mutex
	sieve   *sieve
}

// memory is what one upload needs.
type memory struct {
	segments *segments
	windows  chan *window // of no use at the moment
	buffers  *Buffers
}

// take returns memory for an upload; b may be nil.
func (b *Buffers) take(o *Options) *memory {
	if b == nil {
		b = new(Buffers)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	full := int(min(o.window, segmentIDs))
	most := (int(o.window)+full-1)/full + segmentsAhead
	fits := func(m *memory) bool { return m.segments.full == full && cap(m.segments.held) == most }
	if i := slices.IndexFunc(b.free, fits); i >= 0 {
		m := b.free[i]
		b.free = slices.Delete(b.free, i, i+1)
		return m
	}
	b.free = nil // made for other options
	return &memory{segments: newSegments(full, most), windows: make(chan *window, 2), buffers: b}
}

// give takes memory back. Of its segments some may still be read by a transport.
func (m *memory) give() {
	m.buffers.mu.Lock()
	defer m.buffers.mu.Unlock()
	m.buffers.free = append(m.buffers.free, m)
}

// segmentsAhead is how many segments of the next window may be filled before the
// first of this one are sent; from then on one follows the other.
const segmentsAhead = 2

// takeWindow returns an empty window of rows from base on.
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

// giveWindow takes back a window of which nobody needs more than the segments
// that batches hold.
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
