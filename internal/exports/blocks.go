package exports

import (
	"sync"

	"usher"
)

// blocks recycles the buffers of blocks. All have the same size.
type blocks struct {
	size int
	pool sync.Pool // of *block
}

// block is a Block with the buffer that its Data lies in.
type block struct {
	usher.Block
	space []byte
}

func (b *blocks) get() *block {
	if old, ok := b.pool.Get().(*block); ok {
		return old
	}
	made := &block{space: make([]byte, b.size)}
	made.Recycle = func(*usher.Block) { b.put(made) }
	return made
}

func (b *blocks) put(old *block) {
	old.Data, old.Row, old.Records = nil, 0, false
	b.pool.Put(old)
}
