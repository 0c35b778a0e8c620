package parquet

import "sync"

// Memory recycles the buffers of pages, which may be as large as a row group's
// column. A buffer of compressed data is given back as soon as the data is
// decompressed, so that readers that run at the same time take turns with it.
type Memory struct{ packed, unpacked pool }

// pool has the buffers that are not in use. The garbage collector does not empty
// it: otherwise a new buffer would be made before the collector has freed the last
// one, which took 12 MiB more for two readers of pages of 5 MB.
type pool struct {
	mu   sync.Mutex
	free [][]byte
}

// maxKept is the size of the largest buffer that is kept.
const maxKept = 8 << 20

// resize makes b n bytes long. It takes another buffer if b is too small.
func (p *pool) resize(b *[]byte, n int) {
	if cap(*b) < n {
		p.give(b)
		*b = p.take(n)
	}
	*b = (*b)[:n]
}

// take returns the smallest buffer that has room for n bytes. If there is none, it
// drops the buffers, which are too small for the pages that follow, and makes one
// with room for a slightly larger page.
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

// give takes the buffer b and sets b to nil.
func (p *pool) give(b *[]byte) {
	if 0 < cap(*b) && cap(*b) <= maxKept {
		p.mu.Lock()
		p.free = append(p.free, *b)
		p.mu.Unlock()
	}
	*b = nil
}
