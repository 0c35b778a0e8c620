package parquet

import "sync"

// pages recycles the memory of Parquet's pages, which may be as large as a row
// group's column: what is compressed is given back as soon as it is expanded, so
// that parts that run side by side take turns with it.
type Memory struct{ packed, expanded pool }

// pool is memory that nobody uses, as much as ever was used at once. It is not left
// to the garbage collector, which would have a new page made before it has taken
// the one before: of pages of 5 MB that came to 12 MiB more for two parts.
type pool struct {
	mu   sync.Mutex
	free [][]byte
}

// keptPage is how large a page is at most whose memory is kept.
const keptPage = 8 << 20

// size has b be n bytes long: in its own memory, in some that is free, or in new
// with room for a page that is a little larger, as the next may be.
func (p *pool) size(b *[]byte, n int) {
	if cap(*b) < n {
		p.give(b)
		*b = p.take(n)
	}
	*b = (*b)[:n]
}

// take returns the least free memory that has room for n bytes. Where none has, all
// is too small for what comes now, and let go of.
func (p *pool) take(n int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := -1
	for i, b := range p.free {
		if cap(b) >= n && (best < 0 || cap(b) < cap(p.free[best])) {
			best = i
		}
	}
	if best < 0 {
		p.free = nil
		return make([]byte, n, n+n/16)
	}
	b := p.free[best]
	last := len(p.free) - 1
	p.free[best], p.free[last] = p.free[last], nil
	p.free = p.free[:last]
	return b
}

// give takes b's memory, which b has no more.
func (p *pool) give(b *[]byte) {
	if 0 < cap(*b) && cap(*b) <= keptPage {
		p.mu.Lock()
		p.free = append(p.free, *b)
		p.mu.Unlock()
	}
	*b = nil
}
