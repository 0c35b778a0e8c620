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
	types []usher.RowType
}

// begin empties the block for records; typed ones have types.
func (b *block) begin(typed bool) {
	b.Data, b.Records, b.Types = b.space[:0], true, nil
	if typed {
		b.Types = b.types[:0]
	}
}

// typed says that the next rows are of type t.
func (b *block) typed(rows int, t usher.RowType) {
	for range rows {
		b.Types = append(b.Types, t)
	}
	b.types = b.Types
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
	old.Data, old.Records, old.Types = nil, false, nil
	b.pool.Put(old)
}
