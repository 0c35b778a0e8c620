package pipeline

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"usher"
)

// Buffers keeps the memory of finished uploads, some 40 MB each at full size, for
// the next ones: as much as ever ran at once. Its zero value is ready for use.
type Buffers struct {
	mu   sync.Mutex
	free []*memory
}

// memory is what one upload needs: a window and a bounded number of batches.
type memory struct {
	rows    int64 // a window
	window  *window
	batches *batches
}

// take returns memory for an upload; b may be nil.
func (b *Buffers) take(o *Options) *memory {
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		fits := func(m *memory) bool {
			return m.rows == o.window && m.batches.ids == o.batchLimit() && cap(m.batches.held) == held(o)
		}
		if i := slices.IndexFunc(b.free, fits); i >= 0 {
			m := b.free[i]
			b.free = slices.Delete(b.free, i, i+1)
			return m
		}
		b.free = nil // made for other options
	}
	return &memory{rows: o.window, window: newWindow(o.window), batches: newBatches(o.batchLimit(), held(o))}
}

// give takes memory back. Of its batches some may still be read by a transport.
func (b *Buffers) give(m *memory) {
	if b == nil {
		return
	}
	m.window.clear()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = append(b.free, m)
}

// held is how many batches an upload may hold: those under way, the one being
// filled, and one that a transport has not let go of.
func held(o *Options) int { return o.InFlight + 2 }

// batches is a bounded number of batches. They are made when they are needed, of
// the size needed, and those of full size are used again.
type batches struct {
	ids  int               // of a batch at full size
	held chan struct{}     // one for each that somebody holds
	free chan *usher.Batch // of full size, held by nobody
	full atomic.Bool       // one was needed at full size: others will be, too
}

func newBatches(ids, most int) *batches {
	return &batches{ids: ids, held: make(chan struct{}, most), free: make(chan *usher.Batch, most)}
}

// firstIDs is the room of a batch until more is needed.
const firstIDs = 1 << 10

// get returns an empty batch, when there is one.
func (p *batches) get(ctx context.Context, stopped <-chan struct{}) (*usher.Batch, error) {
	if err := take(ctx, p.held, stopped); err != nil {
		return nil, err
	}
	select {
	case b := <-p.free:
		b.Reset()
		return b, nil
	default:
	}
	room := firstIDs
	if p.full.Load() {
		room = p.ids
	}
	return usher.NewBatch(min(room, p.ids), p.put), nil
}

// grow returns b, which holds ids, or one with room for need that holds the same.
func (p *batches) grow(b *usher.Batch, ids, need int) *usher.Batch {
	room := len(b.Buffer()) / idBytes
	if need <= room {
		return b
	}
	for room < need {
		room *= 8
	}
	if 2*room > p.ids { // the old room is garbage
		room = p.ids
		p.full.Store(true)
	}
	larger := usher.NewBatch(room, p.put)
	copy(larger.Buffer(), b.Buffer()[:ids*idBytes])
	return larger // b was shown to nobody
}

// put takes back a batch that nobody holds any more.
func (p *batches) put(b *usher.Batch) {
	if len(b.Buffer()) == p.ids*idBytes {
		p.free <- b // never waits: there are no more of them than held allows
	}
	<-p.held
}
