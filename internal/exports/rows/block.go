package rows

import (
	"errors"
	"io"
	"sync"

	"usher"
)

// Pool recycles blocks. All have buffers of the same size.
type Pool struct {
	// Partial has Refuse keep the rows of a block before the row that is refused.
	Partial bool

	size int
	pool sync.Pool // of *Block
}

// NewPool returns a Pool of blocks whose buffers have size bytes.
func NewPool(size int) *Pool { return &Pool{size: size} }

// Size returns the size of a block's buffer.
func (p *Pool) Size() int { return p.size }

// Block is a usher.Block that a reader fills.
type Block struct {
	usher.Block

	Space []byte // the buffer that Data lies in
	types []usher.RowType
}

// Get returns a block. Release returns it to the pool.
func (p *Pool) Get() *Block {
	if old, ok := p.pool.Get().(*Block); ok {
		return old
	}
	made := &Block{Space: make([]byte, p.size)}
	made.Recycle = func(*usher.Block) { p.Put(made) }
	return made
}

// Put returns a block to the pool that was not handed out.
func (p *Pool) Put(b *Block) {
	b.Data, b.Records, b.Types = nil, false, nil
	p.pool.Put(b)
}

// Refuse returns the error of a reader that cannot fill a block any further, and returns the
// block to the pool. If Partial is set and the block has rows, the error is a *Refused, and the
// block is handed out.
func (p *Pool) Refuse(b *Block, err error) error {
	if p.Partial && len(b.Data) > 0 && !errors.Is(err, io.EOF) {
		return &Refused{&b.Block, err}
	}
	p.Put(b)
	return err
}

// Refused is the error of a reader that has read some rows before the one that it refuses.
type Refused struct {
	Block *usher.Block // these rows
	Err   error
}

func (r *Refused) Error() string { return r.Err.Error() }
func (r *Refused) Unwrap() error { return r.Err }

// Reset empties the block. Each of its lines will be a row, even a blank one. If
// typed, each row has a type.
func (b *Block) Reset(typed bool) {
	b.Data, b.Records, b.Types = b.Space[:0], true, nil
	if typed {
		b.Types = b.types[:0]
	}
}

// AddTypes adds the type of the next n rows.
func (b *Block) AddTypes(n int, t usher.RowType) {
	for range n {
		b.Types = append(b.Types, t)
	}
	b.types = b.Types
}
