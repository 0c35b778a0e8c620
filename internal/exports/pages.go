package exports

import "sync"

// pages recycles the memory of Parquet's pages, which may be as large as a row
// group's column: what is compressed is given back as soon as it is expanded, so
// that parts that run side by side take turns with it.
type pages struct{ packed, expanded pool }

// pool is memory that nobody uses.
type pool struct{ free sync.Pool } // of *[]byte

// size has b be n bytes long: in its own memory, in some that is free, or in new
// with room for a page that is a little larger, as the next may be.
func (p *pool) size(b *[]byte, n int) {
	if cap(*b) < n {
		p.give(b)
		if free, ok := p.free.Get().(*[]byte); ok {
			*b = *free
		}
		if cap(*b) < n {
			*b = make([]byte, n, n+n/16)
		}
	}
	*b = (*b)[:n]
}

// give takes b's memory, which b has no more.
func (p *pool) give(b *[]byte) {
	if cap(*b) > 0 {
		free := *b
		p.free.Put(&free)
	}
	*b = nil
}
