package rows

import (
	"sync"

	"usher"
)

// blocks recycles the buffers of blocks. All have the same size.
type Blocks struct {
	Size int
	pool sync.Pool // of *block
}

// block is a Block with the buffer that its Data lies in.
type Block struct {
	usher.Block
	Space []byte
	types []usher.RowType
}

// begin empties the block for records; typed ones have types.
func (b *Block) Begin(typed bool) {
	b.Data, b.Records, b.Types = b.Space[:0], true, nil
	if typed {
		b.Types = b.types[:0]
	}
}

// typed says that the next rows are of type t.
func (b *Block) AddTypes(rows int, t usher.RowType) {
	for range rows {
		b.Types = append(b.Types, t)
	}
	b.types = b.Types
}

func (b *Blocks) Get() *Block {
	if old, ok := b.pool.Get().(*Block); ok {
		return old
	}
	made := &Block{Space: make([]byte, b.Size)}
	made.Recycle = func(*usher.Block) { b.Put(made) }
	return made
}

func (b *Blocks) Put(old *Block) {
	old.Data, old.Records, old.Types = nil, false, nil
	b.pool.Put(old)
}
